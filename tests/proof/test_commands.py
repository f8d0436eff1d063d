"""prove and verify, through the real command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Zerosum, variant


def test_prove_and_verify(zerosum: Zerosum, tmp_path: Path) -> None:
    path = tmp_path / "sum31.proof"
    assert zerosum("prove", "sum31", "--output", str(path)).ok().out == (
        f"{path}: the values of 420 positions of Sum31.\n"
    )
    data = path.read_bytes()
    assert zerosum("verify", str(path)).ok().out == (
        f"{path}: true. 420 positions of Sum31 were checked.\n"
        "The second player wins, in 7 plies at the latest.\n"
        "These are the rules of the built-in sum31.\n"
    )
    again = zerosum("prove", "zero-sum-duel", "--output", str(path))
    assert (again.status, again.out, path.read_bytes()) == (1, "", data)
    assert "not overwritten" in again.err
    path.write_bytes(data[:-1])
    broken = zerosum("verify", str(path))
    assert (broken.status, broken.out) == (1, "")
    assert f"{path}: The certificate is damaged" in broken.err
    assert sorted(file.name for file in tmp_path.iterdir() if file.name != "home") == ["sum31.proof"]


def test_verify_of_what_is_no_certificate(zerosum: Zerosum, tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path):
        assert zerosum("verify", str(path)).status == 1
    assert zerosum("verify", variant(tmp_path, pool=[1], target=1)).status == 1
    assert zerosum("prove", "sum31", "--output", str(tmp_path / "no" / "folder")).status == 1


@pytest.mark.parametrize(
    ("keys", "lines"),
    [
        (
            {"id": "sum31", "target": 30},
            ["The first player wins, in 7 plies", "These are not the rules of the built-in sum31."],
        ),
        ({"id": "sum31", "name": "Sum 31"}, ["The second", "These are not the rules of the built-in sum31."]),
        (
            {"id": "mine"},
            ["The second player wins, in 7 plies", "The game mine is not built in; its rules are in the certificate."],
        ),
    ],
)
def test_verify_says_whose_rules_were_checked(
    zerosum: Zerosum, tmp_path: Path, keys: dict[str, object], lines: list[str]
) -> None:
    """An id and a name can be anybody's: a true certificate of other rules must not pass for one of Sum31."""
    rules = variant(tmp_path, **{"like": "sum31", "name": "Sum31"} | keys)
    path = tmp_path / "other.proof"
    zerosum("prove", rules, "--output", str(path)).ok()
    said = zerosum("verify", str(path)).ok().out.splitlines()
    assert len(said) == 3
    assert all(line.startswith(start) for line, start in zip(said[1:], lines, strict=True)), said


def test_verify_of_a_draw(zerosum: Zerosum, tmp_path: Path) -> None:
    keys = {
        "totals": "own",
        "exhausted": "closest",
        "tie": "sudden-death",
        "pool": [1, 1],
        "start": [1, 1],
        "target": 0,
    }
    path = tmp_path / "draw.proof"
    zerosum("prove", variant(tmp_path, **keys), "--output", str(path)).ok()
    assert "\nNeither side can force an end: a draw.\n" in zerosum("verify", str(path)).ok().out
