"""The board on Home: a match that one tap wins, and why a tap wins it or not.

The match is the first example in the rules file of a newcomer's first game, without its last move.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from zerosum.base.errors import ZerosumError
from zerosum.coach.first_game import FIRST_GAME
from zerosum.jobs import game_jobs
from zerosum.match.match import Match
from zerosum.match.setup import Person, Setup
from zerosum.rules.describe import in_one_sentence
from zerosum.rules.examples import Expect
from zerosum.rules.game_files import built_in
from zerosum.rules.moves import Move, parse_move
from zerosum.screens.board_header import what_decided
from zerosum.screens.board_pieces import number_line, spoken
from zerosum.server.http.context import RequestContext, rules_and_position
from zerosum.server.worker.client import WorkerError
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


async def home_board(context: RequestContext, tapped: str) -> HomeBoard:
    """Return the board after a tap on one of its numbers; anything else leaves the board as it is."""
    begun = _begun()
    move = _move(begun, tapped[:MOVE_LENGTH])
    if move is None:
        return _shown(begun, "Your turn: one of these numbers wins.", "")
    after = begun.after(move)
    reasons = await _reasons(context, begun, move)
    if after.outcome is not None and after.person(after.outcome.winner) is _YOU:
        return _shown(after, "You win!", " ".join([*reasons, what_decided(after, _YOU)]), move, won=True)
    return _shown(begun, "Not this one. Try another.", " ".join(reasons), move)


async def prepare_answers(context: RequestContext) -> None:
    """Have the reason for every number ready before the first tap: a worker may have to start for it."""
    begun = _begun()
    about, worker = rules_and_position(begun.position), context.questions.worker
    for text in map(begun.position.text_of, begun.position.legal_moves()):
        if not worker.remembers(game_jobs.played_out, *about, text):
            try:
                await worker.ask(game_jobs.played_out, *about, text)
            except WorkerError:
                return


def _move(match: Match, text: str) -> Move | None:
    try:
        move = parse_move(text, match.setup.rules.operations)
        match.position.play(move)
    except ZerosumError:
        return None
    return move


async def _reasons(context: RequestContext, match: Match, move: Move) -> list[str]:
    """Return why a move wins or loses; nothing if the worker is too busy, since the board shows that it does."""
    about = rules_and_position(match.position)
    try:
        return (await context.questions.ask(game_jobs.played_out, *about, match.position.text_of(move)))["why"]
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
