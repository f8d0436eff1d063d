"""How a set of items is drawn: anybody who knows the salt can draw it again, and nobody else can foresee it.

Each choice has a seed, HMAC(salt, label). With a secret salt, publish the SHA-256 of the set, then the results, then
the salt: anybody can then check that the set was not chosen to suit the results.

A fresh variant is a game like a given one, drawn for one exam, so that nobody has seen it. The solver's figures alone
decide whether a draw is taken: nobody looks at it, and no model is asked. Everybody can draw the public set
(`public_set`), which is known by its hash. `verify` draws a set again from its salt and compares every byte.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random
from typing import Final

from zerosum.arena.entrants.prompt import check_words
from zerosum.arena.strength.decisions import DIFFICULTIES, difficulty
from zerosum.base.errors import RulesError, ZerosumError
from zerosum.base.files import read_bytes
from zerosum.base.progress import Progress, silent
from zerosum.base.text import printable
from zerosum.coach.puzzles import found_at_random
from zerosum.exam import limits
from zerosum.exam.items import RUNGS, Item, ItemsError, ItemSet, Options, Source, depth_needed, options_of, rung_of
from zerosum.exam.reskins import draw_dresses, prove_skin
from zerosum.exam.scoring import is_near_enough, regret_against
from zerosum.rules.game_files import RULEBOOK_IDS, built_in
from zerosum.rules.model import Rules, Tie
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Solution, SolverError, Verdict, solution_of

DRAWS: Final = 300
"""Draws after which a game counts as having no fresh variants."""
FEWEST_POSITIONS: Final = 150
MOST_POSITIONS: Final = 300_000
SHORTEST: Final = 3
"""Plies that perfect play from the start must last."""
CHOICE_SHARE: Final = 0.1
"""The least share of positions met at random that are real choices."""
SPARE: Final = 4
"""Real choices that must be there for each one that is asked for."""
_LARGEST_POOL: Final = 11
_LARGEST_ENDLESS_POOL: Final = 8
_WIDER: Final = 4
_SAMPLE: Final = 400


class NoVariantError(ZerosumError):
    """A game of which no fresh variant was found."""


def fresh_variant(
    rules: Rules, place: int, needed: int, seed: str, known: Collection[Rules], *, rung: int | None = None
) -> Rules:
    """Return a variant of a game with at least `needed` real choices, unlike those that are known.

    With a rung, as many of them have that difficulty.
    """
    dice = Random(seed)
    for _ in range(DRAWS):
        try:
            drawn = _drawn(rules, place, dice)
            if any(_key(drawn) == _key(other) for other in known) or not is_good(solution_of(drawn), needed):
                continue
            if rung is None or has_rung(drawn, rung, needed):
                return drawn
        except (RulesError, SolverError):
            continue
    hard = "" if rung is None else f" of difficulty {rung}"
    raise NoVariantError(f"No fresh variant of {rules.name}{hard} was found in {DRAWS} draws; ask for --fresh 0.")


def _key(rules: Rules) -> tuple[object, ...]:
    return rules.pool, rules.target, rules.start


def _drawn(rules: Rules, place: int, dice: Random) -> Rules:
    """Return a game with another pool and, unless it ends where it starts, another target."""
    widest = max(map(abs, rules.pool)) + _WIDER
    numbers = [n for n in range(-widest, widest + 1) if n > 0 or (n < 0 and min(rules.pool) < 0)]
    most = _LARGEST_ENDLESS_POOL if rules.tie is Tie.SUDDEN_DEATH else _LARGEST_POOL
    size = min(len(rules.pool) + dice.choice((-1, 0, 0, 1)), most, len(numbers))
    pool = tuple(sorted(dice.sample(numbers, max(size, 2))))
    target = rules.target
    if target not in rules.start:
        # As far in sums of the pool as in the game itself, give or take a third.
        share = sum(map(abs, pool)) / sum(map(abs, rules.pool))
        away = (target - rules.start[0]) * share * dice.uniform(2 / 3, 4 / 3)
        target = rules.start[0] + (round(away) or 1)
    return replace(rules, id=f"{rules.id[:48]}-fresh-{place}", name=f"Number Duel {place}", pool=pool, target=target)


def is_good(solution: Solution, needed: int) -> bool:
    """Whether a game is worth asking about, by the solver's figures."""
    positions = solution.count
    if positions is not None and not FEWEST_POSITIONS <= positions <= MOST_POSITIONS:
        return False
    plies = solution.value(solution.start).plies
    if plies is not None and plies < SHORTEST:
        return False
    met = choices = 0

    def look(position: Position) -> Position:
        nonlocal met, choices
        met += 1
        choices += len({option.value.verdict for option in solution.options(position)}) > 1
        return position

    for _ in found_at_random(solution, Random("figures"), look):
        if met >= max(_SAMPLE, SPARE * needed / CHOICE_SHARE) or choices >= max(SPARE * needed, CHOICE_SHARE * _SAMPLE):
            break
    return choices >= SPARE * needed and choices >= CHOICE_SHARE * met


