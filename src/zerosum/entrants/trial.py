"""A bot on trial: positions to ask it about, and a conversation that is begun anew where it broke."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from time import monotonic
from typing import Final

from zerosum.entrants.entrant import Turn
from zerosum.entrants.judging import judged
from zerosum.entrants.launching import Bounds
from zerosum.entrants.orders import At, Go
from zerosum.entrants.process import EndedError, UnreadableError
from zerosum.entrants.talk import SilentError, Talk, where
from zerosum.rules.files import RULEBOOK_IDS, built_in, load_text
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, start_position

MOVE_SECONDS: Final = 1.0
_LONGEST: Final = 40
"""Plies of a walk, at most: a match of sudden death need not end."""
_REPEATS: Final = 'name = "Own totals, repeats"\npool = [-3, -3, 1, 1, 2, 2, 4]\nstart = [3, -5]\n'
_VARIANTS: Final = (
    'like = "zero-sum-duel"\nid = "check-ban"\nname = "With a ban"\nban = "mirror"\n',
    'like = "sum31"\nid = "check-swap"\nname = "With a swap"\nswap = true\n',
    f'like = "sequence-zero"\nid = "check-repeats"\n{_REPEATS}',
)


def with_last_words(why: str, last: str) -> str:
    """Return how a bot ended, and the last line of its standard error if it wrote there."""
    return f"{why}; it said: {last}" if last else why


class FailedError(Exception):
    """A test that a bot has not passed, and why."""


@cache
def games() -> tuple[Rules, ...]:
    """Return what a bot is tried in: the five rulebooks, and variants with a ban, a swap, own totals and repeats."""
    return (*map(built_in, RULEBOOK_IDS), *map(load_text, _VARIANTS))


def walk(rules: Rules, seed: str, seconds: float = MOVE_SECONDS) -> Turn:
    """Return a position that moves at random lead to, with these moves; it is not over."""
    chance = Random(seed)
    start = start_position(rules)
    moves: list[Move] = []
    positions = [start]
    while len(moves) < _LONGEST and (legal := positions[-1].legal_moves()):
        moves.append(chance.choice(legal))
        positions.append(positions[-1].play_unchecked(moves[-1]))
    last = len(moves) - (positions[-1].outcome is not None)
    at = chance.randint(0, last)
    return Turn(start, tuple(moves[:at]), positions[at], seconds)


def from_the_middle(turn: Turn, at: int) -> Turn:
    """Return the same turn, told from the position after its first `at` moves."""
    start = turn.start
    for move in turn.moves[:at]:
        start = start.play_unchecked(move)
    return replace(turn, start=start, moves=turn.moves[at:])


@dataclass
class Trial:
    """What is known of a bot so far, and how it is spoken to."""

    command: Sequence[str]
    games: Sequence[Rules]
    positions: int
    bounds: Bounds
    seed: str
    talk: Talk | None = None
    rules: Rules | None = None
    unasked: int = 0
    odd: tuple[str, ...] = ()

    def start(self) -> Talk:
        """Start a bot of its own for a test, and greet it."""
        talk = Talk(self.command, self.bounds)
        try:
            talk.greet(self.until(self.bounds.start))
        except BaseException:
            talk.process.close()
            raise
        return talk

    def until(self, seconds: float) -> float:
        """Return when so many seconds are over, with the margin."""
        return monotonic() + seconds + self.bounds.margin

    def running(self, rules: Rules) -> Talk:
        """Return the bot, ready for a game."""
        if self.talk is None:
            self.talk, self.rules = self.start(), None
        if self.rules != rules:
            self.talk.begin(rules, self.until(self.bounds.start))
            self.rules = rules
        return self.talk

    @contextlib.contextmanager
    def explained(self) -> Iterator[None]:
        """Turn whatever goes wrong with a bot into the failure of a test, and give that bot up."""
        try:
            yield
        except SilentError:
            self.drop()
            raise FailedError("no answer in time") from None
        except (EndedError, UnreadableError) as error:
            last = self.talk.process.complaints if self.talk is not None else ""
            self.drop()
            raise FailedError(with_last_words(str(error), last)) from None

    def drop(self) -> None:
        """End the bot that was spoken to; what it said that it should not have is remembered."""
        if self.talk is not None:
            self.unasked += self.talk.unasked
            self.odd += tuple(self.talk.odd)
            self.talk.process.close()
            self.talk = None

    def ask(self, turn: Turn, go: Go | None = None, seconds: float | None = None) -> None:
        """Ask for a move; anything but a legal one fails."""
        at, rules = where(turn), turn.position.rules
        self.asked(self.running(rules), at, turn.position, go, seconds)

    def asked(self, talk: Talk, at: At, position: Position, go: Go | None = None, seconds: float | None = None) -> None:
        """Ask a bot for a move; anything but a legal one fails."""
        go = go or Go(movetime=round(MOVE_SECONDS * 1000))
        best, _, _ = talk.go(at, go, self.until(MOVE_SECONDS if seconds is None else seconds))
        self.judge(best.move, position)

    def judge(self, text: str, position: Position) -> None:
        """Fail where a text is not a legal move."""
        reply = judged(text, position, 0.0)
        if reply.move is None:
            raise FailedError(f"{position.rules.id}, at {position}: {reply.detail}")

    def walks(self, rules: Rules, count: int, what: str) -> Iterator[Turn]:
        """Yield seeded positions of a game."""
        return (walk(rules, f"{self.seed}/{what}/{rules.id}/{n}") for n in range(count))
