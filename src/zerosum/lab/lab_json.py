"""The documents of the lab, as `--json` gives them."""

from __future__ import annotations

from typing import Literal, TypedDict

By = dict[str, float]
"""A figure for each player."""


class ValueJson(TypedDict):
    """Who wins with perfect play, None for a draw, and in how many plies."""

    winner: int | None
    plies: int | None


class OpeningsJson(TypedDict):
    """The moves of the start; `winning` as if seats were never swapped."""

    count: int
    winning: int
    share: float
    bits: float
    swap_right: float | None


class LengthJson(TypedDict):
    """How long matches are."""

    mean: float
    sd: float
    chances: dict[str, float]


class GraphJson(TypedDict):
    """How many positions there are, and of which kinds."""

    positions: int
    mover_wins: int
    real: int
    only: int
    longest: int | None


class NumberJson(TypedDict):
    """In how many positions a number wins, and in how many nothing else does."""

    number: int
    wins: int
    needed: int


class SkillJson(TypedDict):
    """How many levels are clearly better than the one below, and the least that can hold its own."""

    depth: int
    reach: int | None


class Opening(TypedDict):
    """What solving a game shows at its start."""

    value: ValueJson
    openings: OpeningsJson


class Screen(TypedDict):
    """What is measured of every game that a search looks at closely, for a few players."""

    game: str
    fingerprint: str
    scope: Literal["whole", "first-round"]
    error: float
    value: ValueJson
    openings: OpeningsJson
    first: By
    balance: By
    length: dict[str, LengthJson]
    early: By
    density: By
    only: By
    changes: By
    behind: By
    endings: dict[str, By]
    refill: By | None
    graph: GraphJson
    numbers: list[NumberJson]


class Metrics(Screen):
    """Everything that is measured of a game, for all players."""

    fairness: float
    perfect: By
    step: dict[str, float | None]
    skill: SkillJson


class MetricsJson(TypedDict):
    """`zerosum metrics --json`."""

    schema: Literal[1]
    games: list[Metrics]
