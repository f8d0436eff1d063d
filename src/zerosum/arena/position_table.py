"""A game as play needs it: each position once, with its moves, where they lead, and how likely each player makes them.

Positions are looked at when a match first comes there; then a move costs one draw and one look-up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

from zerosum.arena.strength.decisions import Decision, Judge
from zerosum.arena.strength.named_policies import Policy, policy_of
from zerosum.base.errors import RecordError
from zerosum.base.text import shorten
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import SWAP
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, PositionKey

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
        self._policies: dict[str, Policy] = {}

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

    def policy(self, who: str) -> Policy:
        """Return a player whose chances are known."""
        found = self._policies.get(who)
        if found is None:
            found = self._policies[who] = policy_of(who, self.rules)
        return found

    def bounds(self, node: Node, who: str) -> Sequence[float]:
        """Return where the shares of a player's moves meet: `bisect` finds the move that a number in [0, 1) draws."""
        found = node.bounds.get(who)
        if found is None:
            heaped = [*accumulate(self.policy(who).guest.chances(node.position))]
            found = node.bounds[who] = [one / heaped[-1] for one in heaped[:-1]]
        return found

    def decision(self, node: Node, n: int, judge: Judge) -> Decision:
        """Return what is true of move `n` of a node."""
        found = node.judged[n]
        if found is None:
            found = node.judged[n] = judge(node.position, node.position.legal_moves()[n])
        return found

    def walk(self, start: str, moves: str, visit: Callable[[Node, int], None]) -> Node:
        """Call `visit` with each node of a match and the move made there; return where the match ended."""
        node = self.start(start)
        for text in moves.split():
            n = node.place.get(text, -1)
            if n < 0:
                raise RecordError(f"{shorten(text)} is not allowed at {node.position}.")
            visit(node, n)
            node = self.after(node, n)
        return node
