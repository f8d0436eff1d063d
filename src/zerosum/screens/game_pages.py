"""The pages of a game: its rules in words with an example, what the solver knows of it, and how good a game it is."""

from __future__ import annotations

import re
from functools import cache
from typing import Final
from urllib.parse import unquote

from zerosum.base import limits
from zerosum.base.documents import Document
from zerosum.base.errors import RecordError
from zerosum.coach.bundled import bundled_figures
from zerosum.coach.evenness import seat_decides
from zerosum.jobs import game_jobs, teaching_jobs
from zerosum.jobs.game_jobs import ReasonDocument
from zerosum.jobs.job_table import Job
from zerosum.match.match import Match
from zerosum.match.setup import Setup
from zerosum.rules.describe import describe, idea, warning
from zerosum.rules.game_files import GAME_IDS, RETIRED, built_in, retirement
from zerosum.rules.model import Rules, RulesDict, rules_to_dict
from zerosum.rules.moves import parse_move
from zerosum.rules.notation import parse_position, play_numbered
from zerosum.rules.position import Position
from zerosum.screens import line_of_play
from zerosum.screens.board_pieces import number_line
from zerosum.screens.forms import browser_choices
from zerosum.screens.game_quality import GameQuality, quality_of
from zerosum.screens.new_table_form import game_card, games, opponents, shelves
from zerosum.screens.rendering import page
from zerosum.screens.rule_changes import known_changes
from zerosum.screens.screen import Answer, ScreenHost, Visit, screen
from zerosum.strategy.card import safe_words
from zerosum.strategy.card_player import PLAYERS
from zerosum.tables.new_table import rules_at
from zerosum.tables.problems import Problem

_NAMES: Final = ("First player", "Second player")
_WALK: Final = re.compile(r"swap|[+-]-?[0-9]{1,7}")
_WALKED: Final = re.compile(rf"(?:(?:{_WALK.pattern})[ ,]*)*")


def line_of(rules: Rules, best_play: list[str]) -> list[line_of_play.LineStep]:
    """Return best play as steps."""
    return line_of_play.line_steps(rules, [parse_move(text, rules.operations) for text in best_play])


@screen("GET", "/games")
async def every_game(_visit: Visit, host: ScreenHost) -> Answer:
    """Show the games shelf by shelf, and who wins each with perfect play."""
    known = [await _unless_busy(host, game_jobs.knowledge, built_in(game)) for game in GAME_IDS]
    cards = [card | {"winner": of and of["winner"]} for card, of in zip(games(), known, strict=True)]
    return page("games.html", here="Rules", shelves=shelves(cards))


async def _unless_busy(host: ScreenHost, job: Job[[RulesDict], Document], rules: Rules) -> Document | None:
    """Return what a job says of a game; nothing if the worker is too busy, since rules can be read without it."""
    try:
        return await host.ask(job, rules_to_dict(rules))
    except Problem:
        return None


@screen("GET", "/games/{game}")
async def game(visit: Visit, host: ScreenHost) -> Answer:
    """Show the rules of a game, and a match of it step by step."""
    rules = rules_at(visit.path["game"])
    known = await _unless_busy(host, game_jobs.knowledge, rules)
    line = line_of(rules, known["best_play"]) if known else []
    card = await _unless_busy(host, teaching_jobs.card, rules)
    return page(
        "game.html",
        here="Rules",
        rules=rules,
        idea=idea(rules),
        warning=warning(rules),
        clauses=describe(rules, typed=False),
        law=known["law"] if known else None,
        card=card,
        seen_at=lambda text: line_of_play.situation_words(parse_position(text, rules)),
        safe=safe_words(" ".join(one["words"] for one in card["rules"])) if card else "",
        titles={one.name: one.title for one in PLAYERS},
        line=line,
        picture=line_of_play.path_picture(rules, line) if line else "",
        sketch=game_card(rules.id)["sketch"],
        retirement=retirement(rules.id),
        successor=RETIRED.get(rules.id),
        opponents=opponents(),
        chosen=browser_choices(visit.cookies).opponent,
        coach=browser_choices(visit.cookies).coach,
        changes=await known_changes(host, rules),
        quality=_quality(rules),
        seat_decides=_seat_decides(rules),
    )


