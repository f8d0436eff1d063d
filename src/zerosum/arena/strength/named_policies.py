"""Who is measured: a policy, which is a name and the exact chance of every move.

A *policy table* writes a player down in a JSON file:

    {"schema": 1, "game": "sum31", "policy": {"1,2,3,4,5,6,7,8,9 0 1": {"+5": 0.5, "+6": 0.5}, ...}}

It names every position that its player can meet, in either seat and against any opponent; others may be left out. Moves
that are left out are never made.

Players of others answer with chances too: a function of a position, or a policy of OpenSpiel. A wrong answer is an
error that names the position: a strength that left it out would not be exact.

A policy is named as at every door: `level:5`, `card`, `policy:FILE`. `POLICIES` is open: a room above that can tell the
chances of another kind of player adds a line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, isfinite
from typing import Any, Final, TypeVar

from zerosum.base import limits
from zerosum.base.errors import BadValueError, ZerosumError
from zerosum.base.files import read_text
from zerosum.base.text import did_you_mean, printable, shorten
from zerosum.players import UnknownPlayerError
from zerosum.players.levels import STRENGTHS
from zerosum.players.policies import MovePolicy, chances
from zerosum.players.registry import Player, chances_in
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.moves import SWAP, Move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import IllegalMoveError, Position, PositionKey, start_position
from zerosum.solver import Solution, solution_of
from zerosum.solver.graph_arrays import Graph
from zerosum.strategy.card_player import CARD, card_of
from zerosum.strategy.card_report import guest_of

TABLE: Final = "policy:"
"""The prefix of a policy that a file holds."""
SCHEMA: Final = 1
_KEYS: Final = {"schema", "game", "policy"}
_OFF: Final = 1e-9
"""How far the chances of a position may be from a sum of 1."""

Table = dict[PositionKey, tuple[float, ...]]
"""The chance of each legal move, in their order, by position."""


class PolicyError(ZerosumError):
    """A policy table that cannot be read or does not say enough; the message names the file and the position."""


def read_table(path: str, rules: Rules) -> MovePolicy:
    """Return the player that a file writes down for a game; raise a `PolicyError` that says what is wrong with it."""
    source = printable(path)
    if not path:
        raise PolicyError(f"{TABLE} needs the path of a file, such as {TABLE}mine.json.")
    if rules.tie is Tie.SUDDEN_DEATH:
        raise PolicyError(f"{source}: {rules.name} has no end of positions, so no table can name them all.")
    try:
        table = table_of(_json(read_text(path, limits.POLICY_BYTES)), rules)
        _check_complete(table, rules)
    except PolicyError as error:
        raise PolicyError(f"{source}: {error}") from None
    # What the player cannot meet has no weight, whatever it would do there.
    nowhere: tuple[float, ...] = (0.0,) * len(rules.moves)
    return MovePolicy(lambda position: table.get(position.key, nowhere[: len(position.legal_moves())]), mirrors=False)


def _json(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except ValueError as error:
        raise PolicyError(f"not JSON ({error}).") from None
    except RecursionError:
        raise PolicyError("not JSON of this form; it is nested too deeply.") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise PolicyError(f"'{shorten(twice)}' is given twice.")
    return found


def _no_constant(word: str) -> float:
    raise PolicyError(f"{word} is not a chance.")


def table_of(document: object, rules: Rules) -> Table:
    """Return the chances that a document writes, every position and every move checked."""
    if not isinstance(document, dict) or document.keys() != _KEYS:
        raise PolicyError('a policy is an object with the keys "schema", "game" and "policy", and no others.')
    if type(document["schema"]) is not int or document["schema"] != SCHEMA:
        raise PolicyError(f"schema: this release reads {SCHEMA}, not {shorten(repr(document['schema']))}.")
    if document["game"] != rules.id:
        raise PolicyError(f"game: it is for '{shorten(str(document['game']))}', not for '{rules.id}'.")
    positions = document["policy"]
    if not isinstance(positions, dict):
        raise PolicyError("policy: expected an object that maps positions to moves.")
    table: Table = {}
    for text, moves in positions.items():
        try:
            position = parse_position(text, rules)
            chances = _chances(position, moves)
        except ZerosumError as error:
            raise PolicyError(f"position '{shorten(text)}': {error}") from None
        if position.key in table:
            raise PolicyError(f"position '{shorten(text)}': it is given twice.")
        table[position.key] = chances
    return table


def _chances(position: Position, moves: object) -> tuple[float, ...]:
    """Return the chance of each legal move, in their order."""
    if position.outcome is not None:
        raise PolicyError("the match is over there.")
    if not isinstance(moves, Mapping) or not moves:
        raise PolicyError("expected an object that maps moves to chances.")
    found = {}
    for text, chance in moves.items():
        move = parse_move(text, position.rules.operations)
        clause = position.objection(move)
        if clause is not None:
            raise IllegalMoveError(move, position, clause)
        if type(chance) not in {int, float} or not isfinite(chance) or not 0 <= chance <= 1:
            raise PolicyError(f"the chance of {shorten(text)} is a number from 0 to 1, not {shorten(repr(chance))}.")
        if move in found:
            raise PolicyError(f"{shorten(text)} is a move that is given twice.")
        found[move] = float(chance)
    if abs(fsum(found.values()) - 1) > _OFF:
        raise PolicyError(f"the chances sum to {fsum(found.values()):.9g}, not to 1.")
    return tuple(found.get(move, 0.0) for move in position.legal_moves())


def _check_complete(table: Table, rules: Rules) -> None:
    """Refuse a table that leaves out a position which its player can meet, in either seat."""

    def made(position: Position) -> Iterable[Move]:
        chances = table.get(position.key)
        if chances is None:
            raise PolicyError(f"position '{position}' is missing, and the player can meet it.")
        return (move for move, chance in zip(position.legal_moves(), chances, strict=True) if chance)

    _meet_everything(rules, made)


def document_of(player: Player, rules: Rules) -> dict[str, Any]:
    """Return the document that writes a player down: its chances in every position that it can meet.

    >>> tiny = Rules(id="tiny", name="Tiny", pool=(1, 2), target=3)
    >>> document_of(lambda position: position.legal_moves()[-1], tiny)["policy"]
    {'1,2 0 1': {'+2': 1.0}, '2 1 2': {'+2': 1.0}, '1 2 2': {'+1': 1.0}}
    """
    if rules.tie is Tie.SUDDEN_DEATH:
        raise PolicyError(f"{rules.name} has no end of positions, so no table can name them all.")
    policy: dict[str, dict[str, float]] = {}

    def made(position: Position) -> Iterable[Move]:
        found = chances_in(player(position), position)
        chances = found if isinstance(found, Mapping) else dict.fromkeys(found, 1 / len(found))
        policy[str(position)] = {position.text_of(move): float(share) for move, share in chances.items() if share}
        return (move for move, share in chances.items() if share)

    _meet_everything(rules, made)
    return {"schema": SCHEMA, "game": rules.id, "policy": policy}


def _meet_everything(rules: Rules, made: Callable[[Position], Iterable[Move]]) -> None:
    """Ask which moves are made in every position that a player who makes them can meet, in either seat."""
    start = start_position(rules)
    seen = {(start.key, seat) for seat in Seat}
    ahead = [(start, seat) for seat in Seat]
    for position, seat in ahead:  # it grows
        for move in made(position) if position.seat is seat else position.legal_moves():
            after = position.play_unchecked(move)
            at = (after.key, seat.other if move == SWAP else seat)
            if after.outcome is None and at not in seen:
                seen.add(at)
                ahead.append((after, at[1]))


@dataclass(frozen=True, slots=True)
class Policy:
    """A player whose chances are known: `guest.chances(position)` has one for each legal move, in their order."""

    name: str
    guest: MovePolicy

    @property
    def is_level(self) -> bool:
        """Whether it is one of the built-in strengths, from random to perfect."""
        return self.name in STRENGTHS


@dataclass(frozen=True, eq=False, slots=True)
class LevelChances:
    """The chances of a built-in strength."""

    who: str
    solution: Solution

    def __call__(self, position: Position) -> list[float]:
        """Return the chance of each legal move, in their order."""
        found = chances(self.who, position, self.solution)
        return [found[move] for move in position.legal_moves()]


Make = Callable[[str, Rules], Policy]


def level_policy(who: str, rules: Rules) -> Policy:
    """Return a built-in strength as a policy."""
    return Policy(who, MovePolicy(LevelChances(who, solution_of(rules)), mirrors=True))


POLICIES: Final[dict[str, Make]] = {
    **dict.fromkeys(STRENGTHS, level_policy),
    CARD: lambda who, rules: Policy(who, guest_of(*card_of(rules, solution_of))),
    TABLE: lambda who, rules: Policy(who, read_table(who.removeprefix(TABLE), rules)),
}
"""How each policy is made, by its name, or by its prefix if that ends with a colon."""


def remembered(chances: Callable[[Position], Sequence[float]]) -> MovePolicy:
    """Return a player who is asked once about each position."""
    known: dict[PositionKey, Sequence[float]] = {}

    def once(position: Position) -> Sequence[float]:
        found = known.get(position.key)
        if found is None:
            found = known[position.key] = chances(position)
        return found

    return MovePolicy(once, mirrors=False)


def policy_of(who: str, rules: Rules) -> Policy:
    """Return the policy of this name; the error for an unknown name lists what there is.

    >>> from zerosum.rules.game_files import load_game
    >>> from zerosum.rules.notation import parse_position
    >>> sum31 = load_game("sum31")
    >>> policy_of("level:3", sum31).guest.chances(parse_position("1,2,3,4,7 28 1", sum31))
    [0.0, 0.0, 1.0, 0.0, 0.0]
    """
    make = POLICIES.get(who) or next(
        (make for name, make in POLICIES.items() if name.endswith(":") and who.startswith(name)), None
    )
    if make is None:
        names = [f"{name}FILE" if name == TABLE else name for name in POLICIES]
        hint = did_you_mean(who.lower(), names, "Give random, level:1 to level:9, perfect, card or policy:FILE.")
        raise UnknownPlayerError(f"There is no policy '{shorten(who)}'. {hint}")
    return make(who, rules)


K = TypeVar("K")

OFF: Final = 1e-5
"""How far chances may be from a sum of 1: what adding numbers of 32 bits leaves."""
_ROUNDING: Final = 1e-12

ChancesAt = Callable[[Position], Sequence[float]]
"""Returns the chance of each legal move of a position, in their order."""


class BadAnswerError(ZerosumError):
    """A player's answer that is no choice in its position, which `position` holds."""

    def __init__(self, position: Position, why: str) -> None:
        self.position = position
        super().__init__(f"At '{position}' the player gave a bad answer: {why}")


