"""The pages of a game: its rules in words with an example, and what the solver knows of it."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import unquote

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from zerosum.base import limits
from zerosum.base.errors import RecordError
from zerosum.base.numbers import shorten
from zerosum.coach.answer_types import CardDocument, ReasonDocument
from zerosum.coach.rule_words import safe_words
from zerosum.lab.bundled_figures import bundled_figures
from zerosum.match.match import Match
from zerosum.match.setup import Setup
from zerosum.rules.describe import describe, idea, warning
from zerosum.rules.files import GAME_IDS, built_in
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.notation import play_numbered
from zerosum.rules.position import Position
from zerosum.server.domain.problems import Problem
from zerosum.server.http.context import request_context
from zerosum.server.pages.cookies import remembered
from zerosum.server.pages.game_quality import quality_of
from zerosum.server.pages.gauge import gauge
from zerosum.server.pages.line_of_play import Step, ended, path, steps
from zerosum.server.pages.new_table_form import games, opponents, shelves
from zerosum.server.pages.templates import page
from zerosum.server.pages.verdict_marks import Worth, standing, worth
from zerosum.strategy.card_player import PLAYERS

router = APIRouter(include_in_schema=False)

_NAMES: Final = ("First player", "Second player")
_WALK: Final = re.compile(r"swap|[+-]-?[0-9]{1,7}")
_WALKED: Final = re.compile(rf"(?:(?:{_WALK.pattern})[ ,]*)*")


def rules_at(game: str) -> Rules:
    """Return the rules of a built-in game, or raise the problem that there is none."""
    if game not in GAME_IDS:
        raise Problem("no-such-game", f"There is no game '{shorten(game)}'. The games are {', '.join(GAME_IDS)}.")
    return built_in(game)


def line_of(rules: Rules, best_play: list[str]) -> list[Step]:
    """Return best play as steps."""
    return steps(rules, _moves(rules, best_play))


def _moves(rules: Rules, texts: list[str]) -> list[Move]:
    return [parse_move(text, rules.operations) for text in texts]


@router.get("/games")
async def every_game(request: Request) -> HTMLResponse:
    """Show the games shelf by shelf, and who wins each with perfect play."""
    known = [await _known(request, built_in(game)) or {"winner": None, "plies": None} for game in GAME_IDS]
    cards = [card | {key: of[key] for key in ("winner", "plies")} for card, of in zip(games(), known, strict=True)]
    return page(request, "games.html", here="Rules", shelves=shelves(cards))


async def _known(request: Request, rules: Rules) -> dict[str, Any] | None:
    """Return what the solver knows; nothing where the worker is too busy, for rules can be read without it."""
    try:
        return await request_context(request).questions.knowledge(rules)
    except Problem:
        return None


async def _card(request: Request, rules: Rules) -> CardDocument | None:
    """Return the strategy card of a game; nothing where the worker is too busy."""
    try:
        return await request_context(request).questions.card(rules)
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
    return page(
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
        picture=path(rules, line) if line else "",
        sketch=next(card["sketch"] for card in games() if card["id"] == game),
        opponents=opponents(),
        chosen=remembered(request).opponent,
        coach=remembered(request).coach,
        quality=quality_of(figures["metrics"], figures["findings"]) if figures else None,
    )


@router.get("/games/{game}/solved")
async def solved(request: Request, game: str) -> HTMLResponse:
    """Show what the solver knows of a game, and let its positions be walked through."""
    rules = rules_at(game)
    known = await request_context(request).questions.knowledge(rules)
    line = line_of(rules, known["best_play"])
    return page(
        request,
        "solved.html",
        here="Rules",
        rules=rules,
        known=known,
        openings=[worth(one, _walk(rules, [one["move"]])) for one in known["openings"]],
        line=line,
        picture=path(rules, line) if line else "",
        places=[_walk(rules, [step.move for step in line[: step.n]]) for step in line],
        walk=await _explore(request, rules),
    )


def _walk(rules: Rules, moves: list[str]) -> str:
    """Return the address of a position, by the moves that lead to it. A plus sign stands there as itself."""
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
        "gauge": gauge(match),
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
    return await request_context(request).questions.reason(before, before.text_of(match.moves[-1]))


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


async def _options(request: Request, position: Position, played: list[str]) -> list[Worth]:
    if position.outcome is not None:
        return []
    values = await request_context(request).questions.values(position)
    return [worth(one, _walk(position.rules, [*played, one["move"]])) for one in values]


def _how_it_stands(position: Position, options: list[Worth]) -> str:
    if position.outcome is not None:
        return ended(position.outcome, position.rules)
    return standing(position.seat, options)
