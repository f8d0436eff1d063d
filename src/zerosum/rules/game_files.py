"""Rules files: one TOML file a game, the built-in ones and anyone's variant in the same format.

`load_text` reads the text of a rules file, and `write_rules` writes it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal

from zerosum.base import limits
from zerosum.base.errors import BadValueError, RulesError, UnknownGameError
from zerosum.base.files import is_toml_path, read_text
from zerosum.base.text import did_you_mean, printable, shorten
from zerosum.rules.model import (
    EXAMPLES,
    Exhausted,
    Rules,
    RulesDict,
    as_toml,
    rules_from_dict,
    rules_to_dict,
    written_dict,
)

RULEBOOK_IDS: Final = ("sum-to-zero", "sequence-zero", "zero-sum-duel", "zero-sum-game", "sum31")
"""The games of the rulebooks."""
LAB_IDS: Final = ("summit", "thin-ice", "to-the-brim")
"""The games that `zerosum search` found."""
GAME_IDS: Final = (*RULEBOOK_IDS, *LAB_IDS)
"""The games that every list shows, shelf by shelf."""
RETIRED: Final = {"last-straw": "thin-ice", "seventeen": "to-the-brim", "campfire": "summit"}
"""The games that no list shows any more, each with the game that replaced it."""
BUILT_IN_IDS: Final = (*GAME_IDS, *RETIRED)
"""All games that come with the package: what names one of them loads it, retired or not."""
Shelf = Literal["rulebooks", "lab", "retired"]
SHELVES: Final[dict[Shelf, tuple[str, tuple[str, ...]]]] = {
    "rulebooks": ("The rulebooks", RULEBOOK_IDS),
    "lab": ("Found in the lab", LAB_IDS),
}
"""The shelves on which every list shows the games: for each its title and its games, in order."""
GAMES_FOLDER: Final = os.path.join(os.path.dirname(__file__), "games")


def load_game(game: str) -> Rules:
    """Return the rules of a built-in id or of the rules file at a path; a built-in id wins.

    >>> load_game("sum31").target
    31
    """
    return built_in(game) if game in BUILT_IN_IDS else load_file(_as_path(game))


def _as_path(game: str) -> str:
    """Return `game` if it is the path of a rules file; else raise the error for an unknown game."""
    if is_toml_path(game):
        return game
    hint = did_you_mean(game.lower(), BUILT_IN_IDS, f"The games are {', '.join(GAME_IDS)}; a rules file will do too.")
    raise UnknownGameError(f"There is no game '{shorten(game)}'. {hint}")


def shelf_of(game: str) -> Shelf:
    """Return the shelf on which a built-in game stands.

    >>> shelf_of("sum31")
    'rulebooks'
    """
    return next((shelf for shelf, (_, games) in SHELVES.items() if game in games), "retired")


def retirement(game: str) -> str:
    """Return the sentence that names the game in place of a retired one; empty for every other game and file."""
    if game not in RETIRED:
        return ""
    return f"{built_in(game).name} is retired; {built_in(RETIRED[game]).name} ({RETIRED[game]}) has replaced it."


@cache
def built_in(game: str) -> Rules:
    """Return the rules of one of `BUILT_IN_IDS`."""
    return load_file(_built_in_path(game))


def is_built_in(rules: Rules) -> bool:
    """Whether rules are those of a built-in game, unchanged: an id can be anybody's."""
    return rules.id in BUILT_IN_IDS and rules == built_in(rules.id)


def games_json() -> dict[str, list[RulesDict]]:
    """Return what `zerosum games --json` prints, without its schema: every game but retired ones, with its shelf."""
    return {"games": [rules_to_dict(built_in(game)) | {"shelf": shelf_of(game)} for game in GAME_IDS]}


def _built_in_path(game: str) -> str:
    return os.path.join(GAMES_FOLDER, f"{game}.toml")


def load_file(path: str) -> Rules:
    """Return the rules in the file at `path`; any error names the file."""
    try:
        return rules_from_dict(_merged(path, ()))
    except RulesError as error:
        raise RulesError(f"{printable(path)}: {error}") from None


def load_text(text: str) -> Rules:
    r"""Return the rules in `text`, the content of a rules file; its `like` can only name a built-in game.

    >>> load_text('like = "sum31"\nid = "sum21"\nname = "Sum21"\ntarget = 21').target
    21
    """
    if len(text.encode(errors="replace")) > limits.RULES_FILE_BYTES:
        raise RulesError(f"larger than {limits.RULES_FILE_BYTES // 1024} KiB.")
    return _of_table(parse_table(text))


def _of_table(table: RulesDict) -> Rules:
    """Return the rules that a table writes which came without a file; its `like` can only name a built-in game."""
    if "like" not in table:
        return rules_from_dict(table)
    like = table.pop("like")
    if not isinstance(like, str) or like not in BUILT_IN_IDS:
        raise RulesError(f"like: must be one of {', '.join(GAME_IDS)} here; no other file is at hand.")
    return rules_from_dict(laid_over(read_table(_built_in_path(like)), table))


