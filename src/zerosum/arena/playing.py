"""One pair of matches, played: between players whose chances are known, outsiders, or one of each."""

from __future__ import annotations

import json
from bisect import bisect
from random import Random
from threading import Event
from typing import Final

from zerosum.arena.board import Board
from zerosum.arena.plan import is_policy
from zerosum.arena.refereed import Hosts, Played, refereed
from zerosum.arena.schedule import Pair
from zerosum.match.ply_limit import winner_at_limit
from zerosum.rules import limits
from zerosum.rules.model import Rules, Seat

_SEATS: Final = ((0, 1), (1, 0))
"""Who sits in seat 1 and who in seat 2: 0 is A and 1 is B."""


class Table:
    """Where pairs are played one after the other; outsiders stay seated until it is closed."""

    def __init__(self, stop: Event | None = None) -> None:
        """Take a seat; once `stop` is set, no outsider is asked any more."""
        self._boards: dict[Rules, Board] = {}
        self._hosts = Hosts(stop or Event())

    def play(self, pair: Pair) -> str:
        """Play both matches of a pair; return its line of the log, without a checksum."""
        board = self._boards.get(pair.rules)
        if board is None:
            board = self._boards[pair.rules] = Board(pair.rules)
        known = is_policy(pair.a) and is_policy(pair.b)
        points = 0
        matches: list[Played] = []
        for seats in _SEATS:
            dice = Random(f"{pair.id}/{seats[0] + 1}")
            played, winner = (
                _drawn(board, pair, seats, dice) if known else refereed(board, pair, seats, dice, self._hosts)
            )
            points += winner == 0
            matches.append(played)
        line = {"n": pair.number, "id": pair.id, "points": points, "matches": matches}
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"))

    def close(self) -> None:
        """End all outsiders."""
        self._hosts.close()


def _drawn(board: Board, pair: Pair, seats: tuple[int, int], dice: Random) -> tuple[Played, int]:
    """Play a match between two players whose chances are known; return it, and who won."""
    whos = pair.a, pair.b
    draw = dice.random
    node = board.start(pair.position)
    moves: list[str] = []
    while node.outcome is None and len(moves) < limits.MATCH_PLIES:
        who = whos[seats[node.second]]
        heap = node.heaps.get(who) or board.heap(node, who)
        n = bisect(heap, draw() * heap[-1], 0, len(heap) - 1)
        moves.append(node.texts[n])
        if n == node.swap:
            seats = seats[1], seats[0]
        node = node.after[n] or board.after(node, n)
    winner = node.outcome.winner if node.outcome is not None else winner_at_limit(node.position)
    return {"moves": " ".join(moves)}, seats[winner is Seat.SECOND]
