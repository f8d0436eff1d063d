"""Promise 12, the second half: a name that came past every check is still escaped wherever it is printed."""

from __future__ import annotations

import pytest

from tests.cli.command import GAMES
from zerosum.cli import dialogue_text
from zerosum.match.match import Match
from zerosum.match.setup import Series, Setup
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Seat
from zerosum.rules.outcome import Outcome, Reason

HOSTILE = "a\x1b]0;owned\x07\r\u202e\u200b"


@pytest.mark.parametrize("game", GAMES)
def test_no_screen_prints_a_name_as_it_is(game: str) -> None:
    setup = Setup(rules=load_game(game), series=Series("abc", 3))
    object.__setattr__(setup, "names", (HOSTILE, HOSTILE))  # No set-up can be made with such names.
    match = Match.begin(setup)
    played = match.after(match.position.legal_moves()[0])
    screens = [dialogue_text.say(match, None, key) for key in ("opening", "turn", "state")]
    screens.append(dialogue_text.number_prompt(match))
    screens += [
        dialogue_text.moved(played),
        dialogue_text.series_score(match, (0, 0)),
        dialogue_text.series_ended(match, (2, 0)),
        dialogue_text.series_ended(match, (1, 1)),
    ]
    screens += [dialogue_text.ended(played, Outcome(seat, reason)) for seat in Seat for reason in Reason]
    assert sum("owned" in screen for screen in screens) > len(Reason)
    for screen in screens:
        assert {c for c in screen if not c.isprintable()} <= {"\n"}
