"""The pairs of a plan, numbered. A pair is one start position, played twice with the seats changed."""

from __future__ import annotations

from typing import NamedTuple

from zerosum.arena.entrants.decision import Illegal
from zerosum.arena.plan import Plan, digest
from zerosum.rules.model import Rules


class Pair(NamedTuple):
    """All that is needed to play two matches. Its seed is its id."""

    number: int
    id: str
    rules: Rules
    position: str
    a: str
    b: str
    seconds: float
    illegal: Illegal


class Slot(NamedTuple):
    """Where a pair stands in a plan: its game, its position and its two entrants, by their places."""

    game: int
    position: str
    a: int
    b: int


def total(plan: Plan) -> int:
    """Return how many pairs a plan has."""
    return len(plan.pairings) * len(plan.games) * plan.pairs


def slot(plan: Plan, number: int) -> Slot:
    """Return where the pair of this number stands; numbers begin with 1, and everybody's first pairs come first."""
    pairings = plan.pairings
    turn, rest = divmod(number - 1, len(plan.games) * len(pairings))
    game, which = divmod(rest, len(pairings))
    book = plan.books[game]
    return Slot(game, book[turn % len(book)], *pairings[which])


def pair(plan: Plan, number: int) -> Pair:
    """Return the pair of this number."""
    one = slot(plan, number)
    a, b, rules = plan.entrants[one.a], plan.entrants[one.b], plan.games[one.game]
    parts = (plan.key, rules.id, one.position, a.who, a.name, b.who, b.name, str(number))
    return Pair(number, digest("\0".join(parts)), rules, one.position, a.who, b.who, plan.seconds, plan.illegal)
