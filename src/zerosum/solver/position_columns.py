"""All positions of a game as columns of NumPy, in the order of its table: ready for a data frame."""

from __future__ import annotations

from zerosum.base.extras import missing

try:
    import numpy as np
except ImportError as error:
    raise missing(__name__, error) from error

from zerosum.rules.model import Ban, Rules, Totals
from zerosum.solver import graph_passes_numpy
from zerosum.solver.game_table import Array, game_table


def columns_of(rules: Rules) -> dict[str, Array]:
    """Return a column for each number of the pool, the seat, the totals, and what is true.

    `verdict` is 1 if the seat to move wins and -1 if it loses; `winning` is the number of moves that win.

    >>> from zerosum.rules.game_files import load_game
    >>> found = columns_of(load_game("sum31"))
    >>> list(found)[-5:], {len(column) for column in found.values()}
    (['total', 'verdict', 'plies', 'moves', 'winning'], {420})
    """
    table = game_table(rules)
    seen = graph_passes_numpy.columns(table.graph)
    numbers = dict.fromkeys(rules.pool)
    found: dict[str, Array] = {f"{number} left": seen.left[:, at] for at, number in enumerate(numbers)}
    found["seat"] = seen.seat
    if rules.totals is Totals.OWN:
        first = seen.seat == 1
        found["total 1"] = np.where(first, seen.mine, seen.other)
        found["total 2"] = np.where(first, seen.other, seen.mine)
    else:
        found["total"] = seen.mine
    if rules.ban is not Ban.NONE:
        found["added before"] = seen.before
    if rules.swap:
        found["swap"] = seen.phase
    value, plies, keeping = table.labels
    winning = np.where(value > 0, keeping.sum(axis=1), 0)
    return found | {"verdict": value, "plies": plies, "moves": table.choices, "winning": winning}
