"""The cheapest changes that make a good game of one that is not, with what each costs, and in words.

A key that changes costs 1, a number added to the pool or taken out of it 2. A tie rule that goes because nothing asks
for it any more costs nothing: a rules file need not say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product, zip_longest
from typing import Any, Final

from zerosum.base import limits
from zerosum.base.documents import key as as_key
from zerosum.base.documents import to_json
from zerosum.base.english import agree, listing, seat_name
from zerosum.base.progress import Progress, silent
from zerosum.coach.bundled import OneChange, bundled_changes
from zerosum.coach.evenness import even_to, even_words
from zerosum.lab.batches import Evaluate
from zerosum.lab.filters import Assessment, Candidate, Funnel, near_miss, nearest, own_document, skipped_json
from zerosum.lab.goals import Goal, figure, score
from zerosum.lab.metrics import evenness
from zerosum.lab.spaces import varied
from zerosum.lab.store import Store
from zerosum.rules.game_files import is_built_in
from zerosum.rules.model import (
    Ban,
    Exhausted,
    Overshoot,
    Reaching,
    Rules,
    Tie,
    Totals,
    kept_unwritten,
    rules_to_dict,
    written_dict,
)
from zerosum.rules.moves import ADD_ONLY
from zerosum.solver import SolverError, solution_of
from zerosum.solver.fingerprint import fingerprint
from zerosum.solver.supports import ADD_OR_SUBTRACT

TARGET: Final = 12
START: Final = 9
ONE_START: Final = 4
BELOW: Final = 2
ABOVE: Final = 3
POOL_COST: Final = 2
_WORDS: Final[dict[str, tuple[object, ...]]] = {
    "reaching": tuple(Reaching),
    "overshoot": tuple(Overshoot),
    "exhausted": tuple(Exhausted),
    "tie": tuple(Tie),
    "ban": tuple(Ban),
    "swap": (False, True),
    "operations": (ADD_ONLY, ADD_OR_SUBTRACT),
    "totals": tuple(Totals),
}

Pool = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A key, and its value before and after as a rules file writes it; None if the file has no such key."""

    key: str
    before: object = field(metadata=as_key("from"))
    after: object = field(metadata=as_key("to"))


@dataclass(frozen=True, slots=True)
class Edited:
    """A game near another, what was changed, and what that costs."""

    rules: Rules
    fingerprint: str
    cost: int
    changes: tuple[Change, ...]


def edited(rules: Rules, most: int) -> Iterator[list[Edited]]:
    """Yield the games of cost 1, those of cost 2, and so on up to `most`; no game twice, nor the game itself.

    Of edits that make the same game the cheapest counts, and of those the one that changes the target, else the one
    whose key comes first.
    """
    seen = {fingerprint(rules)}
    values = _values(rules)
    for cost in range(1, most + 1):
        found: list[Edited] = []
        for given in _combinations(rules, values, cost):
            game = varied(rules, given)
            if game is None:
                continue
            name = fingerprint(game)
            if name not in seen:
                seen.add(name)
                found.append(Edited(game, name, cost, _changes(rules, game, given)))
        yield found


def _values(rules: Rules) -> dict[str, list[object]]:
    """Return the other values of each key but the pool, the target first."""
    values: dict[str, list[object]] = {"target": [rules.target + step for step in _steps(TARGET)]}
    values |= {key: [one for one in words if one != getattr(rules, key)] for key, words in _WORDS.items()}
    values["start"] = [tuple(start + step for start in rules.start) for step in _steps(START)]
    if rules.totals is Totals.OWN:
        first, second = rules.start
        values["start"] += [(first + step, second) for step in _steps(ONE_START)]
        values["start"] += [(first, second + step) for step in _steps(ONE_START)]
    return values


def _steps(most: int) -> list[int]:
    """Return the steps away from 0, the smallest first."""
    return [sign * step for step in range(1, most + 1) for sign in (1, -1)]


