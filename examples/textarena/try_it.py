"""Try it: a perfect agent meets a random one in TextArena, and exact marks come with every step."""

from __future__ import annotations

from random import Random

import textarena as ta

import zerosum_textarena
from zerosum.solver import solution_of

DICE = Random(31)


def perfect(env: zerosum_textarena.ZerosumEnv) -> str:
    """Answer in prose with a best move."""
    position = env.match.position
    best = solution_of(env.rules).options(position)[0].move
    return f"That keeps it.\nMOVE: {position.text_of(best)}"


def at_random(env: zerosum_textarena.ZerosumEnv) -> str:
    """Answer as TextArena's games do, in brackets."""
    position = env.match.position
    return f"[{position.text_of(DICE.choice(position.legal_moves()))}]"


def play(game: str, agents: tuple, version: str = "") -> tuple[dict[int, int], list[list[dict]]]:
    """Play a match; return the rewards, and what was said of each player's moves."""
    env = ta.make(f"Zerosum-{game}-v0{version}")
    env.reset(num_players=2)
    said: list[list[dict]] = [[], []]
    done = False
    while not done:
        player, observation = env.get_observation()
        assert "Numbers left" in observation, observation
        done, info = env.step(agents[player](env))
        said[player].append(info)
    rewards, _ = env.close()
    return rewards, said


def main() -> None:
    """Check what the README says."""
    choices = kept = 0
    for game in ("sum31", "zero-sum-duel", "summit"):
        for seat in (0, 1):
            agents = (perfect, at_random) if seat == 0 else (at_random, perfect)
            for version in ("", "-train"):
                rewards, said = play(game, agents, version)
                assert sorted(rewards.values()) == [-1, 1], rewards
                real = [info for info in said[seat] if info["real"]]
                assert all(info["kept"] and info["regret"] == 0 for info in said[seat])
                choices, kept = choices + len(real), kept + sum(info["kept"] for info in real)
    print(f"12 matches; the perfect agent kept {kept} of {choices} real choices.")

    env = ta.make("Zerosum-sum31-v0")
    env.reset(num_players=2)
    env.get_observation()
    assert env.step("[+77]") == (False, {"legal": False, "unreadable": False})
    player, observation = env.get_observation()
    assert (player, "invalid move" in observation) == (0, True)
    done, info = env.step("I pass.")
    rewards, about = env.close()
    assert (done, info["unreadable"], rewards[0], about[0]["invalid_move"]) == (True, True, -1, True)
    print("Sum31 asks again once after an illegal move; then it is lost.")


if __name__ == "__main__":
    main()
