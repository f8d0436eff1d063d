"""Is a batch the game? Every state and every action of it, compared with `Position`, one by one.

A table is equal to the game if its first state is the start, if every entry says of its action what `Position` says and
leads to the state that `Position` comes to, and if no position is there twice. Its labels are true if each follows from
those of the states after it: every match ends, so nothing is left that could be wrong.

If steps are computed, every action in every position of the first round is compared; of a game that is too large, as
many as `most` says. What `Position` cannot tell apart, such as the move before if no rule asks for it, is not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple

from zerosum.base.errors import ZerosumError
from zerosum.base.extras import missing

try:
    import numpy as np
except ImportError as error:
    raise missing(__name__, error) from error

from zerosum.envs.coded_matches import Coded, CodedMoves
from zerosum.rules.model import Rules
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.solver.encoding import ACTION_LOST as LOST
from zerosum.solver.encoding import ACTION_WON as WON
from zerosum.solver.encoding import GOES_ON, ILLEGAL, encoding_of
from zerosum.solver.game_table import GameTable, compile_table

MOST: Final = 20_000
"""Positions that are compared of a game that has no table."""
_WORDS: Final = {GOES_ON: "play goes on", WON: "won", LOST: "lost", ILLEGAL: "illegal"}
_AT_ONCE: Final = 1 << 10


class BatchError(ZerosumError):
    """A batch that does not play the game; the message says where it differs first."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What was compared: how many positions, and whether these are all of the game, or of its first round."""

    positions: int
    everything: bool


def check(rules: Rules, most: int | None = None) -> Checked:
    """Compare a game's batch with `Position`: all states, or `most` of them; raise a `BatchError` if they differ."""
    table = compile_table(rules)
    if table is None:
        return check_codes(rules, MOST if most is None else most)
    return check_table(table, most)


def check_table(table: GameTable, most: int | None = None) -> Checked:
    """Compare a table with `Position`; `most` states are drawn, always the same."""
    rules, size = table.rules, table.size
    whole = most is None or most >= size
    states = range(size) if most is None or most >= size else sorted(Random(size).sample(range(size), most))
    _equal(rules, "The first state", table.position(0).key, start_position(rules).key)
    reached = np.zeros(size, np.bool_)
    reached[table.next >> 2] = True
    _equal(rules, "The number of states that moves reach", int(reached.sum()), size)
    key_of = lru_cache(maxsize=None)(lambda state: table.position(state).key)
    seen: dict[PositionKey, int] = {}
    for low in range(0, len(states), _AT_ONCE):
        for state, row in _rows(table, states[low : low + _AT_ONCE]):
            position = table.position(state)
            where = f"State {state}, {position}"
            _equal(rules, f"{where}: the state of this position", seen.setdefault(position.key, state), state)
            _compare_row(position, row.mask, row.observation, where)
            for action, after in _compare_moves(position, [packed & 3 for packed in row.entries], where):
                what = f"{where}, action {action}: the position after it"
                _equal(rules, what, key_of(row.entries[action] >> 2), after.key)
            _compare_labels(rules, row, where)
    return Checked(len(seen), whole)


class _Row(NamedTuple):
    """All that a table says of a state."""

    entries: list[int]
    mask: list[bool]
    observation: list[int]
    value: int
    plies: int
    keeping: list[bool]
    worths: list[int]
    """The value of each action for the player who moves, if it is legal."""
    ends: list[int]
    """The plies of each action, itself counted, if it is legal."""


def _rows(table: GameTable, states: Sequence[int]) -> Iterator[tuple[int, _Row]]:
    """Yield what a table says of some states; worths and plies of actions are those of the states after them."""
    at = np.array(states, np.intp)
    entries = table.next.reshape(table.size, table.actions)[at]
    value, plies, keeping = table.labels
    outcome, after = entries & 3, entries >> 2
    worths = np.where(outcome == GOES_ON, -value[after], np.where(outcome == WON, 1, -1))
    ends = np.where(outcome == GOES_ON, plies[after] + 1, 1)
    columns = (entries, table.mask[at], table.observation[at], value[at], plies[at], keeping[at], worths, ends)
    for state, *row in zip(states, *(column.tolist() for column in columns), strict=True):
        yield state, _Row(*row)


