"""Measures every game of the spaces in docs/spaces/mechanisms, and writes a table of each beside it.

`make mechanisms` runs it; it takes some minutes.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from zerosum.lab.executors import Local, evaluate
from zerosum.lab.goals import figure
from zerosum.lab.spaces import Space, read_space
from zerosum.rules.model import Rules, rules_to_dict

SPACES: Final = Path(__file__).resolve().parents[1] / "docs" / "spaces" / "mechanisms"
FIGURES: Final = {
    "winner": "value.winner",
    "plies": "value.plies",
    "right": "openings.share",
    "even_to": "even_to",
    "first8": "first.level:8",
    "first9": "first.level:9",
    "choices": "density.level:5",
    "behind": "behind.level:5",
    "length": "length.level:5.mean",
}
"""The columns of a table that are measured, each with the path of its metric."""


def games(space: Space) -> Iterator[Rules]:
    """Yield the games of a space; none of these spaces has a point that is no game."""
    for point in space.points():
        rules = space.rules_at(point)
        if rules is None:
            raise ValueError(f"{space.name} has a point that is no game: {point}")
        yield rules


def keys(rules: Rules) -> dict[str, Any]:
    """Return what tells the games of a table apart."""
    negative = sum(number < 0 for number in rules.pool)
    table = {"numbers": len(rules.pool), "negative": negative, "target": rules.target}
    return table | {"reaching": rules.reaching.value, "swap": "yes" if rules.swap else "no"}


def table_of(found: Sequence[Rules], jobs: int) -> str:
    """Return the table of some games, a line for each."""
    tasks = [json.dumps(rules_to_dict(rules)) for rules in found]
    documents = {at: json.loads(row) for at, row in evaluate("zerosum.lab.metrics:metrics_job", tasks, Local(jobs))}
    text = io.StringIO()
    writer = csv.DictWriter(text, [*keys(found[0]), *FIGURES], lineterminator="\n")
    writer.writeheader()
    for at, rules in enumerate(found):
        writer.writerow(keys(rules) | {name: _short(figure(documents[at], path)) for name, path in FIGURES.items()})
    return text.getvalue()


def _short(value: object) -> object:
    """Return a figure as the tables hold it; a game that is not even at random has no level."""
    return round(value, 6) if isinstance(value, float) else "" if value is None else value


def main() -> None:
    """Write the tables."""
    for path in sorted(SPACES.glob("*.toml")):
        found = list(games(read_space(str(path))))
        path.with_suffix(".csv").write_text(table_of(found, os.cpu_count() or 1), encoding="utf-8")
        print(f"{path.with_suffix('.csv').name} is written anew", flush=True)


if __name__ == "__main__":
    main()
