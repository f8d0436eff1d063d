"""The daily duel at the terminal: three tries against perfect play, each move kept before it is answered."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final

from zerosum.base.text import printable
from zerosum.cli.console import Console, Quit, TextStyle, leave
from zerosum.cli.exercise_text import SHORT, read_answer, say_moves, say_rules, scene_words
from zerosum.cli.user_data import DailyLog, home
from zerosum.coach.daily import TRIES, DailyDuel, Try, daily_position, ending_words, play_duel, slip, streak_of, today
from zerosum.coach.hints import hinted
from zerosum.coach.puzzle_state import played_out
from zerosum.rules.describe import in_one_sentence
from zerosum.rules.moves import Move, parse_move
from zerosum.solver import Solution

_WORDS: Final = "You may also type moves, rules, show, quit or help."
_HELP: Final = f"""\
Type a move; the opponent answers it and plays perfectly. You have {TRIES} tries.
A move stays made, even if you leave and come back. These words are commands:
  moves  the moves you can make
  rules  the rules of the game
  show   why it is won: once the daily is over, or its date is
  quit   leave; it goes on where you left it
  help   this list
"""


class DailySession:
    """The daily of a date at one terminal."""

    def __init__(self, day: date, solution: Solution, console: Console) -> None:
        self._day = day
        self._solution = solution
        self._console = console
        self._log = DailyLog(home())
        self._start = daily_position(day, solution)
        self._tries = self._kept()
        self._commands: dict[str, Callable[[DailyDuel], None]] = {
            "moves": lambda duel: say_moves(console, duel.current.position),
            "rules": lambda _: say_rules(console, solution.rules),
            "show": self._show,
            "quit": leave,
            "help": lambda _: console.say(_HELP, TextStyle.ANSWER),
        }

    def _kept(self) -> list[list[Move]]:
        operations = self._start.rules.operations
        return [[parse_move(text, operations) for text in attempt] for attempt in self._log.standing(self._day).tries]

    def play(self) -> None:
        """Play until the daily is over; it goes on where it was left."""
        say, rules = self._console.say, self._solution.rules
        say(f"The daily of {self._day}: {printable(rules.name)}\n", TextStyle.TITLE)
        self._console.say_prose(f"{in_one_sentence(rules)}\n")
        say(f"You can win from here, against perfect play. {TRIES} tries.\n")
        duel = self._duel()
        if not duel.over:
            self._say_board(duel)
        while not duel.over:
            duel = self._turn(duel)
        self._say_result(duel)

    def _duel(self) -> DailyDuel:
        return play_duel(self._day, self._start, self._tries, self._solution)

    def _say_board(self, duel: DailyDuel) -> None:
        now = duel.current
        if not now.moves:
            self._console.say(f"Try {duel.number} of {TRIES}.\n", TextStyle.TITLE)
        self._console.say(scene_words(now.position, how=not now.moves))

    def _turn(self, duel: DailyDuel) -> DailyDuel:
        """Ask for a move; return the daily after it, or as it was if something else was typed."""
        text = self._console.ask("Your move: ").lower()
        command = self._commands.get(SHORT.get(text, text))
        if command:
            command(duel)
            return duel
        move = read_answer(self._console, duel.current.position, text, self._commands, _WORDS)
        if move is None:
            return duel
        if self._kept() != self._tries:  # the first move counts, wherever it was made
            self._console.say("It has gone on elsewhere; here is where it stands now.\n", TextStyle.REFUSAL)
            self._tries = self._kept()
            duel = self._duel()
            self._say_board(duel)
            return duel
        if duel.begins:
            self._tries.append([])
        self._tries[-1].append(move)
        after = self._duel()
        made = after.tries[-1]
        self._log.add(self._day, len(after.tries), self._start.text_of(move), won=made.won)
        self._say_answer(made)
        if not after.over:
            self._say_board(after)
        return after

    def _say_answer(self, made: Try) -> None:
        """Say what the opponent answered, and how a try ended."""
        if len(made.moves) % 2 == 0:
            self._console.say(f"They answer {self._start.text_of(made.moves[-1])}.\n")
        if made.won is None:
            return
        slip = "" if made.won else f" Your move {made.let_go} let the win go."
        style = TextStyle.OUTCOME if made.won else TextStyle.REFUSAL
        self._console.say(f"{ending_words(self._start, made.moves)}{slip}\n\n", style)

    def _say_result(self, duel: DailyDuel) -> None:
        self._say_reasons(duel)
        streak = streak_of(self._log.won_days(), today())
        self._console.say("\n".join(["", *duel.result(), f"zerosum puzzle --daily {self._day}", ""]))
        if streak.best:
            self._console.say(f"\nDays in a row: {streak.now}, your best: {streak.best}.\n", TextStyle.OUTCOME)

    def _say_reasons(self, duel: DailyDuel) -> None:
        """Say why the position is won, and why each mistake was one."""
        best, _ = played_out(self._start, hinted(self._start, self._solution), self._solution)
        self._console.say(f"Why it is won: {' '.join(best)}\n", TextStyle.ANSWER)
        for n, attempt in enumerate(duel.tries, 1):
            if attempt.let_go is not None:
                why, _ = played_out(*slip(self._start, attempt), self._solution)
                self._console.say(f"Try {n}, move {attempt.let_go}: {' '.join(why)}\n", TextStyle.ANSWER)

    def _show(self, duel: DailyDuel) -> None:
        if self._day >= today():
            self._console.say("The reasons come when it is over, or tomorrow.\n", TextStyle.REFUSAL)
            return
        self._say_reasons(duel)
        raise Quit