def asked(player: Player) -> ChancesAt:
    """Return the chances of a function that is called with each position.

    >>> from zerosum.rules.game_files import load_game
    >>> from zerosum.rules.position import start_position
    >>> asked(lambda position: {"+9": 0.75, "+1": 0.25})(start_position(load_game("sum31")))
    [0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.75]
    """

    def chances(position: Position) -> Sequence[float]:
        try:
            choice = player(position)
        except Exception as error:
            error.add_note(f"The player was asked about '{position}'.")
            raise
        try:
            return _read(chances_in(choice, position), position)
        except BadAnswerError:
            raise
        except ZerosumError as error:
            raise BadAnswerError(position, str(error)) from None

    return chances


def _read(found: Mapping[Move, float] | Sequence[Move], position: Position) -> list[float]:
    legal = position.legal_moves()
    if not isinstance(found, Mapping):
        # A move that is named twice is twice as likely.
        return [found.count(move) / len(found) for move in legal]
    shares = shared(found, position)
    return [shares.get(move, 0.0) for move in legal]


def shared(given: Mapping[K, Any], position: Position) -> dict[K, float]:
    """Return chances as floats that sum to 1 up to rounding, if that is what they are."""
    found = {key: _share(share, position) for key, share in given.items()}
    whole = fsum(found.values())
    if abs(whole - 1) > OFF:
        raise BadAnswerError(position, f"the chances sum to {whole:.9g}, not to 1.")
    # Nothing is divided where nothing has to be: a table is measured as it stands.
    return found if abs(whole - 1) <= _ROUNDING else {key: share / whole for key, share in found.items()}


