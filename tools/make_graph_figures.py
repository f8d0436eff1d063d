"""Computes figures of the graphs of games, and writes them to tests/golden/graph_figures.json.gz.

The file holds, for the eight built-in games and 300 random variants, what the code said before all rooms shared one
graph of a game: values of positions, exact chances, metrics, best responses, and tables of environments. It was made
once, with the code of that day, so that tests can compare; make it again only if a figure was wrong. Only the `arrays`
of tables are later: the graph numbers the states in another order. The variants are drawn from a seed and stored as
tables of rules, so that the tests need no generator. It takes about ten minutes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from zerosum.arena.strength.best_response import exploitability
from zerosum.arena.strength.named_policies import Policy, policy_of
from zerosum.arena.strength.policy_report import own_play, scores_of
from zerosum.lab.metrics import metrics
from zerosum.players.odds import odds_from
from zerosum.players.policies import MovePolicy
from zerosum.rules.game_files import BUILT_IN_IDS, built_in
from zerosum.rules.model import Rules, rules_from_dict, rules_to_dict
from zerosum.rules.position import Position, start_position
from zerosum.solver import SolverError, solution_of
from zerosum.solver.game_table import compile_table

PATH: Final = Path(__file__).resolve().parent.parent / "tests" / "golden" / "graph_figures.json.gz"
VARIANTS: Final = 300
MOST_WALKED: Final = 2_000
"""Positions that are looked at in a game whose positions have no end."""
MOST_SPELLED: Final = 12_000
"""States of a table that is spelled out without the numbers of its states."""
PLAYERS: Final = ("random", "level:2", "level:5", "level:8", "perfect")
MEASURED: Final = ("random", "level:5")
RESPONDED: Final = ("random", "level:3", "level:7", "perfect")
SCORED: Final = ("random", "level:4", "perfect")

Figures = dict[str, Any]


# What is computed of a game


def values(rules: Rules) -> Figures:
    """Return how many positions play reaches, how many are won and lost, and all verdicts and plies as a hash."""
    solution = solution_of(rules)
    counts = {"win": 0, "loss": 0, "draw": 0}
    lines = []
    most = None if solution.count is not None else MOST_WALKED
    for position in walked(rules, most):
        value = solution.value(position)
        counts[value.verdict.value] += 1
        lines.append(f"{spelled(position)} {value.verdict.value} {value.plies}")
    return {"positions": solution.count, **counts, "hash": _hash_of_lines(lines)}


def chances(rules: Rules) -> Figures:
    """Return seat 1's chance to win, for every pairing of some players."""
    odds = odds_from(start_position(rules), list(product(PLAYERS, PLAYERS)))
    return {f"{one} {two}": odds.first_wins[one, two] for one, two in product(PLAYERS, PLAYERS)}


def measured(rules: Rules) -> Figures:
    """Return the metrics of a game."""
    return json.loads(json.dumps(metrics(rules, MEASURED)))  # type: ignore[no-any-return]  # an object, as JSON has it


def responses(rules: Rules) -> Figures:
    """Return how often the best response to some policies wins, and what the policies give away in their own play."""
    solution = solution_of(rules)
    found: Figures = {}
    for policy in (*(policy_of(who, rules) for who in RESPONDED), _lopsided()):
        best = exploitability(policy.guest, rules)
        own = own_play(policy.guest, solution)
        found[policy.name] = [best.as_first, best.as_second, own.decisions, own.choices, own.kept, own.regret]
    return found


def scores(rules: Rules) -> Figures:
    """Return what a policy scores that is no level, against some players and from either seat."""
    against = scores_of(_lopsided(), start_position(rules), SCORED).against
    return {one.who: [one.as_first, one.as_second] for one in against}


def environment(rules: Rules) -> Figures | None:
    """Return the compiled table of a game, each array as a hash; None if the game has no table."""
    table = compile_table(rules)
    if table is None:
        return None
    arrays = {
        "next": table.next,
        "mask": table.mask,
        "observation": table.observation,
        "value": table.labels.value,
        "plies": table.labels.plies,
        "keeping": table.labels.keeping,
    }
    return {
        "size": table.size,
        "layers": [int(bound) for bound in table.layers],
        "arrays": {name: _hash_of_array(array) for name, array in arrays.items()},
        "unnumbered": _unnumbered(table) if table.size <= MOST_SPELLED else None,
    }


KINDS: Final[dict[str, Callable[[Rules], Figures | None]]] = {
    "values": values,
    "chances": chances,
    "metrics": measured,
    "responses": responses,
    "scores": scores,
    "environment": environment,
}
"""Every kind of figure."""


def figure(kind: str, rules: Rules) -> Figures | None:
    """Return a kind of figure of a game; None if it cannot be known exactly."""
    try:
        return KINDS[kind](rules)
    except SolverError:
        return None


def walked(rules: Rules, most: int | None = None) -> list[Position]:
    """Return the unfinished positions that play reaches, nearest first; at most `most` and those of one ply."""
    found = {start_position(rules).key: start_position(rules)}
    layer = list(found.values())
    while layer and (most is None or len(found) < most):
        following = []
        for position in layer:
            for move in position.legal_moves():
                after = position.play_unchecked(move)
                if after.outcome is None and after.key not in found:
                    found[after.key] = after
                    following.append(after)
        layer = following
    return list(found.values())


