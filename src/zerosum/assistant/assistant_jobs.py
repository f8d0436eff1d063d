"""Jobs of an assistant that no page needs, and how the text that a model wrote is read. No file is ever opened."""

from __future__ import annotations

from zerosum.arena.strength.asked_players import measure_asked, named_player
from zerosum.assistant import limits
from zerosum.base import limits as rule_limits
from zerosum.base.documents import Document, to_json
from zerosum.base.errors import BadValueError, InvalidTextError, RulesError, UnknownGameError
from zerosum.base.text import did_you_mean, shorten
from zerosum.coach.analysis import SolutionDocument, play_on
from zerosum.coach.course_builder import build_course
from zerosum.coach.exercises import examples_of
from zerosum.coach.lessons import CourseDocument, bundled_course
from zerosum.jobs.game_jobs import solved
from zerosum.jobs.job_table import job
from zerosum.lab import audit as game_audit
from zerosum.lab import library_calls
from zerosum.lab.endings import annotated_rules
from zerosum.lab.repair import repair_json
from zerosum.rules.game_files import BUILT_IN_IDS, GAME_IDS, built_in, load_text
from zerosum.rules.model import Rules, RulesDict, rules_from_dict
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, start_position
from zerosum.strategy.card_report import CardDocument, report_of
from zerosum.strategy.card_search import SearchLimit


def read_game(game: str) -> Rules:
    """Return the rules of a built-in id, or in the text of a rules file; no file is ever opened."""
    named = game.strip()
    if named in BUILT_IN_IDS:
        return built_in(named)
    if "=" in game:
        return read_rules(game)
    hint = did_you_mean(named.lower(), BUILT_IN_IDS, f"The games are {', '.join(GAME_IDS)}.")
    raise UnknownGameError(f"There is no game '{shorten(named)}'. {hint} The whole text of a rules file will do too.")


def read_rules(text: str) -> Rules:
    """Return the rules in the text of a rules file; an error begins with `rules:`."""
    try:
        return load_text(text)
    except RulesError as error:
        raise RulesError(f"rules: {error}") from None


def split_moves(moves: str | list[str]) -> list[str]:
    """Return moves one by one; one text may hold several."""
    played = moves.split() if isinstance(moves, str) else moves
    if len(played) > rule_limits.MATCH_PLIES:
        raise BadValueError(f"moves: more than {rule_limits.MATCH_PLIES}, the longest match.")
    return played


def read_position(rules: Rules, position: str) -> Position:
    """Return the position that a text writes, or the start if it is empty."""
    if len(position) > limits.POSITION_LENGTH:
        raise InvalidTextError(f"position: longer than {limits.POSITION_LENGTH} characters.")
    return parse_position(position.strip(), rules) if position.strip() else start_position(rules)


def unfinished_position(rules: Rules, position: str, moves: str | list[str]) -> Position:
    """Return the unfinished position after some moves from a position, or from the start."""
    at, _ = play_on(read_position(rules, position), split_moves(moves))
    if at.outcome is not None:
        raise InvalidTextError("The match is over; nobody is to move.")
    return at


@job()
def solution(rules: RulesDict) -> Document:
    """Return what `zerosum solve --json` prints, without its schema."""
    return dict(to_json(SolutionDocument.of(solved(rules_from_dict(rules)))))


@job()
def rules_words(rules: RulesDict) -> list[str]:
    """Return the rules in words, with what can never happen."""
    return annotated_rules(rules_from_dict(rules))


@job()
def game_metrics(rules: RulesDict) -> Document:
    """Return what `zerosum metrics --json` prints of one game."""
    game = rules_from_dict(rules)
    solved(game)  # refuses a game that is too large, before anything else is asked of it
    return {"games": [dict(library_calls.metrics(game))]}


@job()
def repairs(rules: RulesDict, goal: str, cost: int) -> Document:
    """Return what `zerosum repair --json` prints."""
    game = rules_from_dict(rules)
    solved(game)
    return dict(repair_json(library_calls.repair(game, goal, cost=cost)))


@job()
def policy_strength(rules: RulesDict, who: str) -> Document:
    """Return what `zerosum measure policy --json` prints of a built-in player."""
    game = rules_from_dict(rules)
    solved(game)
    return dict(to_json(measure_asked(named_player(who, game), game)))


@job()
def strategy_card(rules: RulesDict) -> Document:
    """Return what `zerosum card --json` prints."""
    solution = solved(rules_from_dict(rules))
    report = report_of(solution, SearchLimit(limits.CARD_SECONDS))
    return dict(to_json(CardDocument.of(report, examples_of(report.card, solution))))


@job()
def course(rules: RulesDict) -> Document:
    """Return what `zerosum learn --json` prints."""
    game = rules_from_dict(rules)
    found = bundled_course(game)
    return dict(to_json(CourseDocument.of(build_course(solved(game)) if found is None else found)))


@job()
def audit(rules: RulesDict, text: str) -> Document:
    """Return what `zerosum audit --json` prints of the game that a text is about, with its examples and omissions."""
    solved(rules_from_dict(rules))  # refuses a game that is too large, before anything else is asked of it
    return dict(game_audit.audit_json(game_audit.audit(read_game(text))))
