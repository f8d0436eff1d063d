"""Writes the generated blocks of the documentation anew: `make docs`.

A block stands between two comments, the first of which names a maker and its arguments:

    <!-- generated: rules sum31 -->
    ...
    <!-- /generated -->

With `--check` nothing is written, and the exit status is 1 if a block or a picture has drifted. The ladders take most
of the time.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import click
from click.testing import CliRunner

from zerosum.arena import limits as arena_limits
from zerosum.arena.entrants import limits as bot_limits
from zerosum.assistant import limits as assistant_limits
from zerosum.base import limits as rules_limits
from zerosum.cli.lab_access import first_bars
from zerosum.cli.root_command import COMMANDS, app
from zerosum.envs.registration import ANY, name_of
from zerosum.exam import limits as exam_limits
from zerosum.lab import limits as lab_limits
from zerosum.lab.bundled_figures import bundled_figures
from zerosum.lab.metrics import METRICS, even_to, even_words
from zerosum.rules.describe import describe, idea
from zerosum.rules.game_files import GAME_IDS, GAMES_FOLDER, RETIRED, RULEBOOK_IDS, SHELVES, load_game
from zerosum.rules.rules_dict import rules_to_dict
from zerosum.server import limits as server_limits
from zerosum.server.worker import limits as worker_limits
from zerosum.solver import Value, Verdict, solve

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools import atlases, audits, cards, exams, mechanisms, served, shelf_results  # noqa: E402 - after the path is set
from tools.calls import fence, json_reply, notices, run  # noqa: E402 - see above
from tools.cause_shares import answer_forms, causes, contrasts  # noqa: E402 - after the path is set
from tools.dependencies import dependencies  # noqa: E402 - after the path is set
from tools.facts import words  # noqa: E402 - after the path is set
from tools.figures import figures  # noqa: E402 - after the path is set
from tools.ladders import lab_ladders, ladder, players  # noqa: E402 - after the path is set
from tools.library_reference import library  # noqa: E402 - after the path is set
from tools.results import results, results_by_game  # noqa: E402 - after the path is set
from tools.tables import limits_of, table  # noqa: E402 - after the path is set
from tools.talks import talk  # noqa: E402 - after the path is set

PICTURES: Final = (
    "notebooks.py",
    "make_screenshot.py",
    "make_openings.py",
    "make_atlas_pictures.py",
    "make_review_picture.py",
    "make_table_picture.py",
    "make_terminal_pictures.py",
    "make_report_pictures.py",
    "shelf_results.py",
    "mechanisms.py",
)
BLOCK: Final = re.compile(r"(<!-- generated: ([^\n]+?) -->\n).*?(<!-- /generated -->)", re.DOTALL)
LONG: Final = (
    # Not long: but every change of code would make them say that they are older.
    "figures reliability",
    "figures performance",
    "ladder zero-sum-game",
    "ladder sum-to-zero",
    "ladder sequence-zero",
    "never sum-to-zero",
    "never sequence-zero",
    "never zero-sum-game",
    "lessons sum-to-zero",
    "run search spaces/targets.toml --count 4",
    "json search spaces/targets.toml --count 1 --json",
    "exam make",
    "exam question",
    "exam run",
    "run repair variants/duel-without-mirrors.toml --cost 1 --goal standard",
    "findings",
    "make_table_picture.py",
    "make_terminal_pictures.py",
    "make_report_pictures.py",
    "shelf_results.py",
    "mechanisms.py",
)
"""Blocks and pictures that take most of the time; `--quick` leaves them as they are."""
HELP_WIDTH: Final = 80
LIMITS: Final = {
    "rules": rules_limits,
    "lab": lab_limits,
    "bots": bot_limits,
    "arena": arena_limits,
    "exam": exam_limits,
    "assistant": assistant_limits,
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


def source(path: str) -> str:
    """Return a file of the documentation, word for word."""
    text = (ROOT / "docs" / path).read_text(encoding="utf-8")
    return fence(text, path.rpartition(".")[2])


MAKERS: Final[dict[str, Callable[..., str]]] = {
    "cli": cli,
    "library": library,
    "limits": limits,
    "exam": exams.exam,
    "problems": served.problems,
    "commands": served.commands,
    "calls": served.calls,
    "keys": keys,
    "metrics": metrics,
    "rules": rules,
    "games": games,
    "retired": retired,
    "mechanism-claims": mechanisms.claims,
    "mechanism-figures": mechanisms.figures,
    "shelf-kinds": shelf_results.kinds,
    "shelf-spaces": shelf_results.looked_at,
    "env-names": env_names,
    "solution": solution,
    "how-to-win": cards.how_to_win,
    "lessons": cards.lessons,
    "vocabulary": cards.vocabulary,
    "never": never,
    "findings": audits.findings,
    "run": run,
    "notices": notices,
    "json": json_reply,
    "source": source,
    "players": players,
    "ladder": ladder,
    "lab-ladders": lab_ladders,
    "causes": causes,
    "answer-forms": answer_forms,
    "contrasts": contrasts,
    "dependencies": dependencies,
    "figures": figures,
    "results": results,
    "results-by-game": results_by_game,
    "atlas": atlases.atlas,
    "talk": talk,
}


def renewed(text: str, *, quick: bool = False) -> str:
    """Return the text of a page with every generated block made anew; where it must be quick, but for the long ones."""

    def make(found: re.Match[str]) -> str:
        maker, *arguments = shlex.split(found[2])
        if quick and found[2] in LONG:
            return found[0]
        if maker not in MAKERS:
            raise SystemExit(f"There is no block '{maker}'; there are {', '.join(MAKERS)}.")
        return f"{found[1]}{MAKERS[maker](*arguments)}{found[3]}"

    return BLOCK.sub(make, text)


def pages(root: Path) -> list[Path]:
    """Return the pages of the documentation."""
    return [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]


def _difference(name: str, old: str, new: str) -> Iterator[str]:
    return difflib.unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), name, "as it is now")


def main(words: Sequence[str] | None = None) -> int:
    """Write or check all pages and pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if something has drifted")
    parser.add_argument("--quick", action="store_true", help="leave out what takes long")
    parser.add_argument("--root", type=Path, default=ROOT, help="the folder whose pages are written")
    options = parser.parse_args(words)
    drifted = 0
    for page in pages(options.root):
        old = page.read_text(encoding="utf-8")
        new = renewed(old, quick=options.quick)
        if new == old:
            continue
        drifted += 1
        if options.check:
            sys.stdout.writelines(_difference(page.name, old, new))
        else:
            page.write_text(new, encoding="utf-8")
            print(f"{page.relative_to(options.root)}: written anew")
    if options.root == ROOT:
        check = ["--check"] if options.check else []
        for script in (one for one in PICTURES if not (options.quick and one in LONG)):
            drifted += subprocess.run([sys.executable, ROOT / "tools" / script, *check], check=False).returncode
    return 1 if options.check and drifted else 0


if __name__ == "__main__":
    sys.exit(main())
