"""A key that only the reader, `Rules` and `Position` know: every door is right by brute force, or refuses by its name.

`python -m tests.planted KEY [DOOR...]` shows what each door says.
"""

from __future__ import annotations

import pytest

from tests.full import parted
from tests.planted.__main__ import asked
from tests.planted.plants import NONE, PLANTS

DOORS = {
    *("solve", "analyze", "levels", "metrics", "audit", "repair", "card", "learn", "puzzle", "measure", "exam"),
    *(
        "review",
        "prove",
        "play",
        "arena",
        "search",
        "pettingzoo",
        "gymnasium",
        "openspiel",
        "batch",
        "page",
        "assistant",
    ),
}


QUICK = {"above-doubles", "two-moves", "without-least"}
"""What `make test` plants: changes of a move, of whose turn it is and of the start. `make full` plants all."""


@pytest.mark.parametrize("key", parted(PLANTS, [key for key in PLANTS if key not in QUICK]))
def test_every_door_is_right_or_refuses_by_name(key: str) -> None:
    rows = asked(key)
    assert {row["door"] for row in rows} == DOORS
    faults = [
        f"{row['door']} of game {row['game']}: {line}" for row in rows if row["fate"] == "wrong" for line in row["said"]
    ]
    assert not faults, "\n".join([PLANTS[key].means, *faults])


@pytest.mark.full
def test_the_same_doors_are_right_about_games_without_a_key() -> None:
    unnamed = DOORS - {"audit", "exam", "page", "assistant"}  # these have to name a key, or use arithmetic
    wrong = [row for row in asked(NONE, sorted(unnamed)) if row["fate"] != "right"]
    assert not wrong
