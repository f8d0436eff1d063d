"""The rulebooks' own dialogues, byte for byte, and every other ending that the rulebooks imply."""

from __future__ import annotations

import pytest

from tests.cli.command import GAMES, GOLDEN, Zerosum


def read(name: str) -> str:
    return (GOLDEN / name).read_bytes().decode()


@pytest.mark.parametrize("game", GAMES)
def test_the_rulebooks_dialogue(zerosum: Zerosum, game: str) -> None:
    ran = zerosum("play", game, stdin=read(f"{game}.in"))
    assert (ran.out, ran.status) == (read(f"{game}.txt"), 0)


@pytest.mark.parametrize("game", GAMES)
def test_input_without_a_last_newline_or_with_windows_line_ends(zerosum: Zerosum, game: str) -> None:
    answers = read(f"{game}.in")
    for changed in (answers.rstrip("\n"), answers.replace("\n", "\r\n")):
        ran = zerosum("play", game, stdin=changed)
        assert (ran.out, ran.status) == (read(f"{game}.txt"), 0)


def test_input_after_the_end_is_ignored(zerosum: Zerosum) -> None:
    ran = zerosum("play", "sum31", stdin=read("sum31.in") + "4\nquit\nnonsense\n")
    assert (ran.out, ran.err, ran.status) == (read("sum31.txt"), "", 0)
    assert zerosum.unfinished() == []


@pytest.mark.parametrize("name", sorted(path.stem for path in (GOLDEN / "endings").glob("*.txt")))
def test_every_other_ending(zerosum: Zerosum, name: str) -> None:
    """The first line of a file in golden/endings is the command, the second its answers (`_` is an empty line)."""
    command, answers, expected = read(f"endings/{name}.txt").split("\n", 2)
    ran = zerosum.play(*command.split()[3:], answers=answers.removeprefix("answers: "), cwd=GOLDEN / "endings")
    assert (ran.out, ran.status) == (expected, 0)
    assert zerosum.unfinished() == []


def test_there_is_a_golden_for_every_reason_a_person_can_bring_about() -> None:
    """A file that is lost would otherwise be a test that silently is no more."""
    names = {path.stem for path in (GOLDEN / "endings").glob("*.txt")}
    assert len(names) >= 40
    for reason in ("second-player", "bust", "last-mover", "forfeit", "resigned", "sudden-death", "closer", "tie"):
        assert any(reason in name for name in names), reason
