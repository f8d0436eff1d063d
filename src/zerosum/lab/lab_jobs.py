"""The answers to the questions of `jobs/quality_jobs.py`: how good a game is, for a page."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any, Final, cast

from zerosum.coach.bundled import OfferedDocument, offered
from zerosum.coach.evenness import MEASURED_PLAYERS, ChangeDocument
from zerosum.jobs.game_jobs import solved
from zerosum.jobs.quality_jobs import ChangesDocument, QualityDocument, SeatsDocument
from zerosum.lab import limits
from zerosum.lab.audit import audit, audit_json
from zerosum.lab.batches import run_here
from zerosum.lab.filters import Candidate, Funnel
from zerosum.lab.goals import figure, goal_named, score
from zerosum.lab.metrics import evenness, screen
from zerosum.lab.perfect_play import is_quick
from zerosum.lab.repair import Edited, edited, one_changes, repair_words
from zerosum.lab.store import passing_store
from zerosum.rules.game_files import write_rules
from zerosum.rules.model import Rules, RulesDict, kept_unwritten, rules_from_dict
from zerosum.solver import Solution

_SMALL: Final = 2_000
"""Positions of a game near which games of cost 2 are looked at too."""
_TOGETHER: Final = 12_000
"""Positions of the games that one question looks at, about."""
_MOST_TOGETHER: Final = 24
"""Games that one question looks at."""
_GOAL: Final = "even"
_KEPT: Final = 8


def _too_large(solution: Solution) -> str:
    """Return why a page does not measure a game, nothing if it does."""
    if (solution.count or 0) <= limits.PAGE_POSITIONS:
        return ""
    return (
        f"This game has {solution.count:,} positions, too many to measure here (at most "
        f"{limits.PAGE_POSITIONS:,}). At the terminal, zerosum audit and zerosum metrics take the time they need."
    )


def quality(rules: RulesDict) -> QualityDocument:
    """Return the findings and figures of a game."""
    game = rules_from_dict(rules)
    unmeasured = _too_large(solved(game))  # refuses a game that cannot be solved, before anything else is asked of it
    if unmeasured:
        return {"metrics": None, "unmeasured": unmeasured, "findings": None}
    measured = screen(game, MEASURED_PLAYERS)
    return {
        "metrics": measured,
        "unmeasured": "",
        "findings": cast("list[dict[str, Any]]", audit_json(audit(game, screened=measured))["findings"]),
    }


def seats(rules: RulesDict) -> SeatsDocument:
    """Return how often the first of two equal players wins."""
    game = rules_from_dict(rules)
    solution = solved(game)
    unmeasured = _too_large(solution) or ("" if is_quick(solution) else "That takes too long to work out here.")
    if unmeasured:
        return {"first": {}, "unmeasured": unmeasured}
    first = evenness(game)["first"]
    return {"first": {who: first[who] for who in MEASURED_PLAYERS}, "unmeasured": ""}


def changes(rules: RulesDict, begin: int) -> ChangesDocument:
    """Look at some games near a game, in order of what it costs to make them; `begin` is the place of the first."""
    game = rules_from_dict(rules)
    positions = solved(game).count or limits.PAGE_POSITIONS
    games, costs = _near(json.dumps(rules), 1 if positions > _SMALL else 2)
    begin = max(0, min(begin, len(games) - 1))
    end = min(begin + max(1, min(_MOST_TOGETHER, _TOGETHER // positions)), *(one for one in costs if one > begin))
    some = games[begin:end]
    with passing_store() as store:
        funnel = Funnel(goal_named(_GOAL), store, run_here)
        looks = funnel.look([Candidate(one.rules, one.fingerprint) for one in some])
    known = [(one, look) for one, look in zip(some, looks, strict=True) if "even_to" in look.document]
    nearest = max(known, key=lambda both: _evenness_of(both[1].document), default=None)
    return {
        "games": min(one for one in costs if one >= end),
        "following": end if end < len(games) else None,
        "finished": end in costs,
        "found": [_change(game, one, look.document) for one, look in known if look.good],
        "nearest": [] if nearest is None else [_change(game, nearest[0], nearest[1].document)],
    }


def one_change(rules: RulesDict) -> list[OfferedDocument]:
    """Return three changes of one rule that make other games of a game, the most even first."""
    game = rules_from_dict(rules)
    solved(game)  # refuses a game that cannot be solved
    return [offered(one) for one in one_changes(game)]


@lru_cache(maxsize=_KEPT)
def _near(rules: str, most: int) -> tuple[list[Edited], list[int]]:
    """Return the games that changes up to a cost make, the cheapest first, and how many there are up to each cost.

    The rules are text: equal rules may be written differently, and what is unwritten stays so.
    """
    by_cost = list(edited(rules_from_dict(json.loads(rules)), most))
    return list(chain.from_iterable(by_cost)), list(accumulate(map(len, by_cost)))


def _evenness_of(document: dict[str, Any]) -> tuple[int, float]:
    level = document["even_to"]
    return (-1 if level is None else int(level), float(str(figure(document, "balance.worst"))))


def _change(game: Rules, one: Edited, document: dict[str, Any]) -> ChangeDocument:
    named = kept_unwritten(one.rules, replace(one.rules, id=game.id, name=game.name))
    return {
        "words": repair_words(game, one, document),
        "text": write_rules(named, defaults=False),
        "first": {who: document["first"][who] for who in MEASURED_PLAYERS},
        "score": score(goal_named(_GOAL), document),
    }