def _merged(path: str, above: tuple[str, ...]) -> RulesDict:
    """Return the file's table laid over the table of the game it is like."""
    table = read_table(path)
    if "like" not in table:
        return table
    if len(above) >= limits.LIKE_DEPTH:
        raise RulesError(f"like: a chain of more than {limits.LIKE_DEPTH} files.")
    return laid_over(table_like(table.pop("like"), path, above), table)


def table_like(like: object, path: str, above: tuple[str, ...] = ()) -> RulesDict:
    """Return the whole table of the game that the file at `path` is like: a built-in one, or one in a file beside."""
    base_path = _base_file(like, path)
    if os.path.realpath(base_path) in map(os.path.realpath, (*above, path)):
        raise RulesError("like: runs in a circle.")
    try:
        return _merged(base_path, (*above, path))
    except RulesError as error:
        raise RulesError(f"like: {printable(os.path.basename(base_path))}: {error}") from None


def laid_over(base: RulesDict, table: RulesDict) -> RulesDict:
    """Return the table of a variant: its own keys, and the others from the game that it is like."""
    # The examples of one game are not those of another.
    dropped = {EXAMPLES}
    if "exhausted" in table and table["exhausted"] != Exhausted.CLOSEST:
        dropped.add("tie")  # A variant cannot unset a key, and a tie rule means nothing without `closest`.
    base = {key: value for key, value in base.items() if key not in dropped}
    return base | table


def _base_file(like: object, path: str) -> str:
    if not isinstance(like, str):
        raise RulesError("like: must be the id of a game, in quotes.")
    if like in BUILT_IN_IDS:
        return _built_in_path(like)
    if like == os.path.basename(like) and "\0" not in like:
        for name in (f"{like}.toml", like):
            beside = os.path.join(os.path.dirname(path), name)
            if os.path.isfile(beside):
                return beside
    raise RulesError(f"like: '{shorten(like)}' is neither a built-in game nor a file beside this one.")


def read_table(path: str) -> RulesDict:
    """Return what the TOML file at `path` says, unchecked but for its form: a game, a family, a goal or a space.

    Size and nesting are limited. If the file cannot be read, the error names it; a `RulesError` does not.
    """
    return parse_table(read_text(path, limits.RULES_FILE_BYTES))


def parse_table(text: str) -> RulesDict:
    """Return what a text in TOML says; refuse it if reading it would take long or much memory."""
    # Reading a key `a.a.a` takes time and memory that grow with the square of the number of its parts.
    if any(line.count(".") > limits.LINE_DOTS and not line.lstrip().startswith("#") for line in text.split("\n")):
        raise RulesError(f"a line has more than {limits.LINE_DOTS} dots; keys have none.")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"not valid TOML: {printable(str(error))[:200]}.") from None
    except RecursionError:
        raise RulesError("arrays or tables are nested too deeply.") from None
    except ValueError:
        # Python refuses to read integers of thousands of digits.
        raise RulesError(f"a number is too large; values go from {-limits.VALUE} to {limits.VALUE}.") from None


_OWN = ("id", "name")
"""What a variant never takes from the game it is like."""


def write_rules(rules: Rules, like: str = "", *, defaults: bool = True) -> str:
    r"""Return rules as TOML: every key, or beside a built-in game only what differs from it.

    Without `defaults`, what the file of these rules left out stays out.

    >>> from zerosum.rules.game_files import load_text
    >>> text = 'like = "sum31"\nid = "sum21"\nname = "Sum21"\ntarget = 21\n'
    >>> write_rules(load_text(text), "sum31") == text
    True
    """
    table = rules_to_dict(rules) if defaults else written_dict(rules)
    if like in BUILT_IN_IDS:
        base = rules_to_dict(built_in(like))
        changed = {key: value for key, value in table.items() if key in _OWN or base.get(key) != value}
        table = {"like": like, **changed}
    return as_toml(table, rules.examples)


def like_of(text: str) -> str:
    """Return the built-in game that a rules file, already checked, names as `like`; empty if it names none."""
    table: RulesDict = tomllib.loads(text)
    return str(table.get("like", ""))


Game = str | Rules | Mapping[str, Any]
"""A built-in id or the path of a rules file, rules, or the table of keys and values that a rules file holds."""


def rules_of(game: Game) -> Rules:
    """Return the rules of a game, however it is given.

    >>> rules_of({"format": 1, "id": "mine", "name": "Mine", "pool": [1, 2, 3], "target": 4}).target
    4
    >>> rules_of({"like": "sum31", "id": "sum21", "name": "Sum21", "target": 21}).pool
    (1, 2, 3, 4, 5, 6, 7, 8, 9)
    """
    if isinstance(game, Rules):
        return game
    if isinstance(game, str):
        return load_game(game)
    if isinstance(game, Mapping):
        return _of_table(dict(game))
    raise BadValueError("A game is the id of a built-in one, the path of a rules file, Rules, or their table.")
