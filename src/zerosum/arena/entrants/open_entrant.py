"""An entrant from its name: `level:5`, `bot:COMMAND`, and those that reply to a prompt.

These are `model:NAME@URL`, and `command:COMMAND`, which gets it on standard input.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final

from zerosum.arena.entrants import limits
from zerosum.arena.entrants.bot import BOT, Bot
from zerosum.arena.entrants.bot_process import EndedError, Process, UnreadableError
from zerosum.arena.entrants.command_line import BOUNDS, Bounds, split_command
from zerosum.arena.entrants.entrant import Entrant, EntrantReply, Fault, Turn, judge_text
from zerosum.arena.entrants.model_endpoint import Endpoint, ModelReply
from zerosum.arena.entrants.prompt import ReplyKind, prompt, read_reply, refusal
from zerosum.base.text import shorten
from zerosum.players import Player, pick
from zerosum.players.registry import PlayerInfo, chances_in
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import solution_of
from zerosum.strategy.card_player import PLAYERS

MODEL: Final = "model"
COMMAND: Final = "command"


class ModelEntrant(Entrant):
    """The entrant `model:NAME@URL`."""

    who = MODEL

    def __init__(self, name: str, *, endpoint: Endpoint | None = None) -> None:
        model, _, url = name.rpartition("@")
        self._endpoint = endpoint or Endpoint(model, url)
        self.name = shorten(model)
        self._asked: tuple[Position, list[Mapping[str, str]]] | None = None

    def begin(self, rules: Rules) -> None:
        """Forget the last match."""
        del rules
        self._asked = None

    def choose(self, turn: Turn) -> EntrantReply:
        """Ask for a move; asked again at the same position, the model sees its own answer and why it was refused."""
        if self._asked is None or self._asked[0] is not turn.position:
            self._asked = turn.position, [{"role": "user", "content": prompt(turn, forfeits=turn.forfeits)}]
        began = monotonic()
        said = self._endpoint.ask(self._asked[1], turn.seconds)
        self._asked[1].append({"role": "assistant", "content": said.text})
        return judge_reply(said, turn.position, monotonic() - began)

    def refuse(self, text: str, why: str) -> None:
        """Tell it that its move was not legal."""
        if self._asked is not None:
            self._asked[1].append({"role": "user", "content": refusal(text, why)})


def judge_reply(said: ModelReply, position: Position, seconds: float, *, lenient: bool = False) -> EntrantReply:
    """Return what a reply in prose means: a legal move, or a fault."""
    if said.refused:
        return EntrantReply(None, "", seconds, Fault.UNREADABLE, "it refused to answer")
    read = read_reply(said.text, position.rules.operations, lenient=lenient, truncated=said.cut)
    if read.kind is ReplyKind.MOVE:
        return judge_text(read.move, position, seconds)
    what = "its reply was cut off" if read.kind is ReplyKind.TRUNCATED else "its reply names no single move"
    return EntrantReply(None, "", seconds, Fault.UNREADABLE, what)


class CommandEntrant(Entrant):
    """A command that is run once for every move; it remembers nothing."""

    who = COMMAND

    def __init__(self, command: str) -> None:
        self._command = split_command(command)
        # Never the arguments, which may hold secrets.
        self.name = os.path.basename(self._command[0])
        self._refused = ""

    def choose(self, turn: Turn) -> EntrantReply:
        """Run the command."""
        text, self._refused = f"{prompt(turn, forfeits=turn.forfeits)}{self._refused}", ""
        output = run_command(self._command, text, turn.seconds)
        if output.fault is not None:
            return EntrantReply(None, "", output.seconds, output.fault, output.detail, wrote=output.wrote)
        return judge_reply(ModelReply(output.text, cut=False), turn.position, output.seconds)

    def refuse(self, text: str, why: str) -> None:
        """Tell it, when it is asked again, that its move was not legal."""
        self._refused = f"\n{refusal(text, why)}"


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """What a command wrote, or the fault by which it gave no reply."""

    text: str
    seconds: float
    fault: Fault | None = None
    detail: str = ""
    wrote: str = ""
    """If it crashed, the last line of its standard error."""


def run_command(command: Sequence[str], text: str, seconds: float, bounds: Bounds = BOUNDS) -> CommandOutput:
    """Run a command with a text on its standard input; return what it writes to its standard output."""
    bounds = replace(bounds, line=limits.OUTPUT)
    began = monotonic()
    process = Process(command, bounds)
    try:
        lines, silent = _conversation(process, text, began + seconds + bounds.margin)
        took = monotonic() - began
        if silent:
            return CommandOutput("", took, Fault.TIME, f"no reply within {seconds:g} s")
        if process.ended != "it ended with exit status 0":
            return CommandOutput("", took, Fault.CRASH, process.ended or "it did not end", process.complaints)
    except UnreadableError as error:
        return CommandOutput("", monotonic() - began, Fault.UNREADABLE, str(error))
    finally:
        process.close()
    return CommandOutput("\n".join(lines), took)


def _conversation(process: Process, text: str, deadline: float) -> tuple[list[str], bool]:
    """Send a text and its end; return the lines of the reply, and whether the deadline came first."""
    process.send(text.encode())
    lines: list[str] = []
    try:
        process.flush(deadline)
        process.end_input()
        while (line := process.hear(deadline)) is not None:
            lines.append(line)
    except EndedError:
        return lines, False
    return lines, True


OPENERS: Final[dict[str, Callable[[str], Entrant]]] = {
    f"{BOT}:": Bot,
    f"{MODEL}:": ModelEntrant,
    f"{COMMAND}:": CommandEntrant,
}
"""Who comes from outside: the prefix of its name, and how the rest of the name is opened."""


def open_entrant(name: str) -> Entrant:
    """Return the entrant of this name; close it when you are done."""
    for prefix, opener in OPENERS.items():
        if name.startswith(prefix):
            return opener(name[len(prefix) :])
    return Computer(PLAYERS.find(name, human=False))


class Computer(Entrant):
    """A player of the registry."""

    def __init__(self, info: PlayerInfo) -> None:
        self.who = info.name
        self.name = info.title
        self._make = info.make
        self._made: tuple[Rules, Player] | None = None

    def begin(self, rules: Rules) -> None:
        """Solve the game if the player needs that."""
        self._player(rules)

    def choose(self, turn: Turn) -> EntrantReply:
        """Choose as the seed of the turn says."""
        began = monotonic()
        move = pick(self._choice(turn.position), turn.seed)
        return EntrantReply(move, turn.position.text_of(move), monotonic() - began)

    def chances(self, position: Position) -> Mapping[Move, float]:
        """Return the chance of each move."""
        choice = self._choice(position)
        return choice if isinstance(choice, Mapping) else dict.fromkeys(choice, 1 / len(choice))

    def _choice(self, position: Position) -> Mapping[Move, float] | Sequence[Move]:
        return chances_in(self._player(position.rules)(position), position)

    def _player(self, rules: Rules) -> Player:
        if self._made is None or self._made[0] != rules:
            self._made = rules, self._make(rules, solution_of)
        return self._made[1]
