"""Whole seeded matches of all built-in games: every sentence of the coach, of the review and of puzzles is true.

In full there are 300 matches. Verdicts of small games are tried out by the rules alone; see `plain_of`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from tests.coach.cause_pairs import plain_of
from tests.coach.cause_reader import CauseReader
from tests.coach.comment_reader import OWN, PAST, THEIRS, CommentReader, best_trap, same_story
from tests.coach.plain_features import Plain
from tests.full import part
from zerosum.coach.analysis import AnalysisDocument
from zerosum.coach.causes import why, words
from zerosum.coach.commentary import CommentHistory, on_last_move
from zerosum.coach.puzzle_state import played_out, puzzle_hints
from zerosum.coach.puzzles import puzzle_of
from zerosum.coach.review import Review, review
from zerosum.coach.review_words import for_the_loser
from zerosum.jobs.teaching_jobs import comment
from zerosum.match.match import Match
from zerosum.match.setup import Person, Setup
from zerosum.players import choose
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.solver import Solution, Verdict, solution_of

MATCHES = part(24, 300) // len(GAME_IDS) + 1
PLIES = 30
"""A match of sudden death is followed this far."""
GAMES = pytest.mark.parametrize("game", GAME_IDS)


def matches(game: str) -> Iterator[Match]:
    """Yield matches of a person, who plays well or badly, against a computer of each strength, from either seat."""
    rules, dice = built_in(game), Random(game)
    for seed in range(MATCHES):
        computer = f"level:{dice.randint(1, 9)}"
        who = ("human", computer) if seed % 2 else (computer, "human")
        match = Match.begin(Setup(rules=rules, who=who, names=("Ann", "Bob"), first=Person.ONE, seed=str(seed)))
        while match.outcome is None and len(match.moves) < PLIES:
            person = "random" if dice.random() < 0.3 else "level:7"
            player = person if match.setup.is_human(match.to_move) else computer
            match = match.after(choose(player, match.position, f"{game} {seed} {len(match.moves)}"))
        yield match


@GAMES
def test_the_coach_says_what_is_true_and_nothing_that_matters_is_left_out(game: str) -> None:
    solution = solution_of(built_in(game))
    plain, told = plain_of(solution), Counter[str]()
    for match in matches(game):
        said = CommentHistory()
        for ply in range(len(match.moves) + 1):
            then = match.at(ply)
            sentences, said = on_last_move(then, solution, said)
            assert len(sentences) <= 2
            human = bool(ply) and match.setup.is_human(match.mover(ply - 1))
            wrong = CommentReader(plain, then).wrong(sentences, OWN if human else THEIRS, ply - 1)
            assert wrong == "", (str(then.position), then.record(), sentences)
            told.update(leaves_out(plain, then, sentences, solution) if ply else ())
    assert told["let go"] or game in ("sum-to-zero", "zero-sum-game"), told


def leaves_out(plain: Plain, match: Match, told: list[str], solution: Solution) -> Iterator[str]:
    """Check that what matters in the last move is told: a mistake, a win at once missed, a chance they missed."""
    before, move, text = match.positions[-2], match.moves[-1], " ".join(told)
    worth = {one.move: one.verdict for one in AnalysisDocument.of(solution, before, []).options}
    fell = Verdict.WIN in worth.values() and worth[before.text_of(move)] is not Verdict.WIN
    missed = plain.can_win_now(before) and not plain.won(before, match.position)
    if match.setup.is_human(match.mover(len(match.moves) - 1)):
        assert ("lets the win go" in text) == fell, told
        assert ("would have won at once" in text) == missed, told
        assert not (missed and "keeps" in text), told
        yield from ("let go",) if fell else ()
    elif match.outcome is None:
        assert bool(re.match("They (missed it|let the win go)", text)) == fell, told


@GAMES
def test_after_a_reply_the_page_speaks_of_nothing_that_is_gone(game: str) -> None:
    """The page shows the last comment until the next move: after a reply no sentence has a total that it changed."""
    solution = solution_of(built_in(game))
    plain = plain_of(solution)
    for match in matches(game):
        for ply in range(len(match.moves) + 1):
            then = match.at(ply)
            found = comment(then.record())
            assert len(found["own"]) + len(found["their"]) <= 2, found
            if ply and match.setup.is_human(match.mover(ply - 1)):
                assert CommentReader(plain, then).wrong(found["own"], OWN, ply - 1) == "", found
                assert found["their"] == []
            else:
                assert CommentReader(plain, then).wrong(found["own"], PAST, ply - 2) == "", found
                assert CommentReader(plain, then).wrong(found["their"], THEIRS, ply - 1) == "", found
            if found["trap"]:
                assert best_trap(plain, then.position, found["trap"]) is not None


@GAMES
def test_the_review_is_true_for_the_winner_and_for_the_loser(game: str) -> None:
    solution = solution_of(built_in(game))
    plain = plain_of(solution)
    for match in matches(game):
        found = review(match, solution)
        for one in found.turning_points:
            assert one.reason is not None
            told = " ".join(words(one.reason))
            assert CauseReader(plain, one.position, one.move).wrong(one.reason.name, told) == "", told
            assert set(one.better) == set(plain.keeps(one.position))
        for_loser(plain, found)


BOTH = re.compile(
    r"(\S+) instead of (\S+) at move (\d+), the last trap, would have made it hardest: "
    r"(\d+) of \w+'s (\d+) repl\w+ to it wins?\."
)
HARDEST = re.compile(r"(\S+) at move (\d+) (?:would have )?made it hardest: (\d+) of \w+'s (\d+) repl\w+ to it wins?\.")
LAST = re.compile(
    r"(\w+) missed the last trap at move (\d+), (\S+) instead of (\S+): (\d+) of \w+'s (\d+) repl\w+ to it wins?\."
)


def for_loser(plain: Plain, found: Review) -> None:
    """Check what is said to the loser against all traps that there were since the match was decided."""
    match, told = found.match, for_the_loser(found)
    if match.outcome is None:
        assert told == []
        return
    loser = match.person(match.outcome.winner).other
    decided = max((one.n for one in found.turning_points), default=0)
    missed, possible = [], []
    for ply in range(decided, len(match.moves)):
        if match.mover(ply) is not loser:
            continue
        at, made = match.positions[ply], match.positions[ply].text_of(match.moves[ply])
        traps = {at.text_of(move): best_trap(plain, at, at.text_of(move)) for move in at.legal_moves()}
        best = {move: trap for move, trap in traps.items() if trap is not None and trap[0] < trap[1]}
        if best and any(trap is None for trap in traps.values()):
            possible.append((ply + 1, best))
            missed += [ply + 1] if traps[made] is None else []
    for text in told:
        both, hardest, last = BOTH.fullmatch(text), HARDEST.fullmatch(text), LAST.fullmatch(text)
        if both is not None:
            n, best = possible[0]
            assert int(both[3]) == n == missed[-1]
            assert both[2] == match.positions[n - 1].text_of(match.moves[n - 1])
            assert best[both[1]] == (int(both[4]), int(both[5]))
        elif hardest is not None:
            n, best = possible[0]
            assert int(hardest[2]) == n
            assert best[hardest[1]] == (int(hardest[3]), int(hardest[4]))
        elif last is not None:
            at = match.positions[int(last[2]) - 1]
            assert (last[1], int(last[2])) == (match.setup.name(loser), missed[-1])
            assert last[4] == at.text_of(match.moves[int(last[2]) - 1])
            assert dict(possible)[missed[-1]][last[3]] == (int(last[5]), int(last[6]))
        elif text.startswith("No other move"):
            assert not missed
            assert not decided
        else:
            assert text.endswith("every trap was set."), text
            assert possible
            assert not missed
    assert bool(told) == (bool(possible) or not decided)


@pytest.mark.slow
@GAMES
def test_puzzles_tell_one_story(game: str) -> None:
    """Under every answer to a puzzle the words are true, and the line below them plays what they say."""
    solution = solution_of(built_in(game))
    plain, answers = plain_of(solution), 0
    for match in matches(game):
        for position in match.positions[:-1]:
            puzzle = puzzle_of(position, solution)
            if puzzle is None:
                continue
            for move in position.legal_moves():
                told, line = played_out(position, move, solution)
                verdict, *reason = told if re.fullmatch(r"\S+ (wins|loses)\.", told[0]) else ["", *told]
                assert not verdict or (verdict.split()[1] == "wins.") == (move in puzzle.solutions)
                name = why(position, move, solution).name
                assert CauseReader(plain, position, move).wrong(name, " ".join(reason)) == "", told
                assert same_story(plain, position, reason, line) == "", (str(position), told, line)
                answers += 1
            hint = re.sub("Look for a move (that|after which this is true:) ", "", puzzle_hints(position, solution)[1])
            reasons = (words(why(position, move, solution)) for move in puzzle.solutions)
            assert any(hint.lower() in " ".join(one).lower() for one in reasons), hint
    assert answers > MATCHES
