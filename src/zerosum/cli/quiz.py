"""Puzzles at the terminal: a position, an answer, and why."""

from __future__ import annotations

from zerosum.cli.console import Console, Style
from zerosum.cli.dialogue import Quit
from zerosum.cli.puzzle_log import PuzzleLog
from zerosum.coach.puzzles import Puzzle
from zerosum.coach.reasons import reason
from zerosum.players.levels import LEVELS
from zerosum.rules.errors import InvalidTextError
from zerosum.rules.model import Rules, Totals
from zerosum.rules.moves import ADD_ONLY, Move, parse_move
from zerosum.rules.position import Position
from zerosum.rules.text import printable
from zerosum.solver import Solution

_WORDS = "You may also type moves, skip or quit."


def ask_puzzle(puzzle: Puzzle, title: str, solution: Solution, console: Console, progress: PuzzleLog) -> None:
    """Ask one puzzle until it is answered or skipped; the answer is kept, and explained."""
    position = puzzle.position
    console.say(f"{title}: {_difficulty(puzzle)}\n", Style.TITLE)
    console.say(f"{printable(position.rules.name)}, you are to move and can win.\n{_scene(position)}")
    while True:
        text = console.ask("Your move: ")
        if text == "quit":
            raise Quit
        if text == "skip":
            console.say("\n")
            return
        if text == "moves":
            console.say(" ".join(map(position.text_of, position.legal_moves())) + "\n", Style.ANSWER)
            continue
        if not text:
            console.say(f"Type a move. {_WORDS}\n", Style.REFUSAL)
            continue
        move = _read(position, text, console)
        if move is not None:
            break
    solved = move in puzzle.solutions
    progress.add(puzzle, position.text_of(move), solved=solved)
    console.say(f"{'Right.' if solved else 'No.'} ", Style.OUTCOME if solved else Style.REFUSAL)
    console.say(f"{_why(puzzle, move, solution)}\n\n")


def _read(position: Position, text: str, console: Console) -> Move | None:
    """Return the legal move that was typed, None after saying what is wrong."""
    try:
        move = parse_move(text.lower(), position.rules.operations)
    except InvalidTextError as error:
        console.say(f"{error} {_WORDS}\n", Style.REFUSAL)
        return None
    clause = position.objection(move)
    if clause is None:
        return move
    console.say(f"{position.text_of(move)} is not allowed: {clause.value}. {_WORDS}\n", Style.REFUSAL)
    return None


def _difficulty(puzzle: Puzzle) -> str:
    if puzzle.difficulty > len(LEVELS):
        return "harder than any level"
    return f"difficulty {puzzle.difficulty} of {len(LEVELS)}"


def _scene(position: Position) -> str:
    """Return the position in words, as the player to move sees it."""
    if position.rules.totals is Totals.SHARED:
        totals = f"Total: {position.totals[0]}"
    else:
        totals = f"Your total: {position.total(position.seat)}\nTheir total: {position.total(position.seat.other)}"
    how = "" if position.rules.operations == ADD_ONLY else "\nWrite +5 to add 5, -5 to subtract it."
    numbers = ", ".join(map(str, position.pool))
    return f"Numbers: {numbers}\n{totals}\nTarget: {position.rules.target}{how}\n"


def say_progress(rules: Rules, console: Console, progress: PuzzleLog) -> None:
    """Say how many puzzles of a game were solved so far."""
    tried = [one for one in progress.all() if one.game == rules.id]
    solved = len({one.position for one in tried if one.solved})
    console.say(f"{printable(rules.name)}: {solved} solved so far; answers given: {len(tried)}.\n")


def _why(puzzle: Puzzle, move: Move, solution: Solution) -> str:
    """Return why a move is right or wrong."""
    return " ".join(reason(puzzle.position, move, solution))
