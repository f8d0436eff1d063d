"""Goals: what is read, what is refused, which lines a game misses, and its score."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.inline import misses
from zerosum.lab.goals import (
    GoalError,
    Stage,
    UnknownGoalError,
    figure,
    goal_named,
    load_goal,
    read_goal,
    score,
    stage_of,
)

DOCUMENT = {
    "value": {"winner": 1, "plies": 9},
    "openings": {"count": 9, "winning": 4, "share": 4 / 9, "bits": 0.99, "swap_right": None},
    "even_to": 8,
    "balance": {"random": 0.1} | {f"level:{n}": 0.99 - 0.02 * n for n in range(1, 10)},
    "density": {"level:5": 0.6},
    "behind": {"level:5": 0.3},
    "early": {"level:2": 0.05},
    "numbers": [{"number": 1, "wins": 3, "needed": 1}],
    "audit": {"dead": 0, "warning": 1, "seat": 1},
}


def _with(path: str, value: object) -> dict[str, object]:
    root, _, leaf = path.partition(".")
    return {**DOCUMENT, root: {**DOCUMENT[root], leaf: value} if leaf else value}  # type: ignore[dict-item]


def test_a_document_that_meets_every_line_misses_none() -> None:
    assert misses(goal_named("standard"), DOCUMENT) == []
    assert misses(goal_named("open"), DOCUMENT) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("value.plies", 6),
        ("value.plies", 14),
        ("openings.share", 0.19),
        ("openings.share", 0.61),
        ("even_to", 6),
        ("even_to", 0),
        ("even_to", None),
        ("density.level:5", 0.49),
        ("early.level:2", 0.11),
        ("audit.dead", 1),
        ("audit.simple-strategy", 1),
        ("value.plies", None),
    ],
)
def test_each_line_of_standard_is_missed_on_its_own(path: str, value: object) -> None:
    assert misses(goal_named("standard"), _with(path, value)) == [path]


def test_the_edges_of_a_line_are_inside_it() -> None:
    for path, value in [("value.plies", 7), ("value.plies", 13), ("openings.share", 0.2), ("even_to", 7)]:
        assert misses(goal_named("standard"), _with(path, value)) == []


def test_a_useless_number_is_one_that_is_never_needed() -> None:
    document = {**DOCUMENT, "numbers": [{"number": 1, "wins": 3, "needed": 0}, {"number": 2, "wins": 3, "needed": 1}]}
    assert figure(document, "numbers.useless") == 1
    assert misses(goal_named("standard"), document) == ["numbers.useless"]


def test_games_with_a_swap_are_judged_by_when_swapping_is_right() -> None:
    swapped = _with("openings.swap_right", 0.9)
    assert figure(swapped, "openings.share") == 0.9
    assert misses(goal_named("open"), swapped) == ["openings.share"]


def test_the_score_is_the_formula_of_the_documentation() -> None:
    assert score(goal_named("standard"), DOCUMENT) == pytest.approx(0.4 * 0.83 + 0.35 * 0.6 + 0.25 * 0.75 - 0.5 * 0.05)


def test_drama_is_capped() -> None:
    assert figure({"behind": {"level:5": 0.5}}, "drama") == 1.0


def test_stages_are_as_cheap_as_they_can_be() -> None:
    assert stage_of("value.plies") is Stage.SOLVE
    assert stage_of("openings.share") is Stage.SOLVE
    assert stage_of("even_to") is stage_of("first.level:9") is stage_of("balance.worst") is Stage.EVEN
    assert stage_of("graph.longest") is stage_of("length.level:9.mean") is stage_of("drama") is Stage.METRICS
    assert stage_of("audit.error") is stage_of("audit.simple-strategy") is Stage.AUDIT
    assert goal_named("standard").stages == (Stage.SOLVE, Stage.EVEN, Stage.METRICS, Stage.AUDIT)
    # No line of this goal is about evenness alone, and the metrics have it too.
    assert goal_named("open").stages == (Stage.SOLVE, Stage.METRICS, Stage.AUDIT)


@pytest.mark.parametrize("path", ["audit.same-as", "audit.example-total", "audit.seats", "even_to.level:2"])
def test_what_says_nothing_about_play_is_no_path(path: str) -> None:
    with pytest.raises(GoalError, match="is not the path of a metric"):
        stage_of(path)


def test_a_goal_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'format = 1\n[goal]\n"value.winner" = { in = [2] }\n"skill.depth" = { min = 4 }\n[score]\n"fairness" = 2\n',
        encoding="utf-8",
    )
    goal = load_goal(str(path))
    assert (goal.name, goal.stages) == ("mine", (Stage.SOLVE, Stage.METRICS))
    assert misses(goal, {**DOCUMENT, "skill": {"depth": 5, "reach": 3}}) == ["value.winner"]
    assert score(goal, {"fairness": 0.5}) == 1.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[goal]\n"value.plies" = { min = 7 }', "format: write `format = 1`"),
        ("format = 2", "format: write `format = 1`"),
        ("format = 1", "goal: missing"),
        ("format = 1\nother = 1", "other: unknown key"),
        ("format = 1\ngoal = 3", "goal: must be a table"),
        ('format = 1\n[goal]\n"value.plys" = { min = 7 }', "Did you mean 'value.plies'?"),
        ('format = 1\n[goal]\n"first.level:10" = { min = 0 }', "is not the path of a metric"),
        ('format = 1\n[goal]\n"value.plies" = 7', "must be a table such as"),
        ('format = 1\n[goal]\n"value.plies" = { least = 7 }', "must be a table such as"),
        ('format = 1\n[goal]\n"value.plies" = { min = "7" }', "min: must be a number"),
        ('format = 1\n[goal]\n"value.plies" = { min = nan }', "min: must be a number"),
        ('format = 1\n[goal]\n"value.plies" = { min = true }', "min: must be a number"),
        ('format = 1\n[goal]\n"value.plies" = { min = 8, max = 7 }', "min is greater than max"),
        ('format = 1\n[goal]\n"value.plies" = { in = [[1]] }', "`in` must be a list"),
        ('format = 1\n[goal]\n"value.plies" = { in = [1], min = 1 }', "stands alone"),
        ('format = 1\n[goal]\n"value.plies" = { min = 1 }\n[score]\n"drama" = inf', "must be from"),
        ('format = 1\n[goal]\n"value.plies" = { min = 1 }\n[score]\n"dramas" = 1', "Did you mean 'drama'?"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "goal.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GoalError, match=r"goal\.toml: ") as caught:
        read_goal(str(path))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_goal_is_guessed() -> None:
    with pytest.raises(UnknownGoalError, match="Did you mean 'standard'"):
        load_goal("standart")
