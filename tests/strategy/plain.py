"""Cards a second time: the words from their definitions, and a prover, on the plain games of `tests/naive.py`.

Nothing of the package is used, and nothing is clever. A rule is its text, a card a list of texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from tests.naive import Game, State

Judge = Callable[["Table", State, str, int], int]
"""What a word says of a move in a state, given its argument: the greater, the better."""


class Table:
    """A game, its target, and what can be seen in its states."""

    def __init__(self, game: Game, target: int) -> None:
        self.game, self.target = game, target
        self.start = game.start()
        self.subtracts = any(move in game.moves(self.start) for move in ("+1", "+2")) and "-" in "".join(
            move for move in game.moves(self.start) if int(move[1:]) in self.start.pool and min(self.start.pool) > 0
        )
        self._wins: dict[State, bool] = {}
        self._safe: dict[State, list[State]] = {}

    @cached_property
    def own(self) -> bool:
        return len(self.start.totals) == 2

    def after(self, state: State) -> list[State]:
        return [self.game.play(state, move) for move in self.game.moves(state)]

    def total(self, state: State, seat: int) -> int:
        return state.totals[seat - 1] if self.own else state.totals[0]

    def far(self, state: State, seat: int) -> int:
        return abs(self.target - self.total(state, seat))

    def wins(self, state: State) -> bool:
        """Say whether the player to move can win at once."""
        if state not in self._wins:
            self._wins[state] = any(after.winner == state.seat for after in self.after(state))
        return self._wins[state]

    def safe(self, state: State) -> list[State]:
        """Return the states after moves that neither lose at once nor let the other win at once."""
        if state not in self._safe:
            self._safe[state] = [
                after
                for after in self.after(state)
                if after.winner == state.seat or (after.winner is None and not self.wins(after))
            ]
        return self._safe[state]

    def squeezed(self, state: State) -> bool:
        return not self.wins(state) and not self.safe(state)

    def shut(self, state: State) -> bool:
        return all(after.winner == 3 - state.seat for after in self.after(state))

    def in_two(self, state: State, closed: Callable[[State], bool]) -> bool:
        return not self.wins(state) and all(
            any(after.winner == reply.seat or (after.winner is None and closed(after)) for after in self.after(reply))
            for reply in self.safe(state)
        )

    def needed(self, state: State, seat: int) -> set[int]:
        """Return the numbers left that take a seat's total to the target."""
        need = self.target - self.total(state, seat)
        return {number for number in state.pool if number == need or (self.subtracts and number == -need)}

    def number(self, move: str) -> int:
        return int(move[1:]) if self.subtracts else int(move)


def _won_or(closed: Callable[[Table, State], bool]) -> Judge:
    def judge(table: Table, state: State, move: str, _n: int) -> int:
        after = table.game.play(state, move)
        return after.winner == state.seat if after.winner else closed(table, after)

    return judge


def _make(table: Table, state: State, move: str, _n: int) -> int:
    return table.game.play(state, move).winner == state.seat


def _guard(table: Table, state: State, move: str, _n: int) -> int:
    return table.game.play(state, move) in table.safe(state)


def _fewest(table: Table, state: State, move: str, _n: int) -> int:
    after = table.game.play(state, move)
    if after.winner:
        return 0 if after.winner == state.seat else -99
    return -sum(table.game.play(after, reply) in table.safe(after) for reply in table.game.moves(after))


def _quiet(table: Table, state: State, move: str, _n: int) -> int:
    me, after = state.seat, table.game.play(state, move)
    mine = table.needed(after, me)
    replies = [] if after.winner else table.game.moves(after)
    taken = [table.game.play(after, one) for one in replies if table.number(one) in mine]
    return bool(mine) and all(end.winner == me if end.winner else not table.needed(end, 3 - me) for end in taken)


def _of_after(judge: Callable[[Table, State, int, int], int]) -> Judge:
    """Make a word about the state after the move: the table, that state, who moved, and the argument."""
    return lambda table, state, move, n: judge(table, table.game.play(state, move), state.seat, n)


def _largest(state: State) -> int:
    return max([0, *(abs(number) for number in state.pool)])


