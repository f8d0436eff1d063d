"""What never happens: the generated words, against counts that are made in another way."""

import re

import pytest

from tests import naive
from tests.full import parted
from tools.make_docs import LONG, made
from zerosum.rules.game_files import LAB_IDS, built_in

NEVER = {
    "sum-to-zero": "`last-mover`",
    "sequence-zero": "`tie-rule`",
    "zero-sum-duel": "none; each of them can happen",
    "zero-sum-game": "`closer`",
    "sum31": "`last-mover`",
}

SMALL = min(LAB_IDS, key=lambda game: len(built_in(game).pool))
"""The game of the lab that is gone through soonest."""


def block(game: str) -> str:
    return made(f"never {game}")


@pytest.mark.parametrize("game", parted(NEVER, [game for game in NEVER if f"never {game}" in LONG]))
def test_the_ways_that_never_occur(game: str) -> None:
    assert f"- **Ways to end that never occur:** {NEVER[game]}.\n" in block(game)
    rows = re.findall(r"^\| (`[a-z-]+`) \| never \| never \|$", block(game), re.MULTILINE)
    assert rows == [NEVER[game]] * NEVER[game].startswith("`")


@pytest.mark.parametrize("game", ["zero-sum-duel", "sum31", SMALL])
def test_the_counts_are_those_of_a_plain_search(game: str) -> None:
    """Positions, moves and the longest match, by the second, plain implementation."""
    rules = naive.GAMES[game]
    layer, positions, moves, plies = {rules.start()}, 0, 0, 0
    while layer:
        positions += len(layer)
        plies += 1
        following = set()
        for state in layer:
            for move in rules.moves(state):
                moves += 1
                after = rules.play(state, move)
                if after.winner is None:
                    following.add(after)
        layer = following
    assert f"{moves:,} moves of {positions:,} unfinished positions" in block(game)
    assert f"the longest {plies}." in block(game)
