"""The board on Home: a match that one tap wins, and why a tap wins it or not.

The match is the first example in the rules file of a newcomer's first game, without its last move.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from zerosum.base.errors import ZerosumError
from zerosum.coach.next_step import FIRST_GAME
from zerosum.jobs import game_jobs
from zerosum.jobs.job_table import Job
from zerosum.match.match import Match
from zerosum.match.setup import Person, Setup
from zerosum.rules.describe import in_one_sentence
from zerosum.rules.examples import Expect
from zerosum.rules.game_files import built_in
from zerosum.rules.moves import Move, parse_move
from zerosum.screens.board_header import what_decided
from zerosum.screens.board_pieces import number_line, spoken
from zerosum.screens.screen import ScreenHost
from zerosum.tables.limits import MOVE_LENGTH
from zerosum.tables.problems import Problem

_YOU: Final = Person.ONE


@dataclass(frozen=True, slots=True)
class HomeNumber:
    """A number of the board; `state` is `free`, `taken` by the tap, or `tried` if taking it did not win."""

    move: str
    shown: str
    name: str
    state: str


@dataclass(frozen=True, slots=True)
class HomeBoard:
    """What the board on Home shows."""

    game: str
    rule: str
    headline: str
    words: str
    gauge: str
    numbers: list[HomeNumber]
    tapped: bool
    won: bool


@cache
def _begun() -> Match:
    """Return the match before the move that wins it, which is yours."""
    rules = built_in(FIRST_GAME)
    moves = next(one.moves for one in rules.examples if one.expect is Expect.LEGAL)[:-1]
    match = Match.begin(Setup(rules=rules, names=("You", "They"), first=_YOU if len(moves) % 2 == 0 else _YOU.other))
    for text in moves:
        match = match.after(parse_move(text, rules.operations))
    return match


async def home_board(host: ScreenHost, tapped: str) -> HomeBoard:
    """Return the board after a tap on one of its numbers; anything else leaves the board as it is."""
    begun = _begun()
    move = _move(begun, tapped[:MOVE_LENGTH])
    if move is None:
        return _shown(begun, "Your turn: one of these numbers wins.", "")
    after = begun.after(move)
    reasons = await _reasons(host, begun, move)
    if after.outcome is not None and after.person(after.outcome.winner) is _YOU:
        return _shown(after, "You win!", " ".join([*reasons, what_decided(after, _YOU)]), move, won=True)
    return _shown(begun, "Not this one. Try another.", " ".join(reasons), move)


def home_questions() -> list[tuple[Job[..., Any], tuple[Any, ...]]]:
    """Return what is asked for the reason for every number, so that it is known before the first tap."""
    start = _begun().position
    moves = map(start.text_of, start.legal_moves())
    return [(game_jobs.played_out, (*game_jobs.about(start), text)) for text in moves]


def _move(match: Match, text: str) -> Move | None:
    try:
        move = parse_move(text, match.setup.rules.operations)
        match.position.play(move)
    except ZerosumError:
        return None
    return move


async def _reasons(host: ScreenHost, match: Match, move: Move) -> list[str]:
    """Return why a move wins or loses; nothing if the worker is too busy, since the board shows that it does."""
    position = match.position
    try:
        return (await host.ask(game_jobs.played_out, *game_jobs.about(position), position.text_of(move)))["why"]
    except Problem:
        return []


def _shown(match: Match, headline: str, words: str, tapped: Move | None = None, *, won: bool = False) -> HomeBoard:
    begun = _begun()
    rules = begun.setup.rules
    state = "taken" if won else "tried"
    return HomeBoard(
        game=rules.name,
        rule=in_one_sentence(rules),
        headline=headline,
        words=words,
        gauge=number_line(match),
        numbers=[
            HomeNumber(
                begun.position.text_of(move), str(move.number), spoken(move), state if move == tapped else "free"
            )
            for move in begun.position.legal_moves()
        ],
        tapped=tapped is not None,
        won=won,
    )