def spelled(position: Position) -> str:
    """Return what tells a position apart, as text."""
    pool, totals, seat, *memory = position.key
    return f"{pool} {totals} {seat.value} {memory}"


def _lopsided() -> Policy:
    """Return a policy that is no level: it prefers every third move, and plays mirrors differently."""

    def prefer(position: Position) -> list[float]:
        weights = [1 + 2 * (at % 3 == 0) for at in range(len(position.legal_moves()))]
        return [weight / sum(weights) for weight in weights]

    return Policy("lopsided", MovePolicy(prefer, mirrors=False))


def _unnumbered(table: Any) -> str:
    """Return a hash of a table in which positions stand for the numbers of states."""
    texts = [spelled(table.position(state)) for state in range(table.size)]
    following = table.next.reshape(table.size, table.actions)
    lines = []
    for state, text in enumerate(texts):
        moves = [texts[entry >> 2] if entry & 3 == 0 else str(entry & 3) for entry in following[state].tolist()]
        label = [int(table.labels.value[state]), int(table.labels.plies[state]), table.labels.keeping[state].tolist()]
        rows = [table.mask[state].tolist(), table.observation[state].tolist()]
        lines.append(f"{text} {moves} {label} {rows}")
    return _hash_of_lines(lines)


def _hash_of_lines(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]


def _hash_of_array(array: np.ndarray[Any, Any]) -> str:
    told = f"{array.dtype.str} {array.shape} ".encode()
    return hashlib.sha256(told + np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


# Random variants


def drawn(number: int) -> Figures:
    """Return the table of a random variant, the same for the same number."""
    dice = Random(f"graph figures {number}")
    sudden = number % 8 == 0
    own = sudden or _likely(dice, 0.5)
    subtracts = _likely(dice, 0.4)
    most = 4 if sudden and subtracts else 5 if sudden or (own and subtracts) else 7 if own or subtracts else 8
    pool = _pool(dice, dice.randint(3, most))
    target = sum(dice.sample(pool, dice.randint(1, len(pool)))) + dice.choice((0, 0, 0, 1, -2))
    start: Any = dice.choice((0, 0, 0, 1, -3))
    if own and _likely(dice, 0.5):
        start = dice.choice(([0, 1], [2, -2], [target + 2, target - 2], [-4, 4]))
    table: Figures = {
        "format": 1,
        "id": f"variant-{number}",
        "name": f"Variant {number}",
        "pool": pool,
        "target": target,
        "start": start,
        "totals": "own" if own else "shared",
        "operations": ["add", "subtract"] if subtracts else ["add"],
        "reaching": dice.choice(("wins", "wins", "loses")),
        "ban": dice.choice(("none", "none", "mirror")),
        "swap": _likely(dice, 0.3),
        "overshoot": dice.choice(("play-on", "play-on", "loses")),
    }
    if target in (start if isinstance(start, list) else [start]):
        table["overshoot"] = "play-on"
    if sudden:
        table |= {"exhausted": "closest", "tie": "sudden-death"}
        if number % 32:  # Exact chances of sudden death are known only without these.
            table |= {"ban": "none", "swap": False}
    elif own and _likely(dice, 0.7):
        table |= {"exhausted": "closest", "tie": dice.choice(("first-mover", "second-mover"))}
    return table


def _likely(dice: Random, share: float) -> bool:
    return dice.random() < share


def _pool(dice: Random, count: int) -> list[int]:
    """Return numbers: all different, a few repeated ones, pairs that cancel, or any."""
    kind = dice.randrange(4)
    if kind == 0:
        return dice.sample(range(1, 10), count)
    if kind == 1:
        few = dice.sample([-4, -2, 1, 2, 3, 5, 6], 3)
        return [dice.choice(few) for _ in range(count)]
    if kind == 2:  # noqa: PLR2004 - the third of four kinds
        half = [dice.randint(1, 7) for _ in range((count + 1) // 2)]
        return [*half, *(-number for number in half)][:count]
    return [dice.choice([number for number in range(-9, 10) if number]) for _ in range(count)]


def figured(rules: Rules) -> Figures:
    """Return the table of a game and all its figures."""
    return {"rules": rules_to_dict(rules), **{kind: figure(kind, rules) for kind in KINDS}}


def stored() -> dict[str, Figures]:
    """Return what the file holds: for each game its rules and its figures, built-in games first."""
    return json.loads(gzip.decompress(PATH.read_bytes()))  # type: ignore[no-any-return]  # as `main` wrote it


def main() -> int:
    """Compute everything and write the file."""
    rules = [built_in(game) for game in BUILT_IN_IDS] + [rules_from_dict(drawn(number)) for number in range(VARIANTS)]
    found = {}
    for one in rules:
        print(one.id, flush=True)
        found[one.id] = figured(one)
    text = json.dumps(found, separators=(",", ":"))
    PATH.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    return 0


if __name__ == "__main__":
    sys.exit(main())
