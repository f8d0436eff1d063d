"""The report of a run, which follows from the plan and the log alone; and one from records, whoever played the matches.

Records need not come in pairs, so each match is one observation: ratings and their intervals are those of the arena,
over matches in place of pairs. Results follow from the moves, and decisions are judged as in a run.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from zerosum.arena.arena_run import ArenaRun, CountedPairs, state_of
from zerosum.arena.strength.decisions import DecisionTally, KeptLevel, tally_decisions
from zerosum.arena.strength.level_fit import LevelFit, fit_level
from zerosum.arena.strength.people import Find, PersonStrength, people_in
from zerosum.arena.strength.ratings import Rating, Sprt, mean_of, ratings_of
from zerosum.arena.tally import EntrantAccount, RunTotals, add_up
from zerosum.base.documents import IF_SET, OMITTED, inline, member, member_as, to_json
from zerosum.base.errors import RecordError
from zerosum.base.runs import RunLog
from zerosum.match.match import Match
from zerosum.match.setup import Person
from zerosum.players.odds import FindOdds, odds_from

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
    log = log or run.folder.log()
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
        both = run.names[a], run.names[b]
        results[both] = [one + two for one, two in zip(results.get(both, [0] * 5), cells, strict=True)]
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


@dataclass(frozen=True, slots=True)
class RecordedPlayer:
    """A name in some records: what it scored, its rating, and what its decisions kept, if the games can be solved."""

    name: str
    finished: int
    won: int
    elo: float
    elo_low: float
    elo_high: float
    strength: PersonStrength | None
    """Its decisions against the truth; None if none of its games can be solved."""

    @property
    @member
    def score(self) -> float:
        """Its share of the points."""
        return self.won / self.finished


@dataclass(frozen=True, slots=True)
class RecordedPairing:
    """Two names in one game: how many matches, and how many the first-named won."""

    a: str
    b: str
    game: str
    matches: int
    won: int


@dataclass(frozen=True, slots=True)
class RecordsReport:
    """Some records as a report."""

    records: int
    unfinished: int
    """Of them, those without a result: they count for decisions alone."""
    games: tuple[str, ...]
    entrants: tuple[RecordedPlayer, ...]
    """The strongest first."""
    pairings: tuple[RecordedPairing, ...]


def _recorded_pairings(
    matches: Sequence[Match], name_of: Callable[[str, str], str]
) -> dict[tuple[str, str, str], list[bool]]:
    """Return for each two players, in the order of their names, and each game whether the first won each match."""
    pairings: dict[tuple[str, str, str], list[bool]] = {}
    for match in matches:
        if match.outcome is not None:
            both = [name_of(match.setup.name(person), match.setup.who[person - 1]) for person in Person]
            winner = both[match.person(match.outcome.winner) - 1]
            a, b = sorted(both)
            if a == b:
                raise RecordError("In one of the matches both players have the same name; give them two names.")
            pairings.setdefault((a, b, match.setup.rules.id), []).append(winner == a)
    if not pairings:
        raise RecordError("None of the matches has ended, so there is nothing to report.")
    return pairings


def report_on_records(matches: Sequence[Match], find: Find, odds: FindOdds = odds_from) -> RecordsReport:
    """Return the report of some matches.

    Players are told apart by name. If a name stands for different kinds of players, their kind is added to it.
    """
    players = {(match.setup.name(person), match.setup.who[person - 1]) for match in matches for person in Person}
    kinds = Counter(name for name, _ in players)

    def name_of(name: str, who: str) -> str:
        return name if kinds[name] == 1 else f"{name} ({who})"

    pairings = _recorded_pairings(matches, name_of)
    results: dict[tuple[str, str], list[int]] = {}
    played, won = Counter[str](), Counter[str]()
    for (a, b, _), wins in pairings.items():
        cells = results.setdefault((a, b), [0] * 5)
        cells[0] += wins.count(False)
        cells[-1] += wins.count(True)
        played.update({a: len(wins), b: len(wins)})
        won.update({a: wins.count(True), b: wins.count(False)})
    strengths = {name_of(one.name, one.who): one for one in people_in(matches, find, odds=odds)}
    return RecordsReport(
        records=len(matches),
        unfinished=sum(match.outcome is None for match in matches),
        games=tuple(dict.fromkeys(match.setup.rules.id for match in matches)),
        entrants=tuple(
            RecordedPlayer(
                one.name, played[one.name], won[one.name], one.elo, one.low, one.high, strengths.get(one.name)
            )
            for one in ratings_of(results, "records")
        ),
        pairings=tuple(
            RecordedPairing(a, b, game, len(wins), wins.count(True)) for (a, b, game), wins in pairings.items()
        ),
    )
