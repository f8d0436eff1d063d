"""The report of a run: it follows from the plan and the log alone, and is the same bytes every time."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field, replace
from typing import Final

from zerosum.arena.arena_run import ArenaRun, state_of
from zerosum.arena.counted_pairs import CountedPairs
from zerosum.arena.strength.decisions import DecisionTally, tally_decisions
from zerosum.arena.strength.level_equivalents import KeptLevel
from zerosum.arena.strength.level_fit import LevelFit, fit_level
from zerosum.arena.strength.ratings import Rating, mean_of, ratings_of
from zerosum.arena.strength.sprt import Sprt
from zerosum.arena.tally import EntrantAccount, RunTotals, add_up
from zerosum.base.documents import IF_SET, OMITTED, inline, member, member_as, to_json
from zerosum.base.runs import RunLog

_COLUMNS: Final = (
    *("name", "matches", "score", "elo", "elo_low", "elo_high", "level", "level_low", "level_high", "level_fits"),
    *("choices", "kept", "kept_low", "kept_high", "chance", "skill", "regret", "plies_lost"),
    *("illegal", "time", "crash", "withdrawn"),
)


@dataclass(frozen=True, slots=True)
class EntrantLine:
    """An entrant: what it scored, its rating, and its decisions against the truth."""

    name: str
    account: EntrantAccount = field(metadata=inline())
    elo: float | None
    """Its rating with its 95 % interval; None if it has played nobody."""
    elo_low: float | None
    elo_high: float | None
    tally: DecisionTally = field(metadata=inline())
    keeps: KeptLevel = field(metadata=inline())
    fit: LevelFit | None = field(metadata=IF_SET)
    """The level whose moves are likeliest, if somebody asked for it."""
    kept_low: float
    kept_high: float
    withdrawn: bool

    @property
    @member
    def level_fits(self) -> bool | None:
        """Whether any level fits its moves; None if nobody asked, or if there are too few to tell."""
        return None if self.fit is None else self.fit.fits

    @property
    @member
    def score(self) -> float | None:
        """Its share of the points; None if it has not played."""
        return self.account.points / self.account.matches if self.account.matches else None


@dataclass(frozen=True, slots=True)
class PairingResult:
    """Two entrants in one game: the cells of A, its share of the points, and its exact share if that is known."""

    a: str
    b: str
    game: str
    cells: tuple[int, ...]
    exact: float | None
    needed: int | None
    book: str
    positions: int
    """How many positions the pairs, and so the exact share, are counted from."""

    @property
    @member
    def score(self) -> float | None:
        """A's share of the points; None if no pair was played."""
        return mean_of(self.cells) if sum(self.cells) else None


@dataclass(frozen=True, slots=True)
class ArenaReport:
    """A run as it is shown; as JSON, `docs/reference/json.md` says what each key means."""

    run: ArenaRun = field(metadata=OMITTED)
    state: CountedPairs = field(metadata=OMITTED)
    entrants: tuple[EntrantLine, ...]
    """The strongest first."""
    pairings: tuple[PairingResult, ...]

    @property
    @member_as("run")
    def key(self) -> str:
        """The hash by which the run is known."""
        return self.run.plan.key

    @property
    @member
    def games(self) -> list[str]:
        """The ids of the games."""
        return [rules.id for rules in self.run.plan.games]

    @property
    @member
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        return self.state.complete

    @property
    @member
    def pairs(self) -> int:
        """How many pairs count."""
        return len(self.state.counted)

    @property
    @member
    def void(self) -> int:
        """How many pairs are void."""
        return self.state.void

    @property
    @member
    def sprt(self) -> Sprt | None:
        """Where the sequential test stands."""
        return self.state.test


def report_of(
    run: ArenaRun, log: RunLog | None = None, state: CountedPairs | None = None, *, likelihood: bool = False
) -> ArenaReport:
    """Return the report of a run; `likelihood` asks for the level whose moves are likeliest too."""
    log = log or run.log()
    state = state or state_of(run, log)
    totals = add_up(run, log, state)
    ratings = _ratings(run, totals)
    lines = [_line(run, place, totals.accounts[place], ratings, state) for place in range(len(run.names))]
    if likelihood:
        lines = [replace(line, fit=fit_level(line.account.decisions)) for line in lines]
    lines.sort(key=lambda line: (-(float("-inf") if line.elo is None else line.elo), line.name))
    return ArenaReport(run, state, tuple(lines), _pairings(run, totals))


def _ratings(run: ArenaRun, totals: RunTotals) -> dict[str, Rating]:
    """Return every rating, by name; an entrant without a pair has none. `level:5` has 0 under its own name."""
    results: dict[tuple[str, str], list[int]] = {}
    for (_, a, b), cells in totals.cells.items():
        both = results.setdefault((run.names[a], run.names[b]), [0] * len(cells))
        results[run.names[a], run.names[b]] = [one + two for one, two in zip(both, cells, strict=True)]
    return {one.name: one for one in ratings_of(results, run.plan.key)}


def _line(
    run: ArenaRun, place: int, account: EntrantAccount, ratings: dict[str, Rating], state: CountedPairs
) -> EntrantLine:
    name = run.names[place]
    rating = ratings.get(name)
    kept = account.kept_interval(f"{run.plan.key}/{place}")
    tally = tally_decisions(account.decisions)
    return EntrantLine(
        name=name,
        account=account,
        elo=None if rating is None else rating.elo,
        elo_low=None if rating is None else rating.low,
        elo_high=None if rating is None else rating.high,
        tally=tally,
        keeps=tally.level(kept),
        fit=None,
        kept_low=kept.low,
        kept_high=kept.high,
        withdrawn=place in state.withdrawn,
    )


def _pairings(run: ArenaRun, totals: RunTotals) -> tuple[PairingResult, ...]:
    return tuple(
        PairingResult(
            a=run.names[expectation.a],
            b=run.names[expectation.b],
            game=run.plan.games[expectation.game].id,
            cells=tuple(totals.cells[expectation.game, expectation.a, expectation.b]),
            exact=expectation.exact,
            needed=expectation.needed,
            book=run.plan.book,
            positions=len(run.plan.books[expectation.game]),
        )
        for expectation in run.expectations
    )


def report_csv(report: ArenaReport) -> str:
    """Return the entrants of a report as a table."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(to_json(line) for line in report.entrants)
    return text.getvalue()
