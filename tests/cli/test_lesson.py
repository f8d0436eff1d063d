"""Whole lessons at a terminal: hints, a blunder, undo, a loss, and the review."""

from __future__ import annotations

from tests.cli.command import Zerosum
from tests.cli.pty_play import Person
from zerosum import players
from zerosum.coach.hints import hint, hint_sentences
from zerosum.rules.game_files import built_in
from zerosum.rules.moves import Move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.solver import Verdict, solution_of

PROMPT = "numbers: "
QUESTION = "Again? (Enter, s to swap seats, n) "
RULES = built_in("sum31")
SOLUTION = solution_of(RULES)


def worst(position: Position) -> Move:
    """Return the move of somebody who loses as fast as they can."""
    return SOLUTION.options(position)[-1].move if not at_once(position) else at_once(position)[0]


def at_once(position: Position) -> list[Move]:
    """Return the moves that lose at once."""
    after = {move: position.play(move).outcome for move in position.legal_moves()}
    return [move for move, outcome in after.items() if outcome is not None and outcome.winner is not position.seat]


def losing_seed() -> str:
    """Return a seed with which level 3 begins so that it can be beaten, and then beats the worst player."""
    for seed in map(str, range(200)):
        position, plies, lost = SOLUTION.start, 0, False
        while position.outcome is None:
            mine = plies % 2 == 1
            move = worst(position) if mine else players.choose("level:3", position, f"{seed}/1/{plies}")
            lost |= mine and SOLUTION.value(position).verdict is Verdict.WIN
            position, plies = position.play(move), plies + 1
        if lost and position.outcome.winner == 1 and plies >= 6:
            return seed
    raise AssertionError("level 3 never wins")


def position_now(zerosum: Zerosum) -> Position:
    return parse_position(zerosum.unfinished()[0]["position"], RULES)


def asks_for_hints(someone: Person, position: Position) -> None:
    """Ask three times, and a fourth; each step says what it should, in this order."""
    for step in (1, 2, 3, 4):
        someone.types("hint")
        for text in hint_sentences(hint(position, SOLUTION, min(step, 3)), position):
            someone.sees(text)
        someone.sees("Type hint again" if step < 3 else "hint more to see")
        someone.sees(PROMPT)
    someone.types("hint more")
    for text in hint_sentences(hint(position, SOLUTION, 4), position):
        someone.sees(text)
    someone.sees(PROMPT)


def solves_a_puzzle(zerosum: Zerosum) -> None:
    """See the missed win come back, find it, and be told of it in the history."""
    (puzzle,) = zerosum("puzzle", "sum31", "--mine", "--json").ok().json()["puzzles"]
    with Person(zerosum.command, "puzzle", "sum31", "--mine", NO_COLOR="1") as someone:
        someone.sees("you are to move and can win.").sees("Your move: ").types("nonsense")
        someone.sees("is not a whole number").sees("Your move: ").types(puzzle["solutions"][0])
        someone.sees("Right.").sees("1 solved so far")
        assert someone.ends() == 0
    assert zerosum("stats", "--json").ok().json()["puzzles"] == {"tried": 1, "solved": 1}


def test_a_lesson(zerosum: Zerosum) -> None:
    """Play level 3, ask three hints, blunder, undo, lose, review, solve a puzzle from one's own mistakes."""
    args = ("play", "sum31", "--vs", "level:3", "--first", "2", "--seed", losing_seed())
    with Person(zerosum.command, *args, NO_COLOR="1") as someone:
        someone.sees("Your Turn:").sees(PROMPT)
        before = position_now(zerosum)
        assert SOLUTION.value(before).verdict is Verdict.WIN
        asks_for_hints(someone, before)
        someone.types(str(worst(before).number)).sees("Your Turn:").sees(PROMPT)
        assert position_now(zerosum) != before
        someone.types("undo").sees("Your Turn:").sees(PROMPT)
        assert position_now(zerosum) == before
        asks_for_hints(someone, before)  # A changed position starts again at the first step.
        match_id = zerosum.unfinished()[0]["id"]
        while True:
            someone.types(str(worst(position_now(zerosum)).number))
            if someone.child.expect_exact([PROMPT, QUESTION]) == 1:
                break
            if someone.child.expect_exact([PROMPT, QUESTION]) == 1:  # After the computer's prompt comes ours.
                break
        someone.types("r").sees("Turning points").sees("from a win to a loss.").sees("would have won.")
        someone.sees("Accuracy").sees(f"To see it again: zerosum review {match_id}").sees(QUESTION).types("n")
        assert someone.ends() == 0
    answer = zerosum("review", match_id, "--json").ok().json()
    assert answer["outcome"]["winner"] == 1
    assert answer["blunders"]["2"] >= 1
    assert zerosum.unfinished() == []
    solves_a_puzzle(zerosum)


def test_two_people_are_asked_too_and_nobody_without_a_terminal(zerosum: Zerosum) -> None:
    with Person(zerosum.command, "play", "sum31") as someone:
        someone.sees("Player 1's Turn:").sees(PROMPT).types("5").sees(PROMPT).types("resign").sees(QUESTION).types("s")
        someone.sees("Player 2's Turn:").sees(PROMPT).types("resign").sees(QUESTION).types("n")
        assert someone.ends() == 0
        assert "Lesson" not in someone.seen
    piped = zerosum.play("sum31", "--vs", "random", answers="5 resign y").ok()
    assert "Again?" not in piped.out + piped.err


def test_hints_where_input_is_no_terminal(zerosum: Zerosum) -> None:
    answers = ("5", "hint", "hint", "hint", "hint", "hint more", "6", "undo", "hint", "quit")
    out = zerosum("play", "sum31", stdin="".join(f"{one}\n" for one in answers)).ok().out
    assert out.count("Yes, there is a winning move: 2 of your 8 moves win.\nType hint again to see a move.\n") == 2
    assert out.count("+1 wins, in 6 moves at the latest.\n+8 wins too.\nType hint again to see why.\n") == 1
    told = "Answer +7 with +6, +8 or +9 with +2, anything else with +8.\n"
    assert out.count(told) == out.count("Type hint then to go one answer deeper, hint more to see the lines.\n") == 2
    assert out.count("+1 wins within 6 moves, counting both sides.\n") == 1


def test_hint_then_names_the_move_first_if_no_hint_has(zerosum: Zerosum) -> None:
    answers = ("5", "hint then", "hint then", "quit")
    out = zerosum("play", "sum31", stdin="".join(f"{one}\n" for one in answers)).ok().out
    first, second = out.split("hint then\n")[1:]
    told = "Answer +7 with +6, +8 or +9 with +2, anything else with +8.\n"
    assert first.startswith(f"+1 wins, in 6 moves at the latest.\n+8 wins too.\n{told}If they play +2, play +8.\n")
    assert second.startswith("If they play +3, play +9.\n")
    assert "Type hint" not in out
