"""What tells a mistake from the winning moves: a refutation, or an idea that picks winning moves alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice

import pytest

from tests.coach.cause_pairs import drawn_pairs, plain_of
from tests.coach.plain_features import Plain
from tests.coach.positions import GAMES, VARIANTS
from tests.full import part
from zerosum.coach.contrast import BETTER, IDEAS, LETS, contrast, idea_used
from zerosum.rules.game_files import GAME_IDS, built_in, load_text
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict, solution_of
from zerosum.strategy.claims import NAMES

Fits = Callable[[Plain, Position, Position], bool]
FITS: dict[str, Fits] = {
    "win at once": lambda plain, before, after: plain.won(before, after),
    "stay safe": lambda plain, before, after: plain.is_safe(before, after),
    "shut the door": lambda plain, _, after: after.outcome is None and plain.stuck(after),
    "settle it": lambda plain, _, after: after.outcome is None and plain.settled(after),
    "squeeze": lambda plain, _, after: after.outcome is None and plain.no_safe(after),
    "outlast them": lambda plain, _, after: after.outcome is None and plain.guarded(after),
}
"""Which moves an idea picks, by what it says; the causes of the others are checked by the words that they print."""


def picked(plain: Plain, position: Position, idea: str) -> set[Move]:
    return {move for move, after in plain.replies(position) if FITS[idea](plain, position, after)}


def choices(solution: Solution, count: int) -> list[tuple[Position, list[Move], list[Move]]]:
    """Return positions in which some moves win and some do not, with both."""
    found = []
    for position, _ in drawn_pairs(solution, count, seed=21):
        options = solution.options(position)
        better = [one.move for one in options if one.value.verdict is Verdict.WIN]
        if 0 < len(better) < len(options):
            found.append((position, better, [one.move for one in options if one.value.verdict is not Verdict.WIN]))
    return found


@pytest.mark.parametrize("game", [*GAME_IDS, *VARIANTS])
def test_an_idea_picks_winning_moves_alone_and_never_the_mistake(game: str) -> None:
    solution = solution_of(built_in(game) if game in (*GAMES, *GAME_IDS) else VARIANTS[game])
    plain, wrong, met = plain_of(solution), [], Counter[str]()
    for position, better, mistakes in islice(choices(solution, part(60, 600)), part(12, 200)):
        for mistake in mistakes:
            found = contrast(position, mistake, solution, better)
            idea = str(found.idea)
            met[idea] += 1
            if idea in FITS:
                moves = picked(plain, position, idea)
                if not moves or mistake in moves or not moves <= set(better):
                    wrong.append((str(position), position.text_of(mistake), idea))
            if found.better is None or found.better.move not in better or found.refutation.move != mistake:
                wrong.append((str(position), position.text_of(mistake), "moves"))
    assert wrong == []


def test_to_stay_safe_is_no_idea_where_a_safe_move_loses() -> None:
    solution = solution_of(built_in("sum31"))
    plain, met = plain_of(solution), Counter[bool]()
    for position, better, mistakes in choices(solution, 800):
        safe = {move for move, _ in plain.safe(position)}
        at_once = plain.can_win_now(position)
        for mistake in mistakes:
            enough = bool(safe) and mistake not in safe and safe <= set(better) and not at_once
            assert (contrast(position, mistake, solution, better).idea == "stay safe") is enough
            met[enough] += 1
    assert min(met[True], met[False]) > 20


def test_every_cause_is_a_kind_of_contrast() -> None:
    kinds = [cause for causes in LETS.values() for cause in causes]
    assert sorted(kinds) == sorted(set(NAMES) - {"none"})
    assert set(IDEAS) == set(NAMES) - {"none", "leaves"}
    assert BETTER not in LETS


def test_a_missed_win_at_once_is_named_first() -> None:
    rules = load_text('like = "sum31"\nid = "thirty"\nname = "Thirty"\ntarget = 30')
    solution = solution_of(rules)
    position = parse_position("2,3,4,6,9 21 1", rules)
    nine, six = (parse_move(text, rules.operations) for text in ("+9", "+6"))
    assert idea_used(position, nine, solution) == "win at once"
    assert contrast(position, six, solution, [nine]).idea == "win at once"
