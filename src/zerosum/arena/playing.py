"""One pair of matches, played: between players whose chances are known, outsiders, or one of each."""

from __future__ import annotations

import json
from bisect import bisect
from random import Random
from threading import Event
from typing import Final

from zerosum.arena.board import Board
from zerosum.arena.plan import is_policy
from zerosum.arena.refereed import Hosts, refereed
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
        dice = Random(int(pair.id, 16))
        if is_policy(pair.a) and is_policy(pair.b):
            (one, first), (two, second) = (_drawn(board, pair, seats, dice) for seats in _SEATS)
            # As `json` would write it, in half the time.
            return (
                f'{{"n":{pair.number},"id":"{pair.id}","points":{(first == 0) + (second == 0)},'
                f'"matches":[{{"moves":"{one}"}},{{"moves":"{two}"}}]}}'
            )
        both = [refereed(board, pair, seats, dice, self._hosts) for seats in _SEATS]
        points = sum(winner == 0 for _, winner in both)
        line = {"n": pair.number, "id": pair.id, "points": points, "matches": [played for played, _ in both]}
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"))

    def close(self) -> None:
        """End all outsiders."""
        self._hosts.close()


def _drawn(board: Board, pair: Pair, seats: tuple[int, int], dice: Random) -> tuple[str, int]:
    """Play a match between two players whose chances are known; return its moves, and who won."""
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
