"""The task `zerosum/positions` says what `zerosum exam score` says of the same replies."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from inspect_ai import eval as run
from inspect_ai import score as score_log
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ChatMessage, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolInfo

from tests.inspect.evaluating import evaluated, figures
from zerosum.exam.draw_items import PUBLIC_SHA256, make_items
from zerosum.exam.inspect_tasks import position_score
from zerosum.exam.items import ItemSet, Options, read_items
from zerosum.exam.scoring import grade, keeping_moves
from zerosum.exam.summary import summarize
from zerosum.rules.game_files import load_game


@pytest.fixture(scope="module")
def drawn() -> ItemSet:
    games = (load_game("sum31"), load_game("zero-sum-duel"))
    return make_items(Options(games=games, count=9, fresh=1, reskin=1, seed="inspect"), "inspect")


@pytest.fixture
def file(drawn: ItemSet, tmp_path: Path) -> str:
    path = tmp_path / "items.jsonl"
    path.write_bytes(drawn.data)
    return str(path)


def asked(model: str | Model, file: str, **options: Any) -> EvalLog:
    return evaluated("zerosum/positions", model, {"items": file, **options})


def same_as_the_exam(log: EvalLog, file: str, *options: str) -> None:
    """Compare the figures with what the command says of the replies, which a file hands over."""
    lines = [
        json.dumps({"id": sample.id, "reply": sample.output.completion, "truncated": is_cut(sample)})
        for sample in log.samples or ()
    ]
    given = Path(file).with_name("replies.jsonl")
    given.write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, "-m", "zerosum", "exam", "score", file, str(given), "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said, found = json.loads(done.stdout), figures(log)
    for key in ("choices", "kept", "kept_low", "kept_high", "chance", "skill", "illegal", "unreadable", "truncated"):
        assert found[key] == said[key], key
    assert found["regret"] == pytest.approx(said["regret"], abs=1e-12)
    for skin in ("original", "reskin"):
        assert found[f"kept_{skin}"] == said["by_skin"][skin]["kept"]


def is_cut(sample: EvalSample) -> bool:
    return sample.output.stop_reason == "max_tokens"


def test_kept_is_what_the_exam_says(drawn: ItemSet, file: str) -> None:
    log = asked("zerosum/level-2", file)
    same_as_the_exam(log, file)
    assert 0 < figures(log)["kept"] < 1
    assert log.eval.metadata == {"items": drawn.sha256, "tools": "none"}


def test_perfect_play_keeps_everything_in_every_skin(file: str) -> None:
    log = asked("zerosum/perfect", file)
    same_as_the_exam(log, file)
    found = figures(log)
    assert (found["kept"], found["skill"], found["regret"]) == (1.0, 1.0, 0.0)


@pytest.mark.parametrize("lenient", [False, True])
def test_replies_of_every_kind_count_as_in_the_exam(drawn: ItemSet, file: str, lenient: bool) -> None:
    dice = Random("kinds")
    by_prompt = {item.prompt(): item for item in drawn.items}

    def reply(messages: list[ChatMessage], *_: object) -> ModelOutput:
        item = by_prompt[messages[-1].text]
        best = keeping_moves(item)[0]
        text, stop = dice.choice(
            [
                (f"MOVE: {best}", "stop"),
                ("MOVE: +997", "stop"),
                ("I do not know.", "stop"),
                ("MOVE: +1 or +2", "stop"),
                (f"I would take {best} here", "stop"),
                ("Let me think: 5 and then", "max_tokens"),
            ]
        )
        output = ModelOutput.from_content("scripted", text, stop_reason=stop)  # type: ignore[arg-type]
        output.usage = ModelUsage()
        return output

    log = asked(get_model("mockllm/model", custom_outputs=reply, memoize=False), file, lenient=lenient)
    same_as_the_exam(log, file, *(["--lenient"] if lenient else []))
    found = figures(log)
    assert min(found[kind] for kind in ("illegal", "unreadable", *(() if lenient else ("truncated",)))) > 0


@pytest.mark.parametrize("name", ["rules", "analyze", "reply"])
def test_a_model_asks_the_referee_and_plays_what_it_says(file: str, name: str) -> None:
    """A model without any knowledge of the rules takes its move from what a tool answers."""

    def reply(messages: list[ChatMessage], tools: list[ToolInfo], *_: object) -> ModelOutput:
        assert [tool.name for tool in tools] == ["rules", "analyze", "reply"]
        told = messages[-1]
        if told.role != "tool":
            output = ModelOutput.for_tool_call("scripted", name, {})
        else:
            answer = json.loads(told.text)
            assert "verdict" not in told.text, "the referee says nothing about good moves"
            moves = [*(one["move"] for one in answer.get("options", ())), "unknown"]
            move = answer.get("move", moves[0])
            output = ModelOutput.from_content("scripted", f"MOVE: {move}")
        output.usage = ModelUsage()
        return output

    log = asked(get_model("mockllm/model", custom_outputs=reply, memoize=False), file, tools="referee")
    same_as_the_exam(log, file)
    found = figures(log)
    assert (found["illegal"], found["unreadable"]) == (0, len(log.samples or ()) if name == "rules" else 0)
    assert log.eval.metadata is not None
    assert log.eval.metadata["tools"] == "referee"


def test_the_switches_change_the_prompt(file: str) -> None:
    log = asked("zerosum/random", file, legal_moves=True, history=False, thinking=False, format="json")
    for sample in log.samples or ():
        text = sample.messages[0].text
        assert text.startswith("You are playing ")
        assert "Legal moves: " in text
        assert "Moves so far" not in text
        assert text.rstrip().endswith("and nothing else.")
    assert len(read_items(file).items) == len(log.samples or ())


def test_a_log_can_be_scored_again(file: str) -> None:
    log = asked("zerosum/level-2", file)
    again = score_log(log, position_score(items=file), action="overwrite", display="none")
    assert figures(again) == figures(log)


def test_a_seed_gives_the_same_replies_and_another_gives_others(file: str) -> None:
    said = []
    for seed in (1, 1, 2):
        player = get_model("zerosum/random", seed=seed, memoize=False)
        (log,) = run("zerosum/positions", model=player, task_args={"items": file}, limit=9, display="none")
        said.append([sample.output.completion for sample in log.samples or ()])
    assert said[0] == said[1] != said[2]


def test_epochs_are_asked_anew(drawn: ItemSet, file: str) -> None:
    (log,) = run("zerosum/positions", model="zerosum/random", task_args={"items": file}, epochs=2, display="none")
    said: dict[str, list[str]] = {}
    for sample in log.samples or ():
        said.setdefault(str(sample.id), []).append(sample.output.completion)
    assert len(said) == len(drawn.items)
    assert any(one != two for one, two in said.values())
    assert (
        figures(log)["choices"]
        == 2 * summarize(drawn.items, [grade(item, "") for item in drawn.items]).score.kept.choices
    )


@pytest.mark.parametrize(
    ("items", "said"),
    [("missing.jsonl", "missing.jsonl"), ("wrong.jsonl", "not a set of items")],
)
def test_a_set_that_cannot_be_read_is_named(items: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(PrerequisiteError) as caught:
        run("zerosum/positions", model="zerosum/random", task_args={"items": items}, display="none")
    assert said in str(caught.value.message)


def test_without_a_file_the_public_set_is_asked() -> None:
    (log,) = run("zerosum/positions", model="zerosum/perfect", limit=4, display="none")
    assert log.eval.metadata == {"items": PUBLIC_SHA256, "tools": "none"}
    assert figures(log)["kept"] == 1