def _share(share: object, position: Position) -> float:
    try:
        found = float(share)  # type: ignore[arg-type]  # that is the question
    except (TypeError, ValueError):
        found = -1.0
    if not isfinite(found) or found < 0:
        raise BadAnswerError(position, f"a chance is a number from 0 to 1, not {shorten(repr(share))}.")
    return found


def of_openspiel(policy: Any, game: Any, graph: Graph) -> ChancesAt:
    """Return the chances of a policy of OpenSpiel in a game as OpenSpiel knows it.

    The policy is asked about one line of moves to each position.
    """
    rules = graph.rules
    if getattr(game, "rules", None) != rules:
        raise BadValueError(
            f"The policy is for {shorten(str(game))}, not for {rules.name}; zerosum.envs.openspiel.name_of(game) names "
            "the game for OpenSpiel."
        )

    def chances(position: Position) -> Sequence[float]:
        node = graph.index(position)
        state = game.new_initial_state()
        for move in graph.line_to(node or 0):
            state.apply_action(rules.index_of(move))
        found = shared(dict(policy.action_probabilities(state)), position)
        legal = state.legal_actions()
        wrong = next((action for action, share in found.items() if share and action not in legal), None)
        if wrong is not None:
            raise BadAnswerError(position, f"action {wrong} is not legal.")
        return [found.get(action, 0.0) for action in legal]

    return chances
