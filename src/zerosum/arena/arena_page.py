"""A report as one HTML page without a script: ratings, cross tables, regret by difficulty, the test, every match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from zerosum.arena import limits
from zerosum.arena.arena_report import ArenaReport, EntrantLine, PairingResult
from zerosum.arena.plan import DUEL, question_words, slot
from zerosum.arena.play_match import Board
from zerosum.arena.strength.decisions import DIFFICULTIES, kept_words
from zerosum.arena.strength.ratings import LEAST_PAIRS
from zerosum.arena.tally import MatchReader, PlayedMatch, file_name, solution_or_none
from zerosum.base.english import percent, whole
from zerosum.base.reports import IntervalRow, curve, intervals, render
from zerosum.coach.analysis import keeps, value_text
from zerosum.rules.position import Position
from zerosum.solver import Solution

_OPEN: Final = 50
"""Pairs up to which the list of matches is open at first."""


def page(report: ArenaReport) -> str:
    """Return the page."""
    names = report.run.names
    games = ", ".join(rules.name for rules in report.run.plan.games)
    who = " against ".join(names) if len(names) <= DUEL else f"{len(names)} entrants"
    shown = report.state.counted[: limits.REVIEWED // 2]
    return render(
        __file__,
        "arena_page.html",
        title=f"{who}: {games}",
        report=report,
        summary=summary_words(report),
        ratings=_ratings(report),
        rating_rows=[_rating_row(line) for line in report.entrants],
        kept_words=kept_words,
        cross_tables=[_cross_table(report, game.id, game.name) for game in report.run.plan.games],
        difficulty_heads=[
            "entrant",
            *(head for name in DIFFICULTIES for head in (f"{name}: choices", "kept %", "regret")),
        ],
        difficulty_rows=[_difficulty_row(line) for line in report.entrants],
        test_words=_test_words(report),
        test_curve=_test_curve(report),
        matches=[*_matches(report, shown)],
        open_matches=_OPEN,
        left=len(report.state.counted) - len(shown),
    )


def summary_words(report: ArenaReport) -> str:
    """Return what was played, in a few sentences."""
    plan = report.run.plan
    words = [f"{report.pairs:,} pairs of matches from the book '{plan.book}', seed {plan.seed}, run {plan.key}."]
    if not report.complete:
        words.insert(0, "This run is incomplete: what follows is only what has been played so far.")
    if report.void:
        gone = ", ".join(line.name for line in report.entrants if line.withdrawn)
        words.append(f"{gone} was withdrawn after crashes; {report.void:,} pairs are void and count for nobody.")
    words.append(question_words(plan, list(report.run.expectations)))
    return " ".join(words)


def _ratings(report: ArenaReport) -> str:
    """Return the picture of the ratings."""
    rows = [
        IntervalRow(line.name, line.elo, line.elo_low, line.elo_high, f"{line.name}: {whole(line.elo)} ({_span(line)})")
        for line in report.entrants
        if line.elo is not None and line.elo_low is not None and line.elo_high is not None
    ]
    if not rows:
        return ""
    low, high = min(row.low for row in rows), max(row.high for row in rows)
    ticks = {elo: whole(elo) for elo in (low, (low + high) / 2, high)}
    return intervals(rows, ticks, "Elo ratings with their 95 % intervals")


def _span(line: EntrantLine) -> str:
    ends = line.elo_low, line.elo_high
    return " to ".join(whole(end) for end in ends if end is not None)


def _rating_row(line: EntrantLine) -> list[str]:
    account = line.account
    elo = ["-", "-"] if line.elo is None else [whole(line.elo), _span(line)]
    kept = [
        percent(line.tally.share),
        f"{percent(line.kept_low)} to {percent(line.kept_high)}",
        percent(line.tally.skill),
    ]
    counts = [str(one) for one in (account.illegal, account.time, account.crash)]
    name = f"{line.name} (withdrawn)" if line.withdrawn else line.name
    return [name, *elo, percent(line.score), str(account.matches), *kept, *counts]


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Who scored what against whom in one game."""

    game: str
    heads: list[str]
    rows: list[list[str]]
    exact: bool