def check_codes(rules: Rules, most: int | None = None) -> Checked:
    """Compare computed steps with `Position`, in the first round of a game or in its first `most` positions."""
    moves = CodedMoves(rules)
    positions = [start_position(rules)]
    seen = {positions[0].key}
    done = 0
    while done < len(positions):
        some = positions[done : done + _AT_ONCE]
        done += len(some)
        for position in _compare_steps(moves, some):
            if position.key not in seen and (most is None or len(seen) < most):
                seen.add(position.key)
                positions.append(position)
    return Checked(len(seen), most is None or len(seen) < most)


def _compare_steps(moves: CodedMoves, positions: list[Position]) -> Iterator[Position]:
    """Compare all actions in some positions; yield the positions that follow in the same round."""
    here = moves.coded(positions)
    every = np.tile(np.arange(moves.actions), len(positions))
    outcomes, after = moves.play(Coded(*(np.repeat(column, moves.actions) for column in here)), every)
    said = outcomes.reshape(-1, moves.actions).tolist()
    masks, observations = moves.mask(here).tolist(), moves.observe(here).tolist()
    for at, position in enumerate(positions):
        where = str(position)
        _equal(position.rules, f"{where}: the position of its code", moves.position(here, at).key, position.key)
        _compare_row(position, masks[at], observations[at], where)
        for action, then in _compare_moves(position, said[at], where):
            found = moves.position(after, at * moves.actions + action).key
            _equal(position.rules, f"{where}, action {action}: the position after it", found, then.key)
            if len(then.pool) <= len(position.pool):
                yield then


def _compare_moves(position: Position, said: list[int], where: str) -> Iterator[tuple[int, Position]]:
    """Compare the outcome of each action with that of `Position`; yield those after which play goes on."""
    rules = position.rules
    legal = set(position.legal_moves())
    for action, move in enumerate(rules.moves):
        after = position.play_unchecked(move) if move in legal else None
        if after is None:
            true = ILLEGAL
        elif after.outcome is None:
            true = GOES_ON
        else:
            true = WON if after.outcome.winner is position.seat else LOST
        if said[action] != true:
            what = f"{where}, action {action} ({position.text_of(move)})"
            raise BatchError(f"{rules.name}. {what}: {_WORDS[said[action]]} in the batch, {_WORDS[true]} by the rules.")
        if after is not None and true == GOES_ON:
            yield action, after


def _compare_row(position: Position, mask: list[bool], observation: list[int], where: str) -> None:
    """Compare a mask and an observation with those of the environments that play one match."""
    encoding = encoding_of(position.rules)
    _equal(position.rules, f"{where}: the mask", mask, encoding.mask(position).tolist())
    expected = encoding.observe(position, position.seat).tolist()
    _equal(position.rules, f"{where}: the observation", observation, expected)


def _compare_labels(rules: Rules, row: _Row, where: str) -> None:
    """Compare the labels of a state with what they must be, given those of the states after it."""
    legal = [action for action, packed in enumerate(row.entries) if packed & 3 != ILLEGAL]
    best = max(row.worths[action] for action in legal)
    _equal(rules, f"{where}: the value", row.value, best)
    keep = [action for action in legal if row.worths[action] == best]
    ends = [row.ends[action] for action in keep]
    _equal(rules, f"{where}: the plies", row.plies, min(ends) if best > 0 else max(ends))
    _equal(rules, f"{where}: the keeping moves", [n for n, kept in enumerate(row.keeping) if kept], keep)


def _equal(rules: Rules, what: str, found: object, expected: object) -> None:
    if found != expected:
        raise BatchError(f"{rules.name}. {what} is {found} in the batch, but {expected} by the rules.")
