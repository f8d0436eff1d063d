"""A plan: who meets whom, in which games, from which positions, how often. Everything else follows from it.

A plan file is TOML:

    format = 1
    games = ["sum31"]
    entrants = ["level:5", { who = "bot:./my-bot", name = "mine" }]
    pairs = 100

`docs/arena.md` lists the other keys. The *normal form* of a plan is one JSON text that names every game in full and
every position of its books; its hash is the key of a run.

The pairs of a plan are numbered here too: a pair is one start position, played twice with the seats changed. And here
is what is known before the first match: the books, exact scores of built-in players, and how many pairs are needed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from hashlib import sha256
from itertools import combinations
from typing import Any, Final, NamedTuple

from zerosum.arena import limits
from zerosum.arena.entrants.entrant import IllegalMovePolicy
from zerosum.arena.entrants.limits import MOVE_SECONDS
from zerosum.arena.entrants.open_entrant import OPENERS
from zerosum.arena.strength.named_policies import POLICIES, policy_of
from zerosum.arena.strength.pairs import (
    Book,
    between_book,
    even_book,
    hard_book,
    pair_chances,
    pairs_needed,
    question,
    start_book,
)
from zerosum.arena.strength.ratings import EVEN_VARIANCE, pairs_expected, score_of
from zerosum.base.documents import to_json
from zerosum.base.errors import ZerosumError
from zerosum.base.progress import Progress, silent
from zerosum.base.text import check_name, check_player_name, did_you_mean, printable, shorten
from zerosum.rules.game_files import load_game, read_table
from zerosum.rules.model import Rules, Tie, rules_from_dict, rules_to_dict
from zerosum.rules.notation import parse_position
from zerosum.solver import solution_of

FORMAT: Final = 1
DUEL: Final = 2
"""Entrants of one match."""
KINDS: Final = ("start", "even", "hard", "between")
SCHEDULES: Final = ("all", "first")
"""Each meets each, or the first-named meets all others."""


class PlanError(ZerosumError):
    """A plan that cannot be played; the message names the key."""


@dataclass(frozen=True, slots=True)
class Contender:
    """An entrant of a plan: who it is, and its name if the plan gives one."""

    who: str
    name: str = ""

    @property
    def is_policy(self) -> bool:
        """Whether the chances of its moves are known, so that its scores are exact."""
        return is_policy(self.who)


def is_policy(who: str) -> bool:
    """Return whether the chances of a player's moves are known.

    >>> is_policy("level:5"), is_policy("bot:./mine")
    (True, False)
    """
    return who in POLICIES or any(name.endswith(":") and who.startswith(name) for name in POLICIES)


def check_who(who: str) -> str:
    """Return the name of an entrant; the error for an unknown one lists what there is."""
    prefixes = tuple(OPENERS)
    if is_policy(who) or any(who.startswith(prefix) and len(who) > len(prefix) for prefix in prefixes):
        return who
    known = "random, level:1 to level:9, perfect, card, policy:FILE, bot:COMMAND, model:NAME@URL and command:COMMAND"
    names = [*POLICIES, *prefixes]
    raise PlanError(f"There is no entrant '{shorten(who)}'. {did_you_mean(who.lower(), names, f'There are {known}.')}")


@dataclass(frozen=True)
class ArenaPlan:
    """Everything that is fixed before the first match."""

    entrants: tuple[Contender, ...]
    games: tuple[Rules, ...]
    pairs: int
    books: tuple[tuple[str, ...], ...] = field(default=())
    """The positions of each game, as text."""
    book: str = "even"
    positions: int = 0
    """How many positions a book should have."""
    seed: str = "1"
    schedule: str = "all"
    seconds: float = float(MOVE_SECONDS)
    illegal: IllegalMovePolicy = IllegalMovePolicy.RULES
    sprt: tuple[float, float] | None = None

    @cached_property
    def pairings(self) -> list[tuple[int, int]]:
        """Who meets whom, by index among the entrants."""
        every = combinations(range(len(self.entrants)), 2)
        return [two for two in every if self.schedule == "all" or two[0] == 0]

    @cached_property
    def normal_form(self) -> str:
        """The plan as one JSON text, everything written out."""
        games = [rules_to_dict(rules) for rules in self.games]
        document = {"schema": FORMAT, **to_json(replace(self, games=())), "games": games}
        return json.dumps(document, indent=1, ensure_ascii=False) + "\n"

    @cached_property
    def key(self) -> str:
        """The hash of the normal form."""
        return short_hash(self.normal_form)


def short_hash(text: str) -> str:
    """Return a short hash of a text."""
    return sha256(text.encode()).hexdigest()[:32]


def from_normal_form(text: str) -> ArenaPlan:
    """Return the plan of a normal form."""
    document = json.loads(text)
    sprt = document["sprt"]
    read: dict[str, Any] = {
        "entrants": tuple(Contender(one["who"], one["name"]) for one in document["entrants"]),
        "games": tuple(map(rules_from_dict, document["games"])),
        "books": tuple(map(tuple, document["books"])),
        "illegal": IllegalMovePolicy(document["illegal"]),
        "sprt": None if sprt is None else (sprt[0], sprt[1]),
    }
    return ArenaPlan(**{one.name: read.get(one.name, document[one.name]) for one in fields(ArenaPlan)})


def check_plan(plan: ArenaPlan) -> ArenaPlan:
    """Return a plan if its keys agree with each other. Raises PlanError."""
    whos = [(entrant.who, entrant.name) for entrant in plan.entrants]
    twice = next(
        (entrant.who for entrant in plan.entrants if entrant.is_policy and whos.count((entrant.who, entrant.name)) > 1),
        None,
    )
    total = total_pairs(plan)
    faults: Sequence[tuple[bool, str]] = (
        (len(plan.entrants) < DUEL, "entrants: two or more have to meet."),
        (twice is not None, f"entrants: {shorten(twice or '')} is listed twice; it would score one half."),
        (len({game.id for game in plan.games}) < len(plan.games), "games: two have the same id."),
        (total > limits.ALL_PAIRS, f"pairs: {total:,} in all, and {limits.ALL_PAIRS:,} is the limit."),
        (
            plan.sprt is not None and (len(plan.entrants), len(plan.games)) != (2, 1),
            "sprt: a sequential test is between two entrants in one game.",
        ),
        (
            plan.book == "between"
            and not (len(plan.entrants) == DUEL and all(entrant.is_policy for entrant in plan.entrants)),
            "book: 'between' needs two entrants whose chances are known; take 'even'.",
        ),
    )
    for wrong, words in faults:
        if wrong:
            raise PlanError(words)
    return plan


def read_plan(path: str) -> ArenaPlan:
    """Return the plan in the TOML file at `path`; any error names the file and the key."""
    try:
        return plan_from_table(read_table(path), os.path.dirname(path))
    except PlanError as error:
        raise PlanError(f"{printable(path)}: {error}") from None


def plan_from_table(table: Mapping[str, Any], folder: str = "") -> ArenaPlan:
    """Return the plan of a TOML table; paths of games are relative to `folder`."""
    unknown = next((key for key in table if key not in _READERS and key != "format"), None)
    if unknown is not None:
        hint = did_you_mean(unknown, _READERS, f"The keys are format, {', '.join(_READERS)}.")
        raise PlanError(f"there is no key '{shorten(unknown)}'. {hint}")
    if table.get("format") != FORMAT or type(table["format"]) is not int:
        raise PlanError(f"format: write format = {FORMAT}; this release reads no other.")
    for key in ("games", "entrants", "pairs"):
        if key not in table:
            raise PlanError(f"{key}: is missing.")
    found: dict[str, Any] = {}
    for key, read in _READERS.items():
        if key in table:
            try:
                found[key] = read(table[key])
            except PlanError as error:
                raise PlanError(f"{key}: {error}") from None
    found["games"] = tuple(_game(game, folder) for game in found["games"])
    return check_plan(ArenaPlan(**found))


def _game(game: str, folder: str) -> Rules:
    beside = os.path.join(folder, game)
    return load_game(beside if game.endswith(".toml") and os.path.isfile(beside) else game)


def _texts(most: int) -> Callable[[object], tuple[str, ...]]:
    def read(value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not 0 < len(value) <= most or not all(isinstance(one, str) for one in value):
            raise PlanError(f"must be a list of 1 to {most} texts.")
        return tuple(value)

    return read


def _entrants(value: object) -> tuple[Contender, ...]:
    if not isinstance(value, list) or not 0 < len(value) <= limits.ENTRANTS:
        raise PlanError(f"must be a list of 2 to {limits.ENTRANTS} entrants.")
    return tuple(map(_entrant, value))


def _entrant(value: object) -> Contender:
    table = {"who": value} if isinstance(value, str) else value
    if not isinstance(table, dict) or not {"who"} <= table.keys() <= {"who", "name"}:
        raise PlanError('an entrant is a text such as "level:5", or { who = "bot:./mine", name = "mine" }.')
    who, name = table["who"], table.get("name", "")
    if not isinstance(who, str) or not isinstance(name, str):
        raise PlanError("who and name are texts.")
    try:
        return Contender(check_who(who), check_player_name(name) if name else "")
    except ZerosumError as error:
        raise PlanError(str(error)) from None


def _count(most: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if type(value) is not int or not 1 <= value <= most:
            raise PlanError(f"must be a whole number from 1 to {most:,}.")
        return value

    return read


def _one_of(words: Sequence[str]) -> Callable[[object], str]:
    def read(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise PlanError(f"must be one of {', '.join(words)}.")
        return value

    return read


def _seconds(value: object) -> float:
    if type(value) not in (int, float) or not 0 < float(str(value)) <= limits.SECONDS:
        raise PlanError(f"must be a number above 0, at most {limits.SECONDS}.")
    return float(str(value))


def _seed(value: object) -> str:
    try:
        return check_name(value if isinstance(value, str) else str(value), "seed")
    except ZerosumError as error:
        raise PlanError(str(error)) from None


def _sprt(value: object) -> tuple[float, float]:
    numbers = value if isinstance(value, list) and all(type(one) in (int, float) for one in value) else []
    match numbers:
        case [low, high] if -limits.ELO <= low < high <= limits.ELO:
            return float(low), float(high)
    raise PlanError("must be two numbers of Elo points, the smaller first, such as [0, 20].")


_READERS: Final[Mapping[str, Callable[[object], object]]] = {
    "games": _texts(limits.GAMES),
    "entrants": _entrants,
    "pairs": _count(limits.PAIRS),
    "book": _one_of(KINDS),
    "positions": _count(limits.POSITIONS),
    "seed": _seed,
    "schedule": _one_of(SCHEDULES),
    "seconds": _seconds,
    "illegal": lambda value: IllegalMovePolicy(_one_of([one.value for one in IllegalMovePolicy])(value)),
    "sprt": _sprt,
}


class Pair(NamedTuple):
    """All that is needed to play two matches. Its seed is its id."""

    number: int
    id: str
    rules: Rules
    position: str
    a: str
    b: str
    seconds: float
    illegal: IllegalMovePolicy


class Slot(NamedTuple):
    """The place of a pair in a plan: its game, its position and its two entrants, by index."""

    game: int
    position: str
    a: int
    b: int


def total_pairs(plan: ArenaPlan) -> int:
    """Return how many pairs a plan has."""
    return len(plan.pairings) * len(plan.games) * plan.pairs


def slot(plan: ArenaPlan, number: int) -> Slot:
    """Return the place of a pair; numbers begin with 1, and the first pair of each pairing comes first."""
    pairings = plan.pairings
    turn, rest = divmod(number - 1, len(plan.games) * len(pairings))
    game, which = divmod(rest, len(pairings))
    book = plan.books[game]
    return Slot(game, book[turn % len(book)], *pairings[which])


def pair(plan: ArenaPlan, number: int) -> Pair:
    """Return the pair of this number."""
    one = slot(plan, number)
    a, b, rules = plan.entrants[one.a], plan.entrants[one.b], plan.games[one.game]
    parts = (plan.key, rules.id, one.position, a.who, a.name, b.who, b.name, str(number))
    return Pair(number, short_hash("\0".join(parts)), rules, one.position, a.who, b.who, plan.seconds, plan.illegal)


POSITIONS: Final = 100
"""Positions of a book, if a plan names no number."""


def book_of(
    kind: str,
    rules: Rules,
    count: int,
    seed: str,
    *,
    players: tuple[str, str] | None = None,
    progress: Progress = silent,
) -> Book:
    """Return the book of this kind; `players` are those that `between` is about."""
    if kind == "start":
        return start_book(solution_of(rules))
    if kind == "between":
        if players is None:
            raise PlanError("book: 'between' needs two players whose chances are known.")
        one, two = (policy_of(who, rules) for who in players)
        return between_book(rules, (one, two), count, seed, progress)
    return (even_book if kind == "even" else hard_book)(solution_of(rules), count, seed)


def with_books(plan: ArenaPlan, progress: Progress = silent) -> ArenaPlan:
    """Return a plan that names all its positions; no book is larger than the number of pairs."""
    count = min(plan.positions or POSITIONS, plan.pairs)
    players = (plan.entrants[0].who, plan.entrants[1].who) if plan.book == "between" else None
    books = []
    for rules in plan.games:
        progress(f"the positions of {rules.name}")
        found = book_of(plan.book, rules, count, plan.seed, players=players, progress=progress)
        if not found:
            raise PlanError(f"book: {rules.name} has no position for '{plan.book}'; take 'start'.")
        books.append(tuple(map(str, found)))
    return replace(plan, books=tuple(books))


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is known of a pairing in a game: A's exact share of the points, and the pairs that show who is stronger.

    `exact` is None if the chances of one of them are unknown, `needed` is None if no number of pairs would show it.
    """

    game: int
    a: int
    b: int
    exact: float | None
    needed: int | None


