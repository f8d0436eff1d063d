"""Whatever is typed, and whatever files are called: no traceback, a known exit status, nothing unreadable kept."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.cli.command import GAMES, Zerosum

COMMANDS = "hint undo moves rules help quit resign Undo MOVES swap q exit a s + - add subtract"
NUMBERS = "1 2 3 4 5 6 7 8 9 -1 -2 -3 -4 -5 +1 +2 -9 +-3 --3 0 10 5.0 1e1 1_0 true None nan ٣ − −5"
HOSTILE = "{0} {player} %s \\ \" ' ; $(x) ` \x1b[31m \x00 \x7f \u202e"
WORDS = f"{COMMANDS} {NUMBERS} {HOSTILE}".split(" ")


def nonsense(chance: Random) -> bytes:
    """Return lines of words, numbers and bytes, rarely with an early end."""
    lines = []
    for _ in range(chance.randrange(60)):
        line = " ".join(chance.choices(WORDS, k=chance.choice((1, 1, 1, 1, 2, 5)))).encode()
        if chance.random() < 0.05:
            line = chance.randbytes(chance.choice((1, 20, 3000)))
        lines.append(line)
    return b"\n".join(lines)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_nonsense_at_a_match(zerosum: Zerosum, game: str, seed: int) -> None:
    options = Random(seed).choice(((), ("--lenient",), ("--vs", "random"), ("--best-of", "3"), ("--first", "toss")))
    ran = zerosum("play", game, *options, stdin=nonsense(Random(f"{game} {seed}")))
    assert ran.status in (0, 1)
    assert {c for c in ran.out + ran.err if not c.isprintable()} <= {"\n"}
    kept = zerosum.unfinished()
    assert all("damage" not in one for one in kept)
    assert len(kept) == ("zerosum resume" in ran.err)


@pytest.mark.parametrize("seed", range(4))
def test_nonsense_at_the_menu(zerosum: Zerosum, seed: int) -> None:
    ran = zerosum(stdin=nonsense(Random(seed)))
    assert ran.status in (0, 1)
    assert {c for c in ran.out + ran.err if not c.isprintable()} <= {"\n"}


NAMES = ("a\x1b[31mb", "a\x1b]0;owned\x07", "a\rb", "a\nb", "a\u202eb", "a\u200bb", "-", "--help", "a b", "{0}", "é")


@pytest.mark.parametrize("name", NAMES)
def test_files_with_hostile_names(zerosum: Zerosum, tmp_path: Path, name: str) -> None:
    rules, record, bad = (tmp_path / f"{name}{suffix}" for suffix in (".toml", ".txt", ".bad"))
    rules.write_text('format = 1\nid = "x"\nname = "X"\nlike = "sum31"\n')
    bad.write_text("nonsense")
    played = zerosum("play", str(rules), "--record", str(record), stdin="5\nresign\n").ok()
    ran = [
        played,
        zerosum("check", str(rules)).ok(),
        zerosum("rules", str(rules)).ok(),
        zerosum("replay", str(record)).ok(),
    ]
    for args in (("check", str(bad)), ("replay", str(bad)), ("play", "sum31", "--record", str(record))):
        refused = zerosum(*args)
        assert (refused.status, refused.out, refused.err.count("\n")) == (1, "", 1)
        ran.append(refused)
    for one in ran:
        assert {c for c in one.out + one.err if not c.isprintable()} <= {"\n"}