WORDS: Mapping[str, Judge] = {
    "make": _make,
    "guard": _guard,
    "hold": _won_or(
        lambda table, after: not table.wins(after) and all(table.safe(reply) for reply in table.safe(after))
    ),
    "squeeze": _won_or(lambda table, after: table.squeezed(after)),
    "shut": _won_or(lambda table, after: table.shut(after)),
    "squeeze-in-two": _won_or(lambda table, after: table.in_two(after, table.squeezed)),
    "shut-in-two": _won_or(lambda table, after: table.in_two(after, table.shut)),
    "fewest": _fewest,
    "threat": _of_after(lambda table, after, me, _n: bool(table.needed(after, me))),
    "quiet-threat": _quiet,
    "furthest-threat": _of_after(lambda table, after, me, _n: table.far(after, me) if table.needed(after, me) else -1),
    "in-reach": _of_after(lambda table, after, me, _n: table.far(after, me) <= _largest(after)),
    "out-of-reach": _of_after(lambda table, after, me, _n: table.far(after, 3 - me) > _largest(after)),
    "further": _of_after(lambda table, after, me, _n: table.far(after, me) > table.far(after, 3 - me)),
    "toward": lambda table, state, move, _n: (
        table.far(table.game.play(state, move), state.seat) < table.far(state, state.seat)
    ),
    "nearest": _of_after(lambda table, after, me, _n: -table.far(after, me)),
    "away": _of_after(lambda table, after, me, _n: table.far(after, me)),
    "largest": lambda table, _state, move, _n: abs(table.number(move)),
    "smallest": lambda table, _state, move, _n: -abs(table.number(move)),
    "open": lambda table, state, move, n: state == table.start and table.number(move) == n,
    "take": lambda table, _state, move, n: table.number(move) == n,
    "leave": _of_after(lambda table, after, me, n: table.total(after, me) == n),
    "multiple": _of_after(lambda table, after, me, n: table.far(after, me) % n == 0),
    "pairs": _of_after(lambda _table, after, _me, n: _in_pairs(list(after.pool), n)),
    "even-left": _of_after(lambda _table, after, _me, _n: sum(after.pool) % 2 == 0),
}
"""The words, each from its definition."""


def _in_pairs(numbers: list[int], both: int) -> bool:
    """Whether numbers can be put into pairs that each make the same."""
    while numbers:
        one = numbers.pop()
        if both - one not in numbers:
            return False
        numbers.remove(both - one)
    return True


def text(state: State) -> str:
    """Return a state as the package writes a position."""
    totals = "/".join(map(str, state.totals))
    return f"{','.join(map(str, state.pool))} {totals} {state.seat}"


def survivors(
    table: Table, rules: Sequence[str], state: State, exceptions: Sequence[tuple[str, str]] = ()
) -> list[str]:
    """Return the moves that a card leaves."""
    for place, move in exceptions:
        if place == text(state):
            return [move]
    moves = table.game.moves(state)
    for rule in rules:
        name, _, most = rule.partition("@")
        name, _, argument = name.partition(":")
        if most and len(state.pool) > int(most):
            continue
        says = {move: WORDS[name](table, state, move, int(argument or 0)) for move in moves}
        moves = [move for move in moves if says[move] == max(says.values())]
    return moves


class Verdict(NamedTuple):
    """Whether a card always wins, and in how many states it had to move."""

    proved: bool
    states: int


def always_wins(table: Table, seat: int, rules: Sequence[str], exceptions: Sequence[tuple[str, str]] = ()) -> Verdict:
    """Follow every surviving move against every reply: all states must lead to a win, and none may come back.

    A match of more states than any of ours needs is taken to run away.
    """
    found: dict[State, list[State]] = {}
    waiting = [table.start]
    lost = False
    for state in waiting:
        if state in found:
            continue
        if lost or len(found) > 12_000:
            return Verdict(proved=False, states=len(found))
        moves = survivors(table, rules, state, exceptions) if state.seat == seat else table.game.moves(state)
        following = [table.game.play(state, move) for move in moves]
        lost = not following or any(one.winner == 3 - seat for one in following)
        found[state] = [one for one in following if one.winner is None]
        waiting += found[state]
    mine = sum(state.seat == seat for state in found)
    return Verdict(not lost and _ends(found), mine)


def _ends(found: dict[State, list[State]]) -> bool:
    """Whether every way through some states comes to an end: take away, again and again, those without a way on."""
    before: dict[State, list[State]] = {state: [] for state in found}
    ways = {state: len(following) for state, following in found.items()}
    for state, following in found.items():
        for one in following:
            before[one].append(state)
    ended = [state for state, count in ways.items() if count == 0]
    for state in ended:
        for one in before[state]:
            ways[one] -= 1
            if ways[one] == 0:
                ended.append(one)
    return len(ended) == len(found)
