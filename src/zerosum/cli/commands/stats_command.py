"""`zerosum stats`.

- stats (Play 6): Your history.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import click

from zerosum.arena.strength.decisions import Decision, KeptLevel, ScoredLevel, kept_words, scored_words, tally_decisions
from zerosum.arena.strength.people import ScoredMatch, humans_by_game, score_level
from zerosum.base.documents import inline, to_json
from zerosum.base.english import count
from zerosum.base.progress import Progress
from zerosum.base.text import printable
from zerosum.cli.lab_access import cached_odds
from zerosum.cli.parameters import json_option, print_json
from zerosum.cli.progress_line import progress_line
from zerosum.cli.terminal_text import clip, column, echo, fit, table, terminal_columns
from zerosum.cli.user_data import PuzzleAnswer, PuzzleLog, hints_used, home, saved_matches
from zerosum.coach.stats import YOU, GameTally, Mistakes, PastMatch, StatsDocument, history, mistakes, tallies
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.players import HUMAN
from zerosum.players.levels import spoken_level
from zerosum.solver import Solution, SolverError, solution_of

_TALLY = ("against", "matches", "won", "lost", "accuracy")
_BAR = 40
_BESIDE = 31
"""Columns beside a bar."""
_NAME = 22
_SHORTEST = 12
_FIGURES = 43
"""Columns of a table beside the name of a game."""
_IDEA = 23
"""Columns of an idea and a count beside the name of a game."""
_WIDE = 80
"""Columns if standard output is no terminal."""
_SHOWN = 20
"""Matches in the plot, at most; it shows the latest."""


@click.command
@json_option
def stats_command(*, as_json: bool) -> None:
    r"""Show your history: matches, wins by game and opponent, accuracy over time, mistakes by idea, puzzles, hints.

    Everything follows from the matches kept here. Your figures are those of matches against computers; a match of two
    people at one keyboard is counted once, with their names.

    Accuracy is the share of real choices, where some moves were better than others, that kept the best verdict.

    \b
    Examples:
      zerosum stats
      zerosum stats --json
    """
    matches = saved_matches().all()
    with progress_line("Going through your matches") as say:
        played = history(_with_progress(matches, say), _solution)
        alone = [match for match in matches if sum(map(match.setup.is_human, Person)) == 1]
        wrong = mistakes(matches, _solution)
        levels = _levels(alone)
    tried, hints = PuzzleLog(home()).all(), hints_used()
    if as_json:
        solved = sum(one.solved for one in tried)
        document = StatsDocument.of(matches, played, wrong, tried=len(tried), solved=solved, hints=hints)
        by_game = [{"game": game, **to_json(one)} for game, one in levels.by_game.items()]
        print_json({**to_json(document), **to_json(levels.overall), "levels": by_game})
    else:
        columns = terminal_columns(sys.stdout) or _WIDE
        echo("\n".join(_as_text(matches, played, wrong, tried, hints, levels=levels, columns=columns)))


@dataclass(frozen=True, slots=True)
class _Level:
    """Which level keeps as much as people did, and which scores as much."""

    keeps: KeptLevel = field(metadata=inline())
    scores: ScoredLevel = field(metadata=inline())
    decisions: int


class _Levels(NamedTuple):
    """The levels in all games and in each."""

    overall: _Level
    by_game: dict[str, _Level]


def _levels(matches: list[Match]) -> _Levels:
    found = humans_by_game(matches, _solution)
    every = [one for made, _ in found.values() for one in made]
    scored = [match for _, matches in found.values() for match in matches]
    return _Levels(_level(every, scored), {game: _level(*both) for game, both in sorted(found.items())})


def _level(made: list[Decision], scored: list[ScoredMatch]) -> _Level:
    return _Level(tally_decisions(made).level(), score_level(scored, cached_odds), len(made))


def _with_progress(matches: list[Match], say: Progress) -> Iterator[Match]:
    for n, match in enumerate(matches, 1):
        say(f"{n} of {len(matches)}")
        yield match


def _solution(match: Match) -> Solution | None:
    """Return the solution of a match's game, None if it is too large: its matches count, without accuracy."""
    try:
        return solution_of(match.setup.rules)
    except SolverError:
        return None


