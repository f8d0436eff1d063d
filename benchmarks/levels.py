"""Computer players: how long a reply takes, and the ladder of each game."""

from __future__ import annotations

import time
from functools import partial
from random import Random

from benchmarks.measure import at_most, best
from zerosum.players import PLAYERS, choose, prepare
from zerosum.players.odds import ladder_of
from zerosum.rules.game_files import RULEBOOK_IDS, load_game
from zerosum.rules.model import Rules
from zerosum.rules.position import start_position

_REPLY = 0.050
_LADDER = 10.0
_MATCHES = 25
_REPLIES = 20_000
_SHARE = 0.99


def main() -> None:
    """Print the slowest replies and the seconds of each ladder."""
    for game in RULEBOOK_IDS:
        rules = load_game(game)
        replies = sorted(_replies(rules))
        slow = replies[int(_SHARE * len(replies))]
        what = f"{game}, 99 of 100 of {len(replies):,} replies, all levels ({1000 * slow:.1f} ms)"
        at_most(what, slow / _REPLY, 1, "50 ms")
    for game in RULEBOOK_IDS:
        rules = load_game(game)
        seconds = best(partial(ladder_of, rules), 1)
        at_most(f"{game}, the ladder ({seconds:.1f} s)", seconds / _LADDER, 1, "10 s")


def _replies(rules: Rules) -> list[float]:
    """Return how long each reply took, in matches of every player against moves at random."""
    found: list[float] = []
    dice = Random(rules.id)
    for who in PLAYERS.names:
        prepare(who, rules)
        for match in range(_MATCHES):
            position = start_position(rules)
            while position.outcome is None and len(found) < _REPLIES:
                began = time.perf_counter()
                move = choose(who, position, f"{match}/{len(found)}")
                found.append(time.perf_counter() - began)
                position = position.play(move)
                if position.outcome is None:
                    position = position.play(dice.choice(position.legal_moves()))
    return found


if __name__ == "__main__":
    main()
