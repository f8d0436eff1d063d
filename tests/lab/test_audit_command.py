"""`zerosum audit` and what `zerosum rules` says of clauses that can never apply."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.command import Zerosum, variant
from zerosum.lab.store import open_store
from zerosum.rules.describe import describe
from zerosum.rules.game_files import GAME_IDS, built_in, load_text


class TestAudit:
    @pytest.mark.slow
    def test_text(self, zerosum: Zerosum) -> None:
        said = zerosum("audit", "sum-to-zero").ok().out
        assert said.startswith("Sum to Zero: 1 dead, 2 decided, ")
        assert "\n      The clause: If the pool is empty and nobody has won, whoever moved last wins.\n" in said
        assert "\n      Proved by arithmetic.\n" in said
        assert "\n  last-mover      never\n" in said

    def test_json(self, zerosum: Zerosum) -> None:
        answer = zerosum("audit", "sum31", "--json").ok().json()
        assert list(answer) == [
            "schema",
            "game",
            "fingerprint",
            "findings",
            "counts",
            "endings",
            "first",
            "even_to",
            "solved",
        ]
        assert answer["schema"] == 1
        assert answer["endings"]["last-mover"] == {"reachable": False, "witness": None}
        assert answer["endings"]["overshot"]["reachable"] is True

    @pytest.mark.slow
    @pytest.mark.parametrize(("game", "status"), [("sum-to-zero", 1), ("sum31", 0)])
    def test_strict_fails_where_something_is_dead(self, zerosum: Zerosum, game: str, status: int) -> None:
        assert zerosum("audit", game, "--strict").status == status
        assert zerosum("audit", game).status == 0

    def test_an_error_is_found_in_a_file(self, zerosum: Zerosum, tmp_path: Path) -> None:
        path = tmp_path / "wrong.toml"
        path.write_text('like = "sum31"\nid = "x"\nname = "X"\n[[examples]]\nname = "One"\nmoves = ["+5", "+5"]\n')
        done = zerosum("audit", str(path), "--strict")
        assert done.status == 1
        assert 'example-illegal: "One", move 2: 5 was already taken.' in done.out

    def test_a_game_that_was_kept_is_named(self, zerosum: Zerosum, tmp_path: Path) -> None:
        with open_store(Path(os.environ["ZEROSUM_HOME"])) as store:
            store.keep_games([load_text('like = "sum31"\nid = "kept"\nname = "Kept"\ntarget = 12\n')])
        path = variant(tmp_path, like="sum31", start=1, target=13)
        assert "same-as: This is Kept with its numbers moved by 1." in zerosum("audit", path).ok().out

    def test_unknown_games_and_bad_files(self, zerosum: Zerosum, tmp_path: Path) -> None:
        unknown = zerosum("audit", "sum32")
        assert (unknown.status, "Did you mean 'sum31'?" in unknown.err) == (2, True)
        path = tmp_path / "bad.toml"
        path.write_text('like = "sum31"\nexamples = 5\n')
        bad = zerosum("audit", str(path))
        assert (bad.status, bad.out) == (1, "")
        assert "examples: must be tables, each headed [[examples]]." in bad.err


class TestRules:
    @pytest.mark.parametrize("game", GAME_IDS)
    def test_sentences_stay_and_lines_are_added(self, zerosum: Zerosum, game: str) -> None:
        lines = zerosum("rules", game).ok().out.splitlines()[2:]
        assert [line for line in lines if not line.startswith("  This cannot happen here: ")] == describe(
            built_in(game)
        )

    def test_why(self, zerosum: Zerosum) -> None:
        said = zerosum("rules", "sum31").ok().out
        assert (
            "If the pool is empty and nobody has won, whoever moved last wins.\n"
            "  This cannot happen here: "
            "the numbers sum to 45, so the target is reached or passed before the pool is empty.\n"
        ) in said

    def test_a_large_game_is_described_at_once(self, zerosum: Zerosum, tmp_path: Path) -> None:
        pool = [7 * n for n in range(1, 60)]
        path = variant(tmp_path, pool=pool, target=3, operations=["add", "subtract"])
        assert "every number is a multiple of 7" in zerosum("rules", path).ok().out
