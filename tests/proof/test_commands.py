"""prove and verify, through the real command."""

from __future__ import annotations

from pathlib import Path

from tests.terminal.command import Zerosum, variant


def test_prove_and_verify(zerosum: Zerosum, tmp_path: Path) -> None:
    path = tmp_path / "sum31.proof"
    assert zerosum("prove", "sum31", "--output", str(path)).ok().out == (
        f"{path}: the values of 420 positions of Sum31.\n"
    )
    data = path.read_bytes()
    assert zerosum("verify", str(path)).ok().out == f"{path}: true. 420 positions of Sum31 were checked.\n"
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
