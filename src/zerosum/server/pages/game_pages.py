"""The pages of a game: its rules in words with an example, what the solver knows of it, and how good a game it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from zerosum.base import limits
from zerosum.base.documents import Document
from zerosum.base.errors import RecordError
from zerosum.base.numbers import shorten
from zerosum.base.reports import bars
from zerosum.lab.bundled_figures import bundled_figures
from zerosum.lab.findings import FindingDocument
from zerosum.match.match import Match
from zerosum.match.setup import Setup
from zerosum.rules.describe import describe, idea, warning
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.notation import play_numbered
from zerosum.rules.position import Position
from zerosum.rules.rules_dict import rules_to_dict
from zerosum.server.domain.problems import Problem
from zerosum.server.http.context import request_context, rules_and_position
from zerosum.server.pages.board_pieces import number_line
from zerosum.server.pages.forms import browser_choices
from zerosum.server.pages.line_of_play import (
    LineStep,
    MoveWorth,
    line_steps,
    move_worth,
    outcome_words,
    path_picture,
    position_words,
)
from zerosum.server.pages.new_table_form import games, opponents, shelves
from zerosum.server.pages.templates import render_page
from zerosum.server.worker import jobs, teaching_jobs
from zerosum.server.worker.lab_jobs import MEASURED_PLAYERS
from zerosum.server.worker.messages import ReasonDocument
from zerosum.strategy.card import safe_words
from zerosum.strategy.card_player import PLAYERS

_BETWEEN: Final = "level:5"
"""The players whose matches the words and the picture of lengths are about."""
_SEVERITIES: Final = {
    "error": "Error",
    "dead": "Never applies",
    "decided": "Decided",
    "warning": "Warning",
    "note": "Note",
}


@dataclass(frozen=True, slots=True)
class QualityRow:
    """What is measured of matches between two equal players."""

    who: str
    first: float
    moves: float
    choices: float


@dataclass(frozen=True, slots=True)
class GameQuality:
    """What a page shows of how good a game is; a picture is SVG, empty if nothing was measured."""

    words: str
    first: str
    lengths: str
    choices: str
    rows: list[QualityRow]
    findings: list[tuple[str, str, str]]
    """The severity as a key and in words, and what was found."""
    unmeasured: str = ""


def unknown_quality(why: str) -> GameQuality:
    """Return what is shown of a game that was not measured."""
    return GameQuality("", "", "", "", [], [], why)


def quality_of(metrics: Mapping[str, Any], findings: Sequence[FindingDocument]) -> GameQuality:
    """Return what is shown of the figures and findings of a game."""
    said = [(one["severity"], _SEVERITIES[one["severity"]], one["words"]) for one in findings]
    first, moves, choices = metrics["first"], metrics["length"], metrics["density"]
    rows = [QualityRow(_title(who), first[who], moves[who]["mean"], choices[who]) for who in MEASURED_PLAYERS]
    whole = metrics["scope"] == "whole"
    return GameQuality(
        words=(
            f"Between two players of level 5 the first player wins {_percent(first[_BETWEEN])}. A "
            f"{'match' if whole else 'round'} takes {moves[_BETWEEN]['mean']:.1f} moves on average, and at "
            f"{_percent(choices[_BETWEEN])} of them the choice decides who wins."
        ),
        first=bars(_by_player(first), "How often the first player wins between equals, in per cent", half=True),
        lengths=bars(moves[_BETWEEN]["chances"], "How many moves a match takes at level 5, in per cent of matches"),
        choices=bars(_by_player(choices), "Moves at which the choice decides, in per cent of moves"),
        rows=rows,
        findings=said,
    )


def _by_player(figures: Mapping[str, float]) -> dict[str, float]:
    return {_mark(who): figures[who] for who in MEASURED_PLAYERS}


def _mark(who: str) -> str:
    return "R" if who == "random" else who.removeprefix("level:")


def _title(who: str) -> str:
    return "Random" if who == "random" else f"Level {_mark(who)}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


router = APIRouter(include_in_schema=False)

_NAMES: Final = ("First player", "Second player")
_WALK: Final = re.compile(r"swap|[+-]-?[0-9]{1,7}")
_WALKED: Final = re.compile(rf"(?:(?:{_WALK.pattern})[ ,]*)*")


def rules_at(game: str) -> Rules:
    """Return the rules of a built-in game, or raise the problem that there is none."""
    if game not in GAME_IDS:
        raise Problem("no-such-game", f"There is no game '{shorten(game)}'. The games are {', '.join(GAME_IDS)}.")
    return built_in(game)


def line_of(rules: Rules, best_play: list[str]) -> list[LineStep]:
    """Return best play as steps."""
    return line_steps(rules, _moves(rules, best_play))


def _moves(rules: Rules, texts: list[str]) -> list[Move]:
    return [parse_move(text, rules.operations) for text in texts]


@router.get("/games")
async def every_game(request: Request) -> HTMLResponse:
    """Show the games shelf by shelf, and who wins each with perfect play."""
    known = [await _known(request, built_in(game)) or {"winner": None, "plies": None} for game in GAME_IDS]
    cards = [card | {key: of[key] for key in ("winner", "plies")} for card, of in zip(games(), known, strict=True)]
    return render_page(request, "games.html", here="Rules", shelves=shelves(cards))


async def _known(request: Request, rules: Rules) -> dict[str, Any] | None:
    """Return what the solver knows; nothing if the worker is too busy, since rules can be read without it."""
    try:
        return await request_context(request).questions.ask(jobs.knowledge, rules_to_dict(rules))
    except Problem:
        return None


async def _card(request: Request, rules: Rules) -> Document | None:
    """Return the strategy card of a game; nothing if the worker is too busy."""
    try:
        return await request_context(request).questions.ask(teaching_jobs.card, rules_to_dict(rules))
    except Problem:
        return None


@router.get("/games/{game}")
async def game(request: Request, game: str) -> HTMLResponse:
    """Show the rules of a game, and a match of it step by step."""
    rules = rules_at(game)
    known = await _known(request, rules)
    line = line_of(rules, known["best_play"]) if known else []
    card = await _card(request, rules)
    figures = bundled_figures(rules)
    return render_page(
        request,
        "game.html",
        here="Rules",
        rules=rules,
        idea=idea(rules),
        warning=warning(rules),
        clauses=describe(rules, typed=False),
        law=known["law"] if known else None,
        card=card,
        safe=safe_words(" ".join(one["words"] for one in card["rules"])) if card else "",
        titles={one.name: one.title for one in PLAYERS},
        line=line,
        picture=path_picture(rules, line) if line else "",
        sketch=next(card["sketch"] for card in games() if card["id"] == game),
        opponents=opponents(),
        chosen=browser_choices(request).opponent,
        coach=browser_choices(request).coach,
        quality=quality_of(figures["metrics"], figures["findings"]) if figures else None,
    )


@router.get("/games/{game}/solved")
async def solved(request: Request, game: str) -> HTMLResponse:
    """Show what the solver knows of a game, and let its positions be walked through."""
    rules = rules_at(game)
    known = await request_context(request).questions.ask(jobs.knowledge, rules_to_dict(rules))
    line = line_of(rules, known["best_play"])
    return render_page(
        request,
        "solved.html",
        here="Rules",
        rules=rules,
        known=known,
        openings=[move_worth(one, _walk(rules, [one["move"]])) for one in known["openings"]],
        line=line,
        picture=path_picture(rules, line) if line else "",
        places=[_walk(rules, [step.move for step in line[: step.n]]) for step in line],
        walk=await _explore(request, rules),
    )


def _walk(rules: Rules, moves: list[str]) -> str:
    """Return the address of a position, by the moves that lead to it; plus signs are not escaped."""
    query = f"?moves={''.join(moves)}" if moves else ""
    return f"/games/{rules.id}/solved{query}#explore"


async def _explore(request: Request, rules: Rules) -> dict[str, object]:
    """Return all about the position that the address names by its moves."""
    match, objection = _walked(request, rules)
    position, played = match.position, [match.position.text_of(move) for move in match.moves]
    options = await _options(request, position, played)
    return {
        "played": [(move, _walk(rules, played[: n + 1]), match.positions[n].seat) for n, move in enumerate(played)],
        "start": _walk(rules, []),
        "back": _walk(rules, played[:-1]),
        "gauge": number_line(match),
        "pool": position.pool,
        "options": options,
        "standing": _how_it_stands(position, options),
        "why": await _why(request, match),
        "objection": objection,
    }


def _walked(request: Request, rules: Rules) -> tuple[Match, str]:
    """Return the match that the address asks for, as far as its moves are allowed, and what is wrong with it."""
    match = Match.begin(Setup(rules=rules, names=_NAMES))
    texts, objection = _asked(request)
    for n, text in enumerate(texts, 1):
        try:
            move, _ = play_numbered(match.position, text, n)
        except RecordError as error:
            return match, f"{error} Here is the position before it."
        match = match.after(move)
    return match, objection


async def _why(request: Request, match: Match) -> ReasonDocument | None:
    """Return why the last move is good or bad."""
    if not match.moves:
        return None
    before = match.positions[-2]
    return await request_context(request).questions.ask(
        jobs.reason, *rules_and_position(before), before.text_of(match.moves[-1])
    )


def _asked(request: Request) -> tuple[list[str], str]:
    """Return the moves that the address asks for, and what is wrong with it."""
    parts = (part.partition("=") for part in request.url.query.split("&"))
    text = next((unquote(value) for key, _, value in parts if key == "moves"), "")
    if not _WALKED.fullmatch(text):
        return [], "These moves cannot be read: write them with their signs, such as +5+6. Here is the start."
    moves = _WALK.findall(text)
    if len(moves) > limits.MATCH_PLIES:
        return [], f"These are more than {limits.MATCH_PLIES} moves. Here is the start."
    return moves, ""


async def _options(request: Request, position: Position, played: list[str]) -> list[MoveWorth]:
    if position.outcome is not None:
        return []
    values = await request_context(request).questions.ask(jobs.values, *rules_and_position(position))
    return [move_worth(one, _walk(position.rules, [*played, one["move"]])) for one in values]


def _how_it_stands(position: Position, options: list[MoveWorth]) -> str:
    if position.outcome is not None:
        return outcome_words(position.outcome, position.rules)
    return position_words(position.seat, options)