def expectations_of(plan: ArenaPlan, progress: Progress = silent) -> list[Expectation]:
    """Return what is known of every pairing."""
    return [_expectation(plan, game, a, b, progress) for game in range(len(plan.games)) for a, b in plan.pairings]


def _expectation(plan: ArenaPlan, game: int, a: int, b: int, progress: Progress) -> Expectation:
    rules, book = plan.games[game], plan.books[game]
    both = plan.entrants[a], plan.entrants[b]
    endless = rules.tie is Tie.SUDDEN_DEATH and len(book) > limits.ENDLESS_POSITIONS
    if endless or not all(one.is_policy for one in both):
        return Expectation(game, a, b, None, None)
    one, two = (_policy(entrant.who, rules) for entrant in both)
    progress(f"{one.name} against {two.name} in {rules.name}, exactly")
    mean, variance = question(pair_chances([parse_position(text, rules) for text in book], one, two, progress))
    return Expectation(game, a, b, mean, pairs_needed(mean, variance))


_policy = cache(policy_of)


def needed_for(elo: float) -> int:
    """Return about how many pairs show which of two players is stronger who differ by this many Elo points."""
    return pairs_needed(score_of(elo), EVEN_VARIANCE) or 0


def shown_by(pairs: int) -> int:
    """Return by about how many Elo points two players must differ for this many pairs to show who is stronger."""
    return next((elo for elo in range(1, limits.ELO) if needed_for(elo) <= pairs), limits.ELO)


def question_words(plan: ArenaPlan, expectations: list[Expectation]) -> str:
    """Return how many pairs the question of a plan needs, in a sentence."""
    if plan.sprt is not None:
        low, high = plan.sprt
        about = pairs_expected(low, high)
        return (
            f"To tell {low:g} from {high:g} Elo takes about {about:,} pairs where one of them is true; "
            f"at most {plan.pairs:,} are played."
        )
    known = [expectation.needed for expectation in expectations if expectation.exact is not None]
    if len(known) == len(expectations):
        most = [one for one in known if one is not None]
        if not most:
            return "No number of pairs would show who is stronger: the exact scores are even."
        each = "" if len(expectations) == 1 else " of each two"
        return f"To see who is stronger takes about {max(most):,} pairs{each}; the plan has {plan.pairs:,}."
    enough = shown_by(plan.pairs)
    seen = f"{plan.pairs:,} pairs show who is stronger where two differ by about {enough} Elo or more"
    if enough == limits.ELO:
        seen = "So few pairs rarely show who is stronger"
    return f"{seen}; for 50 Elo it takes about {needed_for(50):,}."
