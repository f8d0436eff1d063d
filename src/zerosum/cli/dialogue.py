"""One match at the terminal: asks the player to move, shows what happened, until it is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from zerosum.base.text import did_you_mean, printable
from zerosum.cli import dialogue_text
from zerosum.cli.coaching import hint_lines, then_lines
from zerosum.cli.console import Console, TextStyle, leave
from zerosum.cli.dialogue_text import SeatNames, given_names
from zerosum.cli.picture import STYLES, draw_match
from zerosum.match.match import Entry, Match
from zerosum.match.referee import NoOperation, NotAvailable, NothingToUndoError, Referee, Refusal
from zerosum.match.typed_moves import Chosen, PromptCommand, read_prompt_command
from zerosum.players import choose
from zerosum.rules.describe import describe
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.rules.record import Ending

Taken = Entry | Chosen | Refusal
Coach = Callable[[Match], list[str]]
"""Comments on the last move of a match, or on its start."""
Choose = Callable[[Match], Move | Ending]
"""Returns the move of a computer, or how it ends the match instead."""

_STEPS = 3
"""The steps of a hint; after the last, `hint then` goes one answer deeper, and `hint more` shows the lines."""
_HELP = """\
Numbers are moves. These words are commands:
  hint    what to play; again: which move, and why; hint then: one answer deeper, as often as you ask; hint more: the \
lines behind it
  moves   the moves you can make
  rules   the rules of this game
  undo    take back a move
  resign  give up the match
  quit    leave; the match is kept
  help    this list
