"""How many whys have a cause: computed by `python tools/cause_shares.py`, kept in a file, shown in the documentation.

A *why* is a move that a level makes in a position with a real choice, where the moves differ in verdict. It is trivial
if the move ends the match or leaves a win at once. Each counts by the exact chance that a match of the level against
itself comes by it. In a game with a law, the law is a cause of every move, so that nothing needs to be counted.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.tables import table  # noqa: E402 - after the path is set
from zerosum.coach.cause_words import WORDS, words  # noqa: E402 - see above
from zerosum.coach.causes import NAMES, why  # noqa: E402 - see above
from zerosum.players.policies import chances  # noqa: E402 - see above
from zerosum.rules.game_files import RULEBOOK_IDS, load_game  # noqa: E402 - see above
from zerosum.rules.position import Position, PositionKey  # noqa: E402 - see above
from zerosum.solver import Solution, solution_of  # noqa: E402 - see above

FILE: Final = Path(__file__).with_name("cause_shares.json")
LEVELS: Final = ("level:2", "level:4", "level:6")
_TRIVIAL: Final = ("ends", "leaves")
_SENTENCES: Final = 2
_LEAST: Final = 1e-12
_PLACES: Final = 6
Shares = dict[str, float]


def shares(solution: Solution) -> dict[str, Shares]:
    """Return, for each level, the share of each cause among the whys that are not trivial, and of short ones."""
    met: dict[str, dict[str, float]] = {who: defaultdict(float) for who in LEVELS}
    for position, reached in _reached(solution):
        options = solution.options(position)
        if len({option.value.verdict for option in options}) == 1:
            continue
        played = {who: chances(who, position, solution) for who in LEVELS}
        for option in options:
            weights = {who: reached[who] * played[who][option.move] for who in LEVELS}
            if max(weights.values()) < _LEAST:
                continue
            found = why(position, option.move, solution)
            if found.name in _TRIVIAL:
                continue
            told = words(found)
            short = len(told) <= _SENTENCES and len(" ".join(told).split()) <= WORDS
            for who, weight in weights.items():
                met[who][found.name] += weight
                met[who]["short"] += weight * short
    return {who: _divided(counts) for who, counts in met.items()}


def _divided(counts: dict[str, float]) -> Shares:
    whole = sum(weight for name, weight in counts.items() if name != "short")
    return {name: round(counts[name] / whole, _PLACES) for name in (*NAMES.values(), "short") if name in counts}


def _reached(solution: Solution) -> Iterator[tuple[Position, Shares]]:
    """Yield every position of a game that ends, and the chance that each level against itself comes by it."""
    layer: dict[PositionKey, tuple[Position, Shares]] = {
        solution.start.key: (solution.start, dict.fromkeys(LEVELS, 1.0))
    }
    while layer:
        following: dict[PositionKey, tuple[Position, Shares]] = {}
        for position, reached in layer.values():
            yield position, reached
            for who in LEVELS:
                for move, chance in chances(who, position, solution).items():
                    after = position.play_unchecked(move)
                    if chance and after.outcome is None:
                        there = following.setdefault(after.key, (after, dict.fromkeys(LEVELS, 0.0)))[1]
                        there[who] += reached[who] * chance
        layer = following


def up_to(found: Shares, last: str) -> float:
    """Return the share of the causes up to one of them."""
    names = list(NAMES.values())
    return sum(found.get(name, 0.0) for name in names[: names.index(last) + 1])


def causes() -> str:
    """Return the table of the documentation."""
    kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    rows: list[tuple[str, ...]] = []
    for game in RULEBOOK_IDS:
        name = load_game(game).name
        if game not in kept:
            rows.append((name, "any", "100%", "100%", "100%", "100%"))
            continue
        for who, found in kept[game].items():
            by = (up_to(found, last) for last in ("next-no-safe-reply", "plan", "card"))
            rows.append((name, f"`{who}`", *(f"{share:.1%}" for share in by), f"{found['short']:.1%}"))
    head = ("game", "played by", "causes 1-9", "1-10", "1-11", "at most 2 sentences and 32 words")
    return table(head, rows)


def main() -> int:
    """Compute the shares of the games without a law, and keep them."""
    solutions = {game: solution_of(load_game(game)) for game in RULEBOOK_IDS}
    found = {game: shares(one) for game, one in solutions.items() if one.law is None}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
