"""A match of two players as `tests/naive.py` plays it: what every environment must agree with, move by move."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests import naive
from tests.envs.rules import table_of
from zerosum.rules.model import Rules

PLIES = 600
"""The longest match between computers, as docs/reference/limits.md has it."""


@dataclass
class PlainMatch:
    """A match by the plain rules; `seats` says where players 0 and 1 sit, which a swap changes."""

    rules: Rules
    seats: list[int] = field(default_factory=lambda: [1, 2])

    def __post_init__(self) -> None:
        """Set up."""
        self.game = naive.Variant(table_of(self.rules))
        self.state = self.game.start()
        numbers = sorted(set(self.rules.pool))
        signs = ("+", "-") if self.game.subtracts else ("",)
        self.texts = [f"{sign}{number}" if sign else f"{number:+d}" for number in numbers for sign in signs]
        self.texts += ["swap"] * self.rules.swap

    def mask(self, player: int) -> list[int]:
        """Return which actions are legal: all the moves that the game ever has, in their order."""
        if self.mover != player:
            return [0] * len(self.texts)
        legal = self.game.moves(self.state)
        return [int(text in legal) for text in self.texts]

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return self.seats.index(self.state.seat)

    @property
    def over(self) -> bool:
        """Whether it is over."""
        return self.state.winner is not None or self.cut_off

    @property
    def cut_off(self) -> bool:
        """Whether sudden death has gone on for too long."""
        return self.state.winner is None and self.state.plies >= PLIES

    @property
    def reason(self) -> str | None:
        """Why it is over."""
        return "ply-limit" if self.cut_off else self.state.reason

    @property
    def rewards(self) -> list[float]:
        """What each player gets."""
        if self.state.winner is None:
            return [0.0, 0.0]
        return [1.0 if seat == self.state.winner else -1.0 for seat in self.seats]

    def play(self, action: int) -> None:
        """Make a move."""
        text = self.texts[action]
        self.state = self.game.play(self.state, text)
        if text == "swap":
            self.seats.reverse()

    def seen(self, player: int) -> list[int]:
        """Return what a player sees, from the definition in docs/envs.md."""
        state, game, seat = self.state, self.game, self.seats[player]
        found = [state.pool.count(number) for number in sorted(set(game.pool))]
        found.append(seat)
        if game.own:
            found += [game.target - state.totals[seat - 1], game.target - state.totals[2 - seat]]
        else:
            found.append(game.target - state.totals[0])
        if game.mirror_banned:
            found.append(0 if state.last is None else state.last)
        if game.swap:
            found.append({0: 2, 1: 1}.get(state.plies, 0) if not self.over else 0)
        return found
