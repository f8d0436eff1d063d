"""Playing a pair of matches: between built-in players, outside entrants, or one of each.

The moves of built-in players are drawn from their known chances. An outside entrant is asked for its moves, its replies
are judged, and it learns how the match ended. Positions are looked at when a match first comes there; then a move
costs one draw and one look-up.
"""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from random import Random
from threading import Event
from typing import Any, Final

from zerosum.arena.entrants.entrant import Entrant, Fault, Turn, WithdrawnError, decide
from zerosum.arena.entrants.open_entrant import open_entrant
from zerosum.arena.plan import Pair, is_policy
from zerosum.arena.strength.decisions import Decision, Judge
from zerosum.arena.strength.named_policies import policy_of
from zerosum.base import limits
from zerosum.base.errors import RecordError, ZerosumError
from zerosum.base.text import printable, shorten
from zerosum.match.match import winner_at_limit
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import SWAP
from zerosum.rules.notation import parse_position
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.position import Position, PositionKey
from zerosum.rules.record import Ending, format_ending

_REMEMBERED: Final = 1 << 17
"""Positions that are remembered; games with sudden death have no end of them."""


class Node:
    """A position; `after[n]` follows its move `n`."""

    __slots__ = ("after", "bounds", "judged", "outcome", "place", "position", "second", "swap", "texts")

    def __init__(self, position: Position) -> None:
        self.position = position
        moves = position.legal_moves()
        self.outcome = position.outcome
        self.second = position.seat is Seat.SECOND
        self.texts: list[str] = [position.text_of(move) for move in moves]
        self.place = {text: n for n, text in enumerate(self.texts)}
        self.swap = moves.index(SWAP) if SWAP in moves else -1
        self.after: list[Node | None] = [None] * len(moves)
        self.bounds: dict[str, Sequence[float]] = {}
        """By player: between 0 and 1, where one move's share ends and the next one's begins."""
        self.judged: list[Decision | None] = [None] * len(moves)


class Board:
    """The positions of one game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._nodes: dict[PositionKey, Node] = {}
        self._starts: dict[str, Node] = {}
        self._policy = cache(lambda who: policy_of(who, rules))

    def start(self, text: str) -> Node:
        """Return the node of a position that a text writes."""
        if len(self._nodes) > _REMEMBERED:
            self._nodes.clear()
            self._starts.clear()
        found = self._starts.get(text)
        if found is None:
            found = self._starts[text] = self._node(parse_position(text, self.rules))
        return found

    def _node(self, position: Position) -> Node:
        key = position.key
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = Node(position)
        return found

    def after(self, node: Node, n: int) -> Node:
        """Return what follows move `n` of a node."""
        found = node.after[n]
        if found is None:
            move = node.position.legal_moves()[n]
            found = node.after[n] = self._node(node.position.play_unchecked(move))
        return found

    def bounds(self, node: Node, who: str) -> Sequence[float]:
        """Return where the shares of a player's moves meet: `bisect` finds the move that a number in [0, 1) draws."""
        found = node.bounds.get(who)
        if found is None:
            heaped = [*accumulate(self._policy(who).guest.chances(node.position))]
            found = node.bounds[who] = [one / heaped[-1] for one in heaped[:-1]]
        return found

    def decision(self, node: Node, n: int, judge: Judge) -> Decision:
        """Return what is true of move `n` of a node."""
        found = node.judged[n]
        if found is None:
            found = node.judged[n] = judge(node.position, node.position.legal_moves()[n])
        return found

    def walk(self, start: str, moves: str, first: int) -> Iterator[tuple[Node, int, int]]:
        """Yield each node of a match, the move made there, and who made it; then the end, with move -1.

        `first` is who sits in seat 1: 0 is A and 1 is B.
        """
        node = self.start(start)
        for text in moves.split():
            n = node.place.get(text, -1)
            if n < 0:
                raise RecordError(f"{shorten(text)} is not allowed at {node.position}.")
            yield node, n, first ^ node.second
            first ^= n == node.swap
            node = self.after(node, n)
        yield node, -1, first ^ node.second


