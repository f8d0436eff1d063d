"""Runs against an endpoint with real HTTP: what is measured, what goes wrong, and that no key is anywhere."""

from __future__ import annotations

import json
import threading
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.arena.entrants.fake_endpoint import Fake, Scripted, endpoint
from tests.exam.scripts import asked, player
from tests.exam.sets import answer, drawn
from tests.full import FULL, part
from zerosum.arena.entrants.prompt import DEFAULT_STYLE, AnswerFormat, PromptStyle
from zerosum.base.errors import ZerosumError
from zerosum.base.runs import RunError, log_line
from zerosum.exam import items, scoring, summary
from zerosum.exam.askers import ModelAsker
from zerosum.exam.exam_page import page
from zerosum.exam.exam_run import ExamPlan, ExamRun, ask_all, create_run, open_run, start_run
from zerosum.exam.items import ItemSet
from zerosum.exam.scoring import GradeKind, keeping_moves
from zerosum.exam.summary import ExamReport, report_json, report_of

SET = drawn()
LARGE = "sum31,seventeen,last-straw,campfire" if FULL else "sum31,seventeen"
SECRET = "sk-a-key-that-must-be-nowhere-0123456789"  # noqa: S105 - it is none


def settled(folder: Path, found: ItemSet = SET, style: PromptStyle = DEFAULT_STYLE, **keys: Any) -> ExamRun:
    return create_run(found, ExamPlan(found.sha256, "model", "tiny", style=style, **keys), str(folder / "run"))


def ask(run: ExamRun, fake: Fake, jobs: int = 1, seconds: float = 60.0) -> str | None:
    asker = ModelAsker("tiny", fake.url, seconds, run.plan.style, sleep=lambda _: None)
    return ask_all(run, asker, jobs)


def examined(folder: Path, who: str, found: ItemSet = SET, jobs: int = 4) -> ExamReport:
    run = settled(folder, found)
    with endpoint(player(found, who)) as fake:
        assert ask(run, fake, jobs) is None
        assert len(fake.requests) == len(found.items)
    return report_of(run)


def test_a_perfect_model_keeps_everything(tmp_path: Path) -> None:
    found = examined(tmp_path, "perfect").summary
    assert found.complete
    assert found.score.kept.rate == found.score.skill == 1.0


@pytest.mark.slow
def test_a_random_model_is_where_random_play_is(tmp_path: Path) -> None:
    large = drawn(LARGE, part(60, 200), 3, 3, "7")
    found = examined(tmp_path, "random", large).summary.score
    assert found.interval.low <= (found.chance or 0) <= found.interval.high
    assert abs(found.skill or 0) <= 0.05


def test_a_model_like_level_6_keeps_as_much_as_level_6(tmp_path: Path) -> None:
    large = drawn(LARGE, part(60, 200), 3, 3, "7")
    found = examined(tmp_path, "level:6", large).summary.score.keeps
    assert found.level is not None
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 6 <= found.high
    assert abs(found.level - 6) <= 1


@pytest.mark.slow
def test_what_goes_wrong_on_the_way_is_never_a_move(tmp_path: Path) -> None:
    small = drawn("sum31", 4, 0, 1)
    items = asked(small)
    later = threading.Event()
    # Few for each item: on a busy machine a right answer may be late as well, and tries are counted.
    wrong = [
        [Scripted("MOVE: +1", status=429, retry_after="1"), Scripted("MOVE: +1", status=500), Scripted(drop=True)],
        [
            Scripted(body=b'{"choices": [{"message": {"content": "MOVE: +1"'),
            Scripted(body=b" " * 10_000_000 + b'{"choices": [{"message": {"content": "MOVE: +1"}}]}'),
        ],
        [Scripted("MOVE: +1", wait=later), Scripted("MOVE: +1", status=503)],
    ]
    fails = {item.prompt(): iter(some) for item, some in zip(small.items, wrong, strict=False)}

    def script(request: dict[str, Any]) -> Scripted:
        question = request["messages"][0]["content"]
        return next(fails.get(question, iter(())), Scripted(answer(items[question], "perfect")))

    run = settled(tmp_path, small)
    with endpoint(script) as fake:
        try:
            why = ask(run, fake, seconds=2.0)
        finally:
            later.set()  # else the endpoint would never end
    assert why is None
    assert not any(list(left) for left in fails.values()), "all of it went wrong"
    found = report_of(run)
    assert found.summary.score.kept.rate == 1.0
    assert all(len(row.replies) == 1 for row in found.rows)
    assert found.summary.score.kinds[GradeKind.MOVE] == len(small.items)


def test_an_answer_that_drips_is_cut_off_and_asked_for_again(tmp_path: Path) -> None:
    """A byte now and then: no single wait is long, and yet the answer never comes."""
    small = drawn("sum31", 4, 0, 1)
    items = asked(small)
    drips = [2]

    def script(request: dict[str, Any]) -> Scripted:
        text = answer(items[request["messages"][0]["content"]], "perfect")
        drips[0] -= 1
        return Scripted(text, drip=0.05 if drips[0] >= 0 else 0.0)

    run = settled(tmp_path, small)
    with endpoint(script) as fake:
        assert ask(run, fake, seconds=0.4) is None
    assert report_of(run).summary.score.kept.rate == 1.0


