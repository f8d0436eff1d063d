"""Promises 3 and 5: commands sent again, and what does not forfeit a Duel."""

from __future__ import annotations

import pytest

from tests.reliability.cuts import cut_after_sending, use_an_id_twice
from tests.reliability.duel import forfeit_only_when_due
from tests.reliability.wrapped import planted
from tests.server.running import Server, served

pytestmark = pytest.mark.full


def test_what_was_cut_off_is_answered_when_it_is_sent_again(server: Server) -> None:
    cut_after_sending(server.url, 30).hold()


def test_an_id_means_one_command(server: Server) -> None:
    use_an_id_twice(server.url).hold()


def test_only_a_readable_pick_in_turn_at_the_current_version_forfeits(server: Server) -> None:
    forfeit_only_when_due(server.url).hold()


def test_the_harness_finds_commands_carried_out_again() -> None:
    with served(command=planted("repeating")) as server:
        assert cut_after_sending(server.url, 4).broken
        assert use_an_id_twice(server.url).broken


def test_the_harness_finds_a_forfeit_by_an_unfinished_answer() -> None:
    with served(command=planted("unread")) as server:
        assert any("forfeit" in one for one in forfeit_only_when_due(server.url).broken)
