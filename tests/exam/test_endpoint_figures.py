"""What an endpoint says beside its answer: tokens, time, names, refusals, errors; and tools, against a scripted one."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isclose
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.arena.entrants.fake_endpoint import Fake, Scripted, endpoint
from tests.cli.command import Zerosum
from tests.exam.scripts import asked
from tests.exam.sets import answer, drawn
from zerosum.arena.entrants import limits as entrant_limits
from zerosum.arena.entrants.model_endpoint import Endpoint, NoAnswerError, ToolCall
from zerosum.arena.entrants.prompt import AnswerFormat, PromptStyle
from zerosum.base.statistics import share_interval
from zerosum.exam import limits
from zerosum.exam.askers import REFEREE, REFEREE_TOOLS, ModelAsker, answer_call
from zerosum.exam.exam_page import page
from zerosum.exam.exam_run import ExamPlan, ask_all, create_run, open_run
from zerosum.exam.items import ItemSet
from zerosum.exam.scoring import GradeKind, Price, facts_of, keeping_moves
from zerosum.exam.summary import ExamReport, report_json, report_of

SMALL = drawn("sum31", 8, 0, 1)
SECRET = "sk-a-key-that-must-be-nowhere-9876543210"  # noqa: S105 - it is none
Script = Callable[[dict[str, Any]], Scripted]


def examined(folder: Path, script: Script, found: ItemSet = SMALL, **plan: Any) -> tuple[ExamReport, Fake]:
    """Ask a set of a scripted endpoint, and read the run back from its folder."""
    run = create_run(found, ExamPlan(found.sha256, "model", "tiny", **plan), str(folder / "run"))
    with endpoint(script) as fake:
        asker = ModelAsker("tiny", fake.url, 60.0, run.plan.style, tools=run.plan.tools, sleep=lambda _: None)
        assert ask_all(run, asker, 3) is None
    return report_of(open_run(run.folder.path), price=Price(2.0, 10.0)), fake


def one_reply(scripted: Scripted) -> Any:
    with endpoint(lambda _: scripted) as fake:
        return Endpoint("tiny", fake.url, sleep=lambda _: None).ask([{"role": "user", "content": "?"}], 60.0)


def test_every_figure_of_every_reply_is_kept_and_added_up(tmp_path: Path) -> None:
    items = asked(SMALL)
    places = {item.id: place for place, item in enumerate(SMALL.items)}

    def script(request: dict[str, Any]) -> Scripted:
        item = items[request["messages"][0]["content"]]
        place = places[item.id]
        usage = {"prompt_tokens": 100 + place, "completion_tokens": 10 * place + 7}
        thoughts = {"completion_tokens_details": {"reasoning_tokens": place}}
        model = "tiny-2026-01" if place % 2 else "tiny-2026-02"
        return Scripted(answer(item, "level:4"), usage={**usage, **thoughts}, model=model)

    report, _ = examined(tmp_path, script)
    count, usage = len(SMALL.items), report.usage
    assert usage is not None
    for row in report.rows:
        place, (reply,) = places[row.item.id], row.replies
        assert reply.usage.prompt_tokens == 100 + place
        assert reply.usage.completion_tokens == 10 * place + 7
        assert reply.usage.reasoning_tokens == place
        assert (reply.usage.finish, reply.usage.model) == ("stop", f"tiny-2026-0{2 - place % 2}")
        assert reply.usage.seconds is not None
    asked_tokens, answered = sum(100 + n for n in range(count)), sum(10 * n + 7 for n in range(count))
    assert (usage.prompt_tokens, usage.completion_tokens) == (asked_tokens, answered)
    assert usage.reasoning_tokens == sum(range(count))
    assert usage.tokens_per_item == answered / count
    assert usage.finish == {"stop": count}
    assert usage.models == {"tiny-2026-01": count / 2, "tiny-2026-02": count / 2}
    times = sorted(row.replies[0].usage.seconds or 0.0 for row in report.rows)
    assert usage.seconds_median == median(times)
    assert sum(one <= (usage.seconds_90 or 0) for one in times) >= 0.9 * count
    assert usage.cost is not None
    assert isclose(usage.cost.total, asked_tokens * 2 / 1e6 + answered * 10 / 1e6)
    assert isclose(usage.cost.per_item, usage.cost.total / count)
    kept = sum(row.grades[-1].kept for row in report.rows if row.grades[-1].facts.real)
    assert isclose(usage.cost.per_kept or 0, usage.cost.total / kept)


def test_what_was_kept_by_tokens_is_in_quarters(tmp_path: Path) -> None:
    items = asked(SMALL)
    real = [item for item in SMALL.items if facts_of(item).real]
    order = {item.id: place for place, item in enumerate(sorted(real, key=lambda one: one.id))}

    def script(request: dict[str, Any]) -> Scripted:
        item = items[request["messages"][0]["content"]]
        place = order.get(item.id, 0)
        right = place >= len(real) // 2
        return Scripted(f"MOVE: {keeping_moves(item)[0]}" if right else "?", usage={"output_tokens": place})

    report, _ = examined(tmp_path, script)
    assert report.usage is not None
    bands = report.usage.by_tokens
    assert [one.choices for one in bands] == [(n + 1) * len(real) // 4 - n * len(real) // 4 for n in range(4)]
    assert [one.kept for one in bands] == [0, 0, *(one.choices for one in bands[2:])]
    assert (bands[0].least, bands[-1].most) == (0, len(real) - 1)
    for one in bands:
        part = [item for item in real if one.least <= order[item.id] <= one.most]
        groups = [sum(item.number == number for item in part) for number in {item.number for item in part}]
        counts = [(size, size if one.kept else 0) for size in groups]
        assert one.interval == share_interval(counts, "tokens")
    text = page(report)
    assert "Kept by the tokens of the reply" in text
    assert "Cost at 2 and 10 a million tokens" not in text, "nothing was said of the question's tokens"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": [{"type": "text", "text": "MOVE: "}, {"type": "text", "text": "+5"}]}, "MOVE: +5"),
        ({"content": [{"type": "thinking", "thinking": "MOVE: +1"}, {"type": "text", "text": "MOVE: +5"}]}, "MOVE: +5"),
        ({"content": [{"type": "reasoning", "text": "MOVE: +1"}, {"type": "output_text", "text": "Hm"}]}, "Hm"),
        ({"content": ["MOVE:", " +5", 7, None]}, "MOVE: +5"),
        ({"content": []}, ""),
        ({"content": None, "refusal": "I will not."}, "I will not."),
        ({"content": [{"type": "refusal", "refusal": "No."}]}, "No."),
    ],
)
def test_content_in_parts_is_read(message: dict[str, Any], text: str) -> None:
    reply = one_reply(Scripted(message=message))
    assert reply.text == text
    assert reply.refused == ("refusal" in json.dumps(message))


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": -1, "completion_tokens": True},
        {"prompt_tokens": "7", "completion_tokens": 1e9},
        {"completion_tokens": 10**30, "completion_tokens_details": [1]},
        [1],
        "many",
    ],
)
def test_figures_that_are_none_are_left_out(usage: Any) -> None:
    found = one_reply(Scripted("MOVE: +5", usage=usage, model="x\x1b[31m" + "y" * 500)).usage
    assert (found.prompt_tokens, found.completion_tokens, found.reasoning_tokens) == (None, None, None)
    assert found.model.isprintable()
    assert len(found.model) <= 110


def test_refusals_are_counted_apart_and_keep_nothing(tmp_path: Path) -> None:
    items = asked(SMALL)
    kinds = [
        Scripted(message={"content": None, "refusal": "MOVE: +1 would be wrong."}),
        Scripted("MOVE: +", finish="content_filter"),
        Scripted("I must not.", finish="refusal"),
    ]
    refused = {item.id: kinds[place % 3] for place, item in enumerate(SMALL.items[:6])}

    def script(request: dict[str, Any]) -> Scripted:
        item = items[request["messages"][0]["content"]]
        return refused.get(item.id, Scripted(f"MOVE: {keeping_moves(item)[0]}"))

    report, _ = examined(tmp_path, script, lenient=True)
    score = report.summary.score
    assert score.kinds[GradeKind.REFUSED] == 6
    assert score.kinds[GradeKind.UNREADABLE] == score.kinds[GradeKind.ILLEGAL] == 0
    real = [item.id for item in SMALL.items if facts_of(item).real]
    assert score.kept.kept == len([one for one in real if one not in refused])
    told = report_json(report)
    assert told["refused"] == 6
    assert report.usage is not None
    assert report.usage.finish == {"stop": len(items) - 4, "content_filter": 2, "refusal": 2}
    assert "6 refused" in page(report)


def pauses_until(statuses: list[int], tries: int = 6, **scripted: Any) -> tuple[list[float], str]:
    """Return the pauses between requests that get these statuses, and the error or the answer at the end."""
    pauses: list[float] = []
    left = iter(statuses)
    with endpoint(lambda _: Scripted("MOVE: +5", status=next(left), **scripted)) as fake:
        asker = Endpoint("tiny", fake.url, sleep=pauses.append, tries=tries)
        try:
            return pauses, asker.ask([{"role": "user", "content": "?"}], 60.0).text
        except NoAnswerError as error:
            return pauses, str(error)


@pytest.mark.parametrize("tries", [1, 6, 20])
def test_a_storm_of_429_gets_a_minute_of_patience(tries: int) -> None:
    pauses, said = pauses_until([429] * 40, tries)
    assert sum(pauses) >= entrant_limits.BUSY_SECONDS >= 60
    assert said == f"tiny gave no answer in {len(pauses) + 1} tries: status 429."
    assert max(pauses) <= 30
    pauses, said = pauses_until([429] * 7 + [200], tries)
    assert said == "MOVE: +5", "a storm of half a minute is waited out"
    pauses, _ = pauses_until([500] * 20, 3)
    assert pauses == [0.5, 1.0], "only 429 gets that"


def test_an_endpoint_that_names_a_pause_gets_it() -> None:
    assert pauses_until([429, 429, 200], retry_after="45")[0] == [45.0, 45.0]
    assert pauses_until([429, 200], retry_after="1.5")[0] == [1.5]
    assert pauses_until([429, 200], retry_after="9999")[0] == [120.0]
    assert pauses_until([429, 200], retry_after="Wed, 18 Nov 2026 07:28:00 GMT")[0] == [0.5]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"message": f"Bad key {SECRET}.", "code": 1}}, ', "Bad key [key]".'),
        ({"error": f"no {SECRET}\n\x1b[31mmodel"}, ', "no [key]'),
        ({"message": "Unknown model."}, ', "Unknown model".'),
        ({"detail": [{"msg": "x"}]}, "."),
        ({"error": {"message": "y" * 9_000}}, ', "yyy'),
        ([1], "."),
    ],
)
def test_the_endpoints_own_sentence_is_told_without_the_key(
    body: Any, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZEROSUM_MODEL_KEY", SECRET)
    for status, how in ((401, "refuses to answer: status 401"), (503, "gave no answer in 6 tries: status 503")):
        _, said = pauses_until([status] * 9, body=json.dumps(body).encode())
        assert said.startswith(f"tiny {how}{words}")
        assert SECRET not in said
        assert said.isprintable()
        assert len(said) < 400
    _, said = pauses_until([400], body=f"plain {SECRET} text".encode())
    assert said == 'tiny refuses to answer: status 400, "plain [key] text".'
    assert pauses_until([400], body=b"<html>no")[1] == "tiny refuses to answer: status 400."


def call(name: str, **arguments: object) -> dict[str, Any]:
    return {"id": f"c-{name}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


@pytest.mark.parametrize("answer_format", [AnswerFormat.LINE, AnswerFormat.TOOL])
def test_a_model_with_a_referee_is_answered_and_then_has_to_answer(tmp_path: Path, answer_format: AnswerFormat) -> None:
    """It looks up where a move leads; one that goes on calling is told to answer in the end."""
    style = PromptStyle(format=answer_format)
    by_call = answer_format is AnswerFormat.TOOL
    few = drawn("sum31", 2, 0, 1)
    items = asked(few, style)
    stubborn = few.items[0].prompt(style)
    usage = {"prompt_tokens": 10, "completion_tokens": 2}

    def script(request: dict[str, Any]) -> Scripted:
        names = [one["function"]["name"] for one in request["tools"]]
        assert names == [*(["move"] if by_call else []), "rules", "analyze", "reply"]
        messages = request["messages"]
        item = items[messages[0]["content"]]
        told = [one for one in messages if one["role"] == "tool"]
        first = item.text_of(item.position.legal_moves()[0])
        for one in told:
            said = json.loads(one["content"])
            assert said["moves"] == [first]
            assert said["position"] == str(item.shown.position.play(first))
            assert not {"verdict", "plies"} & {*said}
        forced = {"type": "function", "function": {"name": "move"}} if by_call else "none"
        if request.get("tool_choice") == forced or (told and messages[0]["content"] != stubborn):
            move = keeping_moves(item)[0]
            calls = {"content": None, "tool_calls": [call("move", move=move)]}
            return Scripted(message=calls, usage=usage) if by_call else Scripted(f"MOVE: {move}", usage=usage)
        return Scripted(message={"content": None, "tool_calls": [call("analyze", moves=first)]}, usage=usage)

    report, fake = examined(tmp_path, script, few, style=style, tools=REFEREE)
    assert report.summary.score.kinds[GradeKind.MOVE] == len(few.items)
    assert report.usage is not None
    rounds = limits.TOOL_ROUNDS + len(few.items) - 1
    assert report.usage.tool_calls == rounds
    assert report.usage.completion_tokens == 2 * len(fake.requests) == 2 * (rounds + len(few.items))
    assert report_json(report)["tools"] == "referee"


def test_the_referee_answers_every_call_in_one_line() -> None:
    item = SMALL.items[0]
    legal = [item.text_of(move) for move in item.position.legal_moves()]
    found = json.loads(answer_call(item, ToolCall("", "analyze", "{}")))
    assert [one["move"] for one in found["options"]] == [
        item.shown.position.text_of(m) for m in item.shown.position.legal_moves()
    ]
    assert {one["move"] for one in found["options"]} == {*legal}
    replied = json.loads(answer_call(item, ToolCall("", "reply", '{"seed": "1"}')))
    assert replied["move"] in legal
    assert json.loads(answer_call(item, ToolCall("", "rules", "")))["words"]
    for name, arguments in (
        ("solve", "{}"),
        ("analyze", "no json"),
        ("analyze", "[1]"),
        ("analyze", '{"moves": 5}'),
        ("analyze", '{"moves": "+123456"}'),
        ("analyze", json.dumps({"position": "1," * 5_000})),
        ("reply", "[" * 100_000),
    ):
        said = json.loads(answer_call(item, ToolCall("", name, arguments)))
        assert list(said) == ["error"]
    assert [one["function"] for one in REFEREE_TOOLS]


def test_a_call_that_nobody_offered_is_no_answer(tmp_path: Path) -> None:
    few = drawn("sum31", 2, 0, 1)
    report, fake = examined(tmp_path, lambda _: Scripted(message={"content": None, "tool_calls": [call("solve")]}), few)
    assert report.summary.score.kinds[GradeKind.UNREADABLE] == len(few.items) == len(fake.requests)


def test_settings_are_sent_and_noted(tmp_path: Path, zerosum: Zerosum) -> None:
    few = drawn("sum31", 2, 0, 1)
    items = tmp_path / "items.jsonl"
    items.write_bytes(few.data)
    known = asked(few, PromptStyle(format=AnswerFormat.TOOL))
    sent = ("--set", 'reasoning_effort="high"', "--set", "seed=7", "--set", 'x.y={"a": [1, null]}')
    numbers = ("--temperature", "0.5", "--max-completion-tokens", "9000")
    tool = ("--format", "tool", "--tool-choice", "move")

    def script(request: dict[str, Any]) -> Scripted:
        move = keeping_moves(known[request["messages"][0]["content"]])[0]
        return Scripted(message={"content": None, "tool_calls": [call("move", move=move)]})

    with endpoint(script) as fake:
        base = ("exam", "run", str(items), "--model", "tiny", "--url", fake.url)
        told = zerosum(*base, "--out", str(tmp_path / "run"), *sent, *numbers, *tool, "--json").ok().json()
        for request in fake.requests:
            assert (request["reasoning_effort"], request["seed"]) == ("high", 7)
            assert request["x.y"] == {"a": [1, None]}
            assert (request["temperature"], request["max_completion_tokens"]) == (0.5, 9000)
            assert request["tool_choice"] == {"type": "function", "function": {"name": "move"}}
        assert told["kept"] == 1.0
        assert told["settings"]["reasoning_effort"] == "high"
        assert told["settings"]["x.y"] == {"a": [1, None]}
        shown = zerosum("exam", "report", str(tmp_path / "run")).ok().out
        assert 'reasoning effort "high"' in shown
        assert "temperature 0.5, max completion tokens 9000" in shown
        for wrong, words in {
            "model=1": "it is set already, or set by zerosum itself",
            "stream=true": "it is set already, or set by zerosum itself",
            "effort=high": "a text has quotes: --set 'effort=\"high\"'",
            "=1": "--set takes KEY=JSON",
            "noequals": "--set takes KEY=JSON",
        }.items():
            ran = zerosum(*base, "--out", str(tmp_path / "no"), "--set", wrong)
            assert ran.status == 2
            assert words in ran.err
        ran = zerosum(*base, "--out", str(tmp_path / "no"), "--tool-choice", "required")
        assert (ran.status, "goes with --format tool" in ran.err) == (2, True)
        ran = zerosum("exam", "report", str(tmp_path / "run"), "--price", "1")
        assert (ran.status, "--price takes two numbers" in ran.err) == (2, True)
