"""Asks every door for a retired game, and every list whether it shows it: `python -m tests.package.retired_doors`.

With `--listed` the game is put back on its shelf before the rest of the package is imported. Prints for each door what
is wrong, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Callable
from datetime import date, timedelta
from html import unescape
from itertools import chain
from pathlib import Path
from typing import Any

from zerosum.base.errors import UnknownGameError
from zerosum.rules import game_files

GAME, NAME = "seventeen", "Seventeen"
LINE = "Seventeen is retired; To the Brim (to-the-brim) has replaced it."
RECORD = f'[Game "{GAME}"]\n\n1. +3 +2 2. +8 +6 3. +1 +7 4. +5\n'
PLAN = f'format = 1\ngames = ["{GAME}"]\nentrants = ["level:1", "random"]\npairs = 1\nseed = "1"\n'


def plant() -> None:
    """List the game again, whatever the tables of the package say."""
    tables: Any = game_files
    tables.LAB_IDS = (*tables.LAB_IDS, GAME)
    tables.GAME_IDS = (*tables.RULEBOOK_IDS, *tables.LAB_IDS)
    tables.RETIRED = {game: successor for game, successor in tables.RETIRED.items() if game != GAME}
    tables.BUILT_IN_IDS = (*tables.GAME_IDS, *tables.RETIRED)
    tables.SHELVES = tables.SHELVES | {"lab": ("Found in the lab", tables.LAB_IDS)}


if "--listed" in sys.argv:
    plant()

# Whatever reads the tables comes after they are set.
import gymnasium  # noqa: E402
import pyspiel  # noqa: E402
from click.testing import CliRunner, Result  # noqa: E402

from tests.server.inside import Inside, inside  # noqa: E402
from tools.make_docs import games as games_in_docs  # noqa: E402
from zerosum.arena.plan import read_plan  # noqa: E402
from zerosum.assistant.assistant_jobs import read_game  # noqa: E402
from zerosum.assistant.mcp_server import make_server  # noqa: E402
from zerosum.cli.commands.completion_command import _OFFERS  # noqa: E402
from zerosum.cli.root_command import app  # noqa: E402
from zerosum.coach.daily import daily_game  # noqa: E402
from zerosum.envs import aec, name_of  # noqa: E402
from zerosum.exam.draw_items import PUBLIC_GAMES  # noqa: E402

COMMANDS = (
    *("rules", "solve --json", "analyze --json", "card --json", "learn --json", "levels --json", "metrics --json"),
    *("audit --json", "perft 2", "puzzle --count 1 --seed 1 --json", "play --vs random --seed 1"),
)
PAGES = ("", "/solved", "/puzzles")
LISTS = ("/", "/games", "/learn", "/puzzles", "/new", "/own", "/api/v1/games", "/api/v1/openapi.json")


def run(*words: str, typed: str = "") -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, list(words), prog_name="zerosum", input=typed, catch_exceptions=False)


def refusal(game: str) -> str:
    """Return what is said of a game that there is not."""
    try:
        game_files.load_game(game)
    except UnknownGameError as error:
        return str(error)
    return ""


def commands() -> list[str]:
    """Every command that takes GAME takes it, and says one line about it on standard error alone."""
    wrong = []
    for command in COMMANDS:
        name, *options = command.split()
        ran = run(name, GAME, *options, typed="3\n")
        if LINE not in ran.stderr.splitlines() or LINE in ran.stdout or not ran.stdout:
            wrong.append(f"{command}: {ran.stderr}")
        if "--json" in options:
            json.loads(ran.stdout)
    drawn = run("exam", "make", "--games", GAME, "--count", "1", "--fresh", "0", "--seed", "1", "--output", "items")
    return wrong if drawn.exit_code == 0 and LINE in drawn.stderr else [*wrong, f"exam make: {drawn.stderr}"]


def files() -> list[str]:
    """Read matches, records, plans and variants that name it; a match of it goes on."""
    os.environ["ZEROSUM_HOME"] = str(Path.cwd() / "one-match")
    run("play", GAME, typed="3\n")
    Path("plan.toml").write_text(PLAN, encoding="utf-8")
    Path("record.txt").write_text(RECORD, encoding="utf-8")
    Path("variant.toml").write_text(f'like = "{GAME}"\nid = "mine"\nname = "Mine"\n', encoding="utf-8")
    said = {
        "0 + 2 = 2": run("resume", typed="2\n").stdout,
        "Exactly 17! Player 1 wins!": run("replay", "record.txt").stdout,
        "exactly 17 wins": run("rules", "variant.toml").stdout,
    }
    wrong = [words for words, text in said.items() if words not in text]
    return wrong + ["plan"] * (read_plan("plan.toml").games[0].id != GAME)


def libraries() -> list[str]:
    """Environments and assistants know it by its id and by the names it always had; the public exam asks about it."""
    found = {
        "gymnasium": gymnasium.make(name_of(GAME)).unwrapped.rules.name,  # type: ignore[attr-defined]
        "openspiel": pyspiel.load_game(f"zerosum_duel(game={GAME})").get_parameters()["game"].title(),
        "pettingzoo": aec.env(GAME).unwrapped.rules.name,
        "assistant": read_game(GAME).name,
        "exam": NAME if GAME in PUBLIC_GAMES else "",
        "variant": game_files.load_text(f'like = "{GAME}"\nid = "mine"\nname = "{NAME}"').name,
        "hint": NAME if f"'{GAME}'" in refusal("sevnteen") else "",
    }
    return [door for door, name in found.items() if name != NAME]


def pages() -> list[str]:
    """Its pages are there and name the successor, a table of it opens, and the forms offer it to whoever has it."""

    async def talk(server: Any) -> list[str]:
        browser = Inside(server)
        shown = {f"/games/{GAME}{page}": await browser.call("GET", f"/games/{GAME}{page}") for page in PAGES}
        shown |= {path: await browser.call("GET", path) for path in (f"/learn/{GAME}", f"/api/v1/games/{GAME}")}
        wrong = [path for path, reply in shown.items() if reply.status != 200]
        wrong += ["the line"] * (LINE not in unescape(shown[f"/games/{GAME}"].body.decode()))
        forms = [await browser.call("GET", path) for path in (f"/new?game={GAME}", f"/own?like={GAME}")]
        wrong += ["a form"] * any(f'value="{GAME}"' not in form.body.decode() for form in forms)
        table = {"game": GAME, "opponent": "level:1"}
        opened = await browser.call("POST", "/tables", table | {"name": "Ann"}, form=True)
        token = (await browser.call("POST", "/api/v1/keys")).json["token"]
        asked = await browser.call("POST", "/api/v1/tables", table, token=token)
        return wrong + ["a table"] * ((opened.status, asked.status) != (303, 201))

    return inside(Path.cwd(), talk)


def lists() -> list[str]:
    """No list shows it."""

    async def talk(server: Any) -> dict[str, str]:
        browser = Inside(server)
        return {path: (await browser.call("GET", path)).body.decode() for path in LISTS}

    days = [date(2027, 1, 1) + timedelta(n) for n in range(30)]
    said = inside(Path.cwd(), talk) | {
        "games": run("games").stdout,
        "games --json": run("games", "--json").stdout,
        "menu": run(typed="q\n").stdout,
        "completion": " ".join(chain.from_iterable(_OFFERS["GAME"][0]())),
        "refusal": refusal("qqqq"),
        "assistant": str(asyncio.run(make_server(exam=False).list_resources())),
        "documentation": games_in_docs(),
        "puzzles of the day": " ".join(map(daily_game, days)),
    }
    shown = {door: text.lower() for door, text in said.items()}
    assert all("sum31" in text for text in shown.values()), "a list shows nothing"
    return [door for door, text in shown.items() if GAME in text]


DOORS: tuple[Callable[[], list[str]], ...] = (commands, files, libraries, pages, lists)


def main() -> None:
    """Ask, and print."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ZEROSUM_HOME"] = folder
        os.chdir(folder)
        sys.stdout.write(json.dumps({door.__name__: door() for door in DOORS}) + "\n")
        os.chdir("/")


if __name__ == "__main__":
    main()
