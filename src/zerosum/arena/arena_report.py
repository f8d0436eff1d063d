"""The report of a run: everything that is told of it, from the plan and the log alone, the same bytes every time."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.arena.arena_run import ArenaRun, state_of
from zerosum.arena.run_state import RunState
from zerosum.arena.strength.decisions import DecisionTally, tally
from zerosum.arena.strength.level_fit import LevelFit, fit_level
from zerosum.arena.strength.ratings import Rating, mean_of, ratings_of
from zerosum.arena.strength.sprt import Sprt
from zerosum.arena.tally import EntrantAccount, RunTotals, count
from zerosum.base.runs import RunLog
from zerosum.base.statistics import Interval


@dataclass(frozen=True, slots=True)
class EntrantLine:
    """An entrant: what it scored, its rating, and its decisions against the truth."""

    name: str
    account: EntrantAccount
    rating: Rating | None
    tally: DecisionTally
    fit: LevelFit
    kept: Interval
    withdrawn: bool

    @property
    def score(self) -> float | None:
        """Its share of the points; None where it has not played."""
        return self.account.points / self.account.matches if self.account.matches else None


@dataclass(frozen=True, slots=True)
class PairingResult:
    """Two entrants in one game: the cells of A, its share of the points, and its exact share where that is known."""

    a: str
    b: str
    game: str
    cells: tuple[int, ...]
    exact: float | None
    needed: int | None

    @property
    def score(self) -> float | None:
        """A's share of the points; None where no pair was played."""
        return mean_of(self.cells) if sum(self.cells) else None


@dataclass(frozen=True, slots=True)
class ArenaReport:
    """A run as it is told."""

    run: ArenaRun
    state: RunState
    entrants: tuple[EntrantLine, ...]
    """The strongest first."""
    pairings: tuple[PairingResult, ...]

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        return self.state.complete

    @property
    def pairs(self) -> int:
        """How many pairs count."""
        return len(self.state.counted)

    @property
    def sprt(self) -> Sprt | None:
        """Where the sequential test stands."""
        return self.state.test


def report_of(run: ArenaRun, log: RunLog | None = None, state: RunState | None = None) -> ArenaReport:
    """Return the report of a run."""
    log = log or run.log()
    state = state or state_of(run, log)
    counted = count(run, log, state)
    ratings = _ratings(run, counted)
    lines = [_line(run, place, counted.accounts[place], ratings, state) for place in range(len(run.names))]
    lines.sort(key=lambda line: (-(line.rating.elo if line.rating else float("-inf")), line.name))
    return ArenaReport(run, state, tuple(lines), _pairings(run, counted))


def _ratings(run: ArenaRun, counted: RunTotals) -> dict[str, Rating]:
    """Return everybody's rating, by name; who has played nobody has none. `level:5` is the zero under its own name."""
    results: dict[tuple[str, str], list[int]] = {}
    for (_, a, b), cells in counted.cells.items():
        both = results.setdefault((run.names[a], run.names[b]), [0] * len(cells))
        results[run.names[a], run.names[b]] = [one + two for one, two in zip(both, cells, strict=True)]
    return {one.name: one for one in ratings_of(results, run.plan.key)}


def _line(
    run: ArenaRun, place: int, account: EntrantAccount, ratings: dict[str, Rating], state: RunState
) -> EntrantLine:
    name = run.names[place]
    return EntrantLine(
        name=name,
        account=account,
        rating=ratings.get(name),
        tally=tally(account.decisions),
        fit=fit_level(account.decisions),
        kept=account.kept_interval(f"{run.plan.key}/{place}"),
        withdrawn=place in state.withdrawn,
    )


def _pairings(run: ArenaRun, counted: RunTotals) -> tuple[PairingResult, ...]:
    return tuple(
        PairingResult(
            a=run.names[one.a],
            b=run.names[one.b],
            game=run.plan.games[one.game].id,
            cells=tuple(counted.cells[one.game, one.a, one.b]),
            exact=one.exact,
            needed=one.needed,
        )
        for one in run.expectations
    )
