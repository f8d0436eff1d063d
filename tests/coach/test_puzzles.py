"""Puzzles have something to find, every winning move counts, and none comes twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from tests import naive
from zerosum import GAME_IDS, Match, Setup, load_game
from zerosum.coach.puzzles import Puzzle, graded, puzzle_of, puzzles_at_random, puzzles_from, some_puzzles
from zerosum.players.levels import LEVELS
from zerosum.players.policies import chances
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import solution_of


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_puzzle_is_a_real_choice(game: str) -> None:
    """Exactly the moves that win are solutions, some other move loses, and no position comes twice."""
    solution = solution_of(load_game(game))
    puzzles = list(islice(puzzles_at_random(solution, Random(1)), 60))
    assert len({puzzle.position.key for puzzle in puzzles}) == len(puzzles) > 0
    for puzzle in puzzles:
        verdicts = {option.move: option.value.verdict.value for option in solution.options(puzzle.position)}
        assert set(puzzle.solutions) == {move for move, verdict in verdicts.items() if verdict == "win"}
        assert "loss" in verdicts.values()
        assert puzzle.plies == solution.value(puzzle.position).plies


def test_solutions_agree_with_a_naive_search() -> None:
    """The winning moves of Sum31's puzzles are those that a search written from the rulebook finds."""
    solution = solution_of(load_game("sum31"))
    for puzzle in puzzles_at_random(solution, Random(2)):
        position = puzzle.position
        state = naive.State(position.pool, position.totals, position.seat.value)
        for move in position.legal_moves():
            after = naive.GAMES["sum31"].play(state, position.text_of(move))
            lost_for_them = after.winner == state.seat if after.winner else naive.best("sum31", after)[0] == "loss"
            assert (move in puzzle.solutions) == lost_for_them


def test_all_puzzles_of_a_small_game_are_found() -> None:
    solution = solution_of(load_game("sum31"))
    everything = {position.key for position, _ in solution.everything() if puzzle_of(position, solution)}
    found = {puzzle.position.key for puzzle in puzzles_at_random(solution, Random(3))}
    assert found <= everything
    assert len(found) > 0.95 * len(everything)


def test_difficulty_is_the_first_level_that_rather_finds_it() -> None:
    """From the exact chances of the levels, not from samples."""
    solution = solution_of(load_game("zero-sum-duel"))
    for puzzle in islice(puzzles_at_random(solution, Random(4)), 40):
        found = [
            sum(chances(f"level:{level}", puzzle.position, solution)[move] for move in puzzle.solutions)
            for level in LEVELS
        ]
        assert puzzle.chances == pytest.approx(found)
        if puzzle.at_once:
            continue
        later = found[puzzle.difficulty - 1 :]
        assert all(chance >= 0.5 for chance in later)
        assert puzzle.difficulty == 1 or found[puzzle.difficulty - 2] < 0.5


@pytest.mark.parametrize(
    ("game", "sets"),
    [("sum31", 20), ("sequence-zero", 20), ("zero-sum-game", 5), ("sum-to-zero", 4), ("zero-sum-duel", 4)],
)
def test_a_win_at_once_is_easy_and_rare_in_every_set(game: str, sets: int) -> None:
    """The sets of the page: a win in one move has difficulty 1, and most puzzles of a set have more to find."""
    solution = solution_of(load_game(game))
    for number in range(1, sets + 1):
        puzzles = some_puzzles(solution, 12, str(number))
        assert len(puzzles) == 12
        at_once = [puzzle for puzzle in puzzles if solution.value(puzzle.position).plies == 1]
        assert {puzzle.difficulty for puzzle in at_once} <= {1}
        assert len(at_once) <= 6
        assert sum(puzzle.plain for puzzle in puzzles) <= 6


def test_every_win_at_once_of_a_game_is_easy() -> None:
    solution = solution_of(load_game("sum31"))
    puzzles = [puzzle_of(position, solution) for position, _ in solution.everything()]
    at_once = [one for one in puzzles if one is not None and any(map(_wins_at_once(one), one.solutions))]
    assert len(at_once) > 50
    assert {one.difficulty for one in at_once} == {1}
    assert min(max(one.chances[:2]) for one in at_once) < 0.5, "the first levels miss some of them"


def _wins_at_once(puzzle: Puzzle) -> Callable[[Move], bool]:
    return lambda move: puzzle.position.play(move).outcome is not None


def test_where_all_puzzles_are_plain_they_are_asked_all_the_same() -> None:
    rules = replace(load_game("sum31"), id="tiny", name="Tiny", pool=(1, 2, 3), target=3)
    solution = solution_of(rules)
    found = some_puzzles(solution, 3, "1")
    assert found
    assert all(puzzle.plain for puzzle in found)


def test_random_matches_of_an_endless_game_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """In sudden death a match at random goes on for thousands of moves, far from any puzzle."""
    longest = 0
    play = Position.play_unchecked

    def counting(position: Position, move: Move) -> Position:
        nonlocal longest
        after = play(position, move)
        longest = max(longest, *map(abs, after.totals))
        return after

    solution = solution_of(load_game("zero-sum-game"))
    monkeypatch.setattr(Position, "play_unchecked", counting)
    assert len(list(islice(puzzles_at_random(solution, Random("1")), 100))) == 100
    assert longest <= 2 * sum(map(abs, solution.rules.pool))


def test_graded_puzzles_go_from_easy_to_hard() -> None:
    solution = solution_of(load_game("sequence-zero"))
    some = graded(islice(puzzles_at_random(solution, Random(5)), 60), 8)
    assert len(some) == 8
    assert [puzzle.difficulty for puzzle in some] == sorted(puzzle.difficulty for puzzle in some)
    assert some[0].difficulty < some[-1].difficulty
    assert graded([], 3) == []


def test_mistakes_become_puzzles() -> None:
    """A person's missed win comes back as a puzzle; a computer's does not, and neither does a win that was found."""
    rules = load_game("sum31")
    solution = solution_of(rules)
    moves = [Move(5), Move(6), Move(1), Move(2)]
    missed = [puzzle.position for puzzle in puzzles_from([_played(moves, "human")], solution)]
    expected = []
    match = Match.begin(Setup(rules=rules))
    for move in moves:
        puzzle = puzzle_of(match.position, solution)
        if puzzle is not None and move not in puzzle.solutions:
            expected.append(match.position)
        match = match.after(move)
    assert missed == expected
    assert missed
    assert list(puzzles_from([_played(moves, "random")], solution)) == []


def _played(moves: list[Move], who: str) -> Match:
    match = Match.begin(Setup(rules=load_game("sum31"), who=(who, who)))
    for move in moves:
        match = match.after(move)
    return match
