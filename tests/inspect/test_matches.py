"""The task `zerosum/matches` and our players as models, in Inspect itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai import eval as run
from inspect_ai._util.config import parse_cli_args
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, Model, ModelOutput, ModelUsage, get_model

from tests.inspect.evaluating import evaluated, figures
from zerosum.arena.strength.named_policies import policy_of
from zerosum.arena.strength.pairs import pair_chances
from zerosum.coach.review import review
from zerosum.match.match import Match, read_match
from zerosum.match.setup import Person
from zerosum.rules.game_files import load_game
from zerosum.rules.notation import parse_position
from zerosum.solver import solution_of

SUM31 = load_game("sum31")


def played(model: str | Model, **options: Any) -> EvalLog:
    return evaluated("zerosum/matches", model, options)


def records(log: EvalLog) -> list[Match]:
    return [read_match(sample.metadata["record"]) for sample in log.samples or ()]


def scripted(answer: Callable[[str], ModelOutput]) -> Model:
    """Return a model that answers the last message; each output says its usage, or Inspect would ask the network."""

    def reply(messages: list[ChatMessage], *_: object) -> ModelOutput:
        output = answer(messages[-1].text)
        output.usage = ModelUsage()
        return output

    return get_model("mockllm/model", custom_outputs=reply, memoize=False)


def test_perfect_play_keeps_everything_and_wins_what_can_be_won() -> None:
    log = played("zerosum/perfect", opponent="random", pairs=4)
    found = figures(log)
    assert (found["kept"], found["skill"], found["illegal"], found["unreadable"]) == (1.0, 1.0, 0.0, 0.0)
    assert found["choices"] >= 4
    solution = solution_of(SUM31)
    for sample, match in zip(log.samples or (), records(log), strict=True):
        start = parse_position(sample.metadata["position"], SUM31)
        mine = solution.value(start).verdict.value == "win" if match.person(start.seat) is Person.ONE else None
        if mine:
            assert match.outcome is not None
            assert match.person(match.outcome.winner) is Person.ONE


@pytest.mark.parametrize("game", ["sum31", "zero-sum-duel"])
def test_the_figures_are_those_of_the_reviews(game: str) -> None:
    log = played("zerosum/level-2", games=game, opponent="level:6", pairs=8, seed=3)
    reviews = [review(match, solution_of(match.setup.rules)) for match in records(log)]
    choices, kept = map(sum, zip(*(one.choices(Person.ONE) for one in reviews), strict=True))
    won = sum(
        one.match.outcome is not None and one.match.person(one.match.outcome.winner) is Person.ONE for one in reviews
    )
    found = figures(log)
    assert (found["choices"], found["kept"], found["score"]) == (choices, kept / choices, won / 16)
    assert found["kept_low"] < found["kept"] < found["kept_high"]
    assert found["score_low"] <= found["score"] <= found["score_high"]


def test_the_score_is_what_exact_chances_say() -> None:
    pairs = 30
    log = played("zerosum/level-7", opponent="level:3", pairs=pairs)
    starts = [parse_position(sample.metadata["position"], SUM31) for sample in (log.samples or ())[::2]]
    chances = pair_chances(starts, policy_of("level:7", SUM31), policy_of("level:3", SUM31))
    expected = sum(one.mean for one in chances) / pairs
    spread = sum(one.variance for one in chances) ** 0.5 / pairs
    assert abs(figures(log)["score"] - expected) < 4 * spread


def test_several_games_are_taken_as_the_command_line_gives_them() -> None:
    options = parse_cli_args(["games=sum31,seventeen", "pairs=1", "seed=7"])
    log = played("zerosum/perfect", **options)
    assert sorted(match.setup.rules.id for match in records(log)) == ["seventeen"] * 2 + ["sum31"] * 2


def test_one_seed_gives_one_run_and_another_gives_another() -> None:
    moves = [
        [match.moves for match in records(played("zerosum/level-4", pairs=4, seed=seed))] for seed in ("a", "a", "b")
    ]
    assert moves[0] == moves[1] != moves[2]


def test_epochs_are_other_matches_and_all_count() -> None:
    (log,) = run("zerosum/matches", model="zerosum/random", task_args={"pairs": 3}, epochs=2, display="none")
    matches = records(log)
    assert len({match.moves for match in matches}) > len(matches) // 2
    choices = sum(review(match, solution_of(SUM31)).choices(Person.ONE)[0] for match in matches)
    assert figures(log)["choices"] == choices


def test_a_model_needs_nothing_but_the_text() -> None:
    def first_legal(text: str) -> ModelOutput:
        (line,) = [line for line in text.splitlines() if line.startswith("Legal moves: ")]
        move = line.removeprefix("Legal moves: ").rstrip(".").split(", ")[0]
        return ModelOutput.from_content("scripted", f"MOVE: {move}")

    log = played(scripted(first_legal), pairs=2, legal_moves=True)
    for match in records(log):
        own = [ply for ply in range(len(match.moves)) if match.mover(ply) is Person.ONE]
        assert own
        assert all(match.moves[ply] == match.positions[ply].legal_moves()[0] for ply in own)
    assert figures(log)["illegal"] == 0


def test_an_illegal_move_is_asked_again_where_the_rules_say_so_and_never_kept() -> None:
    log = played(scripted(lambda _: ModelOutput.from_content("scripted", "MOVE: +77")), pairs=2)
    found = figures(log)
    assert (found["score"], found["illegal"], found.get("kept", 0.0)) == (0.0, 8.0, 0.0)
    for sample in log.samples or ():
        assert [one.role for one in sample.messages] == ["user", "assistant"] * 2
        assert "is not a legal move" in sample.messages[2].text


def test_an_answer_that_was_cut_off_is_unreadable() -> None:
    def cut(_: str) -> ModelOutput:
        return ModelOutput.from_content("scripted", "First I look at", stop_reason="max_tokens")

    assert figures(played(scripted(cut), pairs=1))["unreadable"] == 2


def test_a_match_that_a_limit_stops_has_no_score() -> None:
    (log,) = run("zerosum/matches", model="zerosum/random", task_args={"pairs": 2}, message_limit=1, display="none")
    assert log.results is not None
    (score,) = log.results.scores
    assert (log.status, score.scored_samples, score.unscored_samples) == ("success", 0, 4)


def test_every_output_of_a_player_says_its_usage() -> None:
    log = played("zerosum/random", pairs=1)
    assert all(sample.output.usage == ModelUsage() for sample in log.samples or ())
    assert log.stats.model_usage == {"zerosum/random": ModelUsage()}


WRONG = [
    ("zerosum/level-10", {}, "There is no player 'level:10'"),
    ("zerosum/random", {"games": "sum32"}, "Did you mean 'sum31'?"),
    ("zerosum/random", {"opponent": "level:0"}, "There is no player 'level:0'"),
    ("zerosum/random", {"illegal": "never"}, "illegal=never is none of these: rules, forfeit, random."),
    ("zerosum/random", {"format": "xml"}, "format=xml is none of these: line, json"),
    ("zerosum/random", {"pairs": 0}, "pairs=0: at least 1."),
]


@pytest.mark.parametrize(("model", "options", "said"), WRONG)
def test_what_is_wrong_is_said_in_a_line(model: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(PrerequisiteError) as caught:
        run("zerosum/matches", model=model, task_args=options, display="none")
    assert said in str(caught.value.message)
    assert "\n" not in str(caught.value.message)


def test_our_players_answer_our_tasks_alone() -> None:
    (log,) = run(Task([Sample("What is 2 + 2?")]), model="zerosum/level-5", display="none")
    assert log.error is not None
    assert "answer only the tasks zerosum/positions and zerosum/matches" in log.error.message
