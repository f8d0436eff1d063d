"""What perfect play and exact figures show about a game.

Perfect play: choices that settle nothing, ends too soon or never, simple strategies. Figures: a seat that wins too
often, early ends, numbers that nobody needs. Games with very many positions, and most games with sudden death, would
take a minute or never end; of figures they get only what needs a few plies.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from zerosum.base import limits
from zerosum.base.english import count, seat_name
from zerosum.base.progress import Progress, silent
from zerosum.coach.evenness import EVEN, EVEN_TO, even_to, even_words
from zerosum.coach.sanity import at_once, say
from zerosum.lab.findings import Finding, Severity, finding_kind
from zerosum.lab.lemmas import By, Evidence
from zerosum.lab.metrics import ALL, EARLY, MetricsJson, screen
from zerosum.players.odds import certain
from zerosum.players.policies import chances
from zerosum.rules.describe import clause_of
from zerosum.rules.model import Ban, Exhausted, Overshoot, Seat, Tie
from zerosum.rules.moves import ADD_ONLY, SWAP
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Solution, SolverError, Verdict
from zerosum.solver.laws import Fact
from zerosum.solver.mirrors import is_its_own_negation
from zerosum.strategy.card import Card, Rule, survivors
from zerosum.strategy.card_proof import prove
from zerosum.strategy.card_search import ALWAYS, words_for
from zerosum.strategy.lookahead import Sight

SWAP_ALWAYS: Final = finding_kind("swap-always", Severity.DECIDED, 100, "Swapping is right after every opening.")
SWAP_NEVER: Final = finding_kind("swap-never", Severity.DECIDED, 110, "Swapping is wrong after every opening.")
DECIDED_AT_ONCE: Final = finding_kind(
    "decided-at-once", Severity.DECIDED, 120, "The first move wins, or the second move wins after every first move."
)
DECIDED_OPENINGS: Final = finding_kind("decided-openings", Severity.DECIDED, 130, "All openings win, or none does.")
PARITY_ONLY: Final = finding_kind(
    "parity-only", Severity.DECIDED, 140, "The target does not matter; the count of the numbers decides."
)
NEVER_ENDS: Final = finding_kind(
    "never-ends",
    Severity.WARNING,
    150,
    "With perfect play neither side can force an end, or not before the referee stops the match.",
)
SIMPLE_STRATEGY: Final = finding_kind(
    "simple-strategy", Severity.WARNING, 160, "A [card](../notes/ideas.md) of at most two rules always wins."
)
SHORT: Final = finding_kind("short", Severity.WARNING, 190, "Perfect play takes fewer than 5 plies.")
LONG: Final = finding_kind("long", Severity.WARNING, 200, "Perfect play takes more than 15 plies.")

SHORTEST: Final = 5
LONGEST: Final = 15
"""How many plies perfect play of a good game takes."""
_SOON: Final = 2


Check = Callable[[Solution], Iterator[Finding]]
_CHECKS: Final[list[Check]] = []


def check(look: Check) -> Check:
    """Register what every game is asked that can be solved."""
    _CHECKS.append(look)
    return look


def perfect_play(solution: Solution) -> Iterator[Finding]:
    """Yield what the solution of a game shows."""
    for look in _CHECKS:
        yield from look(solution)


_EVERY: Final = "every position that play can reach was solved exactly"
_ROUNDS: Final = "the solver has proved how the rounds repeat, and so who wins from every position"


def solver_evidence(solution: Solution, words: str = _EVERY) -> Evidence:
    """Return the solution as a proof."""
    if solution.count is None:
        return Evidence(By.PATTERN, _ROUNDS, None)
    return Evidence(By.EXHAUSTION, words, solution.count)


@check
def _at_once(solution: Solution) -> Iterator[Finding]:
    """Report if the first move wins, or if the second move wins after any first one."""
    remark = None if solution.rules.swap else at_once(solution)
    if remark is not None:
        words, witness = say(remark, solution.rules), _best_line(solution, _SOON)
        yield Finding(DECIDED_AT_ONCE, Severity.DECIDED, words, witness, solver_evidence(solution))


@check
def _openings(solution: Solution) -> Iterator[Finding]:
    """Report if all openings have the same verdict; `_swap` reports that of games with a swap."""
    options = solution.options(solution.start)
    verdicts = {option.value.verdict for option in options}
    if len(options) < _SOON or len(verdicts) > 1 or solution.rules.swap or Verdict.DRAW in verdicts:
        return
    if Verdict.WIN in verdicts:
        words = f"Every one of the {len(options)} openings wins for the first player; the opening decides nothing."
    else:
        words = f"None of the {len(options)} openings wins; whatever the first move is, the second player can win."
    yield Finding(DECIDED_OPENINGS, Severity.DECIDED, words, None, solver_evidence(solution))


@check
def _swap(solution: Solution) -> Iterator[Finding]:
    """Report if swapping is always right, or never."""
    if not solution.rules.swap:
        return
    start = solution.start
    answered = [after for after in map(start.play_unchecked, start.legal_moves()) if after.outcome is None]
    right = sum(_swap_is_right(solution, after) for after in answered)
    if not answered or 0 < right < len(answered):
        return
    kind, how = (SWAP_ALWAYS, "right") if right else (SWAP_NEVER, "wrong")
    words = f"Swapping is {how} after every opening; the swap decides nothing."
    yield Finding(
        kind, Severity.DECIDED, words, proof=solver_evidence(solution), clause=clause_of(solution.rules)["swap"]
    )


def _swap_is_right(solution: Solution, after: Position) -> bool:
    verdicts = {option.move: option.value.verdict for option in solution.options(after)}
    best = min(verdicts.values(), key=_RANKS.index)
    return verdicts[SWAP] is best


_RANKS: Final = (Verdict.WIN, Verdict.DRAW, Verdict.LOSS)


@check
def _parity(solution: Solution) -> Iterator[Finding]:
    """Report if only the last move decides: a law of counts, in which making the target decides nothing."""
    rules, law = solution.rules, solution.law
    if rules.exhausted is not Exhausted.LAST_MOVER or rules.overshoot is Overshoot.LOSES or law is None:
        return
    if law.fact in (Fact.ODD, Fact.EVEN) and not law.makes:
        words = f"The target decides nothing: the last number does. {law.words}"
        proof = solver_evidence(solution, "the law was compared with every position that play can reach")
        yield Finding(PARITY_ONLY, Severity.DECIDED, words, None, proof)


@check
def _length(solution: Solution) -> Iterator[Finding]:
    """Report if perfect play is too short, too long, or endless."""
    plies = solution.value(solution.start).plies
    if plies is None:
        words = "With perfect play a match never ends: neither side can force an end."
        yield Finding(NEVER_ENDS, Severity.WARNING, words, None, solver_evidence(solution))
    elif plies > limits.MATCH_PLIES:
        words = f"With perfect play a match takes {plies:,} plies; the referee stops it after {limits.MATCH_PLIES}."
        yield Finding(NEVER_ENDS, Severity.WARNING, words, None, solver_evidence(solution))
    elif plies < SHORTEST:
        words = f"With perfect play a match is over after {count(plies, 'ply', 'plies')}, fewer than {SHORTEST}."
        yield Finding(SHORT, Severity.WARNING, words, _best_line(solution, plies), solver_evidence(solution))
    elif plies > LONGEST:
        words = f"With perfect play a match takes {plies} plies, more than {LONGEST}."
        yield Finding(LONG, Severity.WARNING, words, _best_line(solution, plies), solver_evidence(solution))


def _best_line(solution: Solution, plies: int) -> tuple[str, ...]:
    return tuple(map(solution.start.text_of, solution.line(solution.start, plies)))


# A card of at most two rules that never lets the win go, if there is one. Candidates are no rule at all, every rule of
# the vocabulary alone, and after *make*, *guard* or an opening. One is dropped at the first position in which some move
# that it leaves gives the win away; what is left is proved as any card is, without the solver.

_FOLLOWED: Final = 3_000
"""Positions in which a candidate is looked at before it is worth a proof."""
_PROVED: Final = 60_000
_PROVED_OF_ROUNDS: Final = 2_000
"""Positions that a proof may visit; where pools are refilled, so that a match which runs away is soon given up."""


@check
def simple_strategy(solution: Solution) -> Iterator[Finding]:
    """Yield the shortest card of at most two rules that always wins."""
    rules = solution.rules
    winner = solution.winner
    if winner is None or rules.swap:
        return
    sight, most = Sight(rules), _PROVED_OF_ROUNDS if rules.tie is Tie.SUDDEN_DEATH else _PROVED
    for chosen in _candidates(solution, winner):
        card = Card(winner, chosen)
        if not _keeps_the_win(card, solution, sight):
            continue
        proof = prove(card, rules, sight, most=most)
        if proof.proved:
            said = " ".join(f"{n}. {rule.words(rules)}" for n, rule in enumerate(chosen, 1)) or "any move will do."
            words = f"A simple strategy always wins for the {seat_name(winner)} player: {said}"
            why = Evidence(By.STRATEGY, "every move that it leaves was followed against every reply", proof.positions)
            yield Finding(SIMPLE_STRATEGY, Severity.WARNING, words, proof=why)
            return


def _candidates(solution: Solution, winner: Seat) -> Iterator[tuple[Rule, ...]]:
    """Yield lists of rules, the shortest first, the easiest of a length first."""
    words = sorted(words_for(solution.rules, openings=winner is Seat.FIRST), key=lambda rule: rule.cost)
    alone = [*ALWAYS, *words]
    yield ()
    yield from ((rule,) for rule in alone)
    yield ALWAYS
    openings = [rule for rule in words if rule.name == "open"]
    for first in (*ALWAYS, *openings):
        yield from ((first, rule) for rule in alone if rule != first and rule not in openings and rule not in ALWAYS)


def _keeps_the_win(card: Card, solution: Solution, sight: Sight) -> bool:
    """Return whether no surviving move gives the win away, as far as it is followed."""
    seen: set[PositionKey] = {solution.start.key}
    waiting: deque[Position] = deque([solution.start])
    while waiting and len(seen) < _FOLLOWED:
        position = waiting.popleft()
        mine = position.seat is card.seat
        for move in survivors(card, position, sight) if mine else position.legal_moves():
            after = position.play_unchecked(move)
            if after.outcome is not None:
                if after.outcome.winner is not card.seat:
                    return False
                continue
            if mine and not _lost(solution, after):
                return False
            if after.key not in seen:
                seen.add(after.key)
                waiting.append(after)
    return True


def _lost(solution: Solution, position: Position) -> bool:
    try:
        return solution.value(position).verdict is Verdict.LOSS
    except SolverError:
        return False


# What exact metrics show

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