def _combinations(rules: Rules, values: dict[str, list[object]], cost: int) -> Iterator[dict[str, object]]:
    """Yield what is given other values at exactly this cost; pools that change as little as possible come first."""
    for numbers in range(cost // POOL_COST + 1):
        for keys in combinations(values, cost - POOL_COST * numbers):
            for pool in _pools(rules.pool, numbers):
                for chosen in product(*(values[key] for key in keys)):
                    given = dict(zip(keys, chosen, strict=True))
                    yield given | {"pool": pool} if numbers else given


def _pools(pool: Pool, numbers: int) -> list[Pool]:
    """Return the pools that differ in exactly so many numbers, added or removed."""
    if not numbers:
        return [pool]  # without listing the numbers on offer, which may be two million
    offered = [one for one in range(min(pool) - BELOW, max(pool) + ABOVE + 1) if one and abs(one) <= limits.VALUE]
    found = {pool}
    for _ in range(numbers):
        added = {tuple(sorted((*one, number))) for one in found for number in offered}
        removed = {tuple(sorted((Counter(one) - Counter([number])).elements())) for one in found for number in one}
        found = added | removed
    whole = Counter(pool)
    far = [one for one in found if ((whole - Counter(one)) + (Counter(one) - whole)).total() == numbers]
    return sorted(one for one in far if 1 <= len(one) <= limits.POOL_NUMBERS)


def _changes(rules: Rules, game: Rules, given: dict[str, object]) -> tuple[Change, ...]:
    before, after = rules_to_dict(rules), rules_to_dict(game)
    return tuple(Change(key, before.get(key), after.get(key)) for key in given)


_PHRASES: Final[dict[tuple[str, object], str]] = {
    ("reaching", Reaching.WINS): "let whoever lands on the target win",
    ("reaching", Reaching.LOSES): "let whoever lands on the target lose",
    ("overshoot", Overshoot.PLAY_ON): "let play go on past the target",
    ("overshoot", Overshoot.LOSES): "let whoever goes past the target lose",
    ("exhausted", Exhausted.LAST_MOVER): "give an empty pool to whoever moved last",
    ("exhausted", Exhausted.CLOSEST): "give an empty pool to whoever is closer",
    ("tie", Tie.FIRST_MOVER): "give a tie to the first player",
    ("tie", Tie.SECOND_MOVER): "give a tie to the second player",
    ("tie", Tie.SUDDEN_DEATH): "break a tie by sudden death",
    ("ban", Ban.NONE): "allow moves that undo the one before",
    ("ban", Ban.MIRROR): "forbid moves that undo the one before",
    ("swap", True): "let the second player swap seats after the first move",
    ("swap", False): "allow no swap of seats",
    ("operations", ADD_ONLY): "let numbers only be added",
    ("operations", ADD_OR_SUBTRACT): "let each number be added or subtracted",
    ("totals", Totals.SHARED): "let both players share one total",
    ("totals", Totals.OWN): "give each player a total of their own",
}


def change_words(before: Rules, game: Edited) -> str:
    """Return what to change: `Change the target from 31 to 27 and add 10 to the pool`."""
    parts = [part for change in game.changes for part in _change(before, game.rules, change)]
    text = listing(parts)
    return text[0].upper() + text[1:]


def _change(before: Rules, after: Rules, change: Change) -> list[str]:
    key = change.key
    if key == "target":
        return [f"change the target from {change.before} to {change.after}"]
    if key == "start":
        return [f"start at {_starts(after)} instead of {_starts(before)}"]
    if key == "pool":
        was, now = Counter(before.pool), Counter(after.pool)
        added, gone = sorted((now - was).elements()), sorted((was - now).elements())
        lines = [f"take {', '.join(map(str, gone))} out of the pool"] if gone else []
        more = ", ".join(f"another {number}" if number in was else str(number) for number in added)
        return lines + ([f"add {more} to the pool"] if added else [])
    return [_PHRASES[key, getattr(after, key)]]


def _starts(rules: Rules) -> str:
    return str(rules.start[0]) if len(set(rules.start)) == 1 else " and ".join(map(str, rules.start))


def outcome_words(document: Mapping[str, Any]) -> str:
    """Return what a game is like, as far as its figures are known."""
    parts = []
    openings, value = document.get("openings"), document.get("value")
    if openings is not None and value is not None:
        right = figure(document, "openings.share")
        if openings["swap_right"] is None:
            parts.append(f"{openings['winning']} of {openings['count']} openings {agree(openings['winning'], 'win')}")
        else:
            parts.append(f"swapping is right after {100 * float(str(right)):.0f} % of the openings")
        parts.append(_winner(value["winner"], f"in {value['plies']}"))
    level = figure(document, "first.level:5")
    if isinstance(level, (int, float)):
        parts.append(f"between equals of level 5 the first scores {100 * level:.0f} %")
    if "even_to" in document:
        parts.append(f"it is {even_words(document['even_to'])}")
    return ", ".join(parts[:-1]) + f", and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def _winner(seat: int | None, how: str) -> str:
    return "neither player can force a win" if seat is None else f"the {seat_name(seat)} player wins {how}"


def repair_words(before: Rules, game: Edited, document: Mapping[str, Any]) -> str:
    """Return the sentence of a repair."""
    outcome = outcome_words(document)
    return f"{change_words(before, game)}: then {outcome}." if outcome else f"{change_words(before, game)}."


@dataclass(frozen=True, slots=True)
class Repaired:
    """A game near another, and the lines of the goal that it misses."""

    edited: Edited
    document: dict[str, Any]
    score: float
    fails: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Repairs:
    """What a repair found."""

    rules: Rules
    goal: Goal
    cost: int
    """Every game up to this cost was tried."""
    tried: int
    found: tuple[Repaired, ...]
    nearest: tuple[Repaired, ...]
    skipped: tuple[Assessment, ...]
    meets: bool
    """Whether the game meets the goal as it is."""


def repair(
    rules: Rules,
    goal: Goal,
    cost: int,
    count: int,
    *,
    store: Store,
    evaluate: Evaluate,
    patience: float | None = None,
    say: Progress = silent,
) -> Repairs:
    """Try all games by rising cost, until a cost is finished and `count` games meet the goal, or `cost` is reached."""
    tried: list[tuple[Edited, Assessment]] = []
    found: list[Repaired] = []
    funnel = Funnel(goal, store, evaluate, patience)
    (unchanged,) = funnel.look([Candidate.of(rules)])
    reached = 0
    for reached, games in enumerate(edited(rules, cost), 1):
        on_look = _counter(say, reached, len(games))
        looks = funnel.look([Candidate(one.rules, one.fingerprint) for one in games], on_look)
        tried += zip(games, looks, strict=True)
        found += [_repaired(goal, game, look.document) for game, look in zip(games, looks, strict=True) if look.good]
        if len(found) >= count:
            break
    found.sort(key=lambda one: (one.edited.cost, -one.score, one.edited.fingerprint))
    near = _nearest(goal, tried, funnel, say) if not found else []
    skipped = tuple(look for _, look in tried if look.skipped is not None)
    return Repairs(rules, goal, reached, len(tried), tuple(found[:count]), tuple(near), skipped, unchanged.good)


def _counter(say: Progress, cost: int, total: int) -> Callable[[Assessment], None]:
    done = good = 0

    def on_look(look: Assessment) -> None:
        nonlocal done, good
        done, good = done + 1, good + look.good
        say(f"cost {cost}: {done:,} of {total:,} · {good:,} good")

    return on_look


def _repaired(goal: Goal, game: Edited, document: dict[str, Any], fails: tuple[str, ...] = ()) -> Repaired:
    return Repaired(game, document, score(goal, document), fails)


def _nearest(goal: Goal, tried: Sequence[tuple[Edited, Assessment]], funnel: Funnel, say: Progress) -> list[Repaired]:
    """Return the games that miss the fewest lines."""
    games = {game.fingerprint: game for game, _ in tried}
    misses = [near_miss(goal, look, game.cost) for game, look in tried if look.skipped is None]
    found = nearest(misses, funnel, say)
    return [_repaired(goal, games[one.candidate.fingerprint], one.document, one.fails) for one in found]


def repair_json(repairs: Repairs) -> dict[str, Any]:
    """Return the document of a repair."""
    return {
        "game": repairs.rules.id,
        "goal": repairs.goal.name,
        "meets": repairs.meets,
        "cost": repairs.cost,
        "tried": repairs.tried,
        "found": [_repaired_json(repairs.rules, one) for one in repairs.found],
        "nearest": [_repaired_json(repairs.rules, one) for one in repairs.nearest],
        "skipped": skipped_json(repairs.skipped),
    }


def _repaired_json(before: Rules, one: Repaired) -> dict[str, Any]:
    game = one.edited
    return {
        "cost": game.cost,
        "changes": to_json(game.changes),
        "words": repair_words(before, game, one.document),
        "rules": written_dict(game.rules),
        "fingerprint": game.fingerprint,
        "score": one.score,
        "metrics": own_document(game.rules, one.document),
        "fails": list(one.fails),
    }


# The same game with one rule changed: a few changes, each with who wins then and how even the game is.

_POSITIONS: Final = 60_000
"""Positions of all games that are looked at, together: how many that is does not depend on the machine."""
_FEWEST: Final = 3
_OFFERED: Final = 3
_LEVEL: Final = "level:5"
_CHANGED: Final = ", changed"


def one_changes(rules: Rules, progress: Progress = silent, *, every: bool = False) -> list[OneChange]:
    """Return the three changes that make the most even games, of different keys if there are enough, the best first.

    Those of a built-in game are known. Of another large game only the first few are looked at, unless `every` is.
    """
    if is_built_in(rules) and not every:
        return bundled_changes(rules.id)[:_OFFERED]
    games = _in_turn(next(edited(rules, 1)))
    if not every:
        games = games[: max(_FEWEST, _POSITIONS // (solution_of(rules).count or _POSITIONS))]
    unchanged = evenness(rules)["first"]
    found: list[tuple[str, OneChange]] = []
    for n, game in enumerate(games):
        progress(f"{n} of {len(games)} changes")
        made = _one_change(rules, game, unchanged)
        found += [] if made is None else [(game.changes[0].key, made)]
    found.sort(key=lambda both: _rank(both[1]), reverse=True)
    by_key = dict(reversed(found))
    others = [made for key, made in found if by_key[key] is not made]
    return sorted([*by_key.values(), *others[: max(0, _OFFERED - len(by_key))]], key=_rank, reverse=True)[:_OFFERED]


def _in_turn(games: list[Edited]) -> list[Edited]:
    """Return the changes with the first of every key before the second of any."""
    by_key: dict[str, list[Edited]] = {}
    for game in games:
        by_key.setdefault(game.changes[0].key, []).append(game)
    return [game for row in zip_longest(*by_key.values()) for game in row if game is not None]


def _rank(one: OneChange) -> tuple[int, float]:
    return (-1 if one.even_to is None else one.even_to, -abs(one.first - 0.5))


def _one_change(before: Rules, game: Edited, unchanged: Mapping[str, float]) -> OneChange | None:
    """Return a change with its figures; None if it changes nothing, or makes no game, or one too large for figures."""
    try:
        first, solution = evenness(game.rules)["first"], solution_of(game.rules)
    except SolverError:
        return None
    if first == unchanged or solution.value(solution.start).plies == 1:
        return None
    level = even_to(first)
    base = before.name.removesuffix(_CHANGED)
    named = replace(game.rules, id=f"{before.id.removesuffix('-changed')[:50]}-changed", name=f"{base[:60]}{_CHANGED}")
    words = f"{_winner(solution.winner, 'with best play')}; {even_words(level)}"
    change = change_words(before, game)
    return OneChange(kept_unwritten(game.rules, named), change, _question(game, change), words, level, first[_LEVEL])


def _question(game: Edited, change: str) -> str:
    if game.changes[0].key == "target":
        return f"The same with target {game.rules.target}?"
    return f"The same, but {change[0].lower()}{change[1:]}?"
