"""What the library offers of the lab, of cards and of levels: each one call, with a game named in any way.

Nothing is kept between two calls. The commands of the same names keep what they compute in the store of the lab.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from zerosum.base.svg import bars, page, table
from zerosum.coach.bundled import bundled_figures
from zerosum.coach.evenness import even_words
from zerosum.lab.audit import Audit
from zerosum.lab.audit import audit as audit_rules
from zerosum.lab.batches import Evaluate, run_here
from zerosum.lab.executors import Local, crew
from zerosum.lab.goals import load_goal
from zerosum.lab.metrics import at_path
from zerosum.lab.metrics import metrics as metrics_of
from zerosum.lab.repair import Repairs
from zerosum.lab.repair import repair as repair_rules
from zerosum.lab.search import Request, SearchResult
from zerosum.lab.search import search as search_space
from zerosum.lab.spaces import read_space
from zerosum.lab.store import passing_store
from zerosum.players.odds import Ladder, ladder_of
from zerosum.rules.game_files import Game, rules_of
from zerosum.rules.model import Rules
from zerosum.solver import solution_of
from zerosum.strategy.card_report import CardReport, report_of
from zerosum.strategy.card_search import SECONDS, SearchLimit


@dataclass(frozen=True, slots=True, eq=False)
class Metrics(Mapping[str, Any]):
    """Everything that is measured of a game: a mapping with the keys of `zerosum metrics --json`."""

    rules: Rules
    document: Mapping[str, Any]

    def __getitem__(self, key: str) -> Any:
        return self.document[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.document)

    def __len__(self) -> int:
        return len(self.document)

    def at(self, path: str) -> Any:
        """Return the figure at a path, such as `first.level:5` or `length.level:5.mean`."""
        return at_path(self.document, path)

    def _repr_html_(self) -> str:
        name, one = self.rules.name, self.document
        rows = {who: (one["first"][who], one["density"][who]) for who in one["first"]}
        heads = "first of two equals wins", "plies that are real choices"
        return page(
            f"{name}: {even_words(one['even_to'])}",
            bars(f"{name}, for each player in per cent: {' and '.join(heads)}", heads, rows),
            table(("value", "openings that win", "plies at level 5", "positions"), [self._facts()]),
        )

    def _facts(self) -> Sequence[str]:
        value, openings = self.document["value"], self.document["openings"]
        wins = "draw" if value["winner"] is None else f"player {value['winner']} wins in {value['plies']} plies"
        plies = self.document["length"]["level:5"]["mean"]
        positions = f"{self.document['graph']['positions']:,}"
        return wins, f"{openings['winning']} of {openings['count']}", f"{plies:.2f}", positions


def metrics(game: Game) -> Metrics:
    """Measure how even, long, rich in choices and dramatic a game is, exactly: `zerosum metrics`.

    >>> found = metrics("sum31")
    >>> found["value"], found["even_to"], round(found.at("first.level:5"), 4)
    ({'winner': 2, 'plies': 7}, 6, 0.4155)
    """
    rules = rules_of(game)
    figures = bundled_figures(rules)
    return Metrics(rules, metrics_of(rules) if figures is None else figures["metrics"])


def audit(game: Game) -> Audit:
    """Say what is wrong with a game, each finding with moves that show it or a proof: `zerosum audit`.

    >>> [finding.kind.value for finding in audit("sum31").findings]
    ['decided-openings', 'dead-ending', 'example-missed-win']
    """
    return audit_rules(rules_of(game))


def repair(game: Game, goal: str = "open", *, cost: int = 3, count: int = 3, jobs: int = 1) -> Repairs:
    """Find the cheapest changes that make a game meet a goal: `zerosum repair`.

    With `jobs` above 1, processes work at once; a script then needs the usual `if __name__ == "__main__":`.
    """
    with passing_store() as store, _evaluate(jobs) as evaluate:
        return repair_rules(rules_of(game), load_goal(goal), cost, count, store=store, evaluate=evaluate)


def search(
    space: str, goal: str = "standard", *, count: int = 10, samples: int | None = None, seed: int = 1, jobs: int = 1
) -> SearchResult:
    """Search a space of games, the path of a file that says what varies, for games that meet a goal: `zerosum search`.

    `jobs` is as for `repair`.
    """
    request = Request(read_space(space), load_goal(goal), count, samples, seed)
    with passing_store() as store, _evaluate(jobs) as evaluate:
        return search_space(request, store, evaluate)


def card(game: Game, *, seconds: float = SECONDS) -> CardReport:
    """Return the strategy card of a game, a short list of rules, with its proof and figures: `zerosum card`.

    >>> found = card("sum31")
    >>> found.proof.proved, len(found.card.rules)
    (True, 4)
    """
    return report_of(solution_of(rules_of(game)), SearchLimit(seconds))


def levels(game: Game) -> Ladder:
    """Return how strong every level is in a game, exactly: `zerosum levels`.

    >>> [round(rung.perfect.average, 2) for rung in levels("sum31").rungs][-3:]
    [0.31, 0.39, 0.46]
    """
    return ladder_of(rules_of(game))


@contextmanager
def _evaluate(jobs: int) -> Iterator[Evaluate]:
    """Give what measures games: in this process, or in several."""
    if jobs > 1:
        with crew(Local(jobs)) as evaluate:
            yield evaluate
    else:
        yield run_here
