"""How many whys have a cause: computed by `python tools/cause_shares.py [GAME …]`, kept in a file, shown in the docs.

A *why* is a move that a level makes in a position with a real choice, where the moves differ in verdict. It is trivial
if the move ends the match or leaves a win at once. Each counts by the exact chance that a match of the level against
itself comes by it. Positions that mirrors turn into each other have the same causes, so one stands for all of them.
In a game with a law, the law is a cause of every move, so that nothing needs to be counted.

Of a level, `trivial` is the share of trivial whys among all; every other share is among those that are not trivial.
`short` is the share of those told in two sentences and 32 words, `excepted` of those whose reason names exceptions.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.tables import table  # noqa: E402 - after the path is set
from zerosum.coach.analysis import keeps  # noqa: E402 - see above
from zerosum.coach.causes import table_of, why, words  # noqa: E402 - see above
from zerosum.coach.contrast import BETTER, LETS, contrast  # noqa: E402 - see above
from zerosum.coach.features import features_of  # noqa: E402 - see above
from zerosum.players.policies import chances  # noqa: E402 - see above
from zerosum.rules.game_files import GAME_IDS, load_game  # noqa: E402 - see above
from zerosum.rules.position import Position  # noqa: E402 - see above
from zerosum.solver import Solution, Verdict, solution_of  # noqa: E402 - see above
from zerosum.strategy.answer_tables import MORE, TWO  # noqa: E402 - see above
from zerosum.strategy.claim_words import WORDS  # noqa: E402 - see above
from zerosum.strategy.claims import NAMES, NextForced  # noqa: E402 - see above
from zerosum.strategy.lookahead import Sight  # noqa: E402 - see above

FILE: Final = Path(__file__).with_name("cause_shares.json")
LEVELS: Final = ("level:2", "level:4", "level:6")
MIDDLE: Final = "level:4"
"""The level whose mistakes are told apart."""
_TRIVIAL: Final = ("ends", "leaves")
_SENTENCES: Final = 2
_LEAST: Final = 1e-9
"""Whys that are met less often than this are left out."""
_PLACES: Final = 6
_FORMS: Final = f"{TWO}{MORE}"
_LOST: Final = 2_000
"""Lost positions whose forms are counted; of a game with more, every so many are."""
Shares = dict[str, float]


def shares(solution: Solution) -> dict[str, Any]:
    """Return, for each level, the share of each cause among the whys that are not trivial, and of short ones.

    `mistakes` are the shares of what tells a mistake of the middle level from the winning moves.
    """
    met: dict[str, dict[str, float]] = {who: defaultdict(float) for who in LEVELS}
    mistakes: dict[str, float] = defaultdict(float)
    for position, reached in _reached(solution):
        options = solution.options(position)
        if len({option.value.verdict for option in options}) == 1:
            continue
        played = {who: chances(who, position, solution) for who in LEVELS}
        for option in options:
            weights = {who: reached[who] * played[who][option.move] for who in LEVELS}
            if max(weights.values()) < _LEAST:
                continue
            if option.value.verdict is not options[0].value.verdict:
                kind = contrast(position, option.move, solution, keeps(options)).kind
                mistakes[str(kind)] += weights[MIDDLE]
            found = why(position, option.move, solution)
            told = words(found)
            short = len(told) <= _SENTENCES and len(" ".join(told).split()) <= WORDS
            excepted = isinstance(found.claim, NextForced) and bool(found.claim.but)
            for who, weight in weights.items():
                if found.name in _TRIVIAL:
                    met[who]["trivial"] += weight
                else:
                    met[who][found.name] += weight
                    met[who]["short"] += weight * short
                    met[who]["excepted"] += weight * excepted
    return {
        "whys": {who: _of_whys(counts) for who, counts in met.items()},
        "mistakes": _divided(mistakes, (*LETS, BETTER, "None")),
    }


def _of_whys(counts: dict[str, float]) -> Shares:
    trivial = counts.pop("trivial", 0.0)
    whole = sum(counts.get(name, 0.0) for name in NAMES)
    shares = {name: round(counts[name] / whole, _PLACES) for name in (*NAMES, "short", "excepted") if name in counts}
    return {**shares, "trivial": round(trivial / (trivial + whole), _PLACES)}


def _divided(counts: dict[str, float], names: tuple[str, ...]) -> Shares:
    whole = sum(counts.values())
    return {name: round(counts[name] / whole, _PLACES) for name in names if name in counts}


def _reached(solution: Solution) -> Iterator[tuple[Position, Shares]]:
    """Yield every position of a game that ends, and the chance that each level against itself comes by it."""
    key = Sight(solution.rules).key
    layer: dict[Hashable, tuple[Position, Shares]] = {key(solution.start): (solution.start, dict.fromkeys(LEVELS, 1.0))}
    while layer:
        following: dict[Hashable, tuple[Position, Shares]] = {}
        for position, reached in layer.values():
            yield position, reached
            for who in LEVELS:
                for move, chance in chances(who, position, solution).items():
                    after = position.play_unchecked(move)
                    if chance and after.outcome is None:
                        there = following.setdefault(key(after), (after, dict.fromkeys(LEVELS, 0.0)))[1]
                        there[who] += reached[who] * chance
        layer = following


def forms(solution: Solution) -> Shares:
    """Return the shares of lost positions without a safe reply, and of those with a table of answers, by its form."""
    looks = features_of(solution)
    lost = [position for position, value in solution.everything() if value.verdict is Verdict.LOSS]
    some = lost[:: max(1, len(lost) // _LOST)]
    met: Counter[str] = Counter()
    for position in some:
        found = None if looks.trapped(position) else table_of(looks, position, _FORMS)
        met["no safe reply" if looks.trapped(position) else found.form if found else "none"] += 1
    return {name: round(met[name] / len(some), 4) for name in ("no safe reply", *_FORMS, "none")}


def up_to(found: Shares, last: str) -> float:
    """Return the share of the causes up to one of them."""
    return sum(found.get(name, 0.0) for name in NAMES[: NAMES.index(last) + 1])


def _kept() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    if missing := [game for game in GAME_IDS if game not in kept]:
        raise SystemExit(f"Run python tools/cause_shares.py {' '.join(missing)}")
    return {game: kept[game] for game in GAME_IDS}


def causes() -> str:
    """Return the table of the shares of causes."""
    rows: list[tuple[str, ...]] = []
    last = ("next-no-safe-reply", "answers", "replies", "next-forced")
    for game, found in _kept().items():
        name = load_game(game).name
        if "whys" not in found:
            rows.append((name, "any", *(["100%"] * 7)))
            continue
        for who, counted in found["whys"].items():
            nine, ten, eleven, twelve = (up_to(counted, one) for one in last)
            plain, trivial = twelve - counted["excepted"], counted["trivial"]
            shown = (nine, ten, ten + trivial * (1 - ten), eleven, plain, twelve, counted["short"])
            rows.append((name, f"`{who}`", *(f"{share:.1%}" for share in shown)))
    heads = ("causes 1-9", "1-10", "1-10 of all", "1-11", "1-12 without exceptions", "1-12", "2 sentences, 32 words")
    return table(("game", "played by", *heads), rows)


def answer_forms() -> str:
    """Return the table of how often each form of a table of answers fits, in per cent of lost positions."""
    kept = {game: found["forms"] for game, found in _kept().items() if "forms" in found}
    names = ("no safe reply", *_FORMS, "none")
    rows = [(load_game(game).name, *(f"{100 * found[name]:.0f}" for name in names)) for game, found in kept.items()]
    return table(("game", *names), rows)


def contrasts() -> str:
    """Return the table of what tells the mistakes of the middle level from the winning moves, added up, in per cent."""
    rows = []
    for game, found in _kept().items():
        if "mistakes" in found:
            so_far, row = 0.0, []
            for kind in (*LETS, BETTER):
                so_far += found["mistakes"].get(kind, 0.0)
                row.append(f"{100 * so_far:.0f}")
            rows.append((load_game(game).name, *row))
    return table(("game", *LETS, BETTER), rows)


def main() -> int:
    """Compute the shares of some games, or of all, and keep them."""
    kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for game in sys.argv[1:] or GAME_IDS:
        solution = solution_of(load_game(game))
        found = shares(solution) if solution.law is None else {}
        kept[game] = found if solution.count is None else {**found, "forms": forms(solution)}
        print(game, flush=True)
        known = {one: kept[one] for one in GAME_IDS if one in kept}
        FILE.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
