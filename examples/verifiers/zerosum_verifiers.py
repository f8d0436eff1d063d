"""The number duels of zerosum in verifiers: a taskset of matches, played turn by turn, every move judged exactly.

    vf-eval zerosum-verifiers --env.taskset.games sum31 --env.taskset.pairs 10

The reward of an episode is the share of real choices kept; without any, 1 if every reply was a legal move. Whether the
match was won is a metric.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import verifiers.v1 as vf
from pydantic import Field

from zerosum.exam.conversation import Host, added, seatings
from zerosum.match.setup import Person
from zerosum.rules.game_files import load_game
from zerosum.rules.notation import parse_position

__all__ = ["ZerosumEnv", "ZerosumTaskset"]


class ZerosumConfig(vf.TasksetConfig):
    """What is played."""

    games: list[str] = Field(default_factory=lambda: ["sum31"])
    """Built-in ids or rules files."""
    opponent: str = "level:5"
    """random, level:1 to level:9, perfect or card."""
    pairs: int = 10
    """Pairs of matches of each game: the model once in either seat."""
    seed: str = ""
    """What the positions and the opponent's choices follow from."""
    from_start: bool = False
    """Whether matches begin at the start of the game; otherwise at positions chosen to be even."""


class ZerosumData(vf.TaskData):
    """One match."""

    game: str
    opponent: str
    position: str
    first: int
    seed: str


class ZerosumTask(vf.Task[ZerosumData, vf.State, vf.TaskConfig]):
    """A match is marked while it is played, in the environment below."""


class ZerosumTaskset(vf.Taskset[ZerosumTask, ZerosumConfig]):
    """Matches in pairs, from positions that the solver chose."""

    def load(self) -> Iterator[ZerosumTask]:
        """Yield the matches."""
        config = self.config
        for game in config.games:
            for one in seatings(load_game(game), config.pairs, config.seed, from_start=config.from_start):
                data = ZerosumData(
                    name=f"{game}-{one.pair:03}-{one.first.value}",
                    description=str(one),
                    prompt=None,  # the match opens the conversation
                    game=game,
                    opponent=config.opponent,
                    position=str(one.start),
                    first=one.first.value,
                    seed=f"{config.seed}/{game}/{one.pair}",
                )
                yield ZerosumTask(data, config.task)


class ZerosumEnvConfig(vf.EnvConfig):
    """One seat: the model. The opponent is ours."""

    player: vf.AgentConfig = vf.AgentConfig(harness=vf.HarnessConfig(id="null"), runtime=vf.SubprocessConfig())


@lru_cache(maxsize=32)
def host_of(game: str, opponent: str) -> Host:
    """Return who plays and judges; a game is solved once."""
    return Host(load_game(game), opponent)


class ZerosumEnv(vf.Env[ZerosumEnvConfig]):
    """The match is the user: it asks, takes the reply, moves, and asks again."""

    async def run(self, task: ZerosumTask, agents: vf.Agents) -> None:
        """Play a match and record what it was worth."""
        data = task.data
        host = host_of(data.game, data.opponent)
        talk = host.begin(Person(data.first), data.seed, parse_position(data.position, host.rules))
        async with agents.player.interaction(task) as interaction:
            while talk.messages:
                segment = await interaction.turn(talk.messages[-1].content)
                if segment.terminated:  # the run was stopped, or failed: nothing was answered
                    break
                talk = host.answered(talk, segment.last_reply)
        trace, marks = interaction.trace, added(talk.marks)
        # Without a real choice there is nothing to give away but the match, by a reply that is no legal move.
        legal = float(all(mark.kept for mark in talk.marks))
        trace.record_reward("kept", legal if marks.share is None else marks.share, 1.0)
        trace.record_metric("choices", float(marks.choices))
        trace.record_metric("won", float(talk.won is True))
        trace.record_metric("illegal", float(talk.illegal))
        trace.info["record"] = talk.match.record()
