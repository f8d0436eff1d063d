"""Who is measured: a policy, which is a name and the exact chance of every move.

A policy is named as at every door: `level:5`, `card`, `policy:FILE`. `POLICIES` is open: a room above that can tell the
chances of another kind of player adds a line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from zerosum.arena.strength.policy_tables import TABLE, read_table
from zerosum.base.text import did_you_mean, shorten
from zerosum.players import UnknownPlayerError
from zerosum.players.levels import STRENGTHS
from zerosum.players.policies import MovePolicy, chances
from zerosum.rules.model import Rules
from zerosum.rules.position import Position
from zerosum.solver import Solution, solution_of
from zerosum.strategy.card_player import CARD, card_of
from zerosum.strategy.card_report import guest_of


@dataclass(frozen=True, slots=True)
class Policy:
    """A player whose chances are known: `guest.chances(position)` has one for each legal move, in their order."""

    name: str
    guest: MovePolicy

    @property
    def is_level(self) -> bool:
        """Whether it is one of the built-in strengths, from random to perfect."""
        return self.name in STRENGTHS


@dataclass(frozen=True, eq=False, slots=True)
class LevelChances:
    """The chances of a built-in strength."""

    who: str
    solution: Solution

    def __call__(self, position: Position) -> list[float]:
        """Return the chance of each legal move, in their order."""
        found = chances(self.who, position, self.solution)
        return [found[move] for move in position.legal_moves()]


Make = Callable[[str, Rules], Policy]
"""Makes the policy of a game from its name."""


def level_policy(who: str, rules: Rules) -> Policy:
    """Return a built-in strength as a policy."""
    return Policy(who, MovePolicy(LevelChances(who, solution_of(rules)), mirrors=True))


def _card(who: str, rules: Rules) -> Policy:
    return Policy(who, guest_of(*card_of(rules, solution_of)))


def _table(who: str, rules: Rules) -> Policy:
    return Policy(who, read_table(who.removeprefix(TABLE), rules))


POLICIES: Final[dict[str, Make]] = {**dict.fromkeys(STRENGTHS, level_policy), CARD: _card, TABLE: _table}
"""How each policy is made, by its name, or by its prefix if that ends with a colon."""


def policy_of(who: str, rules: Rules) -> Policy:
    """Return the policy of this name; the error for an unknown name lists what there is.

    >>> from zerosum.rules.game_files import load_game
    >>> from zerosum.rules.notation import parse_position
    >>> sum31 = load_game("sum31")
    >>> policy_of("level:3", sum31).guest.chances(parse_position("1,2,3,4,7 28 1", sum31))
    [0.0, 0.0, 1.0, 0.0, 0.0]
    """
    make = POLICIES.get(who) or next(
        (make for name, make in POLICIES.items() if name.endswith(":") and who.startswith(name)), None
    )
    if make is None:
        names = [f"{name}FILE" if name == TABLE else name for name in POLICIES]
        hint = did_you_mean(who.lower(), names, "Give random, level:1 to level:9, perfect, card or policy:FILE.")
        raise UnknownPlayerError(f"There is no policy '{shorten(who)}'. {hint}")
    return make(who, rules)
