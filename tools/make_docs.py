"""Makes what the pages of the documentation do not hold: what commands print, tables from the code, pictures.

A fenced block of the language `made` names a maker and its arguments; `make site` puts what it makes in its place:

    ```made
    rules sum31
    ```

A picture that is not in `docs/images` is made as well.
"""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import click
from click.testing import CliRunner

from tools import atlases, audits, cards, exams, make_openings, mechanisms, served, shelf_results
from tools.calls import DOCS, fence, json_reply, made_once, notices, run
from tools.cause_shares import answer_forms, causes, contrasts
from tools.dependencies import dependencies
from tools.facts import words
from tools.figures import figures
from tools.ladders import lab_ladders, ladder, players
from tools.library_reference import library
from tools.results import results, results_by_game
from tools.tables import limits_of, table
from tools.talks import talk
from zerosum.arena import limits as arena_limits
from zerosum.arena.entrants import limits as bot_limits
from zerosum.assistant import limits as assistant_limits
from zerosum.base import limits as rules_limits
from zerosum.cli.lab_access import first_bars
from zerosum.cli.root_command import COMMANDS, app
from zerosum.coach.bundled import bundled_figures
from zerosum.coach.evenness import even_to, even_words
from zerosum.envs import ANY, name_of
from zerosum.exam import limits as exam_limits
from zerosum.jobs import limits as worker_limits
from zerosum.lab import limits as lab_limits
from zerosum.lab.metrics import METRICS
from zerosum.rules.describe import describe, idea
from zerosum.rules.game_files import GAME_IDS, GAMES_FOLDER, RETIRED, RULEBOOK_IDS, SHELVES, load_game
from zerosum.rules.model import rules_to_dict
from zerosum.server import limits as server_limits
from zerosum.solver import Value, Verdict, solve
from zerosum.tables import limits as table_limits

BLOCK: Final = re.compile(r"^```made\n(.+)\n```$", re.MULTILINE)
LONG: Final = (
    "ladder zero-sum-game",
    "ladder sum-to-zero",
    "ladder sequence-zero",
    "never sum-to-zero",
    "never sequence-zero",
    "never zero-sum-game",
    "lessons sum-to-zero",
    "run search spaces/targets.toml --count 4",
    "json search spaces/targets.toml --count 1 --json",
    "run repair variants/duel-without-mirrors.toml --cost 1 --goal standard",
)
"""Blocks that take most of the time; a quick copy of the documentation leaves them out."""
HELP_WIDTH: Final = 80
LIMITS: Final = {
    "rules": rules_limits,
    "lab": lab_limits,
    "bots": bot_limits,
    "arena": arena_limits,
    "exam": exam_limits,
    "assistant": assistant_limits,
    "tables": table_limits,
    "server": server_limits,
    "worker": worker_limits,
}
"""The modules of limits, by the names that blocks use."""


def cli() -> str:
    """Return the help of the command and of each of its subcommands."""
    parts = [f"## zerosum\n\n{fence(_help([]))}"]
    parts += [f"## zerosum {' '.join(words)}\n\n{fence(_help(words))}" for words in _commands()]
    return "\n".join(parts)


def _commands() -> Iterator[list[str]]:
    """Yield the words of every command, those of a group after it."""
    for name in COMMANDS:
        yield [name]
        command = app.get_command(click.Context(app), name)
        yield from ([name, below] for below in (command.commands if isinstance(command, click.Group) else ()))


def _help(command: list[str]) -> str:
    result = CliRunner().invoke(
        app, [*command, "--help"], prog_name="zerosum", terminal_width=HELP_WIDTH, catch_exceptions=False
    )
    return result.output


def limits(part: str) -> str:
    """Return the limits of one part of zerosum."""
    return limits_of(LIMITS[part])


def keys(game: str) -> str:
    """Return the table of a game's keys: what its rules file says, and what is so by default."""
    with open(os.path.join(GAMES_FOLDER, f"{game}.toml"), "rb") as file:
        written = tomllib.load(file)
    rows = [
        (f"`{key}`", f"`{_toml(value)}`", "" if key in written else "by default")
        for key, value in rules_to_dict(load_game(game)).items()
    ]
    return table(("key", "value", ""), rows)


def metrics() -> str:
    """Return the table of all metrics."""
    return table(("key", "says"), [(f"`{one.key}`", one.says) for one in METRICS.values()])


