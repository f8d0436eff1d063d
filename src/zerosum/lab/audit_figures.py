"""What exact metrics show about a game: a seat that wins too often, early ends, numbers that nobody needs.

Games with very many positions, and most games with sudden death, would take a minute or never end; they get only the
findings that need a few plies.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from zerosum.base.progress import Progress, silent
from zerosum.coach.evenness import EVEN, EVEN_TO, even_to, even_words
from zerosum.lab.findings import Finding, Severity, finding_kind
from zerosum.lab.lemmas import By, Evidence
from zerosum.lab.metrics import ALL, EARLY, MetricsJson, screen
from zerosum.players.odds import certain
from zerosum.players.policies import chances
from zerosum.rules.model import Ban, Tie
from zerosum.rules.moves import ADD_ONLY
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Solution, SolverError
from zerosum.solver.mirrors import is_its_own_negation

USELESS_NUMBER: Final = finding_kind(
    "useless-number",
    Severity.WARNING,
    170,
    "A number is never the only way to win. One that never wins at all is dead.",
)
SEAT: Final = finding_kind(
    "seat",
    Severity.WARNING,
    180,
    "The game is not even up to level 3: at random, or between equals of a level up to 3, one seat wins more "
    "than 60 %.",
)
EARLY_ENDS: Final = finding_kind(
    "early", Severity.WARNING, 210, "More than 20 % of the matches between equals of level 2 are over after 4 plies."
)

OFTEN: Final = 0.2
"""The largest chance of an early end in a good game."""
LARGEST: Final = 150_000
"""Positions of a game that is measured."""
LONGEST_ROUND: Final = 10
"""The same for numbers in a pool that is refilled."""
_WEAK: Final = "level:2"
_ASKED: Final = ALL[: EVEN_TO + 1]
"""The players between whom a good game is even."""


def figures_of(solution: Solution, progress: Progress = silent) -> MetricsJson | None:
    """Return the figures of a game, None if they take long or cannot be found exactly, as with bans in sudden death."""
    if not is_quick(solution):
        return None
    progress("measuring")
    try:
        return screen(solution.rules, ALL[:-1])
    except SolverError:
        return None


def figure_findings(solution: Solution, found: MetricsJson | None) -> Iterator[Finding]:
    """Yield what the figures of a game show; without them, what can be seen at a glance."""
    if found is None:
        yield from _at_a_glance(solution)
        return
    first_round = found["scope"] == "first-round"
    proof = _exactly(found["graph"]["positions"], " of the first round" if first_round else "")
    yield from _seat(found["first"], proof)
    yield from _early(found["early"][_WEAK], proof)
    yield from _useless(found, proof, first_round=first_round)


def is_quick(solution: Solution) -> bool:
    """Return whether figures take seconds at most: rounds that drift away from the target can go on for ever."""
    rules = solution.rules
    if rules.tie is not Tie.SUDDEN_DEATH:
        return solution.count is not None and solution.count <= LARGEST
    turns_back = rules.operations == ADD_ONLY and is_its_own_negation(rules.pool)
    return turns_back and rules.ban is Ban.NONE and len(rules.pool) <= LONGEST_ROUND


def _exactly(positions: int | None, where: str = "") -> Evidence:
    return Evidence(By.EXHAUSTION, f"chances were worked out exactly, over every position{where}", positions)


def _seat(first: Mapping[str, float], proof: Evidence) -> Iterator[Finding]:
    """Report that a game is not even up to the level that a good one is; `first` is who wins how often, where known.

    Players above that level are left aside: near perfect play the seat decides in every game.
    """
    least, most = EVEN
    uneven = [who for who in _ASKED if who in first and not least <= first[who] <= most]
    if uneven:
        who = max(uneven, key=lambda one: abs(first[one] - 1 / 2))
        seat, chance = ("first", first[who]) if first[who] > 1 / 2 else ("second", 1 - first[who])
        between = "at random" if who == "random" else f"between equals of level {who.rpartition(':')[2]}"
        # A player of whom nothing is known leaves open how even the game is.
        known = set(_ASKED) <= set(first)
        good = f"The game is {even_words(even_to(first))}; a good one" if known else "A good game"
        words = (
            f"The seat decides too much: {between} the {seat} player wins {chance:.0%} of the matches. "
            f"{good} is {even_words(EVEN_TO)} at least."
        )
        yield Finding(SEAT, Severity.WARNING, words, proof=proof)


def _early(chance: float, proof: Evidence) -> Iterator[Finding]:
    if chance > OFTEN:
        words = f"Between equals of level 2, {chance:.0%} of the matches are over after {EARLY} plies or fewer."
        yield Finding(EARLY_ENDS, Severity.WARNING, words, proof=proof)


def _useless(found: MetricsJson, proof: Evidence, *, first_round: bool) -> Iterator[Finding]:
    """Yield the numbers that never win, then those that are never needed; in later rounds they may be."""
    where = " in the first round" if first_round else ""
    never = [str(one["number"]) for one in found["numbers"] if not one["wins"]]
    spare = [str(one["number"]) for one in found["numbers"] if one["wins"] and not one["needed"]]
    if never:
        severity = Severity.NOTE if first_round else Severity.DEAD
        words = f"Taking {_listed(never)} never wins{where}, in any position."
        yield Finding(USELESS_NUMBER, severity, words, proof=proof)
    if spare:
        words = f"Taking {_listed(spare)} is never the only way to win{where}."
        yield Finding(USELESS_NUMBER, Severity.WARNING, words, proof=proof)


def _listed(numbers: list[str]) -> str:
    *most, last = numbers
    return f"{', '.join(most)} or {last}" if most else last


def _at_a_glance(solution: Solution) -> Iterator[Finding]:
    """Yield what needs no more than a few plies: who is sure to win, and early ends."""
    sure = {who: certain(solution.start, (who, who)) for who in _ASKED}
    known = {who: chance for who, chance in sure.items() if chance is not None}
    yield from _seat(
        known, Evidence(By.EXHAUSTION, "at this level nobody misses a win that is at hand", solution.count)
    )
    yield from _early(early_ends(solution), _exactly(None, " of the first plies"))


def early_ends(solution: Solution) -> float:
    """Return the chance that a match between equals is over after a few plies."""
    over = 0.0
    here: dict[PositionKey, tuple[Position, float]] = {solution.start.key: (solution.start, 1.0)}
    for _ in range(EARLY):
        following: dict[PositionKey, float] = defaultdict(float)
        reached: dict[PositionKey, Position] = {}
        for position, chance in here.values():
            for move, share in chances(_WEAK, position, solution).items():
                after = position.play_unchecked(move)
                if after.outcome is not None:
                    over += chance * share
                elif share:
                    reached[after.key] = after
                    following[after.key] += chance * share
        here = {key: (reached[key], chance) for key, chance in following.items()}
    return over
