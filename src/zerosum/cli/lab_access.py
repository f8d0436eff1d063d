"""The lab as commands use it: its store, the figures in it, and the options that say where the work is done.

The store only saves time, so a command goes on without one that cannot be used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

import click

from zerosum.base.progress import Progress, silent
from zerosum.cli.console import Console
from zerosum.cli.parameters import Decorator, as_one
from zerosum.cli.progress_line import progress_line
from zerosum.cli.terminal_text import pad, terminal_columns
from zerosum.cli.user_data import home
from zerosum.coach.bundled_odds import bundled_odds
from zerosum.coach.evenness import EVEN, even_to, seat_decides
from zerosum.lab.executors import Cluster, Engine, Local
from zerosum.lab.metrics import ALL, MetricsJson, measure
from zerosum.lab.store import Store, StoreError, keep_metrics, keep_odds, open_store, read_metrics, read_odds
from zerosum.match.setup import BOTH_SEATS, OUTSIDE, Person, Setup
from zerosum.players.odds import Odds, Pairing, certain, odds_from
from zerosum.rules.model import Rules
from zerosum.rules.position import Position, start_position
from zerosum.solver import Solution, SolverError, Verdict, solution_of
from zerosum.strategy.card_player import CARD, card_of
from zerosum.strategy.card_report import guest_of

PATIENCE: Final = 10.0
_MOST_JOBS: Final = 256
WIDE: Final = 100
"""Columns if standard output is no terminal."""
_WIDEST: Final = 40
_NARROWEST: Final = 10
"""Columns of a bar that stands for every match."""
_NAME: Final = 8
_BESIDE: Final = 31
"""Columns beside a bar: the player, the figure, and the note."""


def engine_options(words: str, default: int | None = None) -> Decorator:
    """Return a decorator that gives a command `--jobs` and `--scheduler`, which reach it as an `engine`."""

    def made(*, jobs: int | None, scheduler: str | None) -> Engine:
        if scheduler is not None and jobs is not None:
            raise click.UsageError("--jobs and --scheduler exclude each other: a cluster has its own workers.")
        return Cluster(scheduler) if scheduler is not None else Local(jobs or default or _cores())

    return as_one(
        "engine",
        made,
        click.option("--jobs", metavar="N", type=click.IntRange(1, _MOST_JOBS), help=words),
        click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler that runs already."),
    )


def _cores() -> int:
    """Return how many processes can work at once; a container may have fewer cores than its machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


on_engine: Final = engine_options("Processes on this machine.  [default: one for each core]")
patience_option: Final = click.option(
    "--patience",
    metavar="S",
    type=click.FloatRange(0.1, 86_400),
    default=PATIENCE,
    help="Seconds that one game may take; one that takes longer is skipped.",
)


_T = TypeVar("_T")
_said: list[str] = []


def user_store() -> Store:
    """Open the store of this user."""
    return open_store(Path(home()))


def with_store(work: Callable[[Store], _T]) -> _T | None:
    """Do work with the store; None if it cannot be used, after one notice."""
    try:
        with user_store() as store:
            return work(store)
    except StoreError as error:
        if not _said:
            _said.append(str(error))
            sys.stderr.write(f"{error} Going on without it.\n")
        return None


def cached_odds(start: Position, pairings: Sequence[Pairing], progress: Progress = silent) -> Odds:
    """Return the exact chances of each pairing from the start of a game.

    They come with the package, or from the store; only what neither has is computed, and then stored.
    """
    rules = start.rules
    bundled = bundled_odds(rules)
    if bundled is not None and bundled.first_wins.keys() >= set(pairings):
        return Odds({pairing: bundled.first_wins[pairing] for pairing in pairings}, bundled.error)
    certainties = {pairing: chance for pairing in pairings if (chance := certain(start, pairing)) is not None}
    missing = [pairing for pairing in dict.fromkeys(pairings) if pairing not in certainties]
    if not missing:
        return Odds(certainties)
    stored = with_store(lambda store: read_odds(store, rules, missing)) or Odds({})
    missing = [pairing for pairing in missing if pairing not in stored.first_wins]
    if missing:
        computed = odds_from(start, missing, progress)
        with_store(lambda store: keep_odds(store, rules, computed))
        stored = Odds(stored.first_wins | computed.first_wins, computed.error)
    every = stored.first_wins | certainties
    return Odds({pairing: every[pairing] for pairing in pairings}, stored.error)


def solution_or_notice(rules: Rules, console: Console) -> Solution | None:
    """Return the solution of a game; of one that is too large, say that it is left out."""
    try:
        return solution_of(rules)
    except SolverError as error:
        console.notice(f"{rules.name} is left out. {error}")
        return None