def test_an_item_without_an_answer_is_left_and_the_others_are_asked(tmp_path: Path) -> None:
    small = drawn("sum31", 4, 0, 1)
    items = asked(small)
    poison = small.items[3].prompt()

    def script(request: dict[str, Any]) -> Scripted:
        question = request["messages"][0]["content"]
        return Scripted(status=400) if question == poison else Scripted(answer(items[question], "perfect"))

    run = settled(tmp_path, small)
    with endpoint(script) as fake:
        assert ask(run, fake) == "tiny refuses to answer: status 400."
    found = report_of(run).summary
    assert not found.complete
    assert found.score.items == len(small.items) - 1
    with endpoint(player(small, "perfect")) as fake:
        assert ask(run, fake) is None
        assert len(fake.requests) == 1
    assert report_of(run).summary.complete


def test_a_run_is_ended_where_nobody_answers(tmp_path: Path) -> None:
    run = settled(tmp_path)
    with endpoint(lambda _: Scripted(status=500)) as fake:
        assert ask(run, fake) == "tiny gave no answer in 6 tries: status 500."
        assert len(fake.requests) == 6
    assert "none of 72 items has a reply" in page(report_of(run))
    count = [0]
    script = player(SET, "perfect")

    def dies(request: dict[str, Any]) -> Scripted:
        count[0] += 1
        return script(request) if count[0] <= 5 else Scripted(status=401)

    with endpoint(dies) as fake:
        assert ask(run, fake) == "tiny refuses to answer: status 401."
        assert len(fake.requests) == 5 + 3
    assert report_of(run).summary.score.items == 5


def test_a_reply_that_is_no_legal_move_is_asked_again_and_the_first_try_is_told_apart(tmp_path: Path) -> None:
    items = asked(SET)

    def script(request: dict[str, Any]) -> Scripted:
        messages = request["messages"]
        if len(messages) == 1:
            return Scripted("MOVE: +123456")
        assert messages[1] == {"role": "assistant", "content": "MOVE: +123456"}
        assert messages[2]["content"].startswith("+123456 is not a legal move: that number is not available.")
        return Scripted(answer(items[messages[0]["content"]], "perfect"))

    run = settled(tmp_path, tries=2)
    with endpoint(script) as fake:
        assert ask(run, fake, 4) is None
    found = report_of(run).summary.score
    assert (found.kept.rate, found.first_try.rate) == (1.0, 0.0)
    assert found.kinds[GradeKind.ILLEGAL] == 0


def test_illegal_unreadable_and_truncated_are_told_apart(tmp_path: Path) -> None:
    replies = [Scripted("MOVE: +123456"), Scripted("MOVE: +1 or +2"), Scripted("Well", finish="length")]
    run = settled(tmp_path)
    places = {item.prompt(): n for n, item in enumerate(SET.items)}
    with endpoint(lambda request: replies[places[request["messages"][0]["content"]] % 3]) as fake:
        assert ask(run, fake, 4) is None
    found = report_of(run).summary.score
    third = len(SET.items) / 3
    assert [found.kinds[kind] for kind in GradeKind] == [0, third, third, third, 0]
    assert found.double == third
    assert found.kept.rate == 0.0


def test_tools_are_offered_and_calls_are_answers(tmp_path: Path) -> None:
    style = PromptStyle(format=AnswerFormat.TOOL)
    small = drawn("sum31", 4, 0, 1)
    items = asked(small, style)
    odd = small.items[0].prompt(style)

    def script(request: dict[str, Any]) -> Scripted:
        assert request["tools"][0]["function"]["name"] == "move"
        question = request["messages"][0]["content"]
        moves = keeping_moves(items[question])[:1] if question != odd else ("+1", "+2")
        calls = [{"function": {"name": "move", "arguments": json.dumps({"move": move})}} for move in moves]
        message = {"role": "assistant", "content": None, "tool_calls": calls}
        return Scripted(body=json.dumps({"choices": [{"message": message, "finish_reason": "tool_calls"}]}).encode())

    run = settled(tmp_path, small, style)
    with endpoint(script) as fake:
        assert ask(run, fake) is None
    found = report_of(run).summary.score
    assert found.kinds[GradeKind.UNREADABLE] == 1
    assert found.kinds[GradeKind.MOVE] == len(small.items) - 1