LOST: Final = "lost"
"""The kind of a position in which every move loses, but some are better against an opponent who errs."""
_ONE_IN: Final = 7
"""One position in so many is lost. It is a prime, so that a game and its variants all get some."""
_TELLING: Final = 0.1
"""What the worst move of a lost position gives away in practice, at least."""
_MATCHES: Final = 200
"""Random matches in which a position of the wanted kind is looked for."""
_POOLS: Final = 2


def make_items(options: Options, salt: str, progress: Progress = silent) -> ItemSet:
    """Draw a set of items; the same options and salt always give the same bytes."""
    _check(options, salt)

    def seed(*label: object) -> str:
        return hmac.new(salt.encode(), "/".join(map(str, label)).encode(), sha256).hexdigest()

    origins: list[Rules] = []
    items: list[Item] = []
    for rules in options.games:
        progress(rules.name)
        needed = -(-options.count // (options.fresh + 1))
        family = [rules]
        for place in range(1, options.fresh + 1):
            label = seed(rules.id, "variant", place)
            family.append(
                fresh_variant(rules, place, needed, label, [*options.games, *family], rung=options.difficulty)
            )
        origins += family
        items += _items_of(rules.id, family, options, seed)
    return ItemSet(options, tuple(origins), tuple(items))


def _check(options: Options, salt: str) -> None:
    """Raise ItemsError if options exceed a limit or contradict each other."""
    if options.seed is not None and options.seed != salt:
        raise ItemsError("A public seed is the salt itself.")
    if options.total > limits.ITEMS:
        raise ItemsError(f"That would be {options.total:,} items; a set has at most {limits.ITEMS:,}.")
    counts = {
        "games": (len(options.games), 1, limits.GAMES),
        "positions": (options.count, 1, limits.COUNT),
        "fresh variants": (options.fresh, 0, limits.FRESH),
        "reskins": (options.reskin, 0, limits.RESKINS),
    }
    for noun, (count, least, most) in counts.items():
        if not least <= count <= most:
            raise ItemsError(f"A set has from {least} to {most:,} {noun}, not {count:,}.")
    if options.difficulty not in (None, *RUNGS):
        raise ItemsError(f"A difficulty is from {min(RUNGS)} to {max(RUNGS)}.")
    if len({rules.id for rules in options.games}) < len(options.games):
        raise ItemsError("Two of the games have the same id.")
    for rules in options.games:
        check_words(rules)


def _items_of(game: str, family: list[Rules], options: Options, seed: Callable[..., str]) -> list[Item]:
    dresses = [draw_dresses(one, options.reskin, seed(game, "skins", place)) for place, one in enumerate(family)]
    drawers = [_Drawer(one) for one in family]
    items = []
    for number in range(options.count):
        turn, place = divmod(number, len(family))
        mixed = LOST if number % _ONE_IN == _ONE_IN - 1 else [*DIFFICULTIES][turn % len(DIFFICULTIES)]
        kind = mixed if options.difficulty is None else options.difficulty
        moves = drawers[place].draw(kind, seed(game, "item", number), options.count)
        source = Source.FRESH if place else Source.GAME
        items += [
            Item(game, number + 1, source, family[place], moves, dress, options.format)
            for dress in (None, *dresses[place])
        ]
    return items


class _Drawer:
    """Draws different positions of one game."""

    def __init__(self, rules: Rules) -> None:
        self._solution: Solution = solution_of(rules)
        self._used: set[PositionKey] = set()
        self._kinds: dict[PositionKey, str | None] = {}
        self._rungs: dict[PositionKey, int | None] = {}

    def draw(self, wanted: str | int, seed: str, count: int) -> tuple[Move, ...]:
        """Return the moves to a position of the wanted kind, or of another kind if none is found.

        A number is a rung of the ladder, and nothing else will do in its place.
        """
        dice = Random(seed)
        spare: tuple[Move, ...] | None = None
        for _ in range(_MATCHES):
            found = []
            for moves, position in self._match(dice):
                kind = self._rung(position) if isinstance(wanted, int) else self._kind(position, lost=wanted == LOST)
                if kind == wanted:
                    found.append((moves, position.key))
                elif isinstance(kind, str) and kind != LOST and spare is None:
                    spare, spared = moves, position.key
            if found:
                moves, key = dice.choice(found)
                self._used.add(key)
                return moves
        if spare is None:
            name = self._solution.rules.name
            hard, other = (
                (f" of difficulty {wanted}", " or another difficulty") if isinstance(wanted, int) else ("", "")
            )
            why = f"{name} has too few different choices{hard} for --count {count}"
            raise ItemsError(f"{why}; ask for fewer positions{other}.")
        self._used.add(spared)
        return spare

    def _match(self, dice: Random) -> list[tuple[tuple[Move, ...], Position]]:
        """Return the positions of a random match that are not used yet, with the moves to each."""
        found = []
        moves: tuple[Move, ...] = ()
        position = self._solution.start
        while position.outcome is None and len(moves) < _POOLS * len(position.rules.pool):
            if position.key not in self._used:
                found.append((moves, position))
            move = dice.choice(position.legal_moves())
            moves, position = (*moves, move), position.play_unchecked(move)
        return found

    def _kind(self, position: Position, *, lost: bool) -> str | None:
        """Return the difficulty of a real choice, or `LOST` if every move loses and some are better."""
        if position.key not in self._kinds:
            verdicts = [option.value.verdict for option in self._solution.options(position)]
            alike = LOST if verdicts[0] is Verdict.LOSS else None
            share = verdicts.count(verdicts[0]) / len(verdicts)
            self._kinds[position.key] = difficulty(share) if share < 1 else alike
        kind = self._kinds[position.key]
        if kind != LOST or not lost:
            return kind if kind != LOST else None
        regrets = (regret_against(position, move) or 0.0 for move in position.legal_moves())
        return LOST if is_near_enough(position) and max(regrets) >= _TELLING else None

    def _rung(self, position: Position) -> int | None:
        """Return the rung of a real choice."""
        if position.key not in self._rungs:
            depth = depth_needed([option.value for option in self._solution.options(position)])
            self._rungs[position.key] = None if depth == 0 else rung_of(depth)
        return self._rungs[position.key]

    def rungs(self, rung: int, needed: int) -> bool:
        """Whether random matches meet so many different choices of a rung."""
        dice = Random("rungs")
        found: set[PositionKey] = set()
        for _ in range(_MATCHES):
            found |= {one.key for _, one in self._match(dice) if self._rung(one) == rung}
            if len(found) >= needed:
                return True
        return False


def has_rung(rules: Rules, rung: int, needed: int) -> bool:
    """Whether a game has enough different choices of a difficulty; half as many again are needed as are asked for."""
    return _Drawer(rules).rungs(rung, -(-3 * needed // 2))


PUBLIC: Final = "public"
"""What the set is called at every door; also its seed."""
PUBLIC_SHA256: Final = "60505f2ce4950a870e47638365acde821c55cc5b9a5383d1e0129bf13e14ee41"
"""What was published. Whatever changes it makes old results incomparable: take a new seed then, and a new name."""
PUBLIC_GAMES: Final = (*RULEBOOK_IDS, "last-straw", "seventeen", "campfire")
"""The games of the set, whatever has been retired or added since."""
_COUNT: Final = 20
_FRESH: Final = 3
_RESKINS: Final = 1


def public_set(progress: Progress = silent) -> ItemSet:
    """Draw the public set: 320 items of eight games."""
    games = tuple(map(built_in, PUBLIC_GAMES))
    return make_items(Options(games, _COUNT, _FRESH, _RESKINS, PUBLIC, format=1), PUBLIC, progress)


def verify(path: str, salt: str, progress: Progress = silent) -> ItemSet:
    """Return the set in a file that was drawn from this salt; raise ItemsError if any byte differs."""
    data = read_bytes(path, limits.SET_BYTES)
    source = printable(path)
    options = options_of(data, source)
    if options.seed is not None and options.seed != salt:
        raise ItemsError(f"{source}: says that it was drawn from the seed '{printable(options.seed)}', not this one.")
    drawn = make_items(options, salt, progress)
    if drawn.data == data:
        return drawn
    ours, theirs = drawn.data.split(b"\n"), data.split(b"\n")
    pairs = zip(ours, theirs, strict=False)
    row = next((row for row, (one, two) in enumerate(pairs, 1) if one != two), min(len(ours), len(theirs)) + 1)
    raise ItemsError(f"{source}: not drawn from this salt, or changed since: line {row} is another one.")


@dataclass(frozen=True, slots=True)
class Proved:
    """The skins of a set that were proved by walking both games, the positions in them, and the skins that cannot be.

    A game with sudden death has no end of positions.
    """

    skins: int
    positions: int
    endless: int


def prove_skins(found: ItemSet, progress: Progress = silent) -> Proved:
    """Prove that every reskin of a set is the same game; raise at the first difference."""
    pairs = dict.fromkeys((item.origin, item.dress) for item in found.items if item.dress is not None)
    skins = positions = endless = 0
    for place, (origin, dress) in enumerate(pairs, 1):
        if origin.tie is Tie.SUDDEN_DEATH:
            endless += 1
            continue

        def say(words: str, where: str = f"skin {place} of {len(pairs)}") -> None:
            progress(f"{where}, {words}")

        proof = prove_skin(origin, dress.rules(origin), dress.skin, say)
        if not proof.proved:
            raise ItemsError(f"{origin.name} and its reskin {dress.story} differ: {proof.difference}.")
        skins, positions = skins + 1, positions + proof.positions
    return Proved(skins, positions, endless)