def cached_metrics(rules: Rules) -> MetricsJson:
    """Return the metrics of a game, measured only if the store does not have them."""
    stored = with_store(lambda store: read_metrics(store, rules))
    if stored is not None:
        return stored
    document, odds = measure(rules)
    with_store(lambda store: keep_metrics(store, rules, document, odds))
    return document


def seat_advice(first: Mapping[str, float]) -> Iterator[str]:
    """Yield how to play a game that the seat decides, nothing for any other."""
    if seat_decides(even_to(first)):
        yield "The seat decides. With zerosum play --best-of 2 each player moves first once: any game is even this way."


def first_digits(first: Mapping[str, float]) -> str:
    """Return in a word how often the first player wins: for each player but the perfect one the tenths, 4 or 5 if even.

    >>> first_digits({"random": 0.468, "level:1": 0.52, "level:2": 1.0})
    '459'
    """
    return "".join(str(min(9, int(10 * first[who]))) for who in ALL[:-1] if who in first)


def first_bars(first: Mapping[str, float], columns: int | None = None) -> Iterator[str]:
    """Yield a heading, and a bar for each player but the perfect one; two marks show between what a game is even."""
    least, most = EVEN
    width = max(_NARROWEST, min(_WIDEST, (columns or terminal_columns(sys.stdout) or WIDE) - _BESIDE))
    marks = [round(width * edge) for edge in EVEN]
    yield f"First player wins (even: {100 * least:.0f} to {100 * most:.0f} %)"
    for who in ALL[:-1]:
        if who not in first:
            continue
        full = round(width * first[who])
        bar = "".join("#" if at < full else "|" if at in marks else " " for at in range(width))
        said = "" if least <= first[who] <= most else "  not even"
        yield f"  {pad(who.replace(':', ' '), _NAME)} {bar} {100 * first[who]:5.1f} %{said}"


_HOPES: Final = ("perfect", "random")
"""How a person may play, at best and at worst."""


def who_wins_lines(setup: Setup) -> list[str]:
    """Return who is favoured, in a line or two; a game too large to solve can still be played."""
    first, second = setup.first, setup.first.other
    try:
        with progress_line(f"Solving {setup.rules.name}"):
            solution = solution_of(setup.rules)
        favoured = {
            Verdict.WIN: f"{setup.name(first)}, who moves first, wins.",
            Verdict.LOSS: f"{setup.name(second)}, who moves second, wins.",
            Verdict.DRAW: "nobody can force a win.",
        }
        lines = [f"With perfect play {favoured[solution.value(solution.start).verdict]}"]
        with progress_line("The chances of both (computed once, then kept)") as say:
            lines += _chances(setup, say)
    except SolverError as error:
        return [f"Who wins is not known. {error}"]
    if setup.series is not None and setup.series.best_of == BOTH_SEATS:
        lines.append("That is the first match; in the second the seats are exchanged.")
    return lines


def _chances(setup: Setup, say: Progress) -> Iterator[str]:
    """Yield the chances of both sides if a computer plays; for a person, those of perfect and of random play."""
    order = (setup.first, setup.first.other)
    people = [person for person in order if setup.is_human(person)]
    if len(people) == len(order) or not set(setup.who).isdisjoint(OUTSIDE):
        return
    if not people:
        one, two = (setup.who[person - 1] for person in order)
        chance = _odds(setup, [(one, two)], say).first_wins[one, two]
        pairs = zip(order, (chance, 1 - chance), strict=True)
        sides = (f"{setup.name(person)} ({setup.who[person - 1]}) {share:.1%}" for person, share in pairs)
        yield f"The chance to win: {', '.join(sides)}."
        return
    person, computer = people[0], setup.who[people[0].other - 1]
    is_first = person is order[0]
    pairings = [(hope, computer) if is_first else (computer, hope) for hope in _HOPES]
    odds = _odds(setup, pairings, say).first_wins
    best, blind = (odds[pairing] if is_first else 1 - odds[pairing] for pairing in pairings)
    yield _hope_words(setup, person, best, blind)


def _odds(setup: Setup, pairings: list[Pairing], say: Progress) -> Odds:
    """Return the chances of pairings; those of a card, which may change, are not kept."""
    start = start_position(setup.rules)
    if CARD not in setup.who:
        return cached_odds(start, pairings, say)
    return odds_from(start, pairings, say, {CARD: guest_of(*card_of(setup.rules, solution_of))})


def _hope_words(setup: Setup, person: Person, best: float, blind: float) -> str:
    name, computer = setup.name(person), setup.who[person.other - 1]
    if best == 0:
        return (
            f"Against {computer}, {name} cannot win from this seat. To change seats: --first {setup.first.other.value}"
        )
    if best == blind:
        return f"Against {computer}, {name} wins {best:.1%} of such matches, whatever {name} plays."
    return (
        f"Against {computer}, {name} would win {best:.1%} of such matches with perfect play, and {blind:.1%} with "
        "moves at random."
    )