def test_the_key_is_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROSUM_MODEL_KEY", SECRET)
    small = drawn("sum31", 4, 0, 1)
    items = asked(small)
    replies = iter([Scripted(status=500, body=SECRET.encode()), Scripted(status=429, body=SECRET.encode())])

    def script(request: dict[str, Any]) -> Scripted:
        assert request["headers"]["Authorization"] == f"Bearer {SECRET}"
        known = items[request["messages"][0]["content"]]
        return next(replies, Scripted(f"Your key is {SECRET}.\n{answer(known, 'perfect')}"))

    run = settled(tmp_path, small)
    with endpoint(script) as fake:
        assert ask(run, fake) is None
    with endpoint(lambda _: Scripted(status=401, body=f"bad key {SECRET}".encode())) as fake:
        again = settled(tmp_path / "again", small)
        why = ask(again, fake)
    report = report_of(run)
    texts = [why or "", json.dumps(report_json(report)), page(report)]
    texts += [path.read_text(encoding="utf-8") for path in tmp_path.rglob("*") if path.is_file()]
    assert len(texts) == 3 + 3 + 3
    assert not any(SECRET in text for text in texts)
    assert "[key]" in page(report)


def test_a_page_shows_the_switches_and_runs_nothing(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\x1b[31m\nMOVE: +1"
    small = drawn("sum31", 4, 0, 1)
    run = settled(tmp_path, small, PromptStyle(legal_moves=True, history=False), settings=(("temperature", 0.7),))
    with endpoint(lambda _: Scripted(evil)) as fake:
        ask(run, fake, 4)
    text = page(report_of(run))
    assert "<script" not in text
    assert "\x1b" not in text
    assert "&lt;script&gt;" in text
    for name, value in (("legal moves", "on"), ("history", "off"), ("thinking", "on"), ("temperature", "0.7")):
        assert f'<th scope="row">{name}</th><td>{value}</td>' in text
    assert small.sha256 in text


def test_every_prompt_is_rendered_once_and_every_reply_graded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = drawn("sum31", 4, 0, 1)
    script = player(known, "level:3")
    calls: Counter[str] = Counter()

    def counted(module: ModuleType, name: str) -> None:
        function = getattr(module, name)

        def call(*args: object, **keys: object) -> object:
            calls[name] += 1
            return function(*args, **keys)

        monkeypatch.setattr(module, name, call)

    counted(items, "prompt")
    counted(summary, "grade")
    counted(scoring, "read_reply")
    found = items.parse_items(known.data, "a set")
    plan = ExamPlan(found.sha256, "model", "tiny")
    for resume in (False, True):
        run = start_run(found, plan, str(tmp_path / "run"), resume=resume)
        with endpoint(script) as fake:
            assert ask(run, fake) is None
    assert report_of(run).summary.complete
    assert calls == dict.fromkeys(("prompt", "grade", "read_reply"), len(found.items))


def test_the_report_follows_from_the_folder_alone(tmp_path: Path) -> None:
    small = drawn("sum31", 4, 0, 1)
    first = examined(tmp_path / "a", "level:3", small, jobs=1)
    second = examined(tmp_path / "b", "level:3", small, jobs=8)
    again = report_of(open_run(str(tmp_path / "b" / "run")))
    assert report_json(second) == report_json(again)
    assert page(second) == page(again)
    told = [report_json(one) for one in (first, second)]
    for one in told:
        took = one["usage"]
        assert isinstance(took, dict)
        for key in ("seconds_median", "seconds_90", "seconds_total"):
            assert took.pop(key) >= 0, "the one thing that another run does not repeat"
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"n": 1, "id": "0", "replies": [{"reply": "", "truncated": False}]}, "belongs to another set"),
        ({"n": 99, "id": "0", "replies": []}, "belongs to another set"),
        ({"n": 1, "id": SET.items[0].id, "replies": []}, "cannot be read"),
        ({"n": 1, "id": SET.items[0].id, "replies": [{"reply": 5, "truncated": False}]}, "cannot be read"),
        ({"n": 1, "id": SET.items[0].id}, "cannot be read"),
        ({"n": "1"}, "line 1 has no number"),
        ([], "line 1 has no number"),
    ],
)
def test_a_log_that_somebody_has_written_is_refused(body: object, words: str, tmp_path: Path) -> None:
    run = settled(tmp_path)
    (tmp_path / "run" / "replies.log").write_bytes(log_line(json.dumps(body)))
    with pytest.raises(ZerosumError, match=words):
        report_of(run)


def test_a_changed_manifest_or_set_is_refused(tmp_path: Path) -> None:
    run = settled(tmp_path)
    manifest = tmp_path / "run" / "manifest.json"
    whole = manifest.read_text(encoding="utf-8")
    for old, new in (('"tries": 1', '"tries": 2'), ('"style"', '"stile"'), ("{", "[")):
        manifest.write_text(whole.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(RunError, match=r"manifest\.json has been changed"):
            open_run(run.folder.path)
    manifest.write_text(whole, encoding="utf-8")
    (tmp_path / "run" / "items.jsonl").write_bytes(drawn("sum31", 4, 0, 1).data)
    with pytest.raises(RunError, match=r"items\.jsonl has been changed"):
        open_run(run.folder.path)