def _cross_table(report: ArenaReport, game: str, title: str) -> CrossTable:
    names = [line.name for line in report.entrants]
    pairings = {(pairing.a, pairing.b): pairing for pairing in report.pairings if pairing.game == game}

    def cell(row: str, column: str) -> str:
        if (row, column) in pairings:
            return _cell(pairings[row, column], turned=False)
        return _cell(pairings[column, row], turned=True) if (column, row) in pairings else ""

    rows = [[row, *(cell(row, column) for column in names)] for row in names]
    return CrossTable(title, ["against", *names], rows, any(pairing.exact is not None for pairing in pairings.values()))


def _cell(one: PairingResult, *, turned: bool) -> str:
    def share_of_row(share: float | None) -> str:
        return percent(share if share is None or not turned else 1 - share)

    score = share_of_row(one.score)
    return score if one.exact is None else f"{score} ({share_of_row(one.exact)})"


def _difficulty_row(line: EntrantLine) -> list[str]:
    row = [line.name]
    for one in line.account.by_difficulty().values():
        row += [str(one.choices), percent(one.share), f"{one.regret:g}"]
    return row


def _test_words(report: ArenaReport) -> str:
    test = report.sprt
    if test is None:
        return ""
    decided = {
        None: "It is not decided.",
        "H0": f"It accepts H0: a difference of {test.elo0:g} Elo.",
        "H1": f"It accepts H1: a difference of {test.elo1:g} Elo.",
    }
    return (
        f"H0 says that {report.run.names[0]} is stronger by {test.elo0:g} Elo, H1 by {test.elo1:g}. "
        f"After {test.pairs:,} pairs the log-likelihood ratio is {test.llr:.2f}; "
        f"the bounds are {test.lower:.2f} and {test.upper:.2f}. {decided[test.decision]}"
    )


def _test_curve(report: ArenaReport) -> str:
    test, values = report.sprt, report.state.curve
    if test is None or not values:
        return ""
    bounds = {"H0": test.lower, "H1": test.upper}
    return curve(values, LEAST_PAIRS, bounds, "pair", "The log-likelihood ratio after each pair")


@dataclass(frozen=True, slots=True)
class MatchReview:
    """A match as the page shows it."""

    anchor: str
    record: str
    seats: tuple[str, str]
    winner: str
    fault: str | None
    ending: str
    """How the match was lost without a move, in a sentence; empty if a move ended it."""
    moves: list[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class PairReview:
    """A pair as the page shows it."""

    number: int
    names: tuple[str, str]
    game: str
    position: str
    reviews: list[MatchReview]


def _matches(report: ArenaReport, numbers: list[int]) -> Iterator[PairReview]:
    run = report.run
    reader = MatchReader(run, run.folder.log())
    solutions = [solution_or_none(board) for board in reader.boards]
    for number, both in reader.matches(numbers):
        where = slot(run.plan, number)
        names = run.names[where.a], run.names[where.b]
        board, solution = reader.boards[where.game], solutions[where.game]
        reviews = [_review(one, names, board, where.position, solution) for one in both]
        yield PairReview(number, names, board.rules.name, where.position, reviews)


def _review(
    one: PlayedMatch, names: tuple[str, str], board: Board, start: str, solution: Solution | None
) -> MatchReview:
    moves: list[tuple[str, str, str]] = []
    *steps, _ = board.walk(start, one.moves, one.first)
    for node, n, side in steps:
        words = _move_words(node.position, n, solution)
        if len(moves) in one.instead:
            words = f"picked at random, since {names[side]} named an illegal move. {words}"
        moves.append((names[side], node.texts[n], words))
    how = "" if one.ending is None else f"at once: {one.ending.text}" if one.ending.text else "on time"
    return MatchReview(
        anchor=f"match-{one.number}-{one.first + 1}",
        record=file_name(one.number, one.first),
        seats=(names[one.first], names[1 - one.first]),
        winner=names[one.winner],
        fault=one.fault,
        ending=f"{names[1 - one.winner]} lost {how}." if how else "",
        moves=moves,
    )


def _move_words(position: Position, n: int, solution: Solution | None) -> str:
    """Return what a move did, in a few words; nothing if the game was too large to solve."""
    if solution is None:
        return ""
    options = solution.options(position)
    move = position.legal_moves()[n]
    best = options[0].value
    made = next(option.value for option in options if option.move == move)
    if len({option.value.verdict for option in options}) == 1:
        return value_text(made)
    if made.verdict is best.verdict:
        return f"{value_text(made)}, as it should be"
    better = ", ".join(position.text_of(move) for move in keeps(options)[:5])
    return f"a mistake, it {value_text(made)}; better: {better}"
