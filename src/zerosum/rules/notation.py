"""Positions read from text: `1,2,3,4,7 28 1` is pool, total(s), seat to move.

Games with a ban or a swap add the previous number move: `-` at the start, `+5`, or `+5,swap` when the
seats can no longer be swapped although the numbers look as if they could.
"""

from collections import Counter
from dataclasses import replace
from typing import Final

from zerosum.base import limits
from zerosum.base.errors import IllegalPositionError, InvalidTextError, RecordError
from zerosum.base.text import parse_number, shorten
from zerosum.rules.model import Rules, Seat, Tie, Totals, key_text
from zerosum.rules.moves import ADD_ONLY, Move, Operation, parse_move
from zerosum.rules.position import IllegalMoveError, Position, start_position

_SEATS = {"1": Seat.FIRST, "2": Seat.SECOND}


def parse_position(text: str, rules: Rules) -> Position:
    """Return the position that `text` writes.

    >>> from zerosum.rules.game_files import load_game
    >>> parse_position("7,4,3,2,1 28 1", load_game("sum31")).pool
    (1, 2, 3, 4, 7)
    """
    fields = text.split(" ") if text else []
    due = 4 if rules.remembers else 3
    if len(fields) != due:
        form = "POOL TOTALS SEAT PREVIOUS" if rules.remembers else "POOL TOTALS SEAT"
        raise InvalidTextError(f"'{shorten(text)}' is not a position: write {form}, such as '{start_position(rules)}'.")
    pool = _pool(fields[0])
    totals = _totals(fields[1], rules)
    if fields[2] not in _SEATS:
        raise InvalidTextError(f"'{shorten(fields[2])}' is not a seat: it is 1 or 2.")
    previous, spent = _memory(fields[3], rules) if rules.remembers else (None, False)
    return _check(Position(rules, pool, totals, _SEATS[fields[2]], previous), spent)


def play_numbered(position: Position, token: str, n: int) -> tuple[Move, Position]:
    """Return the move that `token` writes and the position after it; an error names the move's number `n`."""
    try:
        move = parse_move(token, position.rules.operations)
        return move, position.play(move)
    except (InvalidTextError, IllegalMoveError) as error:
        raise RecordError(f"Move {n}, {shorten(token)}: {error}") from None


def _pool(text: str) -> tuple[int, ...]:
    if text == "-":
        return ()
    return tuple(parse_number(part) for part in text.split(","))


def _totals(text: str, rules: Rules) -> tuple[int, ...]:
    totals = tuple(parse_number(part, limits.TOTAL) for part in text.split("/"))
    if len(totals) != len(rules.start):
        form = "t1/t2, one for each seat" if rules.totals is Totals.OWN else "one number"
        raise InvalidTextError(f"'{shorten(text)}' are not the totals of this game: {form}.")
    return totals


def _memory(text: str, rules: Rules) -> tuple[Move | None, bool]:
    if text == "-":
        return None, False
    move_text, comma, word = text.partition(",")
    if comma and (word != "swap" or not rules.swap):
        raise InvalidTextError(f"'{shorten(text)}' is not a previous move.")
    move = parse_move(move_text, rules.operations)
    if move.operation is Operation.SWAP:
        raise InvalidTextError("The previous move is a number move; after a swap write it as +5,swap.")
    return move, bool(comma)


def _check(position: Position, spent: bool) -> Position:
    """Return `position` with its swap filled in, or say why it cannot arise."""
    rules = position.rules
    if rules.unknown:
        return _played(position, spent)
    used = Counter(rules.pool) - Counter(position.pool)
    start = start_position(rules)
    if position == start and not spent:
        return start
    for check in (_check_previous, _check_start, _check_turn, _check_sum):
        check(position, used)
    looks_open = position.swap_is_spent()
    if spent and not looks_open:
        raise IllegalPositionError("A swap is the second ply; this position is not the one after it.")
    return replace(position, swap_open=True) if looks_open and not spent else position


_PLAYED: Final = 20_000
"""Positions that are played to find one that was written, if the rules have a key that the checks do not know."""


def _played(written: Position, spent: bool) -> Position:
    """Return the position of a match that was written, or say that play does not reach it."""
    rules, text = written.rules, _facts(written)
    start = start_position(rules)
    seen = {start.key}
    waiting = [start]
    for position in waiting:  # it grows
        if _facts(position) == text and position.swap_is_spent() is spent:
            return position
        after = {one.key: one for one in map(position.play_unchecked, position.legal_moves())}
        waiting += (one for key, one in after.items() if key not in seen)
        seen.update(after)
        if len(seen) > _PLAYED:
            raise IllegalPositionError(
                f"No check knows {key_text(rules, rules.unknown[0])}, and the first {_PLAYED:,} positions of "
                f"{rules.name} do not include '{written}'."
            )
    raise IllegalPositionError(f"'{written}' cannot arise in {rules.name}.")


def _facts(position: Position) -> tuple[object, ...]:
    """Return what is written of a position, apart from whether seats can be swapped."""
    return position.pool, position.totals, position.seat, position.previous


def _endless(rules: Rules) -> bool:
    return rules.tie is Tie.SUDDEN_DEATH


def _check_previous(position: Position, used: Counter[int]) -> None:
    rules, previous = position.rules, position.previous
    if not rules.remembers:
        return
    if previous is None:
        raise IllegalPositionError("Only the start has no previous move ('-'); name the number move before.")
    # After a refill the pool is full again, and the number before it may be any of the pool.
    if previous.number not in (used or rules.pool):
        raise IllegalPositionError(f"The previous number {previous.number} is still in the pool.")


def _check_start(position: Position, used: Counter[int]) -> None:
    if not used and not _endless(position.rules):
        raise IllegalPositionError(f"With no number used the position is '{start_position(position.rules)}'.")


def _check_turn(position: Position, used: Counter[int]) -> None:
    seat = Seat.SECOND if used.total() % 2 else Seat.FIRST
    # With an odd pool, each round of sudden death is begun by the other seat.
    if position.seat is not seat and not (_endless(position.rules) and len(position.rules.pool) % 2):
        raise IllegalPositionError(f"With {used.total()} numbers used it is seat {seat.value}'s turn.")


def _check_sum(position: Position, used: Counter[int]) -> None:
    rules = position.rules
    if rules.totals is Totals.SHARED and rules.operations == ADD_ONLY:
        total = rules.start[0] + sum(used.elements())
        if position.totals != (total,):
            raise IllegalPositionError(f"The used numbers make {total}, not {position.totals[0]}.")
