"""The vocabulary of cards: what can be asked of a move, in words and as a function.

A word ranks the moves of a position, and a rule keeps those of the highest rank. Most words are predicates, which rank
a move 1 if it fits and 0 if not: so a rule keeps the moves that fit, if any do. Its sentence means the same, read by
somebody who knows the rules alone: it says where a word means *win at once* or *safe*, and how ties and signs count.

The cost counts steps in the head: 1 for a look at a number, 2 to compare it with others, 3 to look at their replies,
5 to look at your own answers to these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from zerosum.rules.model import Reaching, Rules, Seat, Totals
from zerosum.rules.moves import ADD_ONLY, Move, Operation
from zerosum.rules.position import Position
from zerosum.strategy.lookahead import Sight, won
from zerosum.strategy.phrases import literal, thing

Rank = Callable[[Sight, Position, Move, Position, int], int]
"""Takes the sight, a position, a move, the position after it and the word's argument; the greater, the better."""


@dataclass(frozen=True, slots=True)
class RuleWord:
    """One word of the vocabulary."""

    rank: Rank
    cost: int
    words: Callable[[Rules, int], str]
    """The rule as a sentence, for a game and an argument."""
    names: str = ""
    """What its argument is: a `number`, a `total` or a `divisor`; nothing if it takes none."""


def distance(position: Position, seat: Seat) -> int:
    """Return how far a seat's total is from the target."""
    return abs(position.rules.target - position.total(seat))


def threatens(position: Position, seat: Seat) -> bool:
    """Whether the number that takes a seat's total to the target is left."""
    return bool(_needed(position, seat))


def _needed(position: Position, seat: Seat) -> tuple[int, ...]:
    """Return the numbers left that take a seat's total to the target."""
    need = position.rules.target - position.total(seat)
    both = (need, -need) if Operation.SUBTRACT in position.rules.operations else (need,)
    return tuple(number for number in dict.fromkeys(both) if number in position.pool)


def _over_or(answer: Callable[[Sight, Position], bool]) -> Rank:
    """Return a word that fits if the move wins at once, or if something is true of the player to move after it."""

    def rank(sight: Sight, position: Position, _move: Move, after: Position, _n: int) -> int:
        return won(position, after) if after.outcome is not None else answer(sight, after)

    return rank


def _fewest(sight: Sight, position: Position, _move: Move, after: Position, _n: int) -> int:
    if after.outcome is not None:
        return 0 if won(position, after) else -len(position.rules.pool) * 2 - 1  # The pool may be filled again.
    return -sight.safe(after)


def _own(answer: Callable[[Position, Seat], int]) -> Rank:
    """Return a word about the mover's own total after the move."""

    def rank(_sight: Sight, position: Position, _move: Move, after: Position, _n: int) -> int:
        return answer(after, position.seat)

    return rank


def _quiet(_sight: Sight, position: Position, _move: Move, after: Position, _n: int) -> int:
    me = position.seat
    mine = _needed(after, me)
    replies = (after.play_unchecked(reply) for reply in after.legal_moves() if reply.number in mine)
    return bool(mine) and not any(
        reply.outcome.winner is not me if reply.outcome is not None else threatens(reply, me.other) for reply in replies
    )


def _largest_left(after: Position) -> int:
    return max(map(abs, after.pool), default=0)


def _open(_sight: Sight, position: Position, move: Move, _after: Position, n: int) -> int:
    start = position.rules.start
    return position.pool == position.rules.pool and position.totals == start and move.number == n


