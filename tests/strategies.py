"""What Hypothesis draws: variants with every key, plays of them, and hostile text."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from zerosum.rules.model import Rules, rules_from_dict
from zerosum.rules.position import Position, start_position

RulesDict = dict[str, Any]
NUMBERS = st.integers(-9, 9).filter(bool)
LARGE_NUMBERS = st.integers(-1_000_000, 1_000_000).filter(bool)
NAMES = st.text("abXYZ019 .,:;!?'\"\\[]()/-+#éßЖ数", min_size=1, max_size=20).filter(lambda name: name == name.strip())
CHOICES = st.lists(st.integers(0, 999), max_size=24)


@st.composite
def tables(draw: st.DrawFn, *, max_pool: int = 6, sudden_death: bool = True, numbers: Any = NUMBERS) -> RulesDict:
    """Return the table of a valid variant; a key with its default value is there or not."""
    pool = draw(st.lists(numbers, min_size=1, max_size=max_pool))
    near = st.integers(-12, 12)
    target = draw(near)
    table: RulesDict = {
        "format": 1,
        "id": draw(st.from_regex(r"[a-z0-9-]{1,8}", fullmatch=True)),
        "name": draw(NAMES),
        "pool": pool,
        "target": target,
    }
    own = draw(st.booleans())
    if own:
        table["totals"] = "own"
        table["start"] = draw(st.one_of(near, st.lists(near, min_size=2, max_size=2)))
    else:
        table["start"] = draw(near)
    starts = table["start"] if isinstance(table["start"], list) else [table["start"]]
    optional: dict[str, st.SearchStrategy[Any]] = {
        "operations": st.sampled_from([["add"], ["add", "subtract"]]),
        "reaching": st.sampled_from(["wins", "loses"]),
        "invalid-move": st.sampled_from(["ask-again", "forfeit"]),
        "ban": st.sampled_from(["none", "mirror"]),
        "swap": st.booleans(),
        "overshoot": st.sampled_from(["play-on"] if target in starts else ["play-on", "loses"]),
        "exhausted": st.sampled_from(["last-mover", "closest"] if own else ["last-mover"]),
    }
    for key, values in optional.items():
        if draw(st.booleans()):
            table[key] = draw(values)
    if table.get("exhausted") == "closest":
        ties = ["second-mover", "first-mover", *(["sudden-death"] if sudden_death else [])]
        table["tie"] = draw(st.sampled_from(ties))
    return table


@st.composite
def sudden_death_tables(draw: st.DrawFn, *, max_pool: int = 4) -> RulesDict:
    """Return a variant that may go on for several rounds."""
    table = draw(tables(max_pool=max_pool))
    start = table["start"]
    table |= {"totals": "own", "exhausted": "closest", "tie": "sudden-death"}
    if isinstance(start, int) and draw(st.booleans()):
        # As far below the target as above it, where one number each way makes ties that last.
        table["start"] = [start, 2 * table["target"] - start]
    return table


def variants(*, max_pool: int = 6) -> st.SearchStrategy[Rules]:
    """Return the rules of any valid variant."""
    return st.one_of(tables(max_pool=max_pool), sudden_death_tables()).map(rules_from_dict)


def plays(rules: Rules, choices: list[int], *, shy: bool = False) -> list[Position]:
    """Return the positions of a legal play, the start first; `shy` players avoid the end where they can."""
    positions = [start_position(rules)]
    for choice in choices:
        now = positions[-1]
        following = [now.play(move) for move in now.legal_moves()]
        if shy:
            following = [after for after in following if after.outcome is None] or following
        if not following:
            break
        positions.append(following[choice % len(following)])
    return positions


@st.composite
def lines(draw: st.DrawFn) -> list[Position]:
    """Return the positions of a legal play of any variant."""
    return plays(draw(variants()), draw(CHOICES), shy=draw(st.booleans()))


POISON = (
    "9223372036854775808",
    "-9223372036854775809",
    "NaN",
    "nan",
    "inf",
    "1234567890123456789012345",
    "1_0",
    "٣",
    "५",
    "５",
    "²",
    "5.0",
    "true",
    "1e1",
    "0x5",
    "\ud800",
    "5\ud800",
    "\0",
    "5\0",
    "",
    " ",
    " 5",
    "5 ",
    "5\n",
    "+",
    "-",
    "5+",
    "1,5",
    "1000001",
    "-1000001",
    "\N{FULLWIDTH PLUS SIGN}5",
    "\N{EN DASH}5",
    "0" * 20_000 + "x",
    "9" * 20_000,
)
"""Text that is no number within the limits, at any door."""


def hostile_text() -> st.SearchStrategy[str]:
    """Return text that means harm: poison values, control and bidi characters, surrogates, long lines."""
    return st.one_of(
        st.sampled_from(POISON),
        st.lists(st.integers(0, 0x10FFFF).map(chr), max_size=30).map("".join),
        st.text("\0\a\b\t\r\n\x1b\x7f\x85\u200b\u202e\u2028\u2066\ufeff\ud800٣５²", max_size=30),
        st.text('+-0123456789,/ ."\\[]:swapresigntimeforfeit\n', max_size=40),
        st.integers(1, 5_000).map(lambda length: "0" * length),
    )
