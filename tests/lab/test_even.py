"""How even games are, and what search and repair find around the Ferry, counted a second time from the definitions.

Who wins comes from `tests/naive.py` and what can happen from `tests/lab/brute.py`; nothing of the package is in either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests import naive
from tests.lab.brute import happenings
from tests.lab.inline import inline
from tests.lab.plain_metrics import Plain, plain_even_to
from zerosum.coach.evenness import even_to, even_words
from zerosum.lab import metrics as lab_metrics
from zerosum.lab.goals import figure, goal_named, load_goal
from zerosum.lab.metrics import ALL, evenness, metrics
from zerosum.lab.repair import repair
from zerosum.lab.search import Request, SearchResult, search
from zerosum.lab.spaces import read_space
from zerosum.lab.store import open_store
from zerosum.rules.game_files import built_in, load_file
from zerosum.rules.model import Overshoot, Reaching, Rules, rules_from_dict, rules_to_dict
from zerosum.solver import solve
from zerosum.solver.fingerprint import fingerprint

FERRY = load_file("docs/variants/ferry.toml")


def _small(pool: tuple[int, ...], target: int, reaching: Reaching = Reaching.WINS) -> Rules:
    return Rules(id="g", name="G", pool=pool, target=target, overshoot=Overshoot.LOSES, reaching=reaching)


GAMES = {
    None: _small((-3, -2, -1, 4), 3),
    0: _small((-3, -2, 1, 7), 3, Reaching.LOSES),
    1: _small((-3, -2, 3, 6), 4, Reaching.LOSES),
    2: _small((-3, -2, 2, 3), 3),
    3: _small((-3, -2, 3, 7), 4),
    4: _small((-3, 1, 2, 5), 3),
    5: _small((-3, 2, 4, 5, 7), 9),
    6: built_in("sum31"),
    7: replace(FERRY, target=24),
}
"""A game for each level up to which games are even, as far as small ones go."""


def _wrong_levels(games: dict[int | None, Rules]) -> list[int | None]:
    """Return the levels of games that the lab calls even up to another level than the plain definition does."""
    plain = {level: plain_even_to(rules, solve(rules)) for level, rules in games.items()}
    assert plain == {level: level for level in games}
    return [level for level, rules in games.items() if evenness(rules)["even_to"] != plain[level]]


@pytest.mark.slow
def test_even_to_is_what_its_definition_says() -> None:
    assert _wrong_levels(GAMES) == []
    for level, rules in GAMES.items():
        assert metrics(rules)["even_to"] == level


@pytest.mark.parametrize("ignored", [0, 1, 2, 3, 4, 5])
def test_a_level_that_is_ignored_is_found(monkeypatch: pytest.MonkeyPatch, ignored: int) -> None:
    """So the check above can fail: a game that is even up to a level is not even at the next."""

    def lie(first: dict[str, float]) -> int | None:
        return even_to({**first, ALL[ignored]: 0.5})

    monkeypatch.setattr(lab_metrics, "even_to", lie)
    below = ignored - 1 if ignored else None
    assert _wrong_levels({below: GAMES[below]}) == [below]


def test_every_level_counts_and_both_edges_are_even() -> None:
    even = dict.fromkeys(ALL, 0.5)
    assert even_to(even) == 9
    for level, who in enumerate(ALL[:-1]):
        for edge in (0.4, 0.6):
            assert even_to(even | {who: edge}) == 9
        for beyond in (0.399999999999, 0.600000000001):
            assert even_to(even | {who: beyond}) == (level - 1 if level else None)
    assert even_to(even | {"perfect": 1.0}) == 9
    assert [even_words(level) for level in (None, 0, 1)] == [
        "not even at random",
        "even at random alone",
        "even up to level 1",
    ]


def test_the_worst_balance_is_that_of_levels_1_to_8() -> None:
    for level, who in enumerate(ALL):
        document = {"balance": dict.fromkeys(ALL, 0.9) | {who: 0.1}}
        assert figure(document, "balance.worst") == (0.1 if 1 <= level <= 8 else 0.9)


# Around the Ferry


class Solved(NamedTuple):
    """What a plain solver says of a game."""

    plies: int
    share: float


def _solved(rules: Rules) -> Solved:
    game = naive.Variant(rules_to_dict(rules))
    value = naive.solver(game)
    start = game.start()
    after = [game.play(start, move) for move in game.moves(start)]
    won = [one.winner == start.seat if one.winner is not None else value(one)[0] == "loss" for one in after]
    return Solved(value(start)[1], sum(won) / len(won))


@pytest.mark.slow
def test_the_repair_of_the_ferry_is_what_a_plain_solver_finds(tmp_path: Path) -> None:
    """Target 25 at cost 1, which was thrown away once for a clause that nobody wrote."""
    with open_store(tmp_path) as store:
        repairs = repair(FERRY, goal_named("open"), 1, 99, store=store, evaluate=inline)
    found = {one.edited.rules.target: one.edited.cost for one in repairs.found if len(one.edited.changes) == 1}
    plain = {}
    for target in (one for one in range(20 - 12, 20 + 13) if one != 20):
        solved = _solved(replace(FERRY, target=target))
        dead = "overshot" not in happenings(rules_to_dict(replace(FERRY, target=target)))
        if solved.plies >= 7 and 0.3 <= solved.share <= 0.6 and not dead:
            plain[target] = 1
    assert found == plain
    assert found[25] == 1


SPACE = """
format = 1
like = "base"
[vary]
target = "6..13"
reaching = ["wins", "loses"]
"""
BASE = 'format = 1\nid = "base"\nname = "Base"\npool = [-2, 1, 2, 3, 5, 5]\ntarget = 9\novershoot = "loses"\n'
GOAL = """
format = 1
[goal]
"value.plies" = { min = 4 }
"openings.share" = { min = 0.2, max = 0.7 }
"even_to" = { min = 2 }
"density.level:5" = { min = 0.4 }
"audit.dead" = { max = 0 }
"""
STAGES = {"solve": ("value.plies", "openings.share"), "even": ("even_to",), "metrics": ("density.level:5",)}
WRITTEN = 'exhausted = "last-mover"\n'


class Looked(NamedTuple):
    """A game, and how far it is from each line that it misses; `dead` are its dead clauses that somebody wrote."""

    rules: Rules
    away: dict[str, float]
    dead: list[str]


def _looked(written: bool) -> Iterator[Looked]:
    """Yield the games of the space, each judged by the plain definitions."""
    for target in range(6, 14):
        for reaching in ("wins", "loses"):
            keys: dict[str, Any] = {"format": 1, "id": "base", "name": "Base", "overshoot": "loses"}
            keys |= {"pool": [-2, 1, 2, 3, 5, 5], "target": target, "reaching": reaching}
            rules = rules_from_dict(keys)
            solved, solution = _solved(rules), solve(rules)
            level = plain_even_to(rules, solution)
            density = float(Plain(rules, "level:5", solution).document["density"])
            seen = happenings(rules_to_dict(rules))
            clauses = {"reached-target": "unreachable-target", "overshot": "dead-ending"}
            clauses |= {"last-mover": "dead-ending"} if written else {}
            dead = [kind for ending, kind in clauses.items() if ending not in seen]
            away = {
                "value.plies": max(0, 4 - solved.plies) / 4,
                "openings.share": max(0.2 - solved.share, solved.share - 0.7, 0.0),
                "even_to": 10.0 if level is None else max(0, 2 - level) / 2,
                "density.level:5": max(0.0, 0.4 - density),
                "audit.dead": float(len(dead)),
            }
            yield Looked(rules, {line: far for line, far in away.items() if far > 1e-12}, dead)


def _search(folder: Path, *, written: bool) -> SearchResult:
    (folder / "base.toml").write_text(BASE + (WRITTEN if written else ""), encoding="utf-8")
    (folder / "space.toml").write_text(SPACE, encoding="utf-8")
    (folder / "goal.toml").write_text(GOAL, encoding="utf-8")
    with open_store(folder) as store:
        asked = Request(read_space(str(folder / "space.toml")), load_goal(str(folder / "goal.toml")))
        return search(asked, store, inline)


@pytest.mark.slow
@pytest.mark.parametrize("written", [False, True])
def test_a_space_around_it_is_counted_right(tmp_path: Path, written: bool) -> None:
    looked = list(_looked(written))
    left, by_line, by_finding = Counter[str](), Counter[str](), Counter[str]()
    for one in looked:
        stages = STAGES | {"audit": ("audit.dead",)}
        stage = next((name for name, lines in stages.items() if set(lines) & set(one.away)), None)
        if stage is None:
            continue
        left[stage] += 1
        by_line.update(set(stages[stage]) & set(one.away))
        by_finding.update(set(one.dead) if stage == "audit" else ())
    result = _search(tmp_path, written=written)
    assert result.games == len(looked)
    good = {fingerprint(one.rules) for one in looked if not one.away}
    assert {one.fingerprint for one in result.finds} == good
    # Written down, the clause of the empty pool is dead in every game; unwritten, nobody is blamed for it.
    assert (result.good == len(good), bool(good)) == (True, not written)
    assert {stage: result.funnel[stage] for stage in ("arithmetic", "solve", "even", "metrics", "audit")} == {
        stage: left[stage] for stage in ("arithmetic", "solve", "even", "metrics", "audit")
    }
    assert (result.funnel["by_line"], result.funnel["by_finding"]) == (by_line, by_finding)
    assert bool(by_finding) is written
    order = sorted(
        (len(one.away), round(sum(one.away.values()), 9), fingerprint(one.rules), set(one.away))
        for one in looked
        if one.away
    )
    assert [(len(one.fails), one.candidate.fingerprint, set(one.fails)) for one in result.nearest] == [
        (count, name, fails) for count, _, name, fails in order[:3]
    ]