def _toml(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def rules(game: str) -> str:
    """Return the rules of a game in words."""
    return "".join(f"- {line}\n" for line in describe(load_game(game)))


def games(folder: str = "") -> str:
    """Return a table of the games of each shelf, linked to their pages in `folder`."""
    return "\n".join(
        f"**{title}**\n\n{table(('game', 'id', 'the idea'), [_row(game, folder) for game in ids])}"
        for title, ids in SHELVES.values()
    )


def _row(game: str, folder: str) -> tuple[str, str, str]:
    one = load_game(game)
    return f"[{one.name}]({folder}{game}.md)", f"`{game}`", f"{idea(one)}."


def retired() -> str:
    """Return a table of the retired games, and of what replaced each."""
    rows = [(load_game(game).name, f"`{game}`", f"`{successor}`") for game, successor in RETIRED.items()]
    return table(("retired", "id", "replaced by"), rows) if rows else "So far none is.\n"


def env_names() -> str:
    """Return a table of the names that Gymnasium knows: of the listed games, and the one of any game."""
    rows = [(f"`{name_of(game)}`", load_game(game).name) for game in GAME_IDS]
    return table(("name", "game"), [*rows, (f"`{ANY}`", _ANY)])


_ANY: Final = "any: `rules=` takes a path, an id, `Rules`, or a dictionary of the keys of a rules file"


def solution(game: str) -> str:
    """Return what the solver finds about a game: who wins, by which openings, and how a perfect match goes."""
    solved = solve(load_game(game))
    start = solved.start
    value = solved.value(start)
    winner = "first" if value.verdict is Verdict.WIN else "second"
    moves: dict[Value, list[str]] = {}
    for option in solved.options(start):
        moves.setdefault(option.value, []).append(start.text_of(option.move))
    rows = [(one.verdict.value, str(one.plies), f"`{' '.join(texts)}`") for one, texts in moves.items()]
    count = "no end of them" if solved.count is None else f"{solved.count:,}"
    line = " ".join(map(start.text_of, solved.line(start, value.plies or 0)))
    return (
        f"The {winner} player wins, in {value.plies} plies when the winner hurries and the loser delays.\n\n"
        f"{table(('verdict', 'plies', 'openings of the first player'), rows)}\n"
        f"One match of perfect play: `{line}`. Unfinished positions that can arise: {count}.\n\n"
        f"{openings(game)}{seats(game)}"
    )


def seats(game: str) -> str:
    """Return how even a game of the rulebooks is; the pages of the lab's games show all metrics instead."""
    figures = bundled_figures(load_game(game))
    if figures is None or game not in RULEBOOK_IDS:
        return ""
    first = figures["metrics"]["first"]
    said = f"Between equals this game is [{even_words(even_to(first))}](../lab.md#how-even-is-it)."
    return f"\n{said}\n\n{fence(chr(10).join(first_bars(first, HELP_WIDTH)))}"


def openings(game: str) -> str:
    """Return the picture of a game's openings and replies, with its caption."""
    name = load_game(game).name
    return (
        f"![{name}, openings against replies: who wins after each pair of them, and in how many plies.]"
        f"(../images/openings-{game}.svg)\n\n"
        "*After each opening (row) and reply (column): W if the first player wins then, L if the first player loses, "
        "and in how many more plies; the second player's best replies are framed.*\n"
    )


def never(game: str) -> str:
    """Return what cannot happen in a game, as counted."""
    head, table, *items = words(solve(load_game(game)))
    return f"{head}\n\n{table}\n\n{''.join(f'- {item}{chr(10)}' for item in items)}"


def picture(name: str, words: str, folder: str = "images") -> str:
    """Return a picture that is made, with its words for those who do not see it."""
    return f"![{words}]({folder}/{name}.svg)\n"


def source(path: str) -> str:
    """Return a file of the documentation, word for word."""
    text = (DOCS / path).read_text(encoding="utf-8")
    return fence(text, path.rpartition(".")[2])


_NAMED: Final[tuple[Callable[..., str], ...]] = (
    *(cli, library, limits, exams.exam, served.problems, served.commands, served.calls, keys, metrics),
    *(rules, games, retired, env_names, solution, cards.how_to_win, cards.lessons, cards.vocabulary),
    *(never, audits.findings, run, notices, source, picture, players, ladder, lab_ladders, causes),
    *(answer_forms, contrasts, dependencies, figures, results, results_by_game, atlases.atlas, talk),
)
"""Makers that blocks call by their own names."""
MAKERS: Final[dict[str, Callable[..., str]]] = {
    **{maker.__name__.replace("_", "-"): maker for maker in _NAMED},
    "mechanism-claims": mechanisms.claims,
    "mechanism-figures": mechanisms.figures,
    "shelf-kinds": shelf_results.kinds,
    "shelf-spaces": shelf_results.looked_at,
    "json": json_reply,
}


PICTURES: Final[dict[str, Callable[[], str]]] = {
    **{f"openings-{game}.svg": partial(make_openings.picture, game) for game in GAME_IDS},
    **{f"atlas-{family}.svg": partial(atlases.svg, family) for family in atlases.RANGES},
    "mechanisms.svg": mechanisms.svg,
    "shelf.svg": shelf_results.svg,
}
"""The pictures that are made, by the names of their files in `docs/images`."""


def made(block: str, *, quick: bool = False) -> str:
    """Return what stands in place of a block; in a quick copy, that it is left out if it takes long."""
    maker, *arguments = shlex.split(block)
    if maker not in MAKERS:
        raise SystemExit(f"There is no block '{maker}'; there are {', '.join(MAKERS)}.")
    if quick and block in LONG:
        return f"*This quick copy leaves out* `{block}`*, which takes long.*\n"
    return made_once(block, lambda: MAKERS[maker](*arguments))


def drawn(name: str) -> str:
    """Return a picture that is made."""
    return made_once(name, PICTURES[name])


def filled(text: str, *, quick: bool = False) -> str:
    """Return the text of a page with every block made."""
    return BLOCK.sub(lambda block: made(block[1], quick=quick), text)


def page(name: str, *, quick: bool = False) -> str:
    """Return a page of the documentation with every block made."""
    return filled((DOCS / name).read_text(encoding="utf-8"), quick=quick)
