"""Change one rule of a game, at the terminal: which changes there are, who wins then, and which one to play."""

from __future__ import annotations

from zerosum.cli.console import Console, EndOfInput, TextStyle
from zerosum.cli.progress_line import progress_line
from zerosum.match.typed_moves import read_prompt_command
from zerosum.rules.model import Rules
from zerosum.solver import SolverError


def choose_change(rules: Rules, console: Console) -> Rules | None:
    """Offer up to three changes of one rule; return the game that is chosen, None if none is."""
    from zerosum.lab.one_change import one_changes  # noqa: PLC0415 - loads the lab, only when somebody asks for it

    try:
        with progress_line(f"{rules.name} with one rule changed") as say:
            found = one_changes(rules, progress=say)
    except SolverError as error:
        console.say(f"There are no figures for changes of this game. {error}\n", TextStyle.REFUSAL)
        return None
    if not found:
        console.say("No single change makes another game that can be measured.\n", TextStyle.REFUSAL)
        return None
    console.say("\n")
    for n, one in enumerate(found, 1):
        console.say(f"{n}  {one.question}\n", TextStyle.TITLE)
        console.say(f"   {one.words[0].upper()}{one.words[1:]}.\n")
    while True:
        try:
            answer = console.ask("Play which? (a number, or n for none) ").lower()
        except EndOfInput:
            return None
        if answer in map(str, range(1, len(found) + 1)):
            return found[int(answer) - 1].rules
        command = read_prompt_command(answer)
        if answer in ("", "n", "no") or (command and command.word == "quit"):
            return None
        console.say(f"Type a number from 1 to {len(found)}, or n.\n", TextStyle.REFUSAL)
