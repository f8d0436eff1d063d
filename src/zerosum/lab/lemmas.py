"""What a look at the numbers proves: clauses of a game that can never apply, whatever anybody plays.

S is the sum of the pool, s the start or starts, T the target. Each lemma is a few lines of arithmetic and holds in
every match, so it costs nothing however large a game is. What no lemma proves is left to `endings.py`, which plays.
A lemma is true of the keys that it knows; rules with any other key have no lemmas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import gcd
from typing import Final

from zerosum.base.documents import OMITTED
from zerosum.base.enums import StrChoice
from zerosum.rules.describe import clause_of
from zerosum.rules.model import Ban, Exhausted, Overshoot, Rules, Seat, Tie, Totals
from zerosum.rules.moves import ADD_ONLY
from zerosum.solver.sums import never_makes
from zerosum.solver.supports import MOVE_CODES, unknown_key


class What(StrChoice):
    """What a clause speaks of: a way to end a match, a refilled pool, or a move that the ban forbids."""

    REACHED = "reached-target"
    OVERSHOT = "overshot"
    LAST_MOVER = "last-mover"
    CLOSER = "closer"
    TIE = "tie-rule"
    REFILL = "refill"
    BAN = "ban"


EXHAUSTED: Final = (What.LAST_MOVER, What.CLOSER, What.TIE, What.REFILL)
"""What happens when the pool is empty."""
ALWAYS_DEAD: Final = "overshoot"
"""The lemma that holds in every game whose numbers all point at a target that they pass."""


class By(StrChoice):
    """How a statement is proved."""

    ARITHMETIC = "arithmetic"
    EXHAUSTION = "exhaustion"
    STRATEGY = "strategy"
    PATTERN = "pattern"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why something cannot be, or is always so; `positions` is how many were looked at, None for arithmetic."""

    by: By
    words: str
    positions: int | None = None
    lemma: str = field(default="", metadata=OMITTED)


def spoken_of(rules: Rules) -> tuple[What, ...]:
    """Return what the clauses of a game speak of."""
    clauses = clause_of(rules)
    return tuple(what for what in What if what.value in clauses)


def lemmas(rules: Rules) -> dict[What, Evidence]:
    """Return what can never happen in a game, as far as arithmetic alone shows it.

    >>> from zerosum.rules.game_files import built_in
    >>> print(lemmas(built_in("sequence-zero"))[What.TIE].words)
    the starts and the numbers sum to 45, which is odd, and two totals equally far from 0 have an even sum
    """
    dead: dict[What, Evidence] = {}
    if unknown_key(MOVE_CODES, rules) is not None:
        return dead
    wanted = set(spoken_of(rules))
    for name, lemma in _LEMMAS.items():
        for what, words in lemma(rules):
            if what in wanted:
                dead.setdefault(what, Evidence(By.ARITHMETIC, words, lemma=name))
    return dead


Dead = Iterator[tuple[What, str]]


def _lands_at_last(rules: Rules) -> Dead:
    """(1) One total, numbers are added, S + s = T: the last number lands on the target."""
    if (
        rules.totals is Totals.SHARED
        and rules.operations == ADD_ONLY
        and sum(rules.pool) + rules.start[0] == rules.target
    ):
        words = f"{_sum_with_start(rules)}, so the last number always brings the total to {rules.target}"
        yield from ((what, words) for what in EXHAUSTED)


def _equally_far(rules: Rules) -> Dead:
    """(2) Own totals, numbers are added, S + s1 + s2 = 2T: both end equally far; in later rounds too if S = 0."""
    if rules.exhausted is not Exhausted.CLOSEST or rules.operations != ADD_ONLY:
        return
    both = sum(rules.pool) + sum(rules.start)
    if both == 2 * rules.target and (rules.tie is not Tie.SUDDEN_DEATH or sum(rules.pool) == 0):
        yield (
            What.CLOSER,
            f"an empty pool leaves totals that sum to {both}, and so both equally far from {rules.target}",
        )


def _odd(rules: Rules) -> Dead:
    """(3) Closest, S + s1 + s2 odd: no tie. Subtracting changes no parity, and without a tie there is one round."""
    both = sum(rules.pool) + sum(rules.start)
    if rules.exhausted is Exhausted.CLOSEST and both % 2:
        words = (
            f"the starts and the numbers sum to {both}, which is odd, "
            f"and two totals equally far from {rules.target} have an even sum"
        )
        yield from ((what, words) for what in (What.TIE, What.REFILL))


def _passed(rules: Rules) -> Dead:
    """(4) Overshoot loses, all numbers point at the target, and together they reach it: the pool is never empty.

    With own totals the pool is empty only if both stay short, by 1 at least.
    """
    gaps = [rules.target - start for start in rules.start]
    if rules.overshoot is not Overshoot.LOSES or rules.operations != ADD_ONLY:
        return
    if any(number * gap < 0 for number in rules.pool for gap in gaps):
        return
    needed = sum(abs(gap) - 1 for gap in gaps) + 1
    if abs(sum(rules.pool)) >= needed:
        whose = "the target is" if rules.totals is Totals.SHARED else "somebody's target is"
        words = f"the numbers sum to {sum(rules.pool)}, so {whose} reached or passed before the pool is empty"
        yield from ((what, words) for what in EXHAUSTED)


def _no_multiple(rules: Rules) -> Dead:
    """(5) All numbers have a common divisor that does not divide T - s, for either seat."""
    divisor = gcd(*rules.pool)
    if all((rules.target - start) % divisor for start in rules.start):
        far = " and ".join(dict.fromkeys(str(abs(rules.target - start)) for start in rules.start))
        yield What.REACHED, f"every number is a multiple of {divisor}, and {rules.target} is {far} away from the start"


def _no_sum(rules: Rules) -> Dead:
    """No numbers that either seat can take make T - s: the sums are counted."""
    if all(never_makes(rules, seat) for seat in Seat):
        yield What.REACHED, f"no numbers of the pool take a total from its start to {rules.target}"


def _no_opposite(rules: Rules) -> Dead:
    """(6) No two numbers of the pool whose amounts undo each other: nothing is ever banned.

    If a number comes back in sudden death, subtracting can undo what was added before the pool was refilled.
    """
    if rules.ban is not Ban.MIRROR:
        return
    numbers = Counter(rules.pool)
    if rules.operations == ADD_ONLY:
        undone = any(-number in numbers for number in numbers)
        words = "no two numbers of the pool sum to 0, so no move undoes another"
    else:
        sizes = Counter(map(abs, rules.pool))
        undone = max(sizes.values()) > 1 or rules.tie is Tie.SUDDEN_DEATH
        words = "no two numbers of the pool are equal or opposite, so no move can undo the one before it"
    if not undone:
        yield What.BAN, words


def _sum_with_start(rules: Rules) -> str:
    total, start = sum(rules.pool), rules.start[0]
    return f"the numbers sum to {total}" + (f" and the start is {start}" if start else "")


_LEMMAS: Final[dict[str, Callable[[Rules], Dead]]] = {
    "lands": _lands_at_last,
    "equal": _equally_far,
    "odd": _odd,
    ALWAYS_DEAD: _passed,
    "divisor": _no_multiple,
    "sums": _no_sum,
    "opposite": _no_opposite,
}
