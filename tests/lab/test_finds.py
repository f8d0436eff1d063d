"""The front of what was found, and the picks that are far apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zerosum.lab.search import Find, distance, front, spread
from zerosum.rules.game_files import built_in


def _finds(figures: Sequence[tuple[float, float, float, float]]) -> list[Find]:
    base = built_in("sum31")
    return [
        Find(
            replace(base, target=10 + at),
            f"{at:04}",
            density,
            {
                "balance": {"random": 0, "level:9": 0} | {f"level:{n}": balance if n == 7 else 1 for n in range(1, 9)},
                "density": {"level:5": density},
                "behind": {"level:5": behind},
                "early": {"level:2": early},
            },
        )
        for at, (balance, density, behind, early) in enumerate(figures)
    ]


def test_the_front_is_what_nothing_beats() -> None:
    figures = [
        (0.5, 0.5, 0.2, 0.1),
        (0.6, 0.5, 0.2, 0.1),
        (0.4, 0.9, 0.2, 0.1),
        (0.6, 0.5, 0.2, 0.1),
        (0.6, 0.5, 0.2, 0.2),
    ]
    assert front([find.document for find in _finds(figures)]) == [False, True, True, True, False]


def test_picks_are_far_apart() -> None:
    finds = _finds([(0.5, 0.1 * at, 0.2, 0.1) for at in range(8)])
    chosen = spread(finds, 4)
    assert chosen[0].fingerprint == "0007"
    for place in range(1, 4):
        gap = min(distance(chosen[place], one) for one in chosen[:place])
        rest = [find for find in finds if find not in chosen[:place]]
        assert gap == max(min(distance(one, two) for two in chosen[:place]) for one in rest)