def _pairs(_sight: Sight, _position: Position, _move: Move, after: Position, n: int) -> int:
    left = after.pool
    alone = n % 2 == 0 and left.count(n // 2) % 2 == 1
    return not alone and all(left.count(number) == left.count(n - number) for number in left)


def _make_words(rules: Rules, _n: int) -> str:
    if rules.reaching is Reaching.LOSES:
        return "Win at once if you can."
    return (
        f"Make {rules.target} if you can."
        if literal(rules)
        else f"Win at once if you can, as by making {rules.target}."
    )


def _guard_words(rules: Rules, _n: int) -> str:
    if literal(rules):
        return f"Never pass {rules.target}, and never leave them the number that makes it."
    return "Stay safe: neither lose at once nor let them win at once."


def _shut_words(rules: Rules, _n: int) -> str:
    close = f"get so close to {rules.target} that every number left passes it"
    shut = close if literal(rules) else f"leave them only {thing(rules)}s that lose at once"
    return f"Shut the door in two: {_IN_TWO.format(safe=_safe(rules))}, you can then {shut}."


_IN_TWO: Final = "they cannot win at once, and whatever safe {safe}"


def _safe(rules: Rules) -> str:
    """Return a safe reply of theirs, as words go on after "safe"."""
    return "number they take" if thing(rules) == "number" else "move they make"


def _sign_words(verb: str) -> Callable[[Rules, int], str]:
    """Return words that name a number, and say so if it may be added or subtracted."""

    def words(rules: Rules, n: int) -> str:
        return f"{verb} {n}." if rules.operations == ADD_ONLY else f"{verb} {n}, added or subtracted."

    return words


def _size_words(size: str) -> Callable[[Rules, int], str]:
    """Return words that compare numbers, and say how if some are negative."""
    return lambda rules, _: f"Take the {size} number{'' if min(rules.pool) >= 0 else ', signs aside'}."


def _says(text: str) -> Callable[[Rules, int], str]:
    return lambda rules, n: text.format(
        target=rules.target,
        n=n,
        total="your total" if rules.totals is Totals.OWN else "the total",
        thing=thing(rules),
        in_two=_IN_TWO.format(safe=_safe(rules)),
    )


VOCABULARY: Final[dict[str, RuleWord]] = {
    "make": RuleWord(lambda _sight, before, _move, after, _n: won(before, after), 1, _make_words),
    "guard": RuleWord(lambda sight, before, _move, after, _n: sight.is_safe(before, after), 2, _guard_words),
    "hold": RuleWord(
        _over_or(Sight.held), 4, _says("Keep a safe answer: {in_two}, you then have a safe {thing} left.")
    ),
    "squeeze": RuleWord(_over_or(Sight.squeezed), 3, _says("Squeeze: win at once, or leave them no safe {thing}.")),
    "shut": RuleWord(
        _over_or(Sight.shut), 2, _says("Shut the door: win at once, or leave them only {thing}s that lose at once.")
    ),
    "squeeze-in-two": RuleWord(
        _over_or(Sight.squeezed_in_two), 5, _says("Squeeze in two: {in_two}, you can then leave them no safe {thing}.")
    ),
    "shut-in-two": RuleWord(_over_or(Sight.shut_in_two), 4, _shut_words),
    "fewest": RuleWord(_fewest, 3, _says("Leave them the fewest safe {thing}s, without losing at once.")),
    "threat": RuleWord(_own(threatens), 1, _says("Threaten: leave the number that makes {target} for you.")),
    "quiet-threat": RuleWord(
        _quiet,
        3,
        _says(
            "Make a quiet threat: leave your number for {target}; if they take it, they neither win nor have their "
            "number for {target} left."
        ),
    ),
    "furthest-threat": RuleWord(
        _own(lambda after, me: distance(after, me) if threatens(after, me) else -1),
        2,
        _says("Make the furthest threat: leave the number that makes {target} for you, and {total} furthest from it."),
    ),
    "in-reach": RuleWord(
        _own(lambda after, me: distance(after, me) <= _largest_left(after)),
        1,
        _says("Stay in reach: leave a number as large as your way to {target}, signs aside."),
    ),
    "out-of-reach": RuleWord(
        _own(lambda after, me: distance(after, me.other) > _largest_left(after)),
        1,
        _says("Stay out of reach: leave them further from {target} than any number left, signs aside."),
    ),
    "further": RuleWord(
        _own(lambda after, me: distance(after, me) > distance(after, me.other)),
        2,
        _says("Leave yourself further from {target} than they are."),
    ),
    "toward": RuleWord(
        lambda _sight, before, _move, after, _n: distance(after, before.seat) < distance(before, before.seat),
        1,
        _says("Bring {total} closer to {target}."),
    ),
    "nearest": RuleWord(
        _own(lambda after, me: -distance(after, me)),
        1,
        _says("Leave {total} as near to {target} as you can, on either side of it."),
    ),
    "away": RuleWord(_own(distance), 1, _says("Leave {total} as far from {target} as you can, on either side of it.")),
    "largest": RuleWord(lambda _sight, _before, move, _after, _n: abs(move.number), 1, _size_words("largest")),
    "smallest": RuleWord(lambda _sight, _before, move, _after, _n: -abs(move.number), 1, _size_words("smallest")),
    "open": RuleWord(_open, 1, _sign_words("Open with"), "number"),
    "take": RuleWord(lambda _sight, _before, move, _after, n: move.number == n, 1, _sign_words("Take"), "number"),
    "leave": RuleWord(
        lambda _sight, before, _move, after, n: after.total(before.seat) == n,
        1,
        _says("Leave {total} at {n}."),
        "total",
    ),
    "multiple": RuleWord(
        lambda _sight, before, _move, after, n: distance(after, before.seat) % n == 0,
        2,
        _says("Leave {total} a multiple of {n} away from {target}."),
        "divisor",
    ),
    "pairs": RuleWord(_pairs, 2, _says("Leave only numbers in pairs that make {n}."), "number"),
    "even-left": RuleWord(
        lambda _sight, _before, _move, after, _n: sum(after.pool) % 2 == 0, 2, _says("Leave numbers whose sum is even.")
    ),
}
"""All words, by name."""
