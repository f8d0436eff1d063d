"""One decision against the truth: a position, the move that was made there, and what it gave away.

A decision is a *real choice* if the moves differ in verdict, and it is *kept* if its verdict is the best there is. The
share of real choices kept is the accuracy that a review shows.

A figure is put on the axis of levels, which runs from 0, random play, over the nine levels to 10, perfect play: which
level keeps as much, which scores as much. What each level keeps of the same real choices, or scores in the same
matches, is exact; between two neighbours lies their mixture, and so the figure between theirs. The ends of the 95 %
interval of a figure are put on the axis in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import fsum
from typing import Final

from zerosum.arena.strength.best_response import Respond, seat_after
from zerosum.base.documents import OMITTED, key, member, member_as
from zerosum.base.statistics import Interval, wilson
from zerosum.coach.analysis import falls
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.players.levels import STRENGTHS
from zerosum.players.policies import weighed
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Solution, Value, Verdict

TOP: Final = len(STRENGTHS) - 1
"""Where perfect play lies on the axis."""
_ALIKE: Final = 1e-9
_PLACES: Final = 6
_ROUNDS_TO: Final = 0.05


@dataclass(frozen=True, slots=True)
class KeptLevel:
    """The level that keeps as much, and its 95 % interval; all None if no real choice tells levels apart."""

    level: float | None
    low: float | None = field(metadata=key("level_low"))
    high: float | None = field(metadata=key("level_high"))


@dataclass(frozen=True, slots=True)
class ScoredLevel:
    """The level that scores as much, and its 95 % interval; all None without a match whose chances are known."""

    level: float | None = field(metadata=key("score_level"))
    low: float | None = field(metadata=key("score_level_low"))
    high: float | None = field(metadata=key("score_level_high"))


Place = tuple[float | None, float | None, float | None]
NOWHERE: Final[Place] = (None, None, None)


def place_of(by_strength: Sequence[float], figure: float, interval: Interval) -> Place:
    """Return where a figure lies among those of all strengths, and its interval; nowhere if theirs are all alike.

    >>> curve = [n / 10 for n in range(11)]
    >>> place_of(curve, 0.64, Interval(0.58, 0.7))
    (6.4, 5.8, 7.0)
    """
    if max(by_strength) - min(by_strength) < _ALIKE:
        return NOWHERE
    middle = (_reached(by_strength, figure) + _left(by_strength, figure)) / 2
    low, high = _reached(by_strength, interval.low), _left(by_strength, interval.high)
    level, low, high = (round(one, _PLACES) for one in (middle, min(low, middle), max(high, middle)))
    return level, low, high


def _reached(by_strength: Sequence[float], figure: float) -> float:
    """Return the least level with at least this figure; the last if none has."""
    for at, (one, two) in enumerate(pairwise(by_strength)):
        if one >= figure - _ALIKE:
            return float(at)
        if two >= figure - _ALIKE:
            return at + min(1.0, (figure - one) / (two - one))
    return float(TOP)


def _left(by_strength: Sequence[float], figure: float) -> float:
    """Return the greatest level with at most this figure; the first if none has."""
    return TOP - _reached([-one for one in reversed(by_strength)], -figure)


def level_words(level: float) -> str:
    """Return a place on the axis of levels as people say it.

    >>> level_words(4.23), level_words(0.01), level_words(9.98)
    ('level 4.2', 'random play', 'perfect play')
    """
    if level < _ROUNDS_TO:
        return "random play"
    return "perfect play" if level > TOP - _ROUNDS_TO else f"level {level:.1f}"


def kept_words(found: KeptLevel) -> str:
    """Return which level keeps as much.

    >>> kept_words(KeptLevel(6.12, 5.3, 7.04))
    'keeps as much as level 6.1 (95% interval: 5.3 to 7.0)'
    """
    if found.level is None:
        return "had no real choice that tells levels apart"
    return f"keeps as much as {level_words(found.level)} (95% interval: {found.low:.1f} to {found.high:.1f})"


def scored_words(found: ScoredLevel) -> str:
    """Return which level scores as much; nothing if that is not known.

    >>> scored_words(ScoredLevel(5.42, 3.9, 6.8))
    'scores like level 5.4 (95% interval: 3.9 to 6.8)'
    """
    if found.level is None:
        return ""
    return f"scores like {level_words(found.level)} (95% interval: {found.low:.1f} to {found.high:.1f})"


POINTS: Final = {Verdict.WIN: 1.0, Verdict.DRAW: 0.5, Verdict.LOSS: 0.0}
"""What a verdict is worth to the player who has it."""
DIFFICULTIES: Final = {"easy": 0.5, "middling": 0.25, "hard": 0.0}
"""How hard a real choice is: the least share of the legal moves that keep the best verdict."""
_REMEMBERED: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Decision:
    """A move that was made, and what is true of it. Chances by strength are in the order of `STRENGTHS`."""

    best: Value
    """The value of the best move for the side to move; its plies count that move."""
    made: Value
    real: bool
    """Whether the moves differ in verdict."""
    keeping: float
    """The share of the legal moves that keep the best verdict: what choosing at random keeps."""
    kept_by: tuple[float, ...]
    """The chance that each strength keeps the best verdict."""
    by_strength: tuple[float, ...]
    """The chance that each strength makes this move."""
    finding: tuple[float, ...]
    """The chance that each strength makes one of the moves that perfect play makes."""
    found: bool
    """Whether the move that was made is one of those."""

    @property
    def regret(self) -> float:
        """What the move gave away: 1 for a win turned into a loss, ½ for one into a draw, 0 for a verdict kept."""
        return POINTS[self.best.verdict] - POINTS[self.made.verdict]

    @property
    def kept(self) -> bool:
        """Whether the move kept the best verdict."""
        return not falls(self.best.verdict, self.made.verdict)

    @property
    def plies_lost(self) -> int:
        """Of a verdict kept: by how many plies a win was delayed or a loss hastened."""
        if self.best.verdict is not self.made.verdict or self.best.plies is None or self.made.plies is None:
            return 0
        return abs(self.made.plies - self.best.plies)


def difficulty(keeping: float) -> str:
    """Return how hard a real choice is of which this share of the legal moves keeps the best verdict."""
    return next(name for name, least in DIFFICULTIES.items() if keeping >= least)


Judge = Callable[[Position, Move], Decision]
"""Returns what is true of a move in a position."""


def judge_of(solution: Solution) -> Judge:
    """Return the judge of a game's decisions, who remembers those that were asked about before."""

    @lru_cache(maxsize=_REMEMBERED)
    def judge(position: Position, move: Move) -> Decision:
        return _decision(position, move, solution)

    return judge