@cache
def _quality(rules: Rules) -> GameQuality | None:
    """Return how good a built-in game is, drawn once: its figures come with the package."""
    figures = bundled_figures(rules)
    return quality_of(figures["metrics"], figures["findings"]) if figures else None


@cache
def _seat_decides(rules: Rules) -> bool:
    figures = bundled_figures(rules)
    return figures is not None and seat_decides(figures["metrics"]["even_to"])


@screen("GET", "/games/{game}/solved")
async def solved(visit: Visit, host: ScreenHost) -> Answer:
    """Show what the solver knows of a game, and let its positions be walked through."""
    rules = rules_at(visit.path["game"])
    known = await host.ask(game_jobs.knowledge, rules_to_dict(rules))
    line = line_of(rules, known["best_play"])
    return page(
        "solved.html",
        here="Rules",
        rules=rules,
        known=known,
        openings=[line_of_play.move_worth(one, _walk(rules, [one["move"]])) for one in known["openings"]],
        line=line,
        picture=line_of_play.path_picture(rules, line) if line else "",
        places=[_walk(rules, [step.move for step in line[: step.n]]) for step in line],
        walk=await _explore(visit, host, rules),
    )


def _walk(rules: Rules, moves: list[str]) -> str:
    """Return the address of a position, by the moves that lead to it; plus signs are not escaped."""
    query = f"?moves={''.join(moves)}" if moves else ""
    return f"/games/{rules.id}/solved{query}#explore"


async def _explore(visit: Visit, host: ScreenHost, rules: Rules) -> dict[str, object]:
    """Return all about the position that the address names by its moves."""
    match, objection = _walked(visit, rules)
    position, played = match.position, [match.position.text_of(move) for move in match.moves]
    options = await _options(host, position, played)
    return {
        "played": [(move, _walk(rules, played[: n + 1]), match.positions[n].seat) for n, move in enumerate(played)],
        "start": _walk(rules, []),
        "back": _walk(rules, played[:-1]),
        "gauge": number_line(match),
        "pool": position.pool,
        "options": options,
        "standing": _how_it_stands(position, options),
        "why": await _why(host, match),
        "objection": objection,
    }


def _walked(visit: Visit, rules: Rules) -> tuple[Match, str]:
    """Return the match that the address asks for, as far as its moves are allowed, and what is wrong with it."""
    match = Match.begin(Setup(rules=rules, names=_NAMES))
    texts, objection = _asked(visit)
    for n, text in enumerate(texts, 1):
        try:
            move, _ = play_numbered(match.position, text, n)
        except RecordError as error:
            return match, f"{error} Here is the position before it."
        match = match.after(move)
    return match, objection


async def _why(host: ScreenHost, match: Match) -> ReasonDocument | None:
    """Return why the last move is good or bad."""
    if not match.moves:
        return None
    before = match.positions[-2]
    return await host.ask(game_jobs.reason, *game_jobs.about(before), before.text_of(match.moves[-1]))


def _asked(visit: Visit) -> tuple[list[str], str]:
    """Return the moves that the address asks for, and what is wrong with it."""
    parts = (part.partition("=") for part in visit.written.split("&"))
    text = next((unquote(value) for key, _, value in parts if key == "moves"), "")
    if not _WALKED.fullmatch(text):
        return [], "These moves cannot be read: write them with their signs, such as +5+6. Here is the start."
    moves = _WALK.findall(text)
    if len(moves) > limits.MATCH_PLIES:
        return [], f"These are more than {limits.MATCH_PLIES} moves. Here is the start."
    return moves, ""


async def _options(host: ScreenHost, position: Position, played: list[str]) -> list[line_of_play.MoveWorth]:
    if position.outcome is not None:
        return []
    values = await host.ask(game_jobs.values, *game_jobs.about(position))
    return [line_of_play.move_worth(one, _walk(position.rules, [*played, one["move"]])) for one in values]


def _how_it_stands(position: Position, options: list[line_of_play.MoveWorth]) -> str:
    if position.outcome is not None:
        return line_of_play.outcome_words(position.outcome, position.rules)
    return line_of_play.position_words(position.seat, options)
