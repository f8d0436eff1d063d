"""The coach while a match is played: short, never twice the same, silent where the choice did not matter."""

from __future__ import annotations

import re
from random import Random

import pytest

from tests.coach.positions import GAMES
from tests.terminal.command import Zerosum
from zerosum.cli.coaching import coach_of
from zerosum.match.match import Match
from zerosum.match.setup import Person, Setup
from zerosum.players import choose
from zerosum.rules.files import built_in
from zerosum.solver import Verdict, solution_of

MATCHES = 40
PLIES = 30
"""A match of sudden death is followed this far."""


@pytest.mark.parametrize("game", GAMES)
def test_what_is_said_in_seeded_matches(game: str) -> None:
    """Forty matches a game, two hundred in all, a weak person against level:2."""
    rules, comments, dice = built_in(game), 0, Random(game)
    solution = solution_of(rules)
    for seed in range(MATCHES):
        who = ("human", "level:2") if seed % 2 else ("level:2", "human")
        match = Match.begin(Setup(rules=rules, who=who, names=("A", "B"), first=Person.ONE, seed=str(seed)))
        coach, said = coach_of(rules), []
        while match.outcome is None and len(match.moves) < PLIES:
            before = match.position
            human = match.setup.is_human(match.to_move)
            weak = "random" if dice.random() < 0.4 else "level:6"
            move = choose(weak if human else "level:2", before, f"{seed}")
            match = match.after(move)
            told = coach(match)
            at = before if human else match.position
            verdicts = {option.value.verdict for option in solution.options(at)} if at.outcome is None else {None}
            assert len(told) <= 2
            assert not told or len(verdicts) > 1, (str(at), told)
            assert all(len(re.findall(r"\.(?: |$)", one)) == 1 for one in told), told
            if human and len(verdicts) > 1 and Verdict.WIN in verdicts:
                kept = next(one.value for one in solution.options(before) if one.move == move).verdict is Verdict.WIN
                assert kept or told[0].startswith(f"{before.text_of(move)} lets the win go"), told
                assert kept or match.outcome is not None or "type undo to take it back" in told[0]
            if human and match.outcome is not None and match.outcome.winner is before.seat:
                assert told == []
            said += told
        assert len(said) == len(set(said)), said
        comments += len(said)
    assert comments > MATCHES // 2


def test_the_coach_at_the_prompt(zerosum: Zerosum) -> None:
    ran = zerosum.play("sum31", "--vs", "level:2", "--seed", "4", "--coach", answers="5 8 undo 1 quit").ok()
    assert "Coach: +8 lets the win go" in ran.out
    assert "type undo to take it back." in ran.out
    plain = zerosum.play("sum31", "--vs", "level:2", "--seed", "4", answers="5 8 undo 1 quit").ok()
    assert "Coach" not in plain.out
    assert [line for line in ran.out.splitlines() if not line.startswith("Coach")] == plain.out.splitlines()
