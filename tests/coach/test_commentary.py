"""The coach while a match is played: short, never twice the same, silent where the choice did not matter."""

from __future__ import annotations

import re
from random import Random

import pytest

from tests.coach.positions import GAMES
from tests.full import part
from tests.terminal.command import Zerosum
from zerosum.cli.coaching import coach_of
from zerosum.coach.commentary import CommentHistory, on_their_move
from zerosum.match.match import Match
from zerosum.match.setup import Person, Setup
from zerosum.players import choose
from zerosum.rules.game_files import built_in
from zerosum.rules.moves import Move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict, solution_of

MATCHES = part(10, 40)
PLIES = 30
"""A match of sudden death is followed this far."""


@pytest.mark.parametrize("game", GAMES)
def test_what_is_said_in_seeded_matches(game: str) -> None:
    """Matches of a weak person against level:2; in full forty a game, two hundred in all."""
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
            assert not told or len(verdicts) > 1 or (not human and lost_told(at, told, solution)), (str(at), told)
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


def winning_replies(position: Position, move: Move, solution: Solution) -> tuple[int, int, bool]:
    """Return how many replies to a move win, of how many, and whether one wins at once."""
    replies = solution.options(position.play(move))
    wins = [one for one in replies if one.value.verdict is Verdict.WIN]
    return len(wins), len(replies), any(one.value.plies == 1 for one in wins)


def lost_told(position: Position, told: list[str], solution: Solution) -> bool:
    """Whether it is true what is said in a lost position: no move is safe, or this one is the best trap."""
    moves = position.legal_moves()
    over = {move for move in moves if position.play(move).outcome is not None}
    known = {move: winning_replies(position, move, solution) for move in moves if move not in over}
    safe = {move for move, (_, _, at_once) in known.items() if not at_once}
    if told == ["They have left you no safe move."]:
        return not safe
    found = re.fullmatch(r"(\S+) is the best trap: only (\d+) of their (\d+) repl(?:y|ies) wins?\.", told[-1])
    assert found is not None, told
    (trap,) = [move for move in moves if position.text_of(move) == found[1]]
    wins, replies, _ = known[trap]
    fewest = min(known[move][0] for move in safe)
    return trap in safe and wins == fewest < replies and (str(wins), str(replies)) == found.groups()[1:]


def test_the_best_trap_is_named_where_every_move_loses() -> None:
    """And nothing is said where all moves are lost alike, nor the same sentence twice."""
    rules = built_in("sum31")
    solution, said = solution_of(rules), CommentHistory()
    start = parse_position("1,2,3,4,6,7,8,9 5 2", rules)
    lost = start.play(next(move for move in start.legal_moves() if start.text_of(move) == "+1"))
    told, said = on_their_move(lost, solution, said)
    assert told[0] == "Every move loses against perfect play."
    assert lost_told(lost, told, solution)
    assert on_their_move(lost, solution, said)[0] == []
    squeezed = parse_position("1,2,6,8 28 2", rules)
    assert on_their_move(squeezed, solution, CommentHistory())[0] == ["They have left you no safe move."]


def test_an_analysis_with_reasons_names_the_trap_too(zerosum: Zerosum) -> None:
    rules = built_in("sum31")
    lost, won = "2,3,4,6,7,8,9 6 1", "1,2,3,4,6,7,8,9 5 2"
    trap = zerosum("analyze", "sum31", "--position", lost, "--why", "--json").ok().json()["trap"]
    assert lost_told(parse_position(lost, rules), trap.split(". "), solution_of(rules))
    text = zerosum("analyze", "sum31", "--position", lost, "--why").ok().out
    assert trap in " ".join(text.split())
    assert "trap" not in zerosum("analyze", "sum31", "--position", won, "--why", "--json").ok().json()
    assert "trap" not in zerosum("analyze", "sum31", "--position", lost, "--json").ok().json()


def test_the_coach_at_the_prompt(zerosum: Zerosum) -> None:
    ran = zerosum.play("sum31", "--vs", "level:2", "--seed", "4", "--coach", answers="5 8 undo 1 quit").ok()
    assert "Coach: +8 lets the win go" in ran.out
    assert "type undo to take it back." in ran.out
    plain = zerosum.play("sum31", "--vs", "level:2", "--seed", "4", answers="5 8 undo 1 quit").ok()
    assert "Coach" not in plain.out
    assert [line for line in ran.out.splitlines() if not line.startswith("Coach")] == plain.out.splitlines()
