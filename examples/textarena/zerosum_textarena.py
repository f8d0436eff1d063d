"""The number duels of zerosum in TextArena: two agents play a game of text, and every move is judged exactly.

import textarena as ta
import zerosum_textarena  # registers Zerosum-sum31-v0 and the other games

env = ta.make("Zerosum-sum31-v0")
"""

from __future__ import annotations

from typing import Any, Final

import textarena as ta
from textarena.envs.registration import register_with_versions
from textarena.wrappers import GameMessagesAndCurrentBoardObservationWrapper, LLMObservationWrapper

from zerosum.arena.entrants.entrant import Fault, Turn
from zerosum.arena.entrants.model_endpoint import ModelReply
from zerosum.arena.entrants.open_entrant import judge_reply
from zerosum.arena.entrants.prompt import prompt
from zerosum.arena.strength.decisions import judge_of
from zerosum.match.match import Match
from zerosum.match.setup import Person, Setup
from zerosum.rules.game_files import BUILT_IN_IDS, load_game
from zerosum.rules.model import InvalidMove
from zerosum.solver import solution_of

WRAPPERS: Final = {"default": [LLMObservationWrapper], "-train": [GameMessagesAndCurrentBoardObservationWrapper]}


class ZerosumEnv(ta.Env):
    """One match. Player 0 moves first; a reply ends with `MOVE: +5`, or just names the move in brackets: `[+5]`.

    After each move `info` says whether it was a real choice, whether it kept the best verdict, and what it gave away.
    """

    def __init__(self, game: str = "sum31") -> None:
        """Take a built-in id or the path of a rules file."""
        super().__init__()
        self.rules = load_game(game)
        self._judge = judge_of(solution_of(self.rules))
        self.match = Match(Setup(rules=self.rules, who=("model", "model")))

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a match; nothing in it is random."""
        allowed = 0 if self.rules.invalid_move is InvalidMove.FORFEIT else 1
        self.state = ta.TwoPlayerState(num_players=num_players, seed=seed, error_allowance=allowed)
        self.state.reset(game_state={}, player_prompt_function=self._greet)
        self.match = Match(Setup(rules=self.rules, who=("model", "model")))
        self._show()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play the move that a reply names; tell what it is worth."""
        mover, position = self.state.current_player_id, self.match.position
        self.state.add_observation(action, ta.ObservationType.PLAYER_ACTION, from_id=mover)
        reply = judge_reply(ModelReply(action, cut=False), position, 0.0, lenient=True)
        if reply.move is None:
            self.state.step_info = {"legal": False, "unreadable": reply.fault is Fault.UNREADABLE}
            self.state.set_invalid_move(f"{reply.detail}.")
        else:
            decision = self._judge(position, reply.move)
            self.match = self.match.after(reply.move)
            self.state.step_info = {
                "legal": True,
                "real": decision.real,
                "kept": decision.kept,
                "regret": decision.regret,
            }
            said = f"Player {mover} plays {position.text_of(reply.move)}."
            self.state.add_observation(said, ta.ObservationType.GAME_ACTION_DESCRIPTION)
        if self.match.outcome is not None:
            winner = self.match.person(self.match.outcome.winner)
            self.state.set_winner(0 if winner is Person.ONE else 1, reason=self.match.outcome.reason.value)
        elif reply.move is not None:
            self._show()
        done, info = self.state.step()
        return bool(done), dict(info)

    def _greet(self, player_id: int, game_state: dict[str, Any]) -> str:
        del game_state
        return f"You are Player {player_id} in a match of {self.rules.name}. Name one move in each reply."

    def _show(self) -> None:
        """Show the rules, the moves so far and the numbers left to both, as the player to move is asked."""
        turn = Turn(self.match.positions[0], self.match.moves, self.match.position, 0.0)
        self.state.add_observation(prompt(turn), ta.ObservationType.GAME_BOARD)


for _game in BUILT_IN_IDS:
    register_with_versions(
        f"Zerosum-{_game}-v0", entry_point="zerosum_textarena:ZerosumEnv", wrappers=WRAPPERS, game=_game
    )