def _decision(position: Position, move: Move, solution: Solution) -> Decision:
    options, chances = weighed(STRENGTHS.values(), position, solution)
    at = next(n for n, option in enumerate(options) if option.move == move)
    right = [n for n, chance in enumerate(chances[-1]) if chance]
    best = options[0].value
    keep = sum(option.value.verdict is best.verdict for option in options)
    return Decision(
        best=best,
        made=options[at].value,
        real=keep < len(options),
        keeping=keep / len(options),
        # The best come first, so the moves that keep the best verdict do.
        kept_by=tuple(sum(chance[:keep]) for chance in chances),
        by_strength=tuple(chance[at] for chance in chances),
        finding=tuple(sum(chance[n] for n in right) for chance in chances),
        found=at in right,
    )


def decisions_in(match: Match, person: Person, judge: Judge) -> list[Decision]:
    """Return the decisions of one person in a match."""
    return [judge(match.positions[ply], move) for ply, move in enumerate(match.moves) if match.mover(ply) is person]


@dataclass(frozen=True, slots=True)
class DecisionTally:
    """Many decisions, added up. Shares of nothing are None."""

    decisions: int
    choices: int
    """Of them, the real choices."""
    kept: int = field(metadata=OMITTED)
    """Of the real choices, those that kept the best verdict."""
    by_chance: float = field(metadata=OMITTED)
    """How many of the real choices random play keeps, on average."""
    kept_by: tuple[float, ...] = field(metadata=OMITTED)
    """How many of the real choices each strength keeps, on average."""
    regret: float
    """What all moves together gave away."""
    plies_lost: int
    turned: int = field(metadata=OMITTED)
    """Moves that turned a win into a loss."""

    @property
    @member_as("kept")
    def share(self) -> float | None:
        """The share of real choices kept."""
        return self.kept / self.choices if self.choices else None

    @property
    @member
    def chance(self) -> float | None:
        """The share that random play keeps of the same choices, exactly."""
        return self.by_chance / self.choices if self.choices else None

    @property
    @member
    def skill(self) -> float | None:
        """The share kept on a scale where random play has 0 and perfect play 1."""
        return (self.kept - self.by_chance) / (self.choices - self.by_chance) if self.choices else None

    def interval(self) -> Interval:
        """Return Wilson's interval of the share kept; right if the choices are independent."""
        return wilson(self.kept, self.choices)

    def level(self, interval: Interval | None = None) -> KeptLevel:
        """Return the level that keeps as much of the same choices; `interval` is that of the share kept."""
        if not self.choices:
            return KeptLevel(*NOWHERE)
        interval = interval or self.interval()
        return KeptLevel(*place_of([one / self.choices for one in self.kept_by], self.kept / self.choices, interval))


def tally_decisions(decisions: Iterable[Decision]) -> DecisionTally:
    """Return decisions added up."""
    every = list(decisions)
    real = [one for one in every if one.real]
    return DecisionTally(
        decisions=len(every),
        choices=len(real),
        kept=sum(one.kept for one in real),
        by_chance=sum(one.keeping for one in real),
        kept_by=tuple(fsum(one.kept_by[n] for one in real) for n in range(len(STRENGTHS))),
        regret=sum(one.regret for one in every),
        plies_lost=sum(one.plies_lost for one in every),
        turned=sum(one.best.verdict is Verdict.WIN and one.made.verdict is Verdict.LOSS for one in every),
    )


def practical_regret(position: Position, move: Move, respond: Respond) -> float:
    """Return the chance to win that a move gives away against one opponent, best play after it supposed.

    `respond` is `responder(policy, rules)` of that opponent. It tells good moves from bad ones in lost positions too.
    """
    seat = position.seat
    chances = {one: respond(position.play_unchecked(one), seat_after(one, seat)) for one in position.legal_moves()}
    return max(chances.values()) - chances[move]
