"""The short menu: which game, who plays, who moves first. Without any input it shows an exhibition match."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from typing import Final

import click

from zerosum.base.text import did_you_mean, shorten
from zerosum.cli.console import Console, EndOfInput, Quit, TextStyle
from zerosum.cli.dialogue import Dialogue
from zerosum.cli.own_record import last_rules
from zerosum.cli.play_session import choose_unfinished, continue_match, play_against
from zerosum.cli.terminal_text import fit
from zerosum.cli.user_data import saved_matches
from zerosum.match.match import Match
from zerosum.match.new_setup import new_setup
from zerosum.match.referee import Referee
from zerosum.match.saved import SavedMatches
from zerosum.match.setup import BOTH_SEATS
from zerosum.match.typed_moves import means
from zerosum.players import HUMAN
from zerosum.rules.describe import idea, warning
from zerosum.rules.game_files import GAME_IDS, SHELVES, built_in
from zerosum.rules.model import Rules
from zerosum.solver import Verdict, solution_of
from zerosum.strategy.card_player import PLAYERS

_TOSS = "toss"
_BOTH = "both"
"""Each person moves first once."""
_WHO = {
    "1": ("Two people at this keyboard", "human"),
    "2": ("You against a computer that plays at random", "random"),
    "3": ("You against a beginner (level:3)", "level:3"),
    "4": ("You against a good player (level:6)", "level:6"),
    "5": ("You against perfect play", "perfect"),
}
_BETTER_SEAT = {Verdict.WIN: ("first", "1"), Verdict.LOSS: ("second", "2"), Verdict.DRAW: ("", "1")}


DEFAULT_GAME: Final = "sum31"
RESUME: Final = "resume"
_AROUND: Final = 9
"""The lines of the list of games beside the games: titles, the warning, how to go on or quit, and the question."""


def ask_rules(console: Console, *, leave: str = "Quit") -> Rules | None:
    """Ask which game to play, for a command that was given none; None if none is wanted."""
    try:
        return built_in(ask_game(console, None, leave=leave))
    except (Quit, EndOfInput):
        return None


def last_or_asked(ctx: click.Context) -> Rules:
    """Return the game played last at this terminal, and say which; without one, ask. Nobody has to answer."""
    console = Console()
    rules = last_rules(saved_matches())
    if rules is not None:
        console.notice(f"{rules.name}, which you played last. For another: {ctx.command_path} GAME\n")
        return rules
    rules = ask_rules(console)
    if rules is None:
        ctx.exit(0)
    console.say("\n")
    return rules


def ask_game(console: Console, saved: SavedMatches | None, *, leave: str) -> str:
    """Ask for a game, or with `saved` for an unfinished match; `leave` is what q does."""
    choices: dict[str, str] = {}
    room = _has_room(console)
    for title, games in SHELVES.values():
        console.say(f"{title}\n", TextStyle.TITLE)
        for game in games:
            rules, n = built_in(game), GAME_IDS.index(game) + 1
            choices |= {str(n): game, game: game, rules.name.lower(): game}
            console.say(f"{n}  {rules.name:15}{idea(rules)}\n" if room else f"{n}  {rules.name}\n")
            if warning(rules):
                console.say(f"{'':{18 if room else 3}}({warning(rules)})\n")
        console.say("\n" if room else "")
    kept = sum(one.match is not None for one in saved.unfinished()) if saved else 0
    if kept:
        choices |= {"r": RESUME, RESUME: RESUME}
        console.say(f"r  Go on with {'your unfinished match' if kept == 1 else 'an unfinished match'}\n")
    console.say(f"q  {leave}\n\n")
    return ask_choice(console, f"Which game? [{GAME_IDS.index(DEFAULT_GAME) + 1}] ", choices, DEFAULT_GAME)


def _has_room(console: Console) -> bool:
    """Whether the list of games fits the terminal with what each is about; otherwise it has their names alone."""
    if not console.at_terminal:
        return True
    size = shutil.get_terminal_size()
    lines = [f"{'':18}{idea(built_in(game))}" for game in GAME_IDS]
    rows = sum(fit(line, size.columns).count("\n") + 1 for line in lines)
    return rows + _AROUND <= size.lines


def ask_choice(console: Console, prompt: str, choices: Mapping[str, str], default: str) -> str:
    """Ask until the answer is a choice; an empty answer is the default."""
    while True:
        answer = console.ask(prompt).lower()
        if not answer:
            return default
        if answer in choices:
            return choices[answer]
        if means(answer, "quit"):
            raise Quit
        how = "Type one of the marks on the left, or q to quit."
        if means(answer, "help"):
            console.say(f"{how} Enter takes the answer in brackets.\n", TextStyle.ANSWER)
            continue
        hint = did_you_mean(answer, choices, how)
        console.say(f"'{shorten(answer)}' is not a choice. {hint}\n", TextStyle.REFUSAL)


def menu() -> int:
    """Ask what to play and play it; return the exit status."""
    console = Console()
    if not console.has_input():
        return exhibition(console)
    try:
        status = choose_match(console, saved_matches(), resume=True)
    except EndOfInput:
        return 0 if console.interactive else 1
    return status or 0


def choose_match(console: Console, saved: SavedMatches, *, who: str | None = None, resume: bool = False) -> int | None:
    """Ask for a game, and who plays unless that is given, and play it; return the exit status, None if nobody wants to.

    With `resume`, unfinished matches are offered too.
    """
    try:
        game = ask_game(console, saved if resume else None, leave="Quit" if resume else "Back")
        if game == RESUME:
            return continue_match(saved, choose_unfinished(saved.unfinished(), console), console)
        opponent = who or _ask_who(console)
        first = _ask_first(console, built_in(game), opponent)
    except Quit:
        return None
    console.say("\n")
    order, best_of = ("1", BOTH_SEATS) if first == _BOTH else (first, None)
    return play_against(saved, built_in(game), opponent, console, first=order, best_of=best_of)


def exhibition(console: Console) -> int:
    """Show one match between two computer players; nothing of it is kept."""
    console.notice("There is no input, so here is a match between two computer players.\n")
    setup = new_setup(built_in(DEFAULT_GAME), who=("level:6", "level:6"))
    Dialogue(Referee(Match.begin(setup), lambda _: None), console).conduct()
    return 0


def _ask_who(console: Console) -> str:
    console.say("\n")
    for key, (text, _) in _WHO.items():
        console.say(f"{key}  {text}\n")
    shown = {who for _, who in _WHO.values()}
    console.say(f"Or any of {', '.join(who for who in PLAYERS.spoken() if who not in shown)}.\n\n")
    choices = {key: who for key, (_, who) in _WHO.items()} | {who: who for who in (HUMAN, *PLAYERS.names)}
    return ask_choice(console, "Who plays? [1] ", choices, HUMAN)


def _ask_first(console: Console, rules: Rules, who: str) -> str:
    """Ask who moves first; against a computer, offer the seat that wins with best play.

    A script that answers the menu through a pipe is not asked if nobody needs the solver: Player 1 moves first.
    """
    first, favour, names = "1", "", ("Player 1 moves", "Player 2 moves")
    if not console.interactive and (who == HUMAN or not PLAYERS.find(who).needs_solution):
        return first
    if who != HUMAN:
        solution = solution_of(rules)
        better, first = _BETTER_SEAT[solution.value(solution.start).verdict]
        favour = f"With best play the {better} player wins.\n" if better else ""
        names = ("You move", "The computer moves")
    console.say(f"\n{favour}1  {names[0]} first\n2  {names[1]} first\nt  A toss decides\n")
    console.say("b  Both, one match each; any game is even this way\n\n")
    choices = {"1": "1", "2": "2", "t": _TOSS, _TOSS: _TOSS, "b": _BOTH, _BOTH: _BOTH}
    return ask_choice(console, f"Who moves first? [{first}] ", choices, first)