In short: q for quit, ? or h for help.
"""


# Words people try first, and the commands they mean. They are no commands, so they may forfeit.
_OTHER_WORDS = {"bye": "quit", "list": "moves", "back": "undo"}


def computer_move(match: Match) -> Move:
    """Return the move of the computer player whose turn it is."""
    return choose(match.setup.who[match.to_move - 1], match.position, match.seed)


class Dialogue:
    """One match, its referee and the terminal it is played at."""

    def __init__(
        self,
        referee: Referee,
        console: Console,
        names: SeatNames | None = None,
        coach: Coach | None = None,
        choose: Choose = computer_move,
    ) -> None:
        self._coach = coach
        self._choose = choose
        self._referee = referee
        self._names = names or given_names(referee.match.setup)
        self._console = console
        self._hinted: Match | None = None
        self._hints = 0
        self._depth: tuple[Match, int] | None = None
        self._explained: dict[str, Position] = {}
        self._commands: dict[str, Callable[[], object]] = {
            "hint": self._hint,
            "hint then": self._hint_then,
            "hint more": lambda: self._say_hint(_STEPS + 1),
            "undo": self._undo,
            "moves": lambda: self._say_lines([" ".join(referee.match.position.legal_move_texts())]),
            "rules": self._rules,
            "resign": lambda: referee.resign(referee.match.to_move),
            "quit": leave,
            "help": lambda: console.say_prose(_HELP, TextStyle.ANSWER),
        }

    def conduct(self) -> None:
        """Play until the match is over, then say who won."""
        match = self._referee.match
        self._announce("state" if match.moves else "opening")
        if not match.moves:
            self._comment(match)
        while match.outcome is None:
            self._take_turn()
            before, match = match, self._referee.match
            if len(match.moves) > len(before.moves):
                self._console.say(dialogue_text.moved(match, self._names))
                self._comment(match)
            if match.outcome is None:
                self._announce("turn" if len(match.moves) > len(before.moves) else "state")
        self._console.say(dialogue_text.ended(match, match.outcome, self._names), TextStyle.OUTCOME)

    def _comment(self, match: Match) -> None:
        """Say what the coach says about the last move."""
        if self._coach is not None:
            for sentence in self._coach(match):
                self._console.say(f"Coach: {sentence}\n", TextStyle.ANSWER)

    def _announce(self, key: str) -> None:
        match = self._referee.match
        self._console.say(dialogue_text.say(match, self._names, key), STYLES[match.to_move])
        if columns := self._console.picture_columns:
            self._console.draw(draw_match(match, columns, self._names.labels))

    def _take_turn(self) -> None:
        """Ask the player to move until the match has changed."""
        match = self._referee.match
        if not match.setup.is_human(match.to_move):
            self._play_for_computer()
            return
        while self._referee.match is match:
            taken = self._answer(dialogue_text.number_prompt(match, self._names), self._referee.take_number)
            if isinstance(taken, Chosen):
                self._take_operation(taken)

    def _take_operation(self, chosen: Chosen) -> None:
        """Ask for the operation until the match has changed or the number is dropped."""
        match = self._referee.match
        dropped: list[Chosen] = []
        take = partial(self._referee.take_operation, chosen)
        while self._referee.match is match and not dropped:
            drop = {"undo": lambda: dropped.append(chosen)}
            taken = self._answer(dialogue_text.say(match, self._names, "operation-prompt"), take, drop)
            if isinstance(taken, NoOperation):
                refused = dialogue_text.say(match, None, "operation-refused", {"number": chosen.number})
                self._console.say(refused, TextStyle.REFUSAL)

    def _answer(
        self,
        prompt: str,
        take: Callable[[str], Taken],
        instead: Mapping[str, Callable[[], object]] = MappingProxyType({}),
    ) -> Taken | None:
        """Ask once; run a command, or hand the answer to the referee and say why it was refused."""
        text = self._console.ask(prompt)
        command = read_prompt_command(text)
        if command is not None:
            self._run(command, instead)
            return None
        taken = take(text)
        if isinstance(taken, Refusal) and not isinstance(taken, NoOperation):
            why = "Type a number, or help." if not text and not instead else self._why(text, taken)
            self._console.say(f"{why}\n", TextStyle.REFUSAL)
        if isinstance(taken, NotAvailable):
            self._console.say(dialogue_text.say(self._referee.match, None, "number-refused"), TextStyle.REFUSAL)
        return taken

    def _run(self, command: PromptCommand, instead: Mapping[str, Callable[[], object]]) -> None:
        """Run a command; nobody gives a match up by a slip."""
        if command.word == "resign" and not command.exact:
            self._console.say("Did you mean 'resign'? Type it in full to give up.\n", TextStyle.REFUSAL)
            return
        (self._commands | dict(instead))[command.word]()

    def _why(self, text: str, refusal: Refusal) -> str:
        hint = did_you_mean(_OTHER_WORDS.get(text.lower(), text.lower()), self._commands)
        return f"{refusal} {hint}" if hint else refusal

    def _play_for_computer(self) -> None:
        match = self._referee.match
        with self._console.busy(f"{printable(self._names.name(match.to_move))} is thinking ..."):
            chosen = self._choose(match)
        if isinstance(chosen, Ending):
            self._referee.end(chosen)
            return
        self._referee.play(chosen)
        show_move(self._console, match, chosen, self._names)

    def _hint(self) -> None:
        match = self._referee.match
        self._hints = min(self._hints + 1, _STEPS) if self._hinted is match else 1
        self._hinted = match
        self._say_hint(self._hints)

    def _hint_then(self) -> None:
        """Go one answer deeper. What the hint has not said yet comes first: which move this answers, and why."""
        match = self._referee.match
        said = self._hints if self._hinted is match else 0
        for step in range(max(said + 1, 2), _STEPS + 1):
            self._say_lines(hint_lines(match.position, step, self._explained)[:-1])
        self._hinted, self._hints = match, _STEPS
        depth = self._depth[1] + 1 if self._depth is not None and self._depth[0] is match else 1
        self._depth = match, depth
        self._say_lines(then_lines(match.position, depth))

    def _say_hint(self, step: int) -> None:
        self._say_lines(hint_lines(self._referee.match.position, step, self._explained))

    def _say_lines(self, lines: Sequence[str]) -> None:
        self._console.say("".join(f"{line}\n" for line in lines), TextStyle.ANSWER)

    def _rules(self) -> None:
        setup = self._referee.match.setup
        self._say_lines(describe(setup.rules, lenient=setup.lenient))

    def _undo(self) -> None:
        try:
            self._referee.undo(self._referee.match.to_move)
        except NothingToUndoError as error:
            self._console.say(f"{error}\n", TextStyle.REFUSAL)


def show_move(console: Console, match: Match, move: Move, names: SeatNames | None = None) -> None:
    """Show a move as if it were typed."""
    prompts = (dialogue_text.number_prompt(match, names), dialogue_text.say(match, names, "operation-prompt"))
    for prompt, answer in zip(prompts, dialogue_text.typed(match, move), strict=False):
        console.say(f"{prompt}{answer}\n")
