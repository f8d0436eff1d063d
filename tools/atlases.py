"""The six families in the documentation: what the command says of each, and the pictures of who wins."""

from __future__ import annotations

import json
from typing import Final

from tools.calls import called
from zerosum.lab.atlas import facts_of
from zerosum.lab.atlas_pages import heatmap
from zerosum.lab.families import load_family, members

RANGES: Final = {
    "sum": "1..9",
    "sum-misere": "1..9",
    "duel": "1..7",
    "sum-to-zero": "1..6",
    "sequence": "1..6",
    "zero-sum-game": "1..5",
}
"""The values of n that the documentation shows: small ones, so that it is made quickly."""


def atlas(family: str) -> str:
    """Return the section of a family: how to get it, its picture, its sequences, what holds."""
    call = ("atlas", family, "--n", RANGES[family])
    found = json.loads(called((*call, "--jobs", "1", "--json")).out)
    lines = [
        f"`zerosum {' '.join(call)}`: {len(found['rows'])} games.",
        "",
        f"![{found['name']}: who wins](../images/atlas-{family}.svg)",
        "",
        *(
            f"- {one['name']}, from n = {one['offset']}: {', '.join(map(str, one['data']))}"
            for one in found["sequences"]
        ),
        "",
        "What holds in these games:",
        "",
        *(f"- {one['words']} ({one['range']})" for one in found["holds"]),
    ]
    return "\n".join(lines) + "\n"


def svg(name: str) -> str:
    """Return the picture of a family: who wins each game."""
    family = load_family(name).with_range("n", RANGES[name])
    rows = [{**one.values, **facts_of(one.rules)} for one in members(family)]
    return heatmap("winner", family.name, list(family.parameters), rows)
