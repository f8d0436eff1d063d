"""The number duels of zerosum in OpenEnv: a server that plays one match a session, and its client.

    zerosum-openenv --port 8000

Each step takes a model's whole reply. The reward of a step is 1 where the reply keeps the best verdict, else 0; the
outcome of the match is in the last observation.
"""

from __future__ import annotations

import argparse
from functools import lru_cache
from typing import Any
from uuid import uuid4

import uvicorn
from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from zerosum.exam.conversation import Conversation, Host
from zerosum.match.setup import Person
from zerosum.rules.game_files import BUILT_IN_IDS, load_game


class Reply(Action):
    """What a model says, as it stands; it should end with a line `MOVE: x`."""

    text: str = Field(description="The reply, such as 'MOVE: +5'")


class Seen(Observation):
    """What a model is to answer, and what its last answer was worth."""

    prompt: str = Field(default="", description="What to answer now; empty when the match is over")
    real: bool = Field(default=False, description="Whether the last turn was a real choice: moves differed in verdict")
    kept: bool = Field(default=False, description="Whether the last reply kept the best verdict")
    regret: float = Field(default=0.0, description="What it gave away, from 0 to 1")
    illegal: bool = Field(default=False, description="Whether the last reply was no legal move")
    won: bool | None = Field(default=None, description="Whether the model won; null while the match goes on")


class Standing(State):
    """Where a match stands."""

    game: str = ""
    opponent: str = ""
    position: str = ""
    moves: str = ""


@lru_cache(maxsize=32)
def host_of(game: str, opponent: str) -> Host:
    """Return who plays and judges; a game is solved once for all sessions.

    Only built-in games: a client must not make the server read files.
    """
    if game not in BUILT_IN_IDS:
        raise ValueError(f"There is no built-in game {game!r}.")
    return Host(load_game(game), opponent)


class ZerosumEnvironment(Environment[Reply, Seen, Standing]):
    """One match against a player of ours."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._steps, self._episode = 0, str(uuid4())
        self._game, self._opponent = "sum31", "level:5"
        self._talk: Conversation | None = None

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> Seen:
        """Begin a match; `game`, `opponent` and `first` (the model's seat) are options."""
        self._steps, self._episode = 0, episode_id or str(uuid4())
        self._game, self._opponent = str(kwargs.get("game", "sum31")), str(kwargs.get("opponent", "level:5"))
        first = Person.TWO if str(kwargs.get("first", 1)) == "2" else Person.ONE
        seed_text = self._episode if seed is None else str(seed)
        self._talk = host_of(self._game, self._opponent).begin(first, seed_text)
        return Seen(prompt=self._asked(), done=False, reward=None)

    def step(self, action: Reply, timeout_s: float | None = None, **kwargs: Any) -> Seen:
        """Take a reply; answer with the next prompt and with what the reply was worth."""
        del timeout_s, kwargs
        if self._talk is None or not self._talk.messages:
            raise ValueError("No match is on. Call reset() first.")
        before = len(self._talk.marks)
        self._talk = host_of(self._game, self._opponent).answered(self._talk, action.text)
        self._steps += 1
        if len(self._talk.marks) == before:  # asked again
            return Seen(prompt=self._asked(), illegal=True, done=False, reward=0.0)
        mark = self._talk.marks[-1]
        return Seen(
            prompt=self._asked(),
            real=mark.real,
            kept=mark.kept,
            regret=mark.regret,
            illegal=mark.replies[-1].move is None,
            won=self._talk.won,
            done=self._talk.won is not None,
            reward=float(mark.kept),
        )

    @property
    def state(self) -> Standing:
        """Where the match stands."""
        known = {"episode_id": self._episode, "step_count": self._steps, "game": self._game, "opponent": self._opponent}
        if self._talk is None:
            return Standing(**known)
        turn = self._talk.turn
        moves = " ".join(map(turn.start.text_of, turn.moves))
        return Standing(**known, position=str(turn.position), moves=moves)

    def _asked(self) -> str:
        return self._talk.messages[-1].content if self._talk is not None and self._talk.messages else ""


class ZerosumClient(EnvClient[Reply, Seen, Standing]):
    """The client of the server above."""

    def _step_payload(self, action: Reply) -> dict[str, Any]:
        return {"text": action.text}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[Seen]:
        done, reward = bool(payload.get("done")), payload.get("reward")
        seen = Seen(**{**payload["observation"], "done": done, "reward": reward})
        return StepResult(observation=seen, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> Standing:
        return Standing(**payload)


app = create_app(ZerosumEnvironment, Reply, Seen, env_name="zerosum", max_concurrent_envs=64)


def main() -> None:
    """Serve."""
    parser = argparse.ArgumentParser(description="Serve zerosum as an OpenEnv environment.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    uvicorn.run(app, host=options.host, port=options.port, log_level="warning")


if __name__ == "__main__":
    main()
