"""A bot that tells its chances is measured exactly: our own players, spoken to as bots, are what they are."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.arena.entrants.processes import gone
from tests.arena.runs import bot
from tests.cli.command import Zerosum


def test_a_level_behind_the_protocol_is_that_level(zerosum: Zerosum) -> None:
    command = f"bot:{zerosum.command[0]} bot levels level:7"
    said = zerosum("measure", "policy", command, "--game", "sum31", "--json").ok().json()
    known = zerosum("measure", "policy", "level:7", "--game", "sum31", "--json").ok().json()
    assert said.pop("policy") != known.pop("policy")
    assert [one.pop("who") for one in said["against"]] == [one.pop("who") for one in known["against"]]
    for one, two in zip(said.pop("against"), known.pop("against"), strict=True):
        assert one == pytest.approx(two, abs=1e-9)
    said["chance"], known["chance"] = said["line"].pop("chance"), known["line"].pop("chance")
    assert said.pop("line") == known.pop("line")
    for key in ("best_response", "own_play"):
        assert said.pop(key) == pytest.approx(known.pop(key), abs=1e-9)
    assert said.pop("game") == known.pop("game")
    assert said == pytest.approx(known, abs=1e-9)


def test_a_bot_that_tells_nothing_is_sent_to_the_arena(zerosum: Zerosum, tmp_path: Path) -> None:
    ran = zerosum("measure", "policy", bot(tmp_path, "Silent"), "--game", "sum31")
    assert (ran.status, ran.out) == (1, "")
    assert "Silent does not tell the chance of each move" in ran.err
    assert gone(str(tmp_path / "Silent.py"))


def test_nobody_is_taken_for_one_of_our_players(zerosum: Zerosum, tmp_path: Path) -> None:
    script = tmp_path / "liar.py"
    bot(tmp_path, "liar")
    lines = script.read_text().replace("id name liar", "id name level:5")
    says = 'print("policy", *(f"+{n}:{1 / len(pool)}" for n in pool), flush=True)'
    told = f'elif words[0] == "policy":\n        {says}\n    '
    lines = lines.replace('elif words[0] == "quit"', f'{told}elif words[0] == "quit"')
    script.write_text(lines)
    said = zerosum("measure", "policy", f"bot:{sys.executable} -I -S {script}", "--game", "sum31", "--json").ok().json()
    known = zerosum("measure", "policy", "random", "--game", "sum31", "--json").ok().json()
    assert said["policy"] == "level:5 (bot)"
    assert said["exploitability"] == pytest.approx(known["exploitability"], abs=1e-9)