def _as_text(
    matches: list[Match],
    played: list[PastMatch],
    wrong: list[Mistakes],
    tried: list[PuzzleAnswer],
    hints: Counter[str],
    *,
    levels: _Levels,
    columns: int,
) -> list[str]:
    unfinished = sum(match.outcome is None for match in matches)
    lines = [f"Matches: {len(matches)}, {unfinished} of them unfinished."]
    found = tallies(played)
    if alone := [one for one in found if one.opponent != HUMAN]:
        lines += ["", "You against computers:", *_tally_lines(alone, columns)]
        lines += ["", *_level_lines(levels, columns)]
    if together := [one for one in found if one.opponent == HUMAN]:
        lines += ["", "Two people at this keyboard, each match counted once:"]
        lines += [fit(_together(one), columns) for one in together]
    if bars := _accuracy_bars(played, columns):
        lines += ["", "Your accuracy against computers, the latest last:", *bars]
    if wrong:
        lines += ["", *_mistake_lines(wrong, columns)]
    if tried:
        lines += ["", f"Puzzles: {sum(one.solved for one in tried)} solved in {len(tried)} answers."]
    if hints:
        lines += ["", f"Hints used: {hints['match']} in matches, {hints['puzzle']} in puzzles."]
    return lines


def _together(one: GameTally) -> str:
    """Return what two people have played: who won how often, and how well both chose."""
    first, second = one.players
    won = f"{first} {one.won}, {second} {one.lost()}"
    both = "" if one.accuracy is None else f"; accuracy of both {one.accuracy:.0%}"
    return printable(f"{one.name}: {count(one.matches, 'match', 'matches')}, won by {won}{both}")


def _level_lines(levels: _Levels, columns: int) -> list[str]:
    lines = [f"Your play {_level_words(levels.overall)}."]
    if len(levels.by_game) > 1:
        lines += [f"In {game} it {_level_words(one)}." for game, one in levels.by_game.items()]
    return [fit(line, columns) for line in lines]


def _level_words(level: _Level) -> str:
    return " and ".join(filter(None, (kept_words(level.keeps), scored_words(level.scores))))


def _tally_lines(found: Iterable[GameTally], columns: int) -> list[str]:
    """Return a table; if it is too wide for the terminal, the name of a game gets a separate line."""
    name = min(_NAME, columns - _FIGURES)
    if name < _SHORTEST:
        widths = (-10, 7, 5, 6, 10)
        lines = table(widths, _TALLY)
        for one in found:
            lines += [clip(printable(one.name), columns), *table(widths, _tally_row(one, 9))]
        return lines
    rows = ((clip(printable(one.name), name - 1), *_tally_row(one, 11)) for one in found)
    return table((-name, -12, 9, 6, 6, 10), ("game", *_TALLY), *rows)


def _tally_row(one: GameTally, room: int) -> tuple[object, ...]:
    accuracy = "-" if one.accuracy is None else f"{one.accuracy:.0%}"
    return clip(printable(spoken_level(one.opponent)), room), one.matches, one.won, one.matches - one.won, accuracy


def _mistake_lines(wrong: Iterable[Mistakes], columns: int) -> list[str]:
    """Return a table of the wins let go, by the idea that would have kept each."""
    name = min(_NAME, columns - _IDEA)
    lines = ["Wins that people let go here, by the idea that keeps them:"]
    for one in wrong:
        idea = one.idea.name if one.idea else "no short idea" if one.filed else "not filed"
        lines += table((-name, -18, 4), (clip(printable(one.name), name - 1), idea, one.count))
    return [*lines, "To practise: zerosum puzzle GAME --mine --idea NAME"]


def _accuracy_bars(played: list[PastMatch], columns: int) -> list[str]:
    measured = [one for one in played if one.choices and one.player == YOU]
    return [_accuracy_bar(one, columns) for one in measured[-_SHOWN:]]


def _accuracy_bar(one: PastMatch, columns: int) -> str:
    share = one.kept / one.choices
    size = min(_BAR, columns - _BESIDE)
    return f"{one.date[:10]:11}{column(one.game, 14)} {'#' * round(share * size):{size}} {share:4.0%}"
