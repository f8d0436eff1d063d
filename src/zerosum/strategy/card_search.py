"""The search for a card of a variant: all short lists of rules, as far as the time goes.

Lists grow by one rule at a time, all of one length before any of the next. A list is dropped as soon as the winning
seat, held to its survivors, can no longer force the win: that is exact, since rules only remove moves. Of lists with
the same survivors everywhere one is kept. Up to `BEAM` lists of a length the search is exhaustive; of more only the
best go on, by the share of positions in which every survivor is good. *Make* and *guard* begin every list: they never
remove all moves that keep a win. At the end every other rule that the proof does not need is dropped.

A card that is proved but for a few positions gets these as exceptions. Otherwise the search returns the best list
found, and the report says that it is no more than that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from time import monotonic
from typing import Final

from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Overshoot, Rules, Seat, Tie, Totals
from zerosum.rules.moves import ADD_ONLY, Move, Operation
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict
from zerosum.strategy.card import Card, CardError, Rule
from zerosum.strategy.card_proof import prove
from zerosum.strategy.lookahead import Sight
from zerosum.strategy.positions_to_prove import MOST, Check, Core, Masks, OutOfTimeError, core_of

SECONDS: Final = 20.0
BEAM: Final = 150
LONGEST: Final = 7
EXCEPTIONS: Final = 5
ALWAYS: Final = (Rule("make"), Rule("guard"))
_PLAIN: Final = (
    *("squeeze", "squeeze-in-two", "fewest", "out-of-reach"),
    *("toward", "nearest", "away", "largest", "smallest", "even-left"),
)
_OWN: Final = ("threat", "quiet-threat", "furthest-threat", "in-reach", "further")
_OVERSHOOT: Final = ("shut", "shut-in-two")
_TURNED: Final = {Operation.ADD: Operation.SUBTRACT, Operation.SUBTRACT: Operation.ADD}


@dataclass(frozen=True, slots=True)
class SearchLimit:
    """When a search ends: after some seconds, or after looking at some lists, which no clock can change."""

    seconds: float | None = SECONDS
    tries: int | None = None
    positions: int = MOST
    """Positions of a proof core; of more than that, a sample is used."""


STEADY: Final = SearchLimit(seconds=None, tries=400, positions=3_000)
"""The limit of a player, who may not depend on the clock."""


@dataclass(frozen=True, slots=True)
class _List:
    """A list of rules and its survivors."""

    rules: tuple[Rule, ...]
    masks: Masks
    share: float

    @property
    def cost(self) -> int:
        return sum(rule.cost for rule in self.rules)

    @property
    def rank(self) -> tuple[float, int]:
        return -self.share, self.cost


class _Search:
    def __init__(self, core: Core, tries: int | None, progress: Progress) -> None:
        self._core, self._tries_left, self._progress = core, tries, progress
        self._seen: set[Masks] = set()
        self._found: list[_List] = []

    def _extended(self, one: _List, rule: Rule) -> _List | None:
        """Return a list with one more rule, None if that changes nothing or loses the win."""
        self._core.check()
        if self._tries_left is not None:
            self._tries_left -= 1
            if self._tries_left < 0:
                raise OutOfTimeError
        masks = self._core.keep(one.masks, rule)
        if masks in self._seen:
            return None
        self._seen.add(masks)
        if not self._core.can_force(masks):
            return None
        return _List((*one.rules, rule), masks, self._core.share(masks))

    def best(self, words: list[Rule]) -> _List:
        """Return the cheapest of the shortest lists that are proved; if none is, the best list found."""
        best = _List(ALWAYS, self._core.every, self._core.share(self._core.every))
        lists = [best]
        try:
            for _ in range(LONGEST - len(ALWAYS)):
                proved = [one for one in lists if self._is_proved(one)]
                if proved:
                    return min(proved, key=lambda one: (one.cost, -one.share))
                lists = sorted(self._longer(lists, words), key=lambda one: one.rank)[:BEAM]
                best = min([best, *lists[:1]], key=lambda one: one.rank)
        except OutOfTimeError:
            proved = [one for one in self._found if self._is_proved(one)]
            if proved:
                return min(proved, key=lambda one: one.cost)
            return min([best, *self._found], key=lambda one: one.rank)
        return best

    def _longer(self, lists: list[_List], words: list[Rule]) -> list[_List]:
        found = self._found = []
        for n, one in enumerate(lists):
            self._progress(f"{len(one.rules) + 1} rules, {n} of {len(lists)} lists, best so far {self._best(found)}")
            for rule in words:
                longer = self._extended(one, rule) if rule not in one.rules else None
                if longer is not None:
                    found.append(longer)
        return found

    @staticmethod
    def _best(found: list[_List]) -> str:
        return f"{max(one.share for one in found):.1%}" if found else "none"

    def _is_proved(self, one: _List) -> bool:
        return bool(self._core.starts) and not self._core.wrong(one.masks)

    def trimmed(self, one: _List) -> _List:
        """Return a proved list without the rules that its proof does not need."""
        for rule in one.rules[len(ALWAYS) :]:
            rules = tuple(other for other in one.rules if other is not rule)
            masks = self._core.every
            for other in rules[len(ALWAYS) :]:
                masks = self._core.keep(masks, other)
            shorter = replace(one, rules=rules, masks=masks, share=self._core.share(masks))
            if self._is_proved(shorter):
                return self.trimmed(shorter)
        return one

    def with_exceptions(self, one: _List) -> list[tuple[Position, Move]] | None:
        """Return the few positions in which a list goes wrong, each with a move that keeps the win; None if many."""
        masks = list(one.masks)
        found: list[tuple[Position, Move]] = []
        while wrong := self._core.wrong(tuple(masks)):
            if len(found) >= EXCEPTIONS:
                return None
            at = wrong[0]
            good = self._core.good[at]
            masks[at] = (good & masks[at]) & -(good & masks[at]) or good & -good
            position = self._core.positions[at]
            found.append((position, position.legal_moves()[masks[at].bit_length() - 1]))
        return found


def mirrored(position: Position, move: Move) -> Iterator[tuple[str, str]]:
    """Yield a position and its mirrors as text, with the move to make in each."""
    if position.rules.operations == ADD_ONLY:
        yield str(position), position.text_of(move)
        return
    target = position.rules.target
    own = position.seat - 1 if len(position.totals) > 1 else 0
    for signs in product((1, -1), repeat=len(position.totals)):
        totals = tuple(target + sign * (total - target) for sign, total in zip(signs, position.totals, strict=True))
        turned = move if signs[own] > 0 else Move(move.number, _TURNED[move.operation])
        there = replace(position, totals=totals)
        yield str(there), there.text_of(turned)


def _needed(card: Card, sight: Sight) -> Card:
    """Return a card without the exceptions that its proof does not need."""
    for exception in card.exceptions:
        fewer = replace(card, exceptions=tuple(other for other in card.exceptions if other is not exception))
        if prove(fewer, sight.rules, sight).proved:
            return _needed(fewer, sight)
    return card


def words_for(rules: Rules, openings: bool) -> Iterator[Rule]:
    """Yield the rules that a search tries in a game; `openings`: whether its seat has the first move."""
    names = [*_PLAIN, *(_OWN if rules.totals is Totals.OWN else ())]
    yield from map(Rule, names)
    if rules.overshoot is Overshoot.LOSES:
        yield from map(Rule, _OVERSHOOT)
    numbers = sorted(set(rules.pool), key=lambda number: (abs(number), number))
    if openings:
        yield from (Rule("open", number) for number in numbers)
    if rules.tie is not Tie.SUDDEN_DEATH:
        yield from (Rule("multiple", divisor) for divisor in range(2, min(max(map(abs, numbers)) + 1, 12) + 1))
    yield from (Rule("pairs", both) for both in dict.fromkeys((0, numbers[0] + numbers[-1])))


_WINNER: Final = {Verdict.WIN: Seat.FIRST, Verdict.LOSS: Seat.SECOND, Verdict.DRAW: None}


def _until(seconds: float | None) -> Check:
    end = None if seconds is None else monotonic() + seconds

    def check() -> None:
        if end is not None and monotonic() > end:
            raise OutOfTimeError

    return check


def _core_in_time(solution: Solution, sight: Sight, winner: Seat | None, limit: SearchLimit) -> Core | None:
    """Return a core, or a sample if finding positions takes half of the time; None if that is too slow too."""
    whole = _until(limit.seconds)
    try:
        half = _until(None if limit.seconds is None else limit.seconds / 2)
        return replace(core_of(solution, sight, winner, ALWAYS, limit.positions, half), check=whole)
    except OutOfTimeError:
        pass
    try:
        return core_of(solution, sight, None, ALWAYS, limit.positions, whole)
    except OutOfTimeError:
        return None


TWENTY_SECONDS: Final = SearchLimit()


def search(solution: Solution, sight: Sight, limit: SearchLimit = TWENTY_SECONDS, progress: Progress = silent) -> Card:
    """Return the best card found for a game; whether it always wins is for `prove` to say."""
    rules = solution.rules
    if rules.swap:
        raise CardError("No card is made for a game in which seats can be swapped: a card is for a seat.")
    winner = _WINNER[solution.value(solution.start).verdict]
    progress("positions")
    core = _core_in_time(solution, sight, winner, limit)
    if core is None:
        return Card(winner, ALWAYS)
    hunt = _Search(core, limit.tries, progress)
    best = hunt.best(list(words_for(rules, openings=winner is Seat.FIRST)))
    if not core.starts:
        return Card(winner, best.rules)
    if not core.wrong(best.masks):
        return Card(winner, hunt.trimmed(best).rules)
    few = hunt.with_exceptions(best)
    exceptions = dict.fromkeys(text for place in few or () for text in mirrored(*place))
    card = Card(winner, best.rules, tuple(exceptions))
    return _needed(card, sight) if prove(card, rules, sight).proved else replace(card, exceptions=())
