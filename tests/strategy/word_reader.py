"""Plays a card by its printed words alone; of the package it uses the rules alone.

Each sentence is read as a person reads it who knows the rules of the game: it ranks the moves of a position, and the
rule keeps the best. What no sentence excludes may be played.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from tests.coach.plain_features import Plain
from zerosum.rules.model import Seat
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey

Reads = Callable[["Turn"], float]
"""How good a move is by one sentence; the moves of the highest worth are kept."""
WORST = -1e9


class Turn:
    """A move of a position, and all that a sentence may speak of."""

    def __init__(self, plain: Plain, before: Position, move: Move, after: Position) -> None:
        self.plain, self.before, self.move, self.after = plain, before, move, after
        self.me, self.them = before.seat, before.seat.other
        self.target = before.rules.target

    @property
    def won(self) -> bool:
        return self.plain.won(self.before, self.after)

    @property
    def goes_on(self) -> bool:
        return self.after.outcome is None

    def way(self, seat: Seat, position: Position | None = None) -> int:
        """Return how far a total is from the target, on either side of it."""
        return abs((position or self.after).total(seat) - self.target)

    def makers(self, seat: Seat, position: Position) -> set[int]:
        """Return the numbers on the board that would take a total to the target."""
        need, signs = self.target - position.total(seat), (1, -1)[: len(position.rules.operations)]
        return {number for number in position.pool if any(sign * number == need for sign in signs)}

    def passed(self) -> bool:
        start, total = self.before.rules.start[0], self.after.total(self.me)
        return (start - self.target) * (total - self.target) < 0

    def largest_left(self) -> int:
        return max(map(abs, self.after.pool), default=0)


def _in_two(closed: Callable[[Turn, Position], bool]) -> Reads:
    """They have not won and cannot at once, and whatever safe move they make, some answer closes."""

    def worth(turn: Turn) -> float:
        if not turn.goes_on:
            return turn.won
        replies = [after for _, after in turn.plain.safe(turn.after)]
        return not turn.plain.can_win_now(turn.after) and all(
            any(closed(turn, one) for _, one in turn.plain.replies(after) if one.outcome is None) for after in replies
        )

    return worth


def _no_safe(turn: Turn, position: Position) -> bool:
    return not turn.plain.safe(position)


def _all_lose(turn: Turn, position: Position) -> bool:
    return turn.plain.stuck(position)


def _all_pass(turn: Turn, position: Position) -> bool:
    return all(total > turn.target for total in (position.totals[0] + number for number in position.pool))


def _holds(turn: Turn) -> float:
    if not turn.goes_on:
        return turn.won
    replies = [after for _, after in turn.plain.safe(turn.after)]
    return not turn.plain.can_win_now(turn.after) and all(turn.plain.safe(after) for after in replies)


def _quiet(turn: Turn) -> float:
    mine = turn.makers(turn.me, turn.after)
    taken = [after for move, after in turn.plain.replies(turn.after) if move.number in mine]
    wins = any(after.outcome is not None and after.outcome.winner is turn.them for after in taken)
    return bool(mine) and not wins and not any(turn.makers(turn.them, one) for one in taken if one.outcome is None)


def _fewest(turn: Turn) -> float:
    return -len(turn.plain.safe(turn.after)) if turn.goes_on else 0 if turn.won else WORST


def _paired(pool: Sequence[int], both: int) -> bool:
    left = list(pool)
    while left:
        one = left.pop()
        if both - one not in left:
            return False
        left.remove(both - one)
    return True


def _number(text: str, read: Callable[[Turn, int], float]) -> tuple[str, Callable[..., Reads]]:
    return text, lambda n: lambda turn: read(turn, int(n))


def _plain(text: str, read: Reads) -> tuple[str, Callable[..., Reads]]:
    return text, lambda: read


T, N = r"{target}", r"(-?\d+)"
TOTAL = "{total}"
IN_TWO = "they cannot win at once, and whatever safe (?:number they take|move they make)"
FORMS: list[tuple[str, Callable[..., Reads]]] = [
    _plain(f"Make {T} if you can.", lambda turn: turn.won and turn.after.total(turn.me) == turn.target),
    _plain(f"Win at once if you can(?:, as by making {T})?.", lambda turn: turn.won),
    _plain(
        f"Never pass {T}, and never leave them the number that makes it.",
        lambda turn: not turn.passed() and not (turn.goes_on and turn.makers(turn.them, turn.after)),
    ),
    _plain(
        "Stay safe: neither lose at once nor let them win at once.",
        lambda turn: not turn.plain.can_win_now(turn.after) if turn.goes_on else turn.won,
    ),
    _plain(f"Keep a safe answer: {IN_TWO}, you then have a safe (?:number|move) left.", _holds),
    _plain(
        "Squeeze: win at once, or leave them no safe (?:number|move).",
        lambda turn: _no_safe(turn, turn.after) if turn.goes_on else turn.won,
    ),
    _plain(
        "Shut the door: win at once, or leave them only (?:number|move)s that lose at once.",
        lambda turn: _all_lose(turn, turn.after) if turn.goes_on else turn.won,
    ),
    _plain(f"Squeeze in two: {IN_TWO}, you can then leave them no safe (?:number|move).", _in_two(_no_safe)),
    _plain(
        f"Shut the door in two: {IN_TWO}, you can then leave them only (?:number|move)s that lose at once.",
        _in_two(_all_lose),
    ),
    _plain(
        f"Shut the door in two: {IN_TWO}, you can then get so close to {T} that every number left passes it.",
        _in_two(_all_pass),
    ),
    _plain("Leave them the fewest safe (?:number|move)s, without losing at once.", _fewest),
    _plain(f"Threaten: leave the number that makes {T} for you.", lambda turn: bool(turn.makers(turn.me, turn.after))),
    _plain(
        f"Make a quiet threat: leave your number for {T}; if they take it, they neither win nor have their number for "
        f"{T} left.",
        _quiet,
    ),
    _plain(
        f"Make the furthest threat: leave the number that makes {T} for you, and {TOTAL} furthest from it.",
        lambda turn: turn.way(turn.me) if turn.makers(turn.me, turn.after) else WORST,
    ),
    _plain(
        f"Stay in reach: leave a number as large as your way to {T}, signs aside.",
        lambda turn: turn.way(turn.me) <= turn.largest_left(),
    ),
    _plain(
        f"Stay out of reach: leave them further from {T} than any number left, signs aside.",
        lambda turn: turn.way(turn.them) > turn.largest_left(),
    ),
    _plain(f"Leave yourself further from {T} than they are.", lambda turn: turn.way(turn.me) > turn.way(turn.them)),
    _plain(f"Bring {TOTAL} closer to {T}.", lambda turn: turn.way(turn.me) < turn.way(turn.me, turn.before)),
    _plain(f"Leave {TOTAL} as near to {T} as you can, on either side of it.", lambda turn: -turn.way(turn.me)),
    _plain(f"Leave {TOTAL} as far from {T} as you can, on either side of it.", lambda turn: turn.way(turn.me)),
    _plain("Take the largest number.", lambda turn: turn.move.number),
    _plain("Take the smallest number.", lambda turn: -turn.move.number),
    _plain("Take the largest number, signs aside.", lambda turn: abs(turn.move.number)),
    _plain("Take the smallest number, signs aside.", lambda turn: -abs(turn.move.number)),
    _number(
        f"Open with {N}(?:, added or subtracted)?.",
        lambda turn, n: (
            (turn.before.pool, turn.before.totals) == (turn.before.rules.pool, turn.before.rules.start)
            and turn.move.number == n
        ),
    ),
    _number(f"Take {N}(?:, added or subtracted)?.", lambda turn, n: turn.move.number == n),
    _number(f"Leave {TOTAL} at {N}.", lambda turn, n: turn.after.total(turn.me) == n),
    _number(f"Leave {TOTAL} a multiple of {N} away from {T}.", lambda turn, n: turn.way(turn.me) % n == 0),
    _number(f"Leave only numbers in pairs that make {N}.", lambda turn, n: _paired(turn.after.pool, n)),
    _plain("Leave numbers whose sum is even.", lambda turn: sum(turn.after.pool) % 2 == 0),
]


class WordReader:
    """Goes by the sentences of one card."""

    def __init__(self, sentences: Sequence[str], start: Position) -> None:
        self.start, self.plain = start, Plain(lambda _: "nothing is known of verdicts")
        self.rules = [self._read(text) for text in sentences]

    def _read(self, text: str) -> tuple[int | None, Reads]:
        late = re.fullmatch(r"With (\d+) numbers left or fewer, (.+)", text)
        most = None
        if late is not None:
            most, text = int(late[1]), late[2][0].upper() + late[2][1:]
        rules = self.start.rules
        total = "your total" if rules.totals == "own" else "the total"
        for form, make in FORMS:
            found = re.fullmatch(form.replace(T, str(rules.target)).replace(TOTAL, total), text)
            if found is not None:
                return most, make(*found.groups())
        raise AssertionError(f"Nobody can play by: {text}")

    def left(self, position: Position) -> list[Move]:
        """Return the moves that no sentence excludes."""
        turns = [Turn(self.plain, position, move, after) for move, after in self.plain.replies(position)]
        for most, worth in self.rules:
            if most is None or len(position.pool) <= most:
                worths = [worth(turn) for turn in turns]
                turns = [turn for turn, its in zip(turns, worths, strict=True) if its == max(worths)]
        return [turn.move for turn in turns]

    def losing(self, seat: Seat, exceptions: dict[str, str]) -> Iterator[Position]:
        """Yield the positions in which a seat loses at once, or by a reply, though it goes by the words."""
        seen: set[PositionKey] = {self.start.key}
        waiting = [self.start]
        for position in waiting:
            moves: Sequence[Move] = position.legal_moves()
            if position.seat is seat:
                text = exceptions.get(str(position))
                moves = [one for one in moves if position.text_of(one) == text] if text else self.left(position)
            for move in moves:
                after = position.play(move)
                if after.outcome is not None:
                    if after.outcome.winner is not seat:
                        yield position
                elif after.key not in seen:
                    seen.add(after.key)
                    waiting.append(after)
