"""`zerosum exam` as a user meets it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
from hashlib import sha256
from math import isclose
from pathlib import Path
from typing import Any

import click
import pytest

from tests.arena.entrants.fake_endpoint import Scripted, endpoint
from tests.cli.command import Ran, Zerosum
from tests.exam.scripts import asked, player
from tests.exam.sets import answer, drawn
from tests.patience import PATIENCE
from zerosum.cli.commands import exam_command
from zerosum.exam.draw_items import PUBLIC_SHA256, public_set
from zerosum.exam.items import CANARY, RUNGS, ItemSet, read_items

MAKE = ("exam", "make", "--games", "sum31,seventeen", "--count", "6", "--fresh", "1", "--reskin", "1")
TIMES = re.compile(r'A reply took .*|"seconds_(?:median|90|total)": [0-9.e-]+')
SALT = "correct horse battery staple"
SCORE = {
    *("answered", "choices", "kept", "kept_low", "kept_high", "chance", "skill", "first_try", "regret", "won_to_lost"),
    *("plies_lost", "practical_regret", "practical_choices", "illegal", "unreadable", "truncated", "by_difficulty"),
    *("only_move", "random_p", "decisions", "level", "level_low", "level_high"),
}


def failed(status: int, ran: Ran) -> Ran:
    assert ran.status == status, ran
    return ran


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("exam") / "items.jsonl"
    path.write_bytes(drawn("sum31,seventeen", 6, 1, 1).data)
    return path


@pytest.mark.slow
def test_a_set_is_made_verified_and_not_overwritten(tmp_path: Path, zerosum: Zerosum, items: Path) -> None:
    again = tmp_path / "again.jsonl"
    told = zerosum(*MAKE, "--seed", "1", "--out", str(again), "--json").ok().json()
    assert again.read_bytes() == items.read_bytes()
    assert told["sha256"] == sha256(items.read_bytes()).hexdigest()
    assert told["items"] == 24
    assert "exists already" in failed(1, zerosum(*MAKE, "--seed", "1", "--out", str(again))).err
    assert told["sha256"] in zerosum("exam", "verify", str(items), "--seed", "1").ok().out
    assert "seed '1', not this one" in failed(1, zerosum("exam", "verify", str(items), "--seed", "2")).err
    data = bytearray(items.read_bytes())
    data[len(data) // 2] ^= 1
    again.write_bytes(data)
    assert "changed since: line" in failed(1, zerosum("exam", "verify", str(again), "--seed", "1")).err


@pytest.mark.slow
def test_a_secret_salt_is_told_by_nothing(tmp_path: Path, zerosum: Zerosum, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "items.jsonl"
    monkeypatch.setenv("EXAM_SALT", SALT)
    made = zerosum(*MAKE, "--salt-env", "EXAM_SALT", "--out", str(path)).ok()
    checked = zerosum("exam", "verify", str(path), "--salt-env", "EXAM_SALT", "--prove", "--json").ok()
    told = checked.json()
    assert (told["verified"], told["sha256"]) == (True, sha256(path.read_bytes()).hexdigest())
    assert (told["proved"]["skins"], told["proved"]["endless"]) == (4, 0)
    assert told["proved"]["positions"] > 420 + 1184
    assert SALT not in made.out + made.err + checked.out + checked.err + path.read_text(encoding="utf-8")
    zerosum("exam", "verify", str(path), "--seed", SALT).ok()
    guessed = failed(1, zerosum("exam", "verify", str(path), "--seed", "guessed")).err
    assert "not drawn from this salt, or changed since" in guessed
    monkeypatch.setenv("EXAM_SALT", "short")
    refused = failed(1, zerosum("exam", "verify", str(path), "--salt-env", "EXAM_SALT")).err
    assert "at least 16 characters" in refused


def replies(found: ItemSet, who: str) -> str:
    return "".join(json.dumps({"id": item.id, "reply": answer(item, who)}) + "\n" for item in found.items)


def test_replies_from_anywhere_are_scored(tmp_path: Path, zerosum: Zerosum, items: Path) -> None:
    path = tmp_path / "replies.jsonl"
    found = read_items(str(items))
    path.write_text(replies(found, "perfect"))
    told = zerosum("exam", "score", str(items), str(path), "--json").ok().json()
    assert (told["complete"], told["kept"], told["skill"], told["level"]) == (True, 1.0, 1.0, 10.0)
    assert told["set"]["sha256"] == found.sha256
    assert told.keys() >= SCORE | {"items", "games", "by_skin", "by_source", "skin_gap", "against"}
    for game in told["games"]:
        assert game.keys() >= SCORE | {"game", "random_p_holm", "skin_gap", "skin_gap_p_holm"}
    assert told["skin_gap"].keys() >= {"pairs", "gap", "gap_low", "gap_high", "p"}
    text = zerosum("exam", "score", str(items), "-", stdin=path.read_text()).ok().out
    assert "100.0 % of 24 real choices kept" in text
    part = "\n".join(path.read_text().splitlines()[:-1])
    assert "Incomplete: 1 of 24 items" in failed(3, zerosum("exam", "score", str(items), "-", stdin=part)).out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("x", 'line 1 is not a JSON object with an "id"'),
        ('{"id": "abc", "reply": "MOVE: +1"}', "no item of this set has the id 'abc'"),
        ('{"id": 5, "reply": ""}', "line 1 is not a JSON object"),
        ("[" * 50_000, "line 1 is not a JSON object"),
        ("\ufeff", "line 1"),
    ],
)
def test_what_are_no_replies(line: str, words: str, zerosum: Zerosum, items: Path) -> None:
    assert words in failed(1, zerosum("exam", "score", str(items), "-", stdin=line)).err


def run_options(items: Path, fake_url: str, out: Path) -> tuple[str, ...]:
    return ("exam", "run", str(items), "--model", "tiny", "--url", fake_url, "--out", str(out))


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on_and_reports_the_same(tmp_path: Path, zerosum: Zerosum, items: Path) -> None:
    found = read_items(str(items))
    script = player(found, "level:4")
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    with endpoint(script) as fake:
        zerosum(*run_options(items, fake.url, whole)).ok()
    asked_for = [0]
    tenth, later = threading.Event(), threading.Event()

    def stops(request: dict[str, Any]) -> Scripted:
        asked_for[0] += 1
        if asked_for[0] <= 10:
            return script(request)
        tenth.set()
        return Scripted(wait=later)

    with endpoint(stops) as fake:
        command = [str(Path(sys.executable).parent / "zerosum"), *run_options(items, fake.url, cut)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            assert tenth.wait(PATIENCE)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=PATIENCE)
        finally:
            later.set()  # else the endpoint would never end
    with (cut / "replies.log").open("ab") as log:
        log.write(b"0123456789abcdef {cut o")  # what a crash may leave
    with endpoint(script) as fake:
        assert "add --resume" in failed(1, zerosum(*run_options(items, fake.url, cut))).err
        other = failed(1, zerosum(*run_options(items, fake.url, cut), "--resume", "--tries", "2", "--no-history")).err
        assert "is a run with other style, tries" in other
        zerosum(*run_options(items, fake.url, cut), "--resume").ok()
        assert len(fake.requests) == 24 - 10
    urls = [json.loads((path / "manifest.json").read_text())["plan"]["url"] for path in (whole, cut)]
    for more in ((), ("--json",)):
        # Each endpoint has a port of its own, and no two replies take the same time.
        told = [
            TIMES.sub("", zerosum("exam", "report", str(path), *more).ok().out.replace(url, ""))
            for path, url in zip((whole, cut), urls, strict=True)
        ]
        assert told[0] == told[1]


def test_an_endpoint_that_never_answers_ends_with_3(tmp_path: Path, zerosum: Zerosum, items: Path) -> None:
    with endpoint(lambda _: Scripted(status=500)) as fake:
        ran = failed(3, zerosum(*run_options(items, fake.url, tmp_path / "run"), "--retries", "1"))
    assert "Incomplete: none of 24 items has a reply" in ran.out
    assert "tiny gave no answer in 1 try: status 500" in ran.err
    assert "Incomplete" in failed(3, zerosum("exam", "report", str(tmp_path / "run"))).out


def test_a_key_from_the_environment_is_used_and_shown_nowhere(
    tmp_path: Path, zerosum: Zerosum, items: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "sk-0123456789-planted"  # noqa: S105 - it is none
    monkeypatch.setenv("MY_KEY", secret)
    out = tmp_path / "run"
    refuse = Scripted(status=403, body=f'{{"error": "bad key {secret}"}}'.encode())
    with endpoint(lambda _: refuse) as fake:
        ran = failed(3, zerosum(*run_options(items, fake.url, out), "--key-env", "MY_KEY", "--retries", "1"))
        assert fake.requests[0]["headers"]["Authorization"] == f"Bearer {secret}"
    written = [path.read_text() for path in out.iterdir()]
    assert not any(secret in text for text in (ran.out, ran.err, *written))
    missing = failed(2, zerosum(*run_options(items, "http://127.0.0.1:9/v1", out), "--key-env", "NO_SUCH_KEY"))
    assert "NO_SUCH_KEY of --key-env is not set" in missing.err


def test_a_command_is_examined(tmp_path: Path, zerosum: Zerosum, monkeypatch: pytest.MonkeyPatch) -> None:
    items = tmp_path / "items.jsonl"
    items.write_bytes(drawn("sum31", 3, 0, 1).data)
    monkeypatch.setenv("MY_KEY", "planted-key-0123456789")
    script = tmp_path / "first.py"
    script.write_text(
        "import os, re, sys\n"
        "text = sys.stdin.read()\n"
        "number = int(re.search(r'left: (-?[0-9]+)', text)[1])\n"
        "print(os.environ.get('MY_KEY', 'no key'), f'MOVE: {number:+d}', sep='\\n')\n"
    )
    out, page = tmp_path / "run", tmp_path / "page.html"
    command = ("exam", "run", str(items), "--command", f"{sys.executable} -I {script}", "--jobs", "2")
    told = zerosum(*command, "--key-env", "MY_KEY", "--name", "first", "--out", str(out), "--json").ok().json()
    assert (told["who"]["name"], told["complete"], told["illegal"]) == ("first", True, 0)
    assert told["prompt"] == {"legal_moves": False, "history": True, "thinking": True, "format": "line"}
    zerosum("exam", "report", str(out), "--html", str(page)).ok()
    texts = [path.read_text() for path in (*out.iterdir(), page)]
    assert not any("planted-key" in text or str(script) in text for text in texts)
    assert "[key]" in texts[-1]


def test_a_skin_is_proved_or_refused(tmp_path: Path, zerosum: Zerosum) -> None:
    proved = zerosum("exam", "prove-skin", "sum31", "--k", "-7", "--shift", "100").ok().out
    assert "420 positions" in proved
    other = tmp_path / "other.toml"
    other.write_text('like = "sum31"\nid = "other"\nname = "Other"\ntarget = 30\n')
    refused = failed(1, zerosum("exam", "prove-skin", "sum31", "--with", str(other), "--json")).json()
    assert refused["proved"] is False
    assert "(reached-target) after +" in refused["difference"]
    other.write_text(
        'like = "sum31"\nid = "other"\nname = "Other"\npool = [2, 4, 6, 8, 10, 12, 14, 16, 18]\ntarget = 62\n'
    )
    assert zerosum("exam", "prove-skin", "sum31", "--with", str(other), "--json").ok().json()["k"] == 2
    failed(2, zerosum("exam", "prove-skin", "sum31"))
    failed(1, zerosum("exam", "prove-skin", "sum31", "--k", "0"))
    assert "no end of positions" in failed(1, zerosum("exam", "prove-skin", "zero-sum-game", "--k", "2")).err


def test_a_task_for_lm_eval_grades_as_we_do(tmp_path: Path, zerosum: Zerosum, items: Path) -> None:
    from zerosum.exam.export import process_results, skill  # noqa: PLC0415 - what the exported task imports

    out = tmp_path / "task"
    zerosum("exam", "export", str(items), "--to", "lm-eval", "--out", str(out)).ok()
    assert {path.name for path in out.iterdir()} == {"zerosum_exam.yaml", "zerosum_exam.py", "items.jsonl"}
    docs = [json.loads(line) for line in (out / "items.jsonl").read_text().splitlines()]
    by_id = read_items(str(items)).by_id
    texts = [answer(by_id[doc["id"]], "level:2") for doc in docs]
    kept = [process_results(doc, [text])["kept"] for doc, text in zip(docs, texts, strict=True)]
    lines = "".join(json.dumps({"id": d["id"], "reply": t}) + "\n" for d, t in zip(docs, texts, strict=True))
    told = zerosum("exam", "score", str(items), "-", "--json", stdin=lines)
    scored = json.loads(told.out)
    assert scored["kept"] == sum(kept) / len(kept)
    results = [process_results(doc, [text]) for doc, text in zip(docs, texts, strict=True)]
    assert isclose(scored["chance"], sum(one["chance"] for one in results) / len(results))
    assert isclose(scored["skill"], skill([one["skill"] for one in results]))
    wrong = process_results(docs[0], ["MOVE: +99999"])
    assert (wrong["kept"], wrong["legal"], wrong["skill"]) == (0.0, 0.0, (0.0, docs[0]["chance"]))
    task = (out / "zerosum_exam.yaml").read_text()
    assert "max_gen_toks:" not in task
    assert CANARY in task
    assert all(doc["canary"] == CANARY and doc["depth"] >= 1 and doc["numbers_left"] >= 2 for doc in docs)
    assert (
        "something else" in failed(1, zerosum("exam", "export", str(items), "--to", "lm-eval", "--out", str(out))).err
    )


@pytest.mark.slow
def test_the_public_set_is_what_was_published() -> None:
    found = public_set()
    assert found.sha256 == PUBLIC_SHA256
    assert len(found.items) == 320
    assert len(asked(found)) == 320


def test_the_option_takes_every_difficulty() -> None:
    difficulty = next(one for one in exam_command.make_command.params if one.name == "difficulty")
    assert isinstance(difficulty.type, click.IntRange)
    assert (difficulty.type.min, difficulty.type.max) == (min(RUNGS), max(RUNGS))