_DETAIL: Final = 200

MatchLine = dict[str, Any]
"""A match as the log keeps it: `moves`, and if they apply

`end`       how the match ended if no move ended it, as records write it
`fault`     the fault by which an entrant lost it, and `by`, which one: 0 is A and 1 is B
`illegal`   how many illegal moves A and B have named
`instead`   the plies at which a random move replaced an illegal one
`wrote`     the last line that a program wrote to standard error before it crashed
`claims`    what programs said of positions, by ply: `{"3": "win 2"}`; never trusted
"""


class CalledOffError(ZerosumError):
    """Play was called off in the middle of a match."""


class OpenEntrants:
    """Outside entrants: each is opened when it is first needed, and all are closed together."""

    def __init__(self, stop: Event) -> None:
        self._open: dict[tuple[str, int], Entrant] = {}
        self._stop = stop

    def __getitem__(self, key: tuple[str, int]) -> Entrant:
        """Return an entrant, by its name and by its side, A or B: a program may play against itself."""
        if self._stop.is_set():
            raise CalledOffError("Play was called off.")
        return self._open[key]

    def begin(self, who: str, side: int, rules: Rules) -> str | None:
        """Prepare an entrant for a match; return why it cannot play, None if it can.

        An entrant that has failed too often in a row is opened again here. Only the order of the pairs' numbers decides
        when it is withdrawn; otherwise the result would depend on what is played at the same time.
        """
        why = ""
        for _ in range(2):
            if (who, side) not in self._open:
                self._open[who, side] = open_entrant(who)
            entrant = self._open[who, side]
            try:
                entrant.begin(rules)
            except WithdrawnError as error:
                why = str(error)
                entrant.close()
                del self._open[who, side]
            else:
                return None
        return why

    def end(self, outcome: Outcome) -> None:
        """Tell every entrant how the match ended."""
        for entrant in self._open.values():
            entrant.end(outcome)

    def close(self) -> None:
        """Close all entrants."""
        for entrant in self._open.values():
            entrant.close()


def play_match(
    board: Board, pair: Pair, seats: tuple[int, int], dice: Random, entrants: OpenEntrants
) -> tuple[MatchLine, int]:
    """Play a match; return it, and who won it: 0 is A and 1 is B."""
    whos = pair.a, pair.b
    match = _Match(board, pair, seats)
    for side in (0, 1):
        if not is_policy(whos[side]) and match.ending is None:
            why = entrants.begin(whos[side], side, board.rules)
            if why is not None:
                match.lose(side, Fault.CRASH, why)
    while match.outcome is None:
        side = match.to_move
        if is_policy(whos[side]):
            match.make(bisect(board.bounds(match.node, whos[side]), dice.random()))
        else:
            match.ask(side, entrants[whos[side], side], pair)
    entrants.end(match.outcome)
    return match.played(), match.seats[match.outcome.winner is Seat.SECOND]


