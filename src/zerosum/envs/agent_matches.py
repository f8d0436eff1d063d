"""Many matches of an agent against an opponent inside: the agent acts, the opponent replies, matches restart.

`TableAgentMatches` plays a compiled game by look-ups in the table that `batch.py` plays by too;
`PlayedAgentMatches` plays any other game match by match, which is slow. A match that is over restarts in the same step,
and the agent's seat is drawn again unless it is fixed. An opponent's first move may end a match before the agent has
moved: then no action is legal, and any action ends that match with its result.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache, partial
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np

from zerosum.base.errors import BadValueError
from zerosum.envs.duel import Duel, rewards_of
from zerosum.envs.opponents import BITS, SELF, AliasTable, MatchOpponent, as_chooser, ask_of, edge_chances
from zerosum.rules.model import Rules, Seat
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Verdict, graph_passes_numpy, solution_of
from zerosum.solver.encoding import ACTION_LOST, ACTION_WON, GOES_ON, ILLEGAL, encoding_of
from zerosum.solver.game_table import Array, GameTable

_TURNED: Final = (GOES_ON, ACTION_LOST, ACTION_WON, ACTION_WON)
"""What an outcome for the opponent is for the agent."""
_REWARD: Final = np.array([0.0, 1.0, -1.0, -1.0])
_WORTH: Final = {Verdict.WIN: 1.0, Verdict.DRAW: 0.0, Verdict.LOSS: -1.0}
_REMEMBERED: Final = 1 << 16
"""Ends of matches whose last observation is remembered."""


class AgentStep(NamedTuple):
    """What a step did, a row for each match."""

    rewards: Array
    terminated: Array
    truncated: Array
    final: Callable[[], Array]
    """Returns what the agent saw at the end of the matches that are over, a row for each of these."""


class _Last(NamedTuple):
    """What a step did: the agent's action and how it went, and the opponent's reply if the match went on."""

    before: Array
    actions: Array
    went: Array
    after: Array
    drawn: Array
    reply: Array


class TableAgentMatches:
    """Matches of a compiled game.

    The states are those of the table; after them comes the *beginning*, from which the agent or the opponent opens,
    and then a state for each first move that ends the match. Every end leads to the beginning.
    """

    def __init__(
        self, table: GameTable, n: int, seat: Seat | None, opponent: MatchOpponent, *, against_opponent: bool
    ) -> None:
        self.table = table
        self.states = np.zeros(n, np.int32)
        self.dice: np.random.BitGenerator = np.random.PCG64()
        self._n, self._seat, self._against_opponent = n, seat, against_opponent
        self._beginning = table.size
        first = table.graph.first[1]
        to = np.asarray(table.graph.to)[:first]
        self._openings = np.asarray(table.graph.move)[:first][to < 0].astype(np.intp)
        over = self._beginning << 2
        # Rows for the states, for the beginning, where nobody acts, and for openings that end the match.
        rows = [np.where(table.next & 3, over | table.next & 3, table.next), np.zeros(table.actions, np.int32)]
        rows += [np.full(table.actions, over | _TURNED[_outcome(end)], np.int32) for end in to[to < 0].tolist()]
        self._next = np.concatenate(rows)
        self._end = lru_cache(maxsize=_REMEMBERED)(self._find_end)
        self.set_opponent(opponent)

    def set_opponent(self, opponent: MatchOpponent) -> None:
        """Let another opponent play on."""
        alone = isinstance(opponent, str) and opponent == SELF
        if alone and self._against_opponent:
            raise BadValueError("Against oneself, advantages are those against perfect play: advantage='perfect'.")
        self._chances = None if alone else edge_chances(opponent, self.table)
        if self._chances is not None:
            self._prepare(self._chances)
        self.__dict__.pop("_advantages", None)

    def _prepare(self, chances: Array) -> None:
        """Make the table from which replies and beginnings are drawn, and where each of them leads."""
        graph = self.table.graph
        first, to = np.asarray(graph.first), np.asarray(graph.to)
        openings = to[: first[1]]
        agent = {None: 0.5, Seat.FIRST: 1.0, Seat.SECOND: 0.0}[self._seat]
        begin = np.concatenate([[agent], (1 - agent) * chances[: len(openings)]])
        self._replies = AliasTable(np.append(first, first[-1] + len(begin)), np.concatenate([chances, begin]))
        opened = np.where(openings < 0, np.cumsum(openings < 0) + self._beginning, openings) << 2
        after = np.where(to < 0, self._beginning << 2 | np.where(to & 1, ACTION_WON, ACTION_LOST), to << 2)
        self._after = np.concatenate([after, [0], opened]).astype(np.int32)

    def step(self, actions: Array) -> AgentStep:
        """Play the agent's actions and the opponent's replies; restart what is over."""
        before = self.states
        packed = self._next.take(before * self.table.actions + actions)
        went, after = packed & 3, packed >> 2
        if self._chances is None:
            self.states = np.where(went, 0, after)
            return self._done(_Last(before, actions, went, after, after, np.zeros_like(went)))
        dice = self.dice.random_raw(self._n)
        drawn = self._replies.draw(after, (dice >> (64 - BITS)).view(np.int64))
        packed = self._after.take(drawn)
        reply, self.states = packed & 3, packed >> 2
        restart = np.flatnonzero(reply)
        if len(restart):
            self.states[restart] = self._begin(dice[restart])
        return self._done(_Last(before, actions, went, after, drawn, reply))

    def _done(self, last: _Last) -> AgentStep:
        rewards = _REWARD.take(last.went) - _REWARD.take(last.reply)
        return AgentStep(rewards, rewards != 0, np.zeros(self._n, np.bool_), partial(self._final, last))

    def _begin(self, dice: Array) -> Array:
        low = (dice & ((1 << BITS) - 1)).view(np.int64)
        rows = np.full(len(dice), self._beginning)
        return self._after.take(self._replies.draw(rows, low)) >> 2

    def reset(self, positions: Sequence[Position] | None) -> None:
        """Restart every match: from the start, or each at its position."""
        if positions is not None:
            self.states = self._reset_at(positions)
        elif self._chances is None:
            self.states = np.zeros(self._n, np.int32)
        else:
            self.states = self._begin(self.dice.random_raw(self._n))

    def _reset_at(self, positions: Sequence[Position]) -> Array:
        index = {position: self.table.graph.index(position) for position in dict.fromkeys(positions)}
        states = np.array([index[position] for position in positions], np.int32)
        if self._chances is None:
            return states
        dice = self.dice.random_raw(self._n)
        if self._seat is None:
            waits = (dice & 1).astype(np.bool_)
        else:
            waits = np.array([position.seat is not self._seat for position in positions])
        drawn = self._replies.draw(states, (dice >> (64 - BITS)).view(np.int64))
        packed = self._after.take(drawn)
        if (waits & (packed & 3 != GOES_ON)).any():
            at = int(np.flatnonzero(waits & (packed & 3 != GOES_ON))[0])
            raise BadValueError(
                f"At '{positions[at]}' the opponent's move ends the match: begin where the agent moves."
            )
        return np.where(waits, packed >> 2, states)

    # What is seen

    @cached_property
    def _seen(self) -> Array:
        """What the agent sees in each state."""
        seen = self.table.observation
        nothing = np.zeros(len(self._openings), np.intp)
        opened = self._ends(nothing, self._openings, nothing.astype(np.bool_))
        return np.concatenate([seen, np.zeros((1, seen.shape[1])), opened]).astype(np.int32)

    @cached_property
    def _masks(self) -> Array:
        nothing = np.zeros((1 + len(self._openings), self.table.actions))
        return np.concatenate([self.table.mask, nothing]).astype(np.int8)

    def observe(self) -> Array:
        """Return what the agent sees."""
        return self._seen.take(self.states, axis=0)

    def mask(self) -> Array:
        """Return 1 for each legal action."""
        return self._masks.take(self.states, axis=0)

    def _final(self, last: _Last) -> Array:
        """Return what the agent saw at the end of the matches that a step ended."""
        over = np.flatnonzero(last.went | last.reply)
        mine = last.went[over] != GOES_ON
        states = np.where(mine, last.before[over], last.after[over])
        replies = np.asarray(self.table.graph.move).take(last.drawn[over], mode="clip")
        actions = np.where(mine, last.actions[over], replies)
        found = self._seen.take(states, axis=0)
        # An illegal action leaves the position as it is, and so does any after an opening that ended the match.
        moved = (last.went[over] != ILLEGAL) & (states < self._beginning)
        found[moved] = self._ends(states[moved], actions[moved], mine[moved])
        return found

    def _ends(self, states: Array, actions: Array, by_viewer: Array) -> Array:
        """Return what is seen after actions that end matches: by who made them if `by_viewer`, else by the other."""
        rows = zip(states.tolist(), actions.tolist(), by_viewer.tolist(), strict=True)
        found = [self._end(*row) for row in rows]
        return np.array(found, np.int32).reshape(len(states), self.table.observation.shape[1])

    def _find_end(self, state: int, action: int, by_viewer: bool) -> list[int]:
        position, encoding = self.table.position(state), encoding_of(self.table.rules)
        seat = position.seat if by_viewer else position.seat.other
        found: list[int] = encoding.observe(position.play_unchecked(encoding.moves[action]), seat).tolist()
        return found

    @cached_property
    def _advantages(self) -> Array:
        table, graph = self.table, self.table.graph
        if self._against_opponent and self._chances is not None:
            truth = graph_passes_numpy.values(graph)
            moves, waits = graph_passes_numpy.best_response(graph, truth, as_chooser(self._chances))
            here, after = (2 * np.asarray(chances) - 1 for chances in (moves, waits))
        else:
            here = table.labels.value
            after = -here
        outcome = table.next & 3
        worth = np.where(outcome == GOES_ON, after[table.next >> 2], _REWARD[outcome])
        found = worth.reshape(table.size, -1) - here[:, None]
        return np.concatenate([found, np.zeros((1 + len(self._openings), table.actions))]).astype(np.float32)

    def advantage(self) -> Array:
        """Return what each action gives away, measured in rewards: 0 for the best, less for the others."""
        return self._advantages.take(self.states, axis=0)

    def position(self, match: int) -> Position:
        """Return the position of a match."""
        state = int(self.states[match])
        if state < self._beginning:
            return self.table.position(state)
        opening = self.table.rules.moves[int(self._openings[state - self._beginning - 1])]
        return self.table.position(0).play_unchecked(opening)


def _outcome(end: int) -> int:
    return ACTION_WON if end & 1 else ACTION_LOST


class PlayedAgentMatches:
    """Matches of a game without a table, played one by one; sudden death is cut off as in the other environments."""

    def __init__(self, rules: Rules, n: int, seat: Seat | None, opponent: MatchOpponent) -> None:
        self.encoding = encoding_of(rules)
        self.dice: np.random.BitGenerator = np.random.PCG64()
        self._n, self._seat = n, seat
        self._labels: dict[PositionKey, list[float]] = {}
        self._states = [Duel(self.encoding.start)] * n
        self._agents = [0] * n
        self.set_opponent(opponent)

    def set_opponent(self, opponent: MatchOpponent) -> None:
        """Let another opponent play on."""
        alone = isinstance(opponent, str) and opponent == SELF
        self._ask = None if alone else ask_of(opponent, self.encoding.rules)
        self._known: dict[PositionKey, list[float]] = {}

    def step(self, actions: Array) -> AgentStep:
        """Play the agent's actions and the opponent's replies; restart what is over."""
        rewards, terminated, truncated = np.zeros(self._n), np.zeros(self._n, np.bool_), np.zeros(self._n, np.bool_)
        final: list[list[int]] = []
        uniform = np.random.Generator(self.dice).random
        for match, action in enumerate(actions.tolist()):
            agent = self._agents[match] if self._ask else self._states[match].mover
            duel = self._reply(self._acted(self._states[match], action), agent, uniform)
            if duel.over:
                rewards[match] = rewards_of(duel.winner)[agent]
                terminated[match], truncated[match] = duel.winner is not None, duel.winner is None
                final.append(self.encoding.observe(duel.position, duel.seat(agent)).tolist())
                duel = self._restarted(match, self.encoding.start, uniform)
            self._states[match] = duel
        return AgentStep(rewards, terminated, truncated, lambda: np.array(final, np.int32))

    def _acted(self, duel: Duel, action: int) -> Duel:
        if duel.over:
            return duel
        move = self.encoding.moves[action]
        return duel.after(move) if duel.position.objection(move) is None else duel.lost_by(Reason.FORFEIT)

    def _reply(self, duel: Duel, agent: int, uniform: Callable[[], float]) -> Duel:
        """Return a match after the opponent's move, if it is its turn."""
        if self._ask is None or duel.over or duel.mover == agent:
            return duel
        position = duel.position
        key = position.key
        if key not in self._known:
            self._known[key] = list(accumulate(self._ask(position)))
        sums = self._known[key]
        at = min(bisect_right(sums, uniform() * sums[-1]), len(sums) - 1)
        return duel.after(position.legal_moves()[at])

    def _restarted(self, match: int, start: Position, uniform: Callable[[], float]) -> Duel:
        agent = int(2 * uniform()) if self._seat is None else int(start.seat is not self._seat)
        self._agents[match] = agent ^ (start.seat - 1)
        return self._reply(Duel(start), self._agents[match], uniform)

    def reset(self, positions: Sequence[Position] | None) -> None:
        """Restart every match: from the start, or each at its position."""
        uniform = np.random.Generator(self.dice).random
        starts = [self.encoding.start] * self._n if positions is None else positions
        self._states = [self._restarted(match, start, uniform) for match, start in enumerate(starts)]

    def observe(self) -> Array:
        """Return what the agent sees."""
        views = zip(self._states, self._agents, strict=True)
        seats = [(duel.position, duel.seat(agent if self._ask else duel.mover)) for duel, agent in views]
        return np.array([self.encoding.observe(*one) for one in seats])

    def mask(self) -> Array:
        """Return 1 for each legal action."""
        return np.array([self.encoding.mask(duel.position) for duel in self._states])

    def advantage(self) -> Array:
        """Return what each action gives away, measured in rewards: 0 for the best, less for the others."""
        return np.array([self._label(duel.position) for duel in self._states], np.float32)

    def _label(self, position: Position) -> list[float]:
        if position.outcome is not None:
            return [0.0] * self.encoding.actions
        if position.key not in self._labels:
            options = solution_of(position.rules).options(position)
            worth = {option.move: _WORTH[option.value.verdict] for option in options}
            best = max(worth.values())
            self._labels[position.key] = [worth.get(move, -1.0) - best for move in self.encoding.moves]
        return self._labels[position.key]

    def position(self, match: int) -> Position:
        """Return the position of a match."""
        return self._states[match].position
