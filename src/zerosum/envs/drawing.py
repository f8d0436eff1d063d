"""A match in a few lines of text: what `render` shows."""

from __future__ import annotations

from collections.abc import Sequence

from zerosum.envs.duel import Duel
from zerosum.rules.model import Totals


def drawing(duel: Duel, names: Sequence[str]) -> str:
    """Return the position and whose turn it is, or who has won and why.

    >>> from zerosum.envs.encoding import encoding_of
    >>> from zerosum.rules.files import load_game
    >>> print(drawing(Duel(encoding_of(load_game("sum31")).start), ["player_1", "player_2"]))
    Sum31: player_1 to move
    Numbers left: 1, 2, 3, 4, 5, 6, 7, 8, 9
    Total: 0, target 31
    """
    position = duel.position
    rules = position.rules
    if rules.totals is Totals.SHARED:
        totals = str(position.totals[0])
    else:
        totals = ", ".join(f"{name} {position.total(duel.seat(n))}" for n, name in enumerate(names))
    if duel.winner is not None:
        state = f"{names[duel.winner]} wins ({duel.reason})"
    else:
        state = f"stopped ({duel.reason})" if duel.over else f"{names[duel.mover]} to move"
    label = "Total" if rules.totals is Totals.SHARED else "Totals"
    return (
        f"{rules.name}: {state}\nNumbers left: {', '.join(map(str, position.pool)) or 'none'}\n"
        f"{label}: {totals}, target {rules.target}"
    )
