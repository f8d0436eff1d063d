"""The log: what a crash may leave behind is dropped, any other damage is found, and two never write at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.arena.runs import settled
from zerosum.arena.arena_report import report_of
from zerosum.arena.arena_run import play_run
from zerosum.base.runs import RunLog, RunLogError, RunLogWriter, log_line
from zerosum.lab.executors import Local


def lines(*numbers: int) -> list[tuple[int, str]]:
    return [(number, json.dumps({"n": number, "text": f"é{number}"})) for number in numbers]


def written(path: Path, *numbers: int) -> RunLog:
    log = RunLog(str(path))
    writer = RunLogWriter(log)
    writer.append(lines(*numbers))
    writer.close()
    return log


def test_lines_come_back_in_any_order(tmp_path: Path) -> None:
    log = written(tmp_path / "log", 3, 1, 2)
    for found in (log, RunLog(log.path)):
        assert [line["n"] for line in found.read([1, 2, 3])] == [1, 2, 3]


def test_whatever_is_cut_off_goes_on_where_the_last_whole_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "log"
    written(path, 1, 2)
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        log = RunLog(str(path))
        assert sorted(log.at) == ([1] if cut >= first else [])
        written(path, 9)
        assert sorted(RunLog(str(path)).at) == ([1, 9] if cut >= first else [9])


def test_damage_in_the_middle_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "log"
    written(path, 1, 2, 3)
    whole = bytearray(path.read_bytes())
    second = whole.index(b"\n") + 30
    whole[second] ^= 1
    path.write_bytes(whole)
    with pytest.raises(RunLogError, match="line 2 is damaged"):
        RunLog(str(path))


def test_a_pair_that_stands_there_twice_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "log"
    written(path, 1)
    with path.open("ab") as file:
        file.write(log_line(lines(1)[0][1]))
    with pytest.raises(RunLogError, match="line 2 repeats entry 1"):
        RunLog(str(path))


def test_what_another_wrote_after_the_first_look_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "log"
    looked = RunLog(str(path))
    written(path, 1, 2)
    writer = RunLogWriter(looked)
    assert sorted(looked.at) == [1, 2]
    writer.append(lines(3))
    writer.close()
    assert [line["n"] for line in RunLog(str(path)).read([1, 2, 3])] == [1, 2, 3]


def test_two_cannot_write_at_once(tmp_path: Path) -> None:
    log = RunLog(str(tmp_path / "log"))
    writer = RunLogWriter(log)
    with pytest.raises(RunLogError, match="another zerosum"):
        RunLogWriter(RunLog(log.path))
    writer.close()
    RunLogWriter(RunLog(log.path)).close()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda line: line | {"points": (line["points"] + 1) % 3}, "claims other points"),
        (lambda line: line | {"id": "0" * 32}, "another plan"),
        (lambda line: line | {"matches": [{"moves": "+5 +5"}] * 2}, "cannot be read"),
        (lambda line: line | {"matches": line["matches"][:1]}, "cannot be read"),
    ],
)
def test_a_line_is_not_believed(change: object, words: str, tmp_path: Path) -> None:
    run = settled(tmp_path / "run", "level:4", "level:6", pairs=4)
    play_run(run, Local())
    path = Path(run.folder.path, "pairs.log")
    rows = path.read_bytes().splitlines(keepends=True)
    line = json.loads(rows[1][17:])
    assert callable(change)
    rows[1] = log_line(json.dumps(change(line)))
    path.write_bytes(b"".join(rows))
    with pytest.raises(RunLogError, match=words):
        report_of(run)
