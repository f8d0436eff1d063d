"""Turning points as a naive search finds them; nothing of the package is used for it but the text of moves."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from tests import naive
from tests.solver.agreement import bracketed
from zerosum.match.match import Match
from zerosum.rules.game_files import is_built_in
from zerosum.rules.model import Rules, Tie, rules_to_dict

Verdict = Callable[[naive.State], str]
RANK = {"loss": 0, "draw": 1, "win": 2}
OTHER = {"win": "loss", "loss": "win", "draw": "draw"}
FAR = 18


@cache
def naive_game(rules: Rules) -> tuple[naive.Game, Verdict]:
    """Return a game written a second time, and the verdict of its states."""
    game: naive.Game = naive.GAMES[rules.id] if is_built_in(rules) else naive.Variant(rules_to_dict(rules))
    if rules.tie is not Tie.SUDDEN_DEATH:
        value = naive.solver(game)
        return game, lambda state: value(state)[0]
    one, two = (bracketed(Forgetful(game), rules.target, FAR, winner=winner) for winner in (1, 2))

    def verdict(state: naive.State) -> str:
        found, again = one[_plain(state)], two[_plain(state)]
        if found is None and again is None:
            return "draw"
        assert found is not None, state
        assert again is not None, state
        assert found[0] == again[0], state
        return found[0]

    return game, verdict


def _plain(state: naive.State) -> naive.State:
    return state._replace(last=None, plies=0)


class Forgetful:
    """A game without ban and swap, whose states do not remember how they came about."""

    def __init__(self, game: naive.Game) -> None:
        self.game = game
        self.start, self.moves = game.start, game.moves

    def play(self, state: naive.State, move: str) -> naive.State:
        """Make a move and forget it."""
        return _plain(self.game.play(state, move))


def naive_review(match: Match) -> list[dict[str, Any]]:
    """Return of each move of a match the verdicts before and after it, and the moves that would have kept the first."""
    game, verdict = naive_game(match.setup.rules)
    state = game.start()
    found = []
    for move in match.moves:
        text = match.position.text_of(move)
        after = {one: _for_mover(verdict, state, game.play(state, one)) for one in game.moves(state)}
        best = max(after.values(), key=lambda one: RANK[one])
        blunder = RANK[after[text]] < RANK[best]
        better = {one for one, value in after.items() if value == best} if blunder else set()
        real = len(set(after.values())) > 1
        found.append({"verdict": best, "after": after[text], "blunder": blunder, "better": better, "real": real})
        state = game.play(state, text)
    return found


def _for_mover(verdict: Verdict, state: naive.State, after: naive.State) -> str:
    if after.winner is not None:
        return "win" if after.winner == state.seat else "loss"
    return OTHER[verdict(after)]
