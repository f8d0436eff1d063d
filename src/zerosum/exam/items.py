"""Items: the questions of an exam. A set of them is a file of JSON lines, known by its SHA-256.

The first line says how the set was drawn; each other line is an item. No line holds an answer: replies are judged by
the solver. An item's id is the hash of everything else in it, so that replies never meet another set's items.

How hard an item is, is how deep a player has to look. A search of depth d sees every forced end within d plies and
nothing beyond. It takes a move that it sees win, else one whose end it does not see, else any; among equals it draws.
So what it keeps follows from the plies of each move, and no tree is searched here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

from zerosum.arena.entrants.entrant import Turn
from zerosum.arena.entrants.prompt import DEFAULT_STYLE, PLAIN, PromptStyle, check_words, prompt
from zerosum.base.documents import to_json
from zerosum.base.errors import ZerosumError
from zerosum.base.files import UnreadableFileError, decode, read_bytes
from zerosum.base.text import printable
from zerosum.exam import limits
from zerosum.exam.reskins import Dress, dress_of
from zerosum.rules.model import Rules, rules_from_dict, rules_to_dict
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.position import Position, start_position
from zerosum.rules.skins import SAME, Skin
from zerosum.solver import Value, Verdict

DEPTHS: Final = (1, 2, 3, 4, 6, 8)
"""The depths of which a report says what they keep."""
RUNGS: Final = {1: range(1, 3), 2: range(3, 5), 3: range(5, 7), 4: range(7, 100)}
"""The rungs of the ladder of difficulty: how deep a search must be that keeps every choice of a set."""


def _seen(value: Value, depth: int) -> bool:
    """Whether a search of this depth sees how a move ends."""
    return value.plies is not None and value.plies <= depth


def kept_by_search(values: Sequence[Value], depth: int) -> float:
    """Return the chance that a search keeps the best verdict; `values` are those of the moves, the best first."""
    wins = [value for value in values if value.verdict is Verdict.WIN and _seen(value, depth)]
    chosen = wins or [value for value in values if not _seen(value, depth)] or list(values)
    return sum(one.verdict is values[0].verdict for one in chosen) / len(chosen)


def depth_needed(values: Sequence[Value]) -> int | None:
    """Return the least depth of a search that keeps a choice for certain; None if none does, 0 if every move does.

    It has to see a win, or to see through every move that loses.
    """
    if all(value.verdict is values[0].verdict for value in values):
        return 0
    wins = [value.plies for value in values if value.verdict is Verdict.WIN and value.plies is not None]
    worse = [value.plies for value in values if value.verdict is not values[0].verdict]
    through = [plies for plies in worse if plies is not None]
    found = [*([min(wins)] if wins else []), *([max(through)] if len(through) == len(worse) else [])]
    return min(found, default=None)


def rung_of(depth: int | None) -> int:
    """Return the rung of the ladder that a choice of this depth belongs to."""
    return next((rung for rung, depths in RUNGS.items() if depth in depths), max(RUNGS))


FORMAT: Final = 2
"""The format of new sets. Sets of format 1 have no canary, and questions in other words; they are read as they are."""
FORMATS: Final = (1, FORMAT)
CANARY: Final = "zerosum-exam-canary-8f3a6c1e-5b0d-4d5e-9c57-2e6f41b7a90d"
"""In every line of a set: whoever gathers texts for training can leave out what has it, and a model that can say it has
seen such a set."""
_ID: Final = 16


class ItemsError(ZerosumError):
    """A file that is not a set of items, or has been changed."""


class Source(Enum):
    """Where the game of an item comes from."""

    GAME = "game"
    FRESH = "fresh"


@dataclass(frozen=True)
class Item:
    """A position to choose a move in: the truth of it in `origin`, and the dress in which it is shown."""

    game: str
    """The id of the game that it counts for."""
    number: int
    """Which position of that game it is; its reskins have the same number."""
    source: Source
    origin: Rules
    """The game before it was dressed up: the one that is solved."""
    moves: tuple[Move, ...]
    """How the position came about, in `origin`."""
    dress: Dress | None
    """None if the position is shown as it is."""
    format: int = FORMAT

    @cached_property
    def position(self) -> Position:
        """The position, in `origin`."""
        return _played(start_position(self.origin), self.moves)

    @property
    def skin(self) -> Skin:
        """How numbers change."""
        return SAME if self.dress is None else self.dress.skin

    @cached_property
    def shown_rules(self) -> Rules:
        """The game as it is shown."""
        return self.origin if self.dress is None else self.dress.rules(self.origin)

    @cached_property
    def shown(self) -> Turn:
        """The turn to ask about, in the numbers that are shown."""
        start = start_position(self.shown_rules)
        moves = tuple(map(self.skin.move, self.moves))
        return Turn(start, moves, _played(start, moves), 0.0)

    def prompt(self, style: PromptStyle = DEFAULT_STYLE) -> str:
        """Return the question in words."""
        return self._default_prompt if style == DEFAULT_STYLE else self._prompt(style)

    @cached_property
    def _default_prompt(self) -> str:
        return self._prompt(DEFAULT_STYLE)

    def _prompt(self, style: PromptStyle) -> str:
        wording = PLAIN if self.dress is None else self.dress.wording
        return prompt(self.shown, style, wording, marked=self.format > 1, version=self.format)

    def text_of(self, move: Move) -> str:
        """Return a move of `origin` as it is shown: what somebody who knows the game answers."""
        return self.shown.position.text_of(self.skin.move(move))

    @cached_property
    def document(self) -> dict[str, Any]:
        """The item as JSON."""
        shown = self.shown
        found = {
            "game": self.game,
            "number": self.number,
            "source": self.source.value,
            "skin": to_json(self.dress),
            "rules": rules_to_dict(self.shown_rules),
            "moves": [shown.position.text_of(move) for move in shown.moves],
            "position": str(shown.position),
            "prompt": self.prompt(),
            **({"canary": CANARY} if self.format > 1 else {}),
        }
        return {"id": sha256(_line({**found, "origin": rules_to_dict(self.origin)})).hexdigest()[:_ID], **found}

    @property
    def id(self) -> str:
        """The hash of everything else."""
        return str(self.document["id"])


def _played(position: Position, moves: tuple[Move, ...]) -> Position:
    for move in moves:
        position = position.play(move)
    return position


def _line(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class Options:
    """How a set is drawn: everything but the salt."""

    games: tuple[Rules, ...]
    count: int
    """Positions of each game."""
    fresh: int
    """Fresh variants of each game; positions are shared evenly between the game and them."""
    reskin: int
    """Reskins of each position, beside the position as it is."""
    seed: str | None
    """The salt if it is public, None if it is secret."""
    difficulty: int | None = None
    """The rung of the ladder that all positions belong to; None for easy and hard ones, and some that are lost."""
    format: int = FORMAT

    @property
    def total(self) -> int:
        """How many items there are."""
        return len(self.games) * self.count * (1 + self.reskin)


@dataclass(frozen=True)
class ItemSet:
    """A set of items and how it was drawn."""

    options: Options
    origins: tuple[Rules, ...]
    """Every game that positions are taken from: the games themselves and fresh variants."""
    items: tuple[Item, ...]

    @cached_property
    def data(self) -> bytes:
        """The file."""
        options = self.options
        places = {rules: place for place, rules in enumerate(self.origins)}
        head = {
            "schema": 1,
            "exam": options.format,
            **({"canary": CANARY, "difficulty": options.difficulty} if options.format > 1 else {}),
            "games": [rules_to_dict(rules) for rules in options.games],
            "count": options.count,
            "fresh": options.fresh,
            "reskin": options.reskin,
            "seed": options.seed,
            "origins": [rules_to_dict(rules) for rules in self.origins],
        }
        lines = (_line({**item.document, "origin": places[item.origin]}) for item in self.items)
        return b"".join((_line(head), *lines))

    @cached_property
    def sha256(self) -> str:
        """What the set is known by."""
        return sha256(self.data).hexdigest()

    @cached_property
    def by_id(self) -> Mapping[str, Item]:
        """The items by id."""
        return {item.id: item for item in self.items}


def read_items(path: str) -> ItemSet:
    """Return the set of items in a file."""
    return parse_items(read_bytes(path, limits.SET_BYTES), printable(path))


def parse_items(data: bytes, source: str) -> ItemSet:
    """Return the set that some bytes write; `source` names them in errors.

    Every line is rebuilt from what it says and compared, so only sets that could have been drawn are accepted.
    """
    options, origins = _settled(data, source)
    lines = decode(data, source).split("\n")
    if len(lines) > limits.ITEMS + 2:
        raise ItemsError(f"{source}: more than {limits.ITEMS:,} items.")
    if lines[-1]:
        raise ItemsError(f"{source}: the last line is cut off.")
    items = []
    for row, line in enumerate(lines[1:-1], 2):
        try:
            found = json.loads(line)
            item = _item(found, origins, options.format)
            same = line == _line({**item.document, "origin": found["origin"]})[:-1].decode()
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, ZerosumError) as error:
            raise ItemsError(f"{source}: line {row} is not an item. {_said(error)}") from None
        if not same:
            raise ItemsError(f"{source}: line {row} has been changed: it is not the item that it says.")
        items.append(item)
    found_set = ItemSet(options, origins, tuple(items))
    if len(found_set.by_id) < len(items):
        raise ItemsError(f"{source}: an item is listed twice.")
    if found_set.data != data:
        raise ItemsError(f"{source}: line 1 has been changed.")
    return found_set


def options_of(data: bytes, source: str) -> Options:
    """Return how a set says that it was drawn, by its first line alone."""
    return _settled(data, source)[0]


def _settled(data: bytes, source: str) -> tuple[Options, tuple[Rules, ...]]:
    try:
        return _head(json.loads(decode(data.partition(b"\n")[0], source)))
    except UnreadableFileError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, ZerosumError) as error:
        raise ItemsError(f"{source}: not a set of items. {_said(error)}") from None


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, ZerosumError) else "It is written by `zerosum exam make`."


def _head(found: Mapping[str, Any]) -> tuple[Options, tuple[Rules, ...]]:
    if found["schema"] != 1 or found["exam"] not in FORMATS:
        raise ItemsError(f"This zerosum reads sets of the formats {' and '.join(map(str, FORMATS))}.")
    difficulty = found["difficulty"] if found["exam"] > 1 else None
    if difficulty not in (None, *RUNGS):
        raise ItemsError("Its first line has been changed.")
    counts = [found[key] for key in ("count", "fresh", "reskin")]
    if not all(type(count) is int and count >= 0 for count in counts) or not isinstance(found["seed"], str | None):
        raise ItemsError("Its first line has been changed.")
    games = tuple(map(rules_from_dict, found["games"]))
    counted = {key: found[key] for key in ("count", "fresh", "reskin", "seed")}
    options = Options(games, **counted, difficulty=difficulty, format=found["exam"])
    origins = tuple(map(rules_from_dict, found["origins"]))
    for rules in (*games, *origins):
        check_words(rules)
    return options, origins


def _item(found: Mapping[str, Any], origins: tuple[Rules, ...], format: int) -> Item:
    origin = origins[found["origin"]]
    dress = dress_of(found["skin"])
    skin = SAME if dress is None else dress.skin
    shown = [parse_move(text, origin.operations) for text in found["moves"]]
    moves = {skin.move(move): move for move in origin.moves}
    return Item(
        game=str(found["game"]),
        number=int(found["number"]),
        source=Source(found["source"]),
        origin=origin,
        moves=tuple(moves[move] for move in shown),
        dress=dress,
        format=format,
    )