class _Match:
    """A match in progress."""

    def __init__(self, board: Board, pair: Pair, seats: tuple[int, int]) -> None:
        self._board = board
        self._start = self.node = board.start(pair.position)
        self._seed = f"{pair.id}/{seats[0] + 1}"
        self.seats = seats
        self.ending: Ending | None = None
        self._fault: dict[str, object] = {}
        self._made: list[int] = []
        self._texts: list[str] = []
        self._illegal = [0, 0]
        self._instead: list[int] = []
        self._claims: dict[str, str] = {}

    @property
    def to_move(self) -> int:
        """Who moves: 0 is A and 1 is B."""
        return self.seats[self.node.second]

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why, None while the match goes on."""
        if self.ending is not None:
            return self.ending.outcome
        if self.node.outcome is None and len(self._texts) >= limits.MATCH_PLIES:
            return Outcome(winner_at_limit(self.node.position), Reason.PLY_LIMIT)
        return self.node.outcome

    def make(self, n: int) -> None:
        """Play move `n` of the node."""
        if n == self.node.swap:
            self.seats = self.seats[1], self.seats[0]
        self._made.append(n)
        self._texts.append(self.node.texts[n])
        self.node = self._board.after(self.node, n)

    def ask(self, side: int, entrant: Entrant, pair: Pair) -> None:
        """Ask an entrant for its move, and play it or end the match."""
        moves = []
        node = self._start
        for n in self._made:
            moves.append(node.position.legal_moves()[n])
            node = self._board.after(node, n)
        position = self.node.position
        seed, forfeits = f"{self._seed}/{len(moves)}", pair.illegal.forfeits
        turn = Turn(self._start.position, tuple(moves), position, pair.seconds, seed, forfeits)
        decision = decide(entrant, turn, pair.illegal)
        self._illegal[side] += decision.illegal
        if decision.move is None:
            last = decision.replies[-1]
            self.lose(side, last.fault or Fault.CRASH, last.detail, last.wrote)
            return
        if (claim := decision.replies[-1].score) is not None:
            self._claims[str(len(moves))] = claim
        if decision.instead:
            self._instead.append(len(moves))
        self.make(position.legal_moves().index(decision.move))

    def lose(self, side: int, fault: Fault, why: str, wrote: str = "") -> None:
        """End the match: one side has lost it by a fault."""
        seat = Seat.FIRST if self.seats[0] == side else Seat.SECOND
        self.ending = Ending(fault.reason, seat, "" if fault is Fault.TIME else printable(why)[:_DETAIL])
        self._fault = {"end": format_ending(self.ending), "fault": fault.value, "by": side}
        if wrote:
            self._fault["wrote"] = wrote

    def played(self) -> MatchLine:
        """Return the match as the log keeps it."""
        more: MatchLine = {"illegal": self._illegal} if any(self._illegal) else {}
        if self._instead:
            more["instead"] = self._instead
        if self._claims:
            more["claims"] = self._claims
        return {"moves": " ".join(self._texts), **self._fault, **more}


_SEATS: Final = ((0, 1), (1, 0))
"""Who sits in seat 1 and who in seat 2: 0 is A and 1 is B."""


class PairPlayer:
    """Plays pairs one after the other; outside entrants stay open until it is closed."""

    def __init__(self, stop: Event | None = None) -> None:
        """Begin; once `stop` is set, no entrant is asked any more."""
        self._board = cache(Board)
        self._entrants = OpenEntrants(stop or Event())

    def play(self, pair: Pair) -> str:
        """Play both matches of a pair; return its line of the log, without a checksum."""
        board = self._board(pair.rules)
        dice = Random(int(pair.id, 16))
        if is_policy(pair.a) and is_policy(pair.b):
            (one, first), (two, second) = (_draw_match(board, pair, seats, dice) for seats in _SEATS)
            # As `json` would write it, in half the time.
            return (
                f'{{"n":{pair.number},"id":"{pair.id}","points":{(first == 0) + (second == 0)},'
                f'"matches":[{{"moves":"{one}"}},{{"moves":"{two}"}}]}}'
            )
        both = [play_match(board, pair, seats, dice, self._entrants) for seats in _SEATS]
        points = sum(winner == 0 for _, winner in both)
        line = {"n": pair.number, "id": pair.id, "points": points, "matches": [played for played, _ in both]}
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"))

    def close(self) -> None:
        """Close all entrants."""
        self._entrants.close()


def _draw_match(board: Board, pair: Pair, seats: tuple[int, int], dice: Random) -> tuple[str, int]:
    """Play a match between two built-in players; return its moves, and who won."""
    whos = pair.a, pair.b
    draw = dice.random
    node = board.start(pair.position)
    moves: list[str] = []
    for _ in range(limits.MATCH_PLIES):
        who = whos[seats[node.second]]
        n = bisect(node.bounds.get(who) or board.bounds(node, who), draw())
        moves.append(node.texts[n])
        if n == node.swap:
            seats = seats[1], seats[0]
        node = node.after[n] or board.after(node, n)
        if node.outcome is not None:
            return " ".join(moves), seats[node.outcome.winner is Seat.SECOND]
    return " ".join(moves), seats[winner_at_limit(node.position) is Seat.SECOND]
