"""The coach that speaks up while one plays: where it may, to whom, and what it says on the page."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from fastapi import FastAPI

from tests.server.inside import Inside, Reply, inside

RECORD = '[Game "sum31"]\n[Who1 "{}"]\n[Who2 "{}"]\n\n1. +9 +8 2. +5\n'
"""The second player is to move at 22 and can win; +7 leaves 29, and 2 is still there."""
LET_GO = "+7 let the win go (the idea: outlast them)."
ON = {"coach": "1"}


def comment(reply: Reply) -> list[str]:
    """Return what the coach says on a page; nothing where it says nothing."""
    found = re.findall(r'id="comment"[^>]*>\n(.*?)</div>', reply.body.decode(), re.DOTALL)
    return [unescape(one) for one in re.findall(r"<p>(.*?)</p>", found[0])] if found else []


async def opened(client: Inside, **fields: str) -> str:
    reply = await client.call("POST", "/tables", fields, form=True)
    assert reply.status == 303, reply.body
    return dict(reply.headers)[b"location"].decode()


async def moved(client: Inside, place: str, version: int, move: str) -> Reply:
    fields = {"version": str(version), "move_id": f"m{version}", "move": move}
    assert (await client.call("POST", f"{place}/move", fields, form=True)).status == 303
    return await client.call("GET", place)


def test_a_move_that_lets_the_win_go_is_told_and_offered_back_to_the_player_alone(tmp_path: Path) -> None:
    """The answer to the move says why, before the computer replies; after the reply no total of then is named."""

    async def talk(app: FastAPI) -> None:
        player, spectator = Inside(app), Inside(app)
        place = await opened(player, record=RECORD.format("perfect", "human"))
        assert comment(await player.call("GET", place)) == []
        assert (await player.call("POST", f"{place}/coach", ON, form=True)).status == 303
        spectator.cookies["zerosum_choices"] = player.cookies["zerosum_choices"]
        fields = {"version": "1", "move_id": "m1", "move": "+7"}
        player.fragments = True
        shown = await player.call("POST", f"{place}/move", fields, form=True)
        assert comment(shown) == [LET_GO.replace("let", "lets"), "It leaves 29, and 2 is still there."]
        player.fragments = False
        assert comment(await player.call("GET", place)) == [LET_GO]
        assert comment(await spectator.call("GET", place)) == []
        assert (await spectator.call("POST", f"{place}/coach", ON, form=True)).status == 403
        assert (await player.call("POST", f"{place}/coach", {"coach": "0"}, form=True)).status == 303
        assert comment(await player.call("GET", place)) == []

    inside(tmp_path, talk)


def test_the_number_they_threaten_is_marked(tmp_path: Path) -> None:
    record = '[Game "sequence-zero"]\n[Who1 "human"]\n[Who2 "perfect"]\n\n1. +6 -9 2. +2 +8\n'

    async def talk(app: FastAPI) -> None:
        player = Inside(app)
        place = await opened(player, record=record, coach="1")
        shown = await player.call("GET", place)
        assert comment(shown)[-1] == "They threaten to make 0 with 1."
        named = re.findall(r'aria-label="([^"]*), their threat"', shown.body.decode())
        assert named == ["Add 1", "Subtract 1"]

    inside(tmp_path, talk)


@pytest.mark.parametrize("opponent", ["human", "here"])
def test_two_people_never_get_it_even_if_both_had_switched_it_on(tmp_path: Path, opponent: str) -> None:
    async def talk(app: FastAPI) -> None:
        player = Inside(app)
        place = await opened(player, game="sum31", opponent=opponent, name="Ann", coach="1")
        if opponent == "human":
            waiting = (await player.call("GET", place)).body.decode()
            other = Inside(app)
            other.cookies["zerosum_choices"] = player.cookies["zerosum_choices"]
            invitation = re.findall(r'value="[^"]*(/join/[^"]+)"', waiting)[0]
            assert (await other.call("POST", invitation, {"name": "Ben"}, form=True)).status == 303
        version = 2 if opponent == "human" else 1
        shown = await moved(player, place, version, "+9")
        assert comment(shown) == []
        assert b"Coach me while I play" not in shown.body
        refused = await player.call("POST", f"{place}/coach", ON, form=True)
        assert (refused.status, refused.json["code"]) == (403, "no-coaching")

    inside(tmp_path, talk)


def test_a_game_that_cannot_be_solved_says_so(tmp_path: Path) -> None:
    variant = 'like = "zero-sum-duel"\nid = "huge"\nname = "Huge"\npool = [' + ", ".join(map(str, range(1, 41))) + "]\n"

    async def talk(app: FastAPI) -> None:
        player = Inside(app)
        place = await opened(player, game="variant", variant=variant, opponent="random", first="me", coach="1")
        shown = await moved(player, place, 1, "+9")
        assert comment(shown) == []
        assert b"Use a smaller pool or smaller numbers." in shown.body

    inside(tmp_path, talk)


def test_an_offer_to_take_back_stands_alone_and_a_trap_is_marked(tmp_path: Path) -> None:
    """Where a win was let go and all is lost, the offer stands alone; a move later the trap is told."""
    lost = '[Game "sum31"]\n[Who1 "perfect"]\n[Who2 "human"]\n\n1. +7 +3 2. +2 +8 3. +4\n'
    later = lost.replace("1. +7 +3 2. +2 +8 3. +4", "1. +2 +4 2. +7 +6 3. +5")

    async def talk(app: FastAPI) -> None:
        player = Inside(app)
        shown = await player.call("GET", await opened(player, record=lost, coach="1"))
        assert comment(shown) == ["+8 let the win go (the idea: force)."]
        assert b"Take it back" in shown.body
        shown = await player.call("GET", await opened(player, record=later))
        assert comment(shown)[-1].startswith("+1 is the best trap")
        assert re.findall(r'aria-label="([^"]*), the trap"', shown.body.decode()) == ["Add 1"]

    inside(tmp_path, talk)


def test_the_review_of_a_lost_match_offers_the_other_seat(tmp_path: Path) -> None:
    """To the loser alone, who then moves first against the same computer."""
    record = '[Game "sum31"]\n[Who1 "perfect"]\n[Who2 "human"]\n\n1. +9 +8 2. +5 +1 3. +7\n'

    async def talk(app: FastAPI) -> None:
        player, spectator = Inside(app), Inside(app)
        place = await opened(player, record=record)
        await moved(player, place, 1, "+2")
        page = (await player.call("GET", f"{place}/review")).body.decode()
        assert "Swap seats?" in page
        assert "Swap seats?" not in (await spectator.call("GET", f"{place}/review")).body.decode()
        fields = dict(re.findall(r'name="(version|move_id)" value="([^"]+)"', page))
        assert (await player.call("POST", f"{place}/rematch", fields, form=True)).status == 303
        board = re.sub(r"\s+", " ", (await player.call("GET", place)).body.decode())
        assert "Your turn" in board

    inside(tmp_path, talk)
