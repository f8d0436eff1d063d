"""The search for a card of a variant: all short lists of rules, as far as the time goes.

Lists grow by one rule at a time, all of one length before any of the next. A list is dropped as soon as the winning
seat, held to its survivors, can no longer force the win: that is exact, since rules only remove moves. Of lists with
the same survivors everywhere one is kept. Up to `BEAM` lists of a length the search is exhaustive; of more only the
best go on, by the share of positions in which every survivor is good. *Make* and *guard* begin every list: they never
remove all moves that keep a win. At the end every other rule that the proof does not need is dropped.

A card that is proved but for a few positions gets these as exceptions. Otherwise the search returns the best list
found, and the report says that it is no more than that.

The positions that a search works on are numbered, and the moves of each are bits of a mask: `every` those that survive
the rules with which all lists begin, `good` those that keep the best verdict. A *proof core* holds the positions in
which the winning seat is to move, as long as it keeps its win by such moves; `after` has, for each move, the positions
that replies lead to. In sudden death a move counts as bad if some reply to it leads further than `_ROUNDS` times the
largest number away from the target, so that the core has an end. In a *sample*, for games that are too large for that
or that nobody wins, moves lead nowhere, and only the share of positions counts in which every survivor is good.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from time import monotonic
from typing import Final

from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Overshoot, Rules, Seat, Tie, Totals
from zerosum.rules.moves import ADD_ONLY, Move, Operation
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict
from zerosum.strategy.card import Card, CardError, Moves, Rule
from zerosum.strategy.card_proof import prove
from zerosum.strategy.lookahead import Sight, moves_of, won

MOST: Final = 20_000
"""Positions of a proof core."""
SAMPLE: Final = 1_500
_ROUNDS: Final = 2
_PLAYOUTS: Final = 4_000
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


Check = Callable[[], None]
"""Called now and then in long work; it raises `OutOfTimeError` when the time is up."""


class OutOfTimeError(Exception):
    """The time is up."""


Masks = tuple[int, ...]
"""The moves still in, for each position."""


@dataclass(frozen=True, slots=True)
class Core:
    """Positions, which of their moves are good, and where the good ones lead."""

    positions: tuple[Position, ...]
    good: Masks
    every: Masks
    after: tuple[tuple[tuple[int, ...], ...], ...]
    """For each position and each move, where replies lead; nothing for bad moves and in a sample."""
    starts: tuple[int, ...]
    """The positions that a match can begin with, nothing in a sample."""
    sight: Sight
    check: Check
    _levels: dict[Rule, list[tuple[int, ...]]] = field(default_factory=dict)

    def levels(self, rule: Rule) -> list[tuple[int, ...]]:
        """Return, for each position, the moves of each rank, the highest first."""
        if rule not in self._levels:
            ranked = []
            for position in self.positions:
                self.check()
                ranked.append(self._ranked(rule, position))
            self._levels[rule] = ranked
        return self._levels[rule]

    def _ranked(self, rule: Rule, position: Position) -> tuple[int, ...]:
        if rule.most_left is not None and len(position.pool) > rule.most_left:
            return ()
        rank, argument = rule.word.rank, rule.argument or 0
        by_rank: dict[int, int] = {}
        for at, (move, after) in enumerate(moves_of(position)):
            its = int(rank(self.sight, position, move, after, argument))
            by_rank[its] = by_rank.get(its, 0) | 1 << at
        return tuple(by_rank[its] for its in sorted(by_rank, reverse=True))

    def keep(self, masks: Masks, rule: Rule) -> Masks:
        """Return the moves still in after a rule."""
        return tuple(
            next((mask & level for level in levels if mask & level), mask)
            for mask, levels in zip(masks, self.levels(rule), strict=True)
        )

    def can_force(self, masks: Masks) -> bool:
        """Whether the winning seat can still force the win with the moves still in; rules only remove moves.

        Where positions come back this only asks whether it can stay in won positions, which is needed as well.
        """
        holds = [mask & good != 0 for mask, good in zip(masks, self.good, strict=True)]
        changed = True
        while changed:
            changed = False
            # Later positions were found later, so that one pass is enough where nothing comes back.
            for at in range(len(holds) - 1, -1, -1):
                if holds[at] and not self._held(at, masks[at] & self.good[at], holds):
                    holds[at] = False
                    changed = True
        return all(holds[at] for at in self.starts)

    def _held(self, at: int, mask: int, holds: Sequence[bool]) -> bool:
        return any(mask >> n & 1 and all(holds[to] for to in replies) for n, replies in enumerate(self.after[at]))

    def wrong(self, masks: Masks) -> list[int]:
        """Return the positions that can arise by the moves still in where one of these is not good."""
        seen = set(self.starts)
        waiting = list(self.starts)
        wrong = []
        while waiting:
            at = waiting.pop()
            if masks[at] & ~self.good[at]:
                wrong.append(at)
            for n, replies in enumerate(self.after[at]):
                if masks[at] >> n & 1:
                    waiting += [to for to in replies if to not in seen]
                    seen.update(replies)
        return wrong

    def share(self, masks: Masks) -> float:
        """Return the share of positions, of those with a choice, in which every move still in is good."""
        real = [(mask, good) for mask, good, every in zip(masks, self.good, self.every, strict=True) if every & ~good]
        return sum(not mask & ~good for mask, good in real) / len(real) if real else 1.0


def core_of(  # noqa: PLR0917 - a core has as many parts
    solution: Solution, sight: Sight, seat: Seat | None, always: Sequence[Rule], most: int, check: Check
) -> Core:
    """Return the proof core of the winning seat; a sample if there is none, or if it is too large."""
    found = _Found(solution, sight, seat, always, check).core(most) if seat is not None else None
    return found or _sample(solution, sight, always, check)


class _Found:
    """The positions of a proof core, as they are found."""

    def __init__(self, solution: Solution, sight: Sight, seat: Seat, always: Sequence[Rule], check: Check) -> None:
        self._solution, self._sight, self._always, self._check = solution, sight, always, check
        rules, start = solution.rules, solution.start
        # A mirror that turns numbers too would spoil words that name them.
        self._key: Callable[[Position], Hashable] = (lambda p: p.key) if rules.operations == ADD_ONLY else sight.key
        self._numbers: dict[Hashable, int] = {}
        self._positions: list[Position] = []
        self._furthest = _ROUNDS * max(map(abs, rules.pool)) if rules.tie is Tie.SUDDEN_DEATH else None
        first = [start] if start.seat is seat else [after for _, after in moves_of(start) if after.outcome is None]
        self._starts = tuple(map(self._number, first))

    def _number(self, position: Position) -> int:
        at = self._key(position)
        if at not in self._numbers:
            self._numbers[at] = len(self._positions)
            self._positions.append(position)
        return self._numbers[at]

    def core(self, most: int) -> Core | None:
        """Find all positions; None if they are too many."""
        good, every, after = [], [], []
        for position in self._positions:
            self._check()
            if len(self._positions) > most:
                return None
            moves = moves_of(position)
            mask = surviving(self._always, self._sight, position)
            replies: list[tuple[int, ...]] = []
            keeps = 0
            for at, (_, there) in enumerate(moves):
                following = self._replies(position, there) if mask >> at & 1 else None
                keeps |= (following is not None) << at
                replies.append(following or ())
            good.append(keeps)
            every.append(mask)
            after.append(tuple(replies))
        places = tuple(self._positions)
        return Core(places, tuple(good), tuple(every), tuple(after), self._starts, self._sight, self._check)

    def _replies(self, position: Position, after: Position) -> tuple[int, ...] | None:
        """Return where replies to a move lead; None where the move is bad."""
        over = after.outcome is not None
        if not (won(position, after) if over else self._solution.value(after).verdict is Verdict.LOSS):
            return None
        replies = [reply for _, reply in moves_of(after) if reply.outcome is None]
        if self._furthest is not None and any(self._too_far(reply) for reply in replies):
            return None
        return tuple(map(self._number, replies))

    def _too_far(self, position: Position) -> bool:
        target = position.rules.target
        return self._furthest is not None and any(abs(total - target) > self._furthest for total in position.totals)


def surviving(rules: Sequence[Rule], sight: Sight, position: Position) -> int:
    """Return the mask of the moves that survive some rules."""
    every: Moves = moves_of(position)
    left = every
    for rule in rules:
        left = rule.keep(sight, position, left)
    kept = {move for move, _ in left}
    return sum(1 << at for at, (move, _) in enumerate(every) if move in kept)


def _sample(solution: Solution, sight: Sight, always: Sequence[Rule], check: Check) -> Core:
    """Return real choices that matches of random moves come by, the same ones every time."""
    dice = random.Random("a sample of real choices")
    found: dict[Hashable, tuple[Position, int, int]] = {}
    for _ in range(_PLAYOUTS):
        position = solution.start
        for _ in range(2 * len(position.pool)):
            if position.outcome is not None or len(found) >= SAMPLE:
                break
            check()
            if position.key not in found:
                worth = {option.move: option.value.verdict for option in solution.options(position)}
                best = solution.value(position).verdict
                if len(set(worth.values())) > 1:
                    moves = position.legal_moves()
                    good = sum(1 << n for n, move in enumerate(moves) if worth[move] is best)
                    found[position.key] = position, good, surviving(always, sight, position)
            position = position.play_unchecked(dice.choice(position.legal_moves()))
    places = tuple(found.values())
    return Core(
        tuple(position for position, _, _ in places),
        tuple(good for _, good, _ in places),
        tuple(every for _, _, every in places),
        ((),) * len(places),
        (),
        sight,
        check,
    )


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
            best = f"{max(other.share for other in found):.1%}" if found else "none"
            self._progress(f"{len(one.rules) + 1} rules, {n} of {len(lists)} lists, best so far {best}")
            for rule in words:
                longer = self._extended(one, rule) if rule not in one.rules else None
                if longer is not None:
                    found.append(longer)
        return found

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
    winner = solution.winner
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
