"""Answers as JSON, for `--json` and for the web; `docs/reference/json.md` says what each key means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zerosum.coach.answer_types import (
    AnalysisDocument,
    CardDocument,
    Document,
    LawDocument,
    OptionDocument,
    OutcomeDocument,
    PuzzleDocument,
    ReviewDocument,
    ReviewedDocument,
    SolutionDocument,
    StandingDocument,
)
from zerosum.rules.model import Seat
from zerosum.solver import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    # Answers about positions need neither reviews nor puzzles, and their commands start sooner without them.
    from zerosum.coach.puzzles import Puzzle
    from zerosum.coach.review import Review, Reviewed, Standing
    from zerosum.match.saved import SavedMatch
    from zerosum.players.ladder import Ladder, Rung
    from zerosum.players.levels import Score
    from zerosum.rules.outcome import Outcome
    from zerosum.rules.position import Position
    from zerosum.solver import Law, Option, Solution
    from zerosum.strategy.card_report import CardReport

_WINNER = {Verdict.WIN: Seat.FIRST, Verdict.LOSS: Seat.SECOND, Verdict.DRAW: None}


def outcome_json(outcome: Outcome | None) -> OutcomeDocument | None:
    """Return who won and why, None while a match goes on."""
    return None if outcome is None else {"winner": outcome.winner.value, "reason": outcome.reason.value}


def option_json(position: Position, option: Option) -> OptionDocument:
    """Return a move and its value."""
    return {
        "move": position.text_of(option.move),
        "verdict": option.value.verdict.value,
        "plies": option.value.plies,
    }


def winner_of(solution: Solution) -> Seat | None:
    """Return the seat of the person who wins, by where they begin; None for a draw."""
    return _WINNER[solution.value(solution.start).verdict]


def law_json(law: Law | None) -> LawDocument | None:
    """Return a law, None where a game has none."""
    return None if law is None else {"id": law.id, "words": law.words}


def solution_json(solution: Solution) -> SolutionDocument:
    """Return who wins a game, in how many plies and by which openings."""
    start = solution.start
    options = solution.options(start)
    won_by = winner_of(solution)
    return {
        "game": solution.rules.id,
        "winner": won_by.value if won_by else None,
        "plies": solution.value(start).plies,
        "winning_openings": [start.text_of(one.move) for one in options if one.value.verdict is Verdict.WIN],
        "openings": [option_json(start, one) for one in options],
        "positions": solution.positions,
        "law": law_json(solution.law),
        "seconds": round(solution.seconds, 6),
    }


def why_json(position: Position, option: Option, solution: Solution) -> OptionDocument:
    """Return a move, its value and its cause; `answer` is the answer that a losing move is explained by."""
    from zerosum.coach.cause_words import words  # noqa: PLC0415 - see above
    from zerosum.coach.causes import why  # noqa: PLC0415 - see above

    found = why(position, option.move, solution)
    return {
        **option_json(position, option),
        "cause": found.name,
        "words": " ".join(words(found)),
        "answer": None if found.answer is None else position.text_of(found.answer),
    }


def card_json(report: CardReport) -> CardDocument:
    """Return a strategy card; the seat that always wins with it is null where that is not proved."""
    card, proof = report.card, report.proof
    return {
        "game": report.rules.id,
        "seat": card.seat.value if card.seat is not None and proof.proved else None,
        "rules": [{"rule": str(rule), "words": rule.words(report.rules)} for rule in card.rules],
        "exceptions": [{"position": position, "move": move} for position, move in card.exceptions],
        "proved": proof.proved,
        "positions": proof.positions if proof.proved else None,
        "kept": None if report.kept is None else round(report.kept.share, 6),
        "against": [
            {"who": one.who, "as_first": round(one.as_first, 9), "as_second": round(one.as_second, 9)}
            for one in report.against
        ],
        "for_other": card.for_other,
    }


def position_json(solution: Solution, position: Position, played: list[str], *, why: bool = False) -> AnalysisDocument:
    """Return what is true of a position that the moves `played` led to; `why`: also the cause of each move."""
    over = position.outcome is not None
    value = None if over else solution.value(position)
    document: AnalysisDocument = {
        "game": solution.rules.id,
        "moves": played,
        "position": str(position),
        "to_move": None if over else position.seat.value,
        "verdict": value.verdict.value if value else None,
        "plies": value.plies if value else None,
        "options": [] if over else _options(solution, position, why=why),
        "outcome": outcome_json(position.outcome),
    }
    if why and value is not None and value.verdict is Verdict.LOSS:
        from zerosum.coach.hints import trap_words  # noqa: PLC0415 - most answers need no reasons

        document["trap"] = " ".join(trap_words(position, solution))
    return document


def _options(solution: Solution, position: Position, *, why: bool) -> list[OptionDocument]:
    options = solution.options(position)
    return [why_json(position, one, solution) if why else option_json(position, one) for one in options]


def review_json(found: Review) -> ReviewDocument:
    """Return a match against the truth."""
    from zerosum.coach.review_words import lesson  # noqa: PLC0415 - see above

    match = found.match
    return {
        "game": match.setup.rules.id,
        "names": list(match.setup.names),
        "first": match.setup.first.value,
        "start": _standing(found.opening),
        "moves": [_reviewed(found, one) for one in found.moves],
        "blunders": {str(seat.value): found.blunders(seat) for seat in Seat},
        "accuracy": {str(seat.value): found.accuracy(seat) for seat in Seat},
        "turning_points": [one.n for one in found.turning_points],
        "lesson": {"n": found.lesson.n, "idea": found.lesson.idea, "words": lesson(found)},
        "given_up": found.given_up.value if found.given_up else None,
        "outcome": outcome_json(match.outcome),
    }


def _reviewed(found: Review, one: Reviewed) -> ReviewedDocument:
    from zerosum.coach.review_words import lines, why  # noqa: PLC0415 - see above

    return {
        "n": one.n,
        "seat": one.seat.value,
        "player": one.person.value,
        "move": one.position.text_of(one.move),
        "verdict": one.before.verdict.value,
        "plies": one.before.plies,
        "after": one.after.verdict.value,
        "after_plies": one.after.plies,
        "stands": _standing(one.standing),
        "real_choice": one.real,
        "blunder": one.blunder,
        "better": [one.position.text_of(move) for move in one.better],
        "cause": one.reason.name if one.reason else None,
        "reason": why(found, one),
        "more": lines(found, one),
    }


def _standing(standing: Standing) -> StandingDocument:
    """Return which player stands to win, not which seat: a swap changes seats."""
    return {"player": standing.winner.value if standing.winner else None, "plies": standing.plies}


def puzzle_json(puzzle: Puzzle) -> PuzzleDocument:
    """Return a position with something to find, and what there is to find."""
    position = puzzle.position
    return {
        "game": position.rules.id,
        "position": str(position),
        "solutions": [position.text_of(move) for move in puzzle.solutions],
        "plies": puzzle.plies,
        "difficulty": puzzle.difficulty,
        "chances": [round(chance, 6) for chance in puzzle.chances],
    }


def ladder_json(ladder: Ladder, *, full: bool) -> Document:
    """Return how strong the levels are; `full`: also how often each player beats each other."""
    answer: Document = {
        "game": ladder.rules.id,
        "levels": [_rung(rung) for rung in ladder.rungs],
        "error": ladder.odds.error,
    }
    if full:
        from zerosum.players.levels import STRENGTHS  # noqa: PLC0415 - see above

        first_wins = ladder.odds.first_wins
        rows = [[first_wins[one, two] for two in STRENGTHS] for one in STRENGTHS]
        answer["matrix"] = {"players": list(STRENGTHS), "first_wins": rows}
    return answer


def _rung(rung: Rung) -> Document:
    return {
        "level": rung.number,
        "who": rung.who,
        "sight": rung.level.sight,
        "slip": rung.level.slip,
        "below": _score(rung.below),
        "perfect": _score(rung.perfect),
    }


def _score(score: Score) -> Document:
    return {
        "who": score.who,
        "as_first": score.as_first,
        "as_second": score.as_second,
        "average": score.average,
    }


def saved_json(saved: Sequence[SavedMatch]) -> Document:
    """Return the unfinished matches; for a damaged one, what is wrong with it."""
    return {"matches": [_saved(one) for one in saved]}


def _saved(one: SavedMatch) -> Document:
    if one.match is None:
        return {"id": one.id, "damage": one.damage}
    setup, position = one.match.setup, one.match.position
    return {
        "id": one.id,
        "game": setup.rules.id,
        "date": setup.date,
        "names": list(setup.names),
        "who": list(setup.who),
        "first": setup.first.value,
        "moves": [position.text_of(move) for move in one.match.moves],
        "position": str(position),
        "to_move": position.seat.value,
    }
