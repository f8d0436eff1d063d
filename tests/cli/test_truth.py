"""solve, analyze, signature and hint, through the real command."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests import naive
from tests.cli.command import GAMES, Zerosum, variant

LAWS = {"zero-sum-duel": "make-or-odd", "sum-to-zero": "make-or-odd", "zero-sum-game": "make-or-first"}
SOLVE_KEYS = ["schema", "game", "winner", "plies", "winning_openings", "openings", "positions", "law", "seconds"]
ANALYZE_KEYS = ["schema", "game", "moves", "position", "to_move", "verdict", "plies", "options", "outcome"]
DRAWN: dict[str, Any] = {"pool": [1, 1], "start": [1, 1], "target": 0, "totals": "own", "exhausted": "closest"}
DRAWN["tie"] = "sudden-death"
SIGNATURE = """\
sum-to-zero     253589 positions  165120 won   88469 lost, at most  16 plies  dbed30bfe19fe33f
sequence-zero   142635 positions  101047 won   41588 lost, at most   9 plies  1ee98604b17facbb
zero-sum-duel     9249 positions    5521 won    3728 lost, at most   9 plies  efbc56a91833705a
zero-sum-game      121 positions     121 won       0 lost, at most 181 plies  f935d7b59f129422
sum31              420 positions     300 won     120 lost, at most   7 plies  d2f9cae53d213a29
summit            1642 positions    1185 won     457 lost, at most  10 plies  951656e12b7d78a4
thin-ice          4410 positions    2859 won    1551 lost, at most  10 plies  5c895ea562115aeb
to-the-brim      19611 positions   13994 won    5617 lost, at most  10 plies  1ce51841159daa9a
"""
TRUTH = {
    "sum-to-zero": (2, 2, 253_589),
    "sequence-zero": (1, 9, 142_635),
    "zero-sum-duel": (1, 9, 9_249),
    "zero-sum-game": (1, 11, None),
    "sum31": (2, 7, 420),
}
HINTS = {
    "sum-to-zero": "Every move loses against perfect play. -1 is as good as any.",
    "sequence-zero": "+1 wins, in 9 moves at the latest.",
    "zero-sum-duel": "+1 wins, in 9 moves at the latest.",
    "zero-sum-game": "-5 wins, in 11 moves at the latest.",
    "sum31": "Every move loses against perfect play. +4 is the best trap: only 1 of their 8 replies wins.",
}


def analyze(zerosum: Zerosum, game: str, *args: str) -> dict[str, Any]:
    """Return the one document of `analyze --json`; standard error stays empty."""
    ran = zerosum("analyze", game, *args, "--json").ok()
    assert ran.err == ""
    answer: dict[str, Any] = ran.json()
    assert list(answer) == ANALYZE_KEYS
    assert answer["schema"] == 1
    return answer


class TestSolve:
    @pytest.mark.parametrize("game", GAMES)
    def test_json(self, zerosum: Zerosum, game: str) -> None:
        ran = zerosum("solve", game, "--json").ok()
        assert ran.err == ""
        answer = ran.json()
        assert list(answer) == SOLVE_KEYS
        assert (answer["schema"], answer["game"]) == (1, game)
        assert (answer["winner"], answer["plies"], answer["positions"]) == TRUTH[game]
        assert type(answer["seconds"]) is float
        assert (answer["law"] or {"id": None})["id"] == LAWS.get(game)
        moves = naive.GAMES[game].moves(naive.GAMES[game].start())
        assert sorted(one["move"] for one in answer["openings"]) == sorted(moves)
        for one in answer["openings"]:
            assert list(one) == ["move", "verdict", "plies"]
            assert one["verdict"] in ("win", "loss")
            assert type(one["plies"]) is int
        wins = [one["move"] for one in answer["openings"] if one["verdict"] == "win"]
        assert answer["winning_openings"] == wins
        assert bool(wins) == (answer["winner"] == 1)

    def test_text(self, zerosum: Zerosum) -> None:
        ran = zerosum("solve", "sum31").ok()
        assert re.sub(r"[0-9.]+ ms\.\n$", "TIME\n", ran.out) == (
            "Sum31: The second player wins, in 7 plies at the latest.\n"
            "\n"
            "Openings, for the first player:\n"
            "  loses in 7    +1 +2 +3 +4 +5 +6 +7 +8 +9\n"
            "\n"
            "Best play: +1 +2 +3 +8 +4 +9 +5\n"
            "\n"
            "Positions: 420. Solved in TIME\n"
        )
        assert ran.err == ""

    def test_text_with_a_law(self, zerosum: Zerosum) -> None:
        lines = zerosum("solve", "zero-sum-duel").ok().out.splitlines()
        assert lines[1] == (
            "The law: the player to move wins if they can make 0 now, or if an odd number of numbers is left; "
            "otherwise they lose."
        )

    def test_a_draw(self, zerosum: Zerosum, tmp_path: Path) -> None:
        answer = zerosum("solve", variant(tmp_path, **DRAWN), "--json").ok().json()
        assert [answer[key] for key in SOLVE_KEYS[1:5]] == ["variant", None, None, []]
        assert answer["openings"] == [{"move": "+1", "verdict": "draw", "plies": None}]
        assert answer["positions"] is None
        text = zerosum("solve", variant(tmp_path, **DRAWN)).ok().out
        assert text.startswith("My Variant: Neither side can force an end: a draw.\n")
        assert "Best play" not in text

    def test_a_swap(self, zerosum: Zerosum, tmp_path: Path) -> None:
        """Nothing that goes on is won by the first player; the winner is the person who began in seat 2."""
        answer = zerosum("solve", variant(tmp_path, pool=[1, 2, 3], target=5, swap=True), "--json").ok().json()
        assert (answer["winner"], answer["winning_openings"]) == (2, [])
        assert {one["verdict"] for one in answer["openings"]} == {"loss"}

    @pytest.mark.parametrize("command", ["solve", "analyze"])
    def test_an_unknown_game(self, zerosum: Zerosum, command: str) -> None:
        ran = zerosum(command, "sum3", "--json")
        assert (ran.status, ran.out) == (2, "")
        assert "Did you mean 'sum31'?" in ran.err

    def test_too_large(self, zerosum: Zerosum, tmp_path: Path) -> None:
        ran = zerosum("solve", variant(tmp_path, pool=list(range(1, 41)), target=500), "--json")
        assert (ran.status, ran.out) == (1, "")
        for part in ("about 1.1 trillion positions", "of memory", "1 GiB are allowed", "smaller pool", "--memory"):
            assert part in ran.err
        assert ran.err.count("\n") == 1

    @pytest.mark.parametrize("memory", ["512KiB", "4g", "1GiB", "64M", "100mb"])
    def test_amounts_of_memory(self, zerosum: Zerosum, memory: str) -> None:
        zerosum("solve", "sum31", "--memory", memory).ok()

    def test_not_enough_memory(self, zerosum: Zerosum) -> None:
        ran = zerosum("solve", "sum-to-zero", "--memory", "1KiB")
        assert (ran.status, ran.out) == (1, "")
        assert "allow more with --memory" in ran.err

    @pytest.mark.parametrize("memory", ["lots", "", "-1", "1", "1TB", "1.5GiB", "٣g", "9999999999k"])
    def test_no_amounts_of_memory(self, zerosum: Zerosum, memory: str) -> None:
        ran = zerosum("solve", "sum31", "--memory", memory)
        assert (ran.status, ran.out) == (2, "")
        assert "is not an amount of memory such as 512MiB" in ran.err


class TestAnalyze:
    def test_moves(self, zerosum: Zerosum) -> None:
        answer = analyze(zerosum, "sum31", "--moves", "+5 6")
        options = answer.pop("options")
        assert [answer[key] for key in ("game", "moves", "position")] == ["sum31", ["+5", "+6"], "1,2,3,4,7,8,9 11 1"]
        assert [answer[key] for key in ("to_move", "verdict", "plies", "outcome")] == [1, "win", 6, None]
        state = naive.State((1, 2, 3, 4, 7, 8, 9), (11,), 1)
        assert naive.best("sum31", state) == ("win", 6)
        assert options[0] == {"move": "+2", "verdict": "win", "plies": 6}
        assert {(one["verdict"], one["plies"]) for one in options if one["move"] in ("+1", "+7")} == {
            ("loss", 5),
            ("loss", 4),
        }
        assert sorted(one["move"] for one in options) == ["+1", "+2", "+3", "+4", "+7", "+8", "+9"]

    @pytest.mark.parametrize("args", [(), ("--moves", ""), ("--moves="), ("--moves", "  ")])
    def test_no_moves_are_the_start(self, zerosum: Zerosum, args: tuple[str, ...] | str) -> None:
        answer = analyze(zerosum, "zero-sum-duel", *([args] if isinstance(args, str) else args))
        assert (answer["moves"], answer["position"]) == ([], "1,2,3,4,5,6,7,8,9 0 1")

    def test_moves_that_begin_with_two_signs(self, zerosum: Zerosum, tmp_path: Path) -> None:
        game = variant(tmp_path, pool=[-3, 1, 2], target=0, operations=["add", "subtract"])
        answer = analyze(zerosum, game, "--moves", "--3")
        assert (answer["moves"], answer["position"]) == (["--3"], "1,2 3 2")
        assert analyze(zerosum, game, "--moves", "+-3 +1")["position"] == "2 -2 1"

    def test_moves_from_a_position(self, zerosum: Zerosum) -> None:
        both = analyze(zerosum, "sum31", "--position", "7,4,3,2,1 28 1", "--moves", "+2")
        assert (both["moves"], both["position"], both["to_move"]) == (["+2"], "1,3,4,7 30 2", 2)
        assert (both["verdict"], both["plies"]) == ("win", 1)

    def test_text(self, zerosum: Zerosum) -> None:
        assert zerosum("analyze", "sum31", "--position", "1,2,3,4,7 28 1").ok().out == (
            "1,2,3,4,7 28 1\n"
            "Seat 1 is to move and wins in 1.\n"
            "\n"
            "  wins in 1     +3\n"
            "  loses in 2    +1 +2\n"
            "  loses in 1    +4 +7\n"
            "\n"
            "Best play: +3\n"
        )

    @pytest.mark.parametrize(
        ("moves", "index"),
        [("+5 +5", 2), ("x", 1), ("+1 +2 +3 +77", 4), ("+9 +8 +7 +6 +1 +2", 6), ("+1 swap", 2), ("+1 resign:2", 2)],
    )
    def test_illegal_and_surplus_moves_name_their_index(self, zerosum: Zerosum, moves: str, index: int) -> None:
        ran = zerosum("analyze", "sum31", "--moves", moves, "--json")
        assert (ran.status, ran.out) == (1, "")
        assert f"Move {index}, " in ran.err
        assert ran.err.count("\n") == 1

    def test_a_bare_number_is_no_move_where_one_may_subtract(self, zerosum: Zerosum) -> None:
        ran = zerosum("analyze", "zero-sum-duel", "--moves", "+1 5", "--json")
        assert (ran.status, ran.out) == (1, "")
        assert "Move 2, 5" in ran.err

    @pytest.mark.parametrize(
        "args",
        [
            ("--moves", "+9 +8 +7 +6 +1"),
            ("--position", "2,3,4,5 31 2"),
            ("--position", "1,2,3,4,5 30 1", "--moves", "+1"),
        ],
    )
    def test_a_finished_match(self, zerosum: Zerosum, args: tuple[str, ...]) -> None:
        answer = analyze(zerosum, "sum31", *args)
        assert [answer[key] for key in ("to_move", "verdict", "plies", "options")] == [None, None, None, []]
        assert answer["outcome"] == {"winner": 1, "reason": "reached-target"}
        assert zerosum("analyze", "sum31", *args).ok().out.endswith("The match is over: seat 1 won (reached-target).\n")

    def test_overshooting_is_an_outcome(self, zerosum: Zerosum) -> None:
        answer = analyze(zerosum, "sum31", "--moves", "+9 +8 +7 +6 +2")
        assert answer["outcome"] == {"winner": 2, "reason": "overshot"}

    @pytest.mark.parametrize(
        ("game", "position"),
        [
            ("sum31", "1,2,3 28 1"),
            ("sum31", "1,2,3,4,5,6,7,8 9 1"),
            ("sum31", "nonsense"),
            ("sum31", "1,2,3,4,7 28 1 +5"),
            ("zero-sum-duel", "9 1000 1"),
            ("zero-sum-duel", "1,2,3,4,5,6,7,8 0 2"),
            ("sequence-zero", "1,2,3,4,5,6,7,8 9/9 2"),
            ("zero-sum-game", "-5,-4,-3,-2,-1,1,2,3,4,5 3/-2 1"),
            ("zero-sum-game", "-5,-4,-3,-2,-1,1,2,3,4,5 3/-3 2"),
        ],
    )
    def test_a_position_that_cannot_arise(self, zerosum: Zerosum, game: str, position: str) -> None:
        ran = zerosum("analyze", game, "--position", position, "--json")
        assert (ran.status, ran.out) == (1, "")
        assert ran.err.startswith("zerosum: ")

    def test_a_far_round(self, zerosum: Zerosum) -> None:
        pool = "-5,-4,-3,-2,-1,1,2,3,4,5"
        near = analyze(zerosum, "zero-sum-game", "--position", f"{pool} 100/-100 1")
        far = analyze(zerosum, "zero-sum-game", "--position", f"{pool} 300100/-300100 1")
        assert (near["verdict"], far["verdict"], far["plies"]) == ("win", "win", near["plies"] + 10 * 100_000)

    def test_positions_with_a_ban(self, zerosum: Zerosum, tmp_path: Path) -> None:
        game = variant(tmp_path, pool=[1, 2, -1, -2], target=9, ban="mirror")
        answer = analyze(zerosum, game, "--moves", "+2")
        assert answer["position"] == "-2,-1,1 2 2 +2"
        assert sorted(one["move"] for one in answer["options"]) == ["+1", "-1"]
        assert analyze(zerosum, game, "--position", answer["position"])["options"] == answer["options"]
        assert zerosum("analyze", game, "--position", "-2,-1,1 2 2").status == 1
        assert zerosum("analyze", game, "--moves", "+2 -2").status == 1

    def test_positions_with_a_swap(self, zerosum: Zerosum, tmp_path: Path) -> None:
        """An option's verdict is for the person: after a swap it is the opposite of the next position's."""
        game = variant(tmp_path, pool=[1, 2, 3, 4], target=7, swap=True)
        opened = analyze(zerosum, game, "--moves", "+4")
        assert opened["position"] == "1,2,3 4 2 +4"
        swapped = analyze(zerosum, game, "--moves", "+4 swap")
        assert (swapped["position"], swapped["to_move"]) == ("1,2,3 4 2 +4,swap", 2)
        (swap,) = [one for one in opened["options"] if one["move"] == "swap"]
        assert (swapped["verdict"], swap["verdict"], swap["plies"]) == ("win", "loss", swapped["plies"] + 1)
        for answer in (opened, swapped):
            assert analyze(zerosum, game, "--position", answer["position"])["options"] == answer["options"]
        assert "swap" not in [one["move"] for one in swapped["options"]]

    def test_a_draw(self, zerosum: Zerosum, tmp_path: Path) -> None:
        answer = analyze(zerosum, variant(tmp_path, **DRAWN), "--moves", "+1 +1 +1")
        assert [answer[key] for key in ("position", "verdict", "plies", "to_move")] == ["1 3/2 2", "draw", None, 2]


@pytest.mark.parametrize("game", GAMES)
def test_hints_at_the_prompt(zerosum: Zerosum, game: str) -> None:
    """The second hint names a move; the first only says whether there is one to find."""
    lines = zerosum.play(game, answers="hint hint quit").ok().out.splitlines()
    assert HINTS[game] in lines
    assert any(line.startswith(("Yes, there is a", "No, there is no")) for line in lines)


def test_a_hint_that_wins_at_once_and_one_in_a_draw(zerosum: Zerosum, tmp_path: Path) -> None:
    assert "+3 wins at once." in zerosum.play("sum31", answers="9 8 6 5 hint hint quit").ok().out.splitlines()
    drawn = zerosum.play(variant(tmp_path, **DRAWN), answers="hint hint quit").ok()
    assert "Nobody can force an end here; +1 keeps it so." in drawn.out


@pytest.mark.slow
def test_signature(zerosum: Zerosum) -> None:
    """A change of it is a change of what is said of some position."""
    assert zerosum("signature").ok().out == SIGNATURE
