"""The entrant `command:COMMAND`: it gets the prompt on standard input and replies in prose on standard output."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final

from zerosum.arena.entrants import limits
from zerosum.arena.entrants.bot_process import EndedError, Process, UnreadableError
from zerosum.arena.entrants.command_line import BOUNDS, Bounds, split_command
from zerosum.arena.entrants.entrant import EntrantReply, Fault, Turn
from zerosum.arena.entrants.model_endpoint import ModelReply
from zerosum.arena.entrants.model_entrant import judge_reply
from zerosum.arena.entrants.prompt import DEFAULT_STYLE, PromptStyle, prompt, refusal
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Outcome
from zerosum.rules.position import Position

COMMAND: Final = "command"


class CommandEntrant:
    """A command that is run once for every move; it remembers nothing."""

    who: Final = COMMAND

    def __init__(
        self, command: str, style: PromptStyle = DEFAULT_STYLE, *, lenient: bool = False, bounds: Bounds = BOUNDS
    ) -> None:
        self._command = split_command(command)
        # Never the arguments, which may hold secrets.
        self.name = os.path.basename(self._command[0])
        self._style, self._lenient = style, lenient
        self._bounds = bounds
        self._refused = ""

    def begin(self, rules: Rules) -> None:
        """Do nothing: there is nothing to get ready."""

    def choose(self, turn: Turn) -> EntrantReply:
        """Run the command."""
        text, self._refused = f"{prompt(turn, self._style, forfeits=turn.forfeits)}{self._refused}", ""
        output = run_command(self._command, text, turn.seconds, self._bounds)
        if output.fault is not None:
            return EntrantReply(None, "", output.seconds, output.fault, output.detail, wrote=output.wrote)
        return judge_reply(ModelReply(output.text, cut=False), turn.position, output.seconds, lenient=self._lenient)

    def refuse(self, text: str, why: str) -> None:
        """Tell it, when it is asked again, that its move was not legal."""
        self._refused = f"\n{refusal(text, why)}"

    def chances(self, _position: Position) -> Mapping[Move, float] | None:
        """Return nothing: a command does not know its chances."""
        return None

    def end(self, outcome: Outcome) -> None:
        """Do nothing: a command remembers no match."""

    def close(self) -> None:
        """Do nothing: no process is left after a move."""


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
