"""A position: pool, total(s), seat to move. A frozen value; playing a move makes a new one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from zerosum.base import limits
from zerosum.base.enums import StrChoice
from zerosum.base.errors import IllegalPositionError, ZerosumError
from zerosum.base.progress import Progress, silent
from zerosum.rules.game_files import Game, rules_of
from zerosum.rules.model import Ban, Reaching, Rules, Seat, Totals
from zerosum.rules.moves import SWAP, Move, Operation, format_move, number_move_texts, number_moves, read_move
from zerosum.rules.outcome import Outcome, Reason, judge

PositionKey = tuple[tuple[int, ...], tuple[int, ...], Seat, int | None, bool, bool]

# Looking a member up in its class costs as much as the rest of a move.
_FIRST, _SECOND = Seat.FIRST, Seat.SECOND
_SUBTRACT, _SWAP = Operation.SUBTRACT, Operation.SWAP
_SHARED = Totals.SHARED
_INTEGERS = frozenset({int})  # bool is an int in Python, but not a number in a pool.


class Clause(StrChoice):
    """The clause an illegal move breaks."""

    OVER = "the match is over"
    NUMBER = "that number is not available"
    OPERATION = "this game only adds"
    MIRROR = "it undoes the move before it, and there is another move"
    SWAP = "seats can only be swapped as the second ply, where the rules say so"


class IllegalMoveError(ZerosumError):
    """A move that can be read but is not allowed; it carries the move, the position and the clause."""

    def __init__(self, move: Move, position: Position, clause: Clause) -> None:
        self.move = move
        self.position = position
        self.clause = clause
        super().__init__(f"{position.text_of(move)} is not allowed: {clause.value}.")


class _Draft:
    """The slots of a position, which can still be written: see `unchecked`."""

    __slots__ = ("outcome", "pool", "previous", "rules", "seat", "swap_open", "totals")

    rules: Rules
    pool: tuple[int, ...]
    totals: tuple[int, ...]
    seat: Seat
    previous: Move | None
    swap_open: bool
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Position(_Draft):
    """Pool, total(s) and seat to move; if a ban or a swap needs it, also the move before.

    `swap_open` is true at the one ply where `swap` is a move. `outcome` is None while play goes on; it is worked out.
    """

    rules: Rules = field(hash=False)
    pool: tuple[int, ...]
    totals: tuple[int, ...]
    seat: Seat
    previous: Move | None = None
    swap_open: bool = False
    outcome: Outcome | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse what no match of the game can show; only `parse_position` asks whether moves lead here."""
        if not self._has_right_types():
            raise IllegalPositionError(
                "A position is made of Rules, a pool and totals (tuples of whole numbers), a Seat, "
                "the number move before or None, and whether seats can be swapped."
            )
        rules, pool = self.rules, self.pool
        if pool != rules.pool:
            pool = _part_of(pool, rules.pool)
            object.__setattr__(self, "pool", pool)
        if len(self.totals) != len(rules.start):
            raise IllegalPositionError(f"{rules.name} has {len(rules.start)} total(s), not {len(self.totals)}.")
        if self.swap_open and not (rules.swap and self.previous):
            raise IllegalPositionError("Seats can be swapped only after the first move, where the rules say so.")
        outcome = judge(rules, pool, self.totals, self.seat.other) if pool != rules.pool else None
        if not pool and outcome is None:
            raise IllegalPositionError("An empty pool with both equally close is refilled; write the full pool.")
        object.__setattr__(self, "outcome", outcome)

    def _has_right_types(self) -> bool:
        return (
            issubclass(type(self.rules), Rules)
            and type(self.pool) is tuple
            and _INTEGERS.issuperset(map(type, self.pool))
            and type(self.totals) is tuple
            and _INTEGERS.issuperset(map(type, self.totals))
            and type(self.seat) is Seat
            and (self.previous is None or (type(self.previous) is Move and self.previous.operation is not _SWAP))
            and type(self.swap_open) is bool
        )

    def total(self, seat: Seat) -> int:
        """Return the total that counts for `seat`."""
        return self.totals[seat - 1] if self.rules.totals is Totals.OWN else self.totals[0]

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the legal moves: numbers ascending, adding before subtracting, `swap` last."""
        if self.outcome is not None:
            return ()
        moves = number_moves(self.pool, self.rules.operations)
        if self.previous is not None and self.rules.ban is Ban.MIRROR:
            mirrored = -self.previous.amount
            moves = tuple(move for move in moves if move.amount != mirrored) or moves
        return (*moves, SWAP) if self.swap_open else moves

    def legal_move_texts(self) -> tuple[str, ...]:
        """Return the legal moves as this game writes them, in the order of `legal_moves`.

        >>> start_position("sum31").play("+5").legal_move_texts()
        ('+1', '+2', '+3', '+4', '+6', '+7', '+8', '+9')
        """
        if self.previous is None and self.outcome is None:  # so neither a ban nor a swap changes the moves
            return number_move_texts(self.pool, self.rules.operations)
        return tuple(map(self.text_of, self.legal_moves()))

    def objection(self, move: Move) -> Clause | None:
        """Return the clause that forbids `move`, None if it is legal."""
        if self.outcome is not None:
            return Clause.OVER
        if move.operation is _SWAP:
            return None if self.swap_open else Clause.SWAP
        if move.number not in self.pool:
            return Clause.NUMBER
        if move.operation not in self.rules.operations:
            return Clause.OPERATION
        if self.previous is not None and self.rules.ban is Ban.MIRROR and move not in self.legal_moves():
            return Clause.MIRROR
        return None

    def play(self, move: Move | str) -> Position:
        """Return the position after a legal move, given as a value or as text."""
        if not isinstance(move, Move):
            move = read_move(move, self.rules.operations)
        clause = self.objection(move)
        if clause is not None:
            raise IllegalMoveError(move, self, clause)
        return self.play_unchecked(move)

    def play_unchecked(self, move: Move) -> Position:
        """Return the position after `move`, which the caller knows to be legal."""
        rules, seat = self.rules, self.seat
        if move.operation is _SWAP:
            return unchecked(rules, self.pool, self.totals, seat, self.previous)
        at = self.pool.index(move.number)
        pool = self.pool[:at] + self.pool[at + 1 :]
        amount = -move.number if move.operation is _SUBTRACT else move.number
        if rules.totals is _SHARED:
            totals: tuple[int, ...] = (self.totals[0] + amount,)
        elif seat is _FIRST:
            totals = (self.totals[0] + amount, self.totals[1])
        else:
            totals = (self.totals[0], self.totals[1] + amount)
        outcome = judge(rules, pool, totals, seat)
        return unchecked(
            rules,
            pool if pool or outcome is not None else rules.pool,
            totals,
            _SECOND if seat is _FIRST else _FIRST,
            move if rules.remembers else None,
            rules.swap and self.previous is None and outcome is None,
            outcome,
        )

    def children(self) -> dict[Move, Position]:
        """Return the position after each legal move, in the order of `legal_moves`; none if the match is over.

        >>> from zerosum.rules.game_files import load_game
        >>> [str(after) for after in start_position(load_game("sum31")).children().values()][:2]
        ['2,3,4,5,6,7,8,9 1 2', '1,3,4,5,6,7,8,9 2 2']
        """
        return {move: self.play_unchecked(move) for move in self.legal_moves()}

    def _repr_svg_(self) -> str:
        from zerosum.base.svg import tiles  # noqa: PLC0415 - only notebooks draw

        left = Counter(self.pool)
        numbers = []
        for number in self.rules.pool:
            numbers.append((number, left[number] > 0))
            left[number] -= 1
        totals = f"{'totals' if len(self.totals) > 1 else 'total'} {' and '.join(map(str, self.totals))}"
        state = f"player {self.seat} to move" if self.outcome is None else f"player {self.outcome.winner} has won"
        heading = f"{self.rules.name}: {totals}, target {self.rules.target}, {state}"
        return tiles(heading, f"{heading}. Left: {', '.join(map(str, self.pool)) or 'nothing'}.", numbers)

    def text_of(self, move: Move) -> str:
        """Return `move` as this game writes it."""
        return format_move(move, self.rules.operations)

    @property
    def key(self) -> PositionKey:
        """What tells positions apart for the rest of a match; of the move before, only what some rule uses."""
        previous, rules = self.previous, self.rules
        amount = previous.amount if previous is not None and rules.ban is not Ban.NONE else None
        return self.pool, self.totals, self.seat, amount, self.swap_open, rules.swap and previous is None

    def __str__(self) -> str:
        """Return the position as text: pool, total(s), seat, and the move before if it matters."""
        totals = self.totals
        total = f"{totals[0]}" if len(totals) == 1 else f"{totals[0]}/{totals[1]}"
        text = f"{_pool_text(self.pool)} {total} {self.seat:d}"
        if not self.rules.remembers:
            return text
        if self.previous is None:
            return f"{text} -"
        spent = ",swap" if self.swap_is_spent() else ""
        return f"{text} {self.text_of(self.previous)}{spent}"

    def swap_is_spent(self) -> bool:
        """Whether this looks like the ply where seats may be swapped, but they may not (or no longer)."""
        if not self.rules.swap or self.swap_open or self.previous is None or self.outcome is not None:
            return False
        second_ply = start_position(self.rules).play_unchecked(self.previous)
        return (second_ply.pool, second_ply.totals, second_ply.seat) == (self.pool, self.totals, self.seat)


def unchecked(  # noqa: PLR0917 - keywords would add a tenth to the time of a move
    rules: Rules,
    pool: tuple[int, ...],
    totals: tuple[int, ...],
    seat: Seat,
    previous: Move | None = None,
    swap_open: bool = False,  # noqa: FBT002 - as above
    outcome: Outcome | None = None,
) -> Position:
    """Return a position without checking or judging it: the caller knows that it can arise, and its outcome.

    The `__init__` of a frozen dataclass sets every slot through `object.__setattr__`, which costs more than the rest of
    a move. So the slots are written while the class still allows it, and then the class is changed.
    """
    draft = _Draft()
    draft.rules = rules
    draft.pool = pool
    draft.totals = totals
    draft.seat = seat
    draft.previous = previous
    draft.swap_open = swap_open
    draft.outcome = outcome
    draft.__class__ = Position
    return draft  # type: ignore[return-value]  # it is one since the line above


@lru_cache(maxsize=1 << 14)
def _pool_text(pool: tuple[int, ...]) -> str:
    """Return a pool as text; cached, as the same few pools return all the time."""
    return ",".join(map(str, pool)) or "-"


@lru_cache(maxsize=1 << 14)
def _part_of(pool: tuple[int, ...], whole: tuple[int, ...]) -> tuple[int, ...]:
    """Return a pool, sorted, which must be part of `whole`; cached, as the same few pools return all the time."""
    surplus = Counter(pool) - Counter(whole)
    if surplus:
        raise IllegalPositionError(f"{min(surplus)} is in the position's pool more often than in the game's.")
    return tuple(sorted(pool))


def start_position(game: Game) -> Position:
    """Return the position a match of this game begins with.

    >>> print(start_position("sum31").play("+5").play("+6"))
    1,2,3,4,7,8,9 11 1
    """
    rules = rules_of(game)
    return Position(rules, rules.pool, rules.start, Seat.FIRST)


def can_make(position: Position) -> bool:
    """Whether a legal move lands exactly on the target and wins."""
    rules = position.rules
    if rules.reaching is not Reaching.WINS:
        return False
    if rules.unknown:
        ends = (position.play_unchecked(move).outcome for move in position.legal_moves())
        return Outcome(position.seat, Reason.REACHED_TARGET) in ends
    need = rules.target - position.total(position.seat)
    if need not in position.pool and -need not in position.pool:
        return False
    return any(move.amount == need for move in position.legal_moves() if move.number)


_NOW_AND_THEN: Final = 2_000


class TooManyPositionsError(ZerosumError):
    """A count that would need too much memory."""


def perft(rules: Rules, depth: int, progress: Progress = silent) -> int:
    """Return how many legal move sequences have exactly `depth` moves.

    Sequences that meet in the same position are counted together, a ply at a time.

    >>> from zerosum.rules.game_files import load_game
    >>> [perft(load_game("sum31"), depth) for depth in range(4)]
    [1, 9, 72, 504]
    """
    frontier: Counter[Position] = Counter({start_position(rules): 1})
    for ply in range(depth):
        following: Counter[Position] = Counter()
        for n, (position, sequences) in enumerate(frontier.items()):
            if n % _NOW_AND_THEN == 0:
                progress(f"move {ply + 1} of {depth}, {n:,} of {len(frontier):,} positions")
            for move in position.legal_moves():
                following[position.play_unchecked(move)] += sequences
            if len(following) > limits.PERFT_POSITIONS:
                raise TooManyPositionsError(
                    f"After {ply + 1} moves there are more than {limits.PERFT_POSITIONS} positions, the most that are "
                    f"counted. Ask for a depth below {ply + 1}."
                )
        frontier = following
        if not frontier:
            return 0
    return frontier.total()
