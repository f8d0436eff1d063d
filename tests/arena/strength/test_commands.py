"""`zerosum measure`, and the level that `zerosum stats` shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.arena.strength.test_decisions import random_match
from tests.cli.command import Zerosum, variant
from zerosum.arena.strength.decisions import decisions_in, judge_of
from zerosum.arena.strength.level_fit import fit_level
from zerosum.match.setup import Person
from zerosum.players.levels import STRENGTHS
from zerosum.rules.game_files import load_game
from zerosum.solver import solution_of

DOCS = Path(__file__).resolve().parents[3] / "docs"
SUDDEN = {
    "pool": [-2, -1, 1, 2],
    "target": 0,
    "totals": "own",
    "exhausted": "closest",
    "tie": "sudden-death",
}


def test_the_json_of_a_policy(zerosum: Zerosum) -> None:
    answer = zerosum("measure", "policy", "level:5", "--game", "sum31", "--json").ok().json()
    assert answer.keys() == {
        "schema", "policy", "game", "from", "against", "exploitability", "best_response", "error", "at_least",
        "own_play", "line",
    }  # fmt: skip
    assert answer["line"]["texts"] == ["+4", "+7", "+9", "+1", "+5", "+2", "+3"]
    assert (answer["line"]["seat"], answer["line"]["errors"]) == (2, [2])
    told = zerosum("measure", "policy", "level:5", "--game", "sum31").ok().out
    assert "A line that beats it as second player: +4 +7? +9 +1 +5 +2 +3.\n" in told
    assert (answer["schema"], answer["policy"], answer["game"], answer["error"]) == (1, "level:5", "sum31", 0)
    assert [one["who"] for one in answer["against"]] == list(STRENGTHS)
    assert answer["exploitability"] == pytest.approx(0.936125, abs=1e-15)
    assert answer["best_response"] == {"as_first": pytest.approx(0.936125), "as_second": 1.0}
    itself = next(one for one in answer["against"] if one["who"] == "level:5")
    assert itself["as_first"] + itself["as_second"] == pytest.approx(1)
    assert 0 < answer["own_play"]["kept"] < 1


def test_a_policy_from_a_file(zerosum: Zerosum) -> None:
    call = ("measure", "policy", f"policy:{DOCS}/policies/largest.json", "--game", str(DOCS / "policies" / "four.toml"))
    assert zerosum(*call, "--json").ok().json()["exploitability"] == 0.5
    assert "Exploitability, from 0 to 1: 0.5000." in zerosum(*call).ok().out


def test_perfect_play_is_told_to_be_beyond_exploiting(zerosum: Zerosum) -> None:
    assert "Nobody can exploit it" in zerosum("measure", "policy", "perfect", "--game", "sum31").ok().out


def test_sudden_death_says_what_is_not_known(zerosum: Zerosum, tmp_path: Path) -> None:
    game = variant(tmp_path, **SUDDEN)
    answer = zerosum("measure", "policy", "level:2", "--game", game, "--json").ok().json()
    assert (answer["exploitability"], answer["best_response"], answer["own_play"]) == (None, None, None)
    assert 0 < answer["error"] <= 1e-9
    first = max(1 - one["as_second"] for one in answer["against"])
    second = max(1 - one["as_first"] for one in answer["against"])
    assert answer["at_least"] >= first + second - 1 - 1e-8
    text = zerosum("measure", "policy", "level:2", "--game", game).ok().out
    assert "not known" in text
    assert "off by at most 1e-09" in text


def test_what_is_wrong_is_said_in_one_line(zerosum: Zerosum, tmp_path: Path) -> None:
    wrong = tmp_path / "p.json"
    wrong.write_text('{"schema": 1, "game": "sum31", "policy": {"1 2 3": {}}}', encoding="utf-8")
    for words, status, said in (
        (["policy", "level:10", "--game", "sum31"], 2, "There is no policy 'level:10'"),
        (["policy", "policy:none.json", "--game", "sum31"], 1, "none.json: cannot be read"),
        (["policy", f"policy:{wrong}", "--game", "sum31"], 1, f"{wrong}: position '1 2 3': "),
        (["policy", "perfect", "--game", "sum32"], 2, "sum32"),
        (["polcy"], 2, "There is no command 'measure polcy'. Did you mean 'policy'?"),
        (["record", "nothing-here"], 1, "nothing-here"),
    ):
        ran = zerosum("measure", *words)
        assert ran.status == status, ran
        assert ran.out == ""
        assert said in ran.last_notice, ran


# People


@pytest.fixture
def records(tmp_path: Path) -> list[str]:
    paths = []
    for n in range(14):
        path = tmp_path / f"{n}.txt"
        path.write_text(random_match(load_game("sum31"), f"record {n}").record(), encoding="utf-8")
        paths.append(str(path))
    return paths


def test_the_json_of_records_is_the_fit_of_their_moves(zerosum: Zerosum, records: list[str]) -> None:
    plain = zerosum("measure", "record", *records, "--json").ok().json()
    answer = zerosum("measure", "record", *records, "--likelihood", "--json").ok().json()
    assert plain["people"] == [{key: one[key] for key in one if key != "fit"} for one in answer["people"]]
    judge = judge_of(solution_of(load_game("sum31")))
    matches = [random_match(load_game("sum31"), f"record {n}") for n in range(14)]
    assert answer["schema"] == 1
    assert [one["name"] for one in answer["people"]] == ["Ann", "Bob"]
    for one, person in zip(answer["people"], Person, strict=True):
        fit = fit_level(decision for match in matches for decision in decisions_in(match, person, judge))
        told = one["fit"]
        assert (told["level"], told["level_low"], told["level_high"]) == (fit.level, fit.low, fit.high)
        assert (told["level_fits"], told["level_p"]) == (fit.fits, pytest.approx(fit.p_value))
        assert one["decisions"] == fit.decisions
        assert one["level_low"] <= one["level"] <= one["level_high"]
        assert {one[f"score_level{end}"] for end in ("", "_low", "_high")} == {None}
        assert one["kept_low"] < one["kept"] < one["kept_high"]
        assert one["skill"] == pytest.approx((one["kept"] - one["chance"]) / (1 - one["chance"]))


def test_records_are_told_in_words(zerosum: Zerosum, records: list[str]) -> None:
    text = zerosum("measure", "record", *records).ok().out
    assert text.startswith("Ann: 14 matches, ")
    assert "\n  keeps as much as level " in text
    assert "real choices" in text
    few = zerosum("measure", "record", records[0], "--likelihood").ok().out
    assert "telling decisions" in few


def test_a_match_of_a_game_too_large_is_left_out_with_a_notice(
    zerosum: Zerosum, tmp_path: Path, records: list[str]
) -> None:
    game = variant(tmp_path, pool=list(range(1, 41)), target=500, name="Vast")
    zerosum("play", game, "--record", str(tmp_path / "vast.txt"), stdin="1\n2\nresign\n").ok()
    ran = zerosum("measure", "record", str(tmp_path / "vast.txt"), *records[:2], "--json").ok()
    assert "Vast is left out." in ran.err
    assert [one["matches"] for one in ran.json()["people"]] == [2, 2]
    alone = zerosum("measure", "record", str(tmp_path / "vast.txt"))
    assert (alone.status, alone.last_notice) == (1, "zerosum: No match is left that could be measured.")


def test_stats_show_the_level_of_peoples_moves(zerosum: Zerosum) -> None:
    assert "level" not in zerosum("stats").ok().out
    nothing = zerosum("stats", "--json").ok().json()
    assert (nothing["level"], nothing["level_low"], nothing["levels"]) == (None, None, [])
    zerosum("play", "sum31", "--vs", "level:3", "--seed", "a", stdin="9\n8\n7\n6\n5\n4\n3\n2\n1\n" * 4)
    zerosum("play", "zero-sum-duel", stdin="5\nA\n3\nS\n2\nS\n").ok()
    answer = zerosum("stats", "--json").ok().json()
    assert {one["game"] for one in answer["levels"]} <= {"sum31", "zero-sum-duel"}
    assert 0 <= answer["level_low"] <= answer["level"] <= answer["level_high"] <= 10
    assert answer["decisions"] == sum(one["decisions"] for one in answer["levels"])
    assert "\nYour play keeps as much as " in zerosum("stats").ok().out
    json.dumps(answer)
