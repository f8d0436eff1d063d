"""What a request for a new table says: which game, against whom, who moves first."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Annotated, Any, ClassVar, Final, Literal

from zerosum.base import limits as rule_limits
from zerosum.base.errors import BadNameError, RulesError, ZerosumError
from zerosum.base.text import check_player_name, shorten
from zerosum.match.match import Match, read_match
from zerosum.match.new_setup import name_beside, new_setup
from zerosum.match.setup import BOTH_SEATS, Person, SetupError, setup_tags
from zerosum.players import HUMAN, UnknownPlayerError, check_player
from zerosum.rules.game_files import BUILT_IN_IDS, GAME_IDS, built_in, load_text
from zerosum.rules.model import Rules
from zerosum.strategy.card_player import PLAYERS
from zerosum.tables import limits
from zerosum.tables.fields import Schema, Text, Whole
from zerosum.tables.problems import Problem
from zerosum.tables.table import BOTH

HERE: Final = "here"
"""The opponent of a person who shares one screen with somebody."""

KNOWN_GAMES: Final[Schema] = {"enum": list(GAME_IDS)}
"""The games, for the description of the API; any other id is the problem `no-such-game`."""
GAME_NAME: Final = Text(rule_limits.ID_LENGTH, schema=KNOWN_GAMES)
VARIANT: Final = Text(limits.VARIANT_LENGTH)
NAME: Final = Text(rule_limits.NAME_LENGTH, least=1)
_MARKS: Final = "\n,=.[{\\"
_SERIES: Final[Schema] = {"anyOf": [{"not": {"multipleOf": 2}}, {"const": BOTH_SEATS}]}
_FIRST: Final = {"me": "1", "them": "2", "toss": "toss"}


def exactly_one_of(*names: str, examples: list[Any]) -> Schema:
    """Return the part of a JSON Schema that asks for exactly one of some members, with examples."""
    given = [{"required": [name], "properties": {name: {"type": "string"}}} for name in names]
    return {"oneOf": given, "examples": examples}


def _opponents(schema: Schema) -> None:
    """Add who can be played against to the description, as it is when it is asked for."""
    schema["enum"] = [HUMAN, HERE, *PLAYERS.names]


EXAMPLE_VARIANT: Final = 'like = "sum31"\nid = "sum21"\nname = "Sum21"\ntarget = 21\n'
_REQUESTS: Final = [
    {"game": "sum31", "opponent": "level:3", "name": "Ann"},
    {"variant": EXAMPLE_VARIANT, "opponent": "here", "name": "Ann", "opponent_name": "Ben"},
    {"record": '[Game "sum31"]\n\n1. +5 +6 2. +9\n'},
]


@dataclass(frozen=True, slots=True)
class ClockRequest:
    """Time for each person."""

    minutes: Annotated[int, Whole(1, limits.CLOCK_MINUTES)]
    increment: Annotated[int, Whole(0, limits.CLOCK_INCREMENT)] = 0


@dataclass(frozen=True, slots=True)
class TableRequest:
    """A table to be opened: exactly one of a game, a variant (a rules file's text) and a record to go on from."""

    SCHEMA: ClassVar[Schema] = exactly_one_of("game", "variant", "record", examples=_REQUESTS)

    game: Annotated[str, GAME_NAME] | None = None
    variant: Annotated[str, VARIANT] | None = None
    record: Annotated[str, Text(rule_limits.RECORD_BYTES)] | None = None
    opponent: Annotated[str, Text(20, schema=_opponents)] = HUMAN
    first: Literal["me", "them", "toss"] = "me"
    best_of: Annotated[
        Annotated[int, Whole(1, rule_limits.SERIES_MATCHES, _SERIES)] | None, "Odd, or 2 for one match from each seat."
    ] = None
    name: Annotated[str, NAME] = "Player 1"
    opponent_name: Annotated[str, NAME] | None = None
    clock: ClockRequest | None = None
    lenient: bool = False

    def __post_init__(self) -> None:
        """Require one game, and a number of matches that somebody can win."""
        if sum(one is not None for one in (self.game, self.variant, self.record)) != 1:
            raise ValueError("give exactly one of game, variant and record")
        if self.best_of is not None and self.best_of % 2 == 0 and self.best_of != BOTH_SEATS:
            raise ValueError("best_of must be odd, or 2")


@dataclass(frozen=True, slots=True)
class TableOpening:
    """What the first event of a table says, and whose seats are taken."""

    data: dict[str, object]
    rules: Rules
    computers: tuple[str, ...]
    held: frozenset[Person]


def open_request(order: TableRequest, *, seed: str | None = None, date: str | None = None) -> TableOpening:
    """Return the checked opening that a request asks for; its sender is person 1. `seed` is chance, in hexadecimal."""
    who = HUMAN if order.opponent in (HUMAN, HERE) else _player(order.opponent)
    if order.record is not None:
        return _from_record(order.record)
    online = order.opponent == HUMAN
    rules = requested_rules(order.game, order.variant)
    try:
        setup = new_setup(
            rules,
            who=(HUMAN, who),
            first=_FIRST[order.first],
            best_of=order.best_of if order.best_of != 1 else None,
            names=(order.name, order.opponent_name or ("Player 2" if who == HUMAN else PLAYERS.find(who).title)),
            lenient=order.lenient,
            seed=seed and seed[:8],
            series_id=partial(str, seed[8:]) if seed else None,
        )
    except (BadNameError, SetupError) as error:
        raise Problem("bad-name", str(error)) from None
    setup = setup if date is None else replace(setup, date=date)
    held = frozenset({Person.ONE}) if online or who != HUMAN else BOTH
    data: dict[str, object] = {
        "tags": setup_tags(setup),
        "online": online,
        "seated": [1] if online else [1, 2],
        "clock": asdict(order.clock) if order.clock else None,
    }
    return TableOpening(data, setup.rules, () if who == HUMAN else (who,), held)


def requested_rules(game: str | None, variant: str | None) -> Rules:
    """Return the rules of a built-in game, or those a variant's text writes."""
    if variant is not None:
        _check_size(variant)
        try:
            return load_text(variant)
        except RulesError as error:
            raise Problem("bad-rules", str(error)) from None
    return rules_at(game or "")


def rules_at(game: str) -> Rules:
    """Return the rules of a built-in game, or raise the problem that there is none."""
    if game not in BUILT_IN_IDS:
        raise Problem("no-such-game", f"There is no game '{shorten(game)}'. The games are {', '.join(GAME_IDS)}.")
    return built_in(game)


def _check_size(variant: str) -> None:
    """Refuse a text that has far more in it than rules: it takes long to read, while everybody else waits."""
    if len(variant) > limits.VARIANT_LENGTH:
        raise Problem("bad-rules", f"Rules have at most {limits.VARIANT_LENGTH} characters, not {len(variant)}.")
    marks = sum(map(variant.count, _MARKS))
    if marks > limits.VARIANT_MARKS:
        raise Problem(
            "bad-rules", f"Rules have at most {limits.VARIANT_MARKS} lines, commas and other marks, not {marks}."
        )


def check_person_name(name: str, other: str | None = None) -> str:
    """Return a name that may be shown at a table, and is not the other person's."""
    try:
        return check_player_name(name) if other is None else name_beside(name, other)
    except (BadNameError, SetupError) as error:
        raise Problem("bad-name", str(error)) from None


def read_record(text: str) -> Match:
    """Return the match that a record writes."""
    try:
        match = read_match(text)
    except ZerosumError as error:
        raise Problem("bad-record", str(error)) from None
    if len(match.moves) > rule_limits.MATCH_PLIES:
        raise Problem("bad-record", f"A match here has at most {rule_limits.MATCH_PLIES} moves.")
    return match


def _from_record(record: str) -> TableOpening:
    """Return the opening of a table that continues a recorded match, both seats at one screen; computers stay."""
    match = read_record(record)
    if match.start is not None:
        raise Problem("bad-record", "This match begins in the middle of a game: it can be reviewed, but not played on.")
    # On a server the referee's own limit holds, whatever the record says. A record of a later match of a series does
    # not say who won the earlier ones, so that match stands alone.
    series = match.setup.series
    for name in match.setup.names:
        check_person_name(name)
    begins = series is not None and series.number == 1
    match = replace(match, setup=replace(match.setup, limit=None, series=series if begins else None))
    who = tuple(_player(one) for one in match.setup.who)
    held = frozenset(person for person in Person if match.setup.is_human(person))
    data: dict[str, object] = {"record": match.record(), "online": False, "seated": [1, 2], "clock": None}
    return TableOpening(data, match.setup.rules, tuple(one for one in who if one != HUMAN), held or BOTH)


def _player(who: str) -> str:
    try:
        return check_player(who)
    except UnknownPlayerError as error:
        raise Problem("bad-field", f"opponent: {error}") from None
