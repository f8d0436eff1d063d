"""`--who-wins`: who is favoured in a match, before its first move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zerosum.base.progress import Progress
from zerosum.cli.lab_access import cached_odds
from zerosum.cli.progress_line import progress_line
from zerosum.match.setup import BOTH_SEATS, Person, Setup
from zerosum.players import OUTSIDE
from zerosum.players.odds import Odds, Pairing, odds_from
from zerosum.rules.position import start_position
from zerosum.solver import SolverError, Verdict, solution_of
from zerosum.strategy.card_player import CARD, card_of
from zerosum.strategy.card_report import guest_of

_HOPES: Final = ("perfect", "random")
"""How a person may play, at best and at worst."""


def who_wins_lines(setup: Setup) -> list[str]:
    """Return who is favoured, in a line or two; a game too large to solve can still be played."""
    first, second = setup.first, setup.first.other
    try:
        with progress_line(f"Solving {setup.rules.name}"):
            solution = solution_of(setup.rules)
        favoured = {
            Verdict.WIN: f"{setup.name(first)}, who moves first, wins.",
            Verdict.LOSS: f"{setup.name(second)}, who moves second, wins.",
            Verdict.DRAW: "nobody can force a win.",
        }
        lines = [f"With perfect play {favoured[solution.value(solution.start).verdict]}"]
        with progress_line("The chances of both (computed once, then kept)") as say:
            lines += _chances(setup, say)
        return [*lines, *_second_match(setup)]
    except SolverError as error:
        return [f"Who wins is not known. {error}"]


def _second_match(setup: Setup) -> list[str]:
    two = setup.series is not None and setup.series.best_of == BOTH_SEATS
    return ["That is the first match; in the second the seats are exchanged."] if two else []


def _chances(setup: Setup, say: Progress) -> Iterator[str]:
    """Yield the chances of both sides if a computer plays; for a person, those of perfect and of random play."""
    order = (setup.first, setup.first.other)
    people = [person for person in order if setup.is_human(person)]
    if len(people) == len(order) or not set(setup.who).isdisjoint(OUTSIDE):
        return
    if not people:
        one, two = (setup.who[person - 1] for person in order)
        chance = _odds(setup, [(one, two)], say).first_wins[one, two]
        pairs = zip(order, (chance, 1 - chance), strict=True)
        sides = (f"{setup.name(person)} ({setup.who[person - 1]}) {share:.1%}" for person, share in pairs)
        yield f"The chance to win: {', '.join(sides)}."
        return
    person, computer = people[0], setup.who[people[0].other - 1]
    is_first = person is order[0]
    pairings = [(hope, computer) if is_first else (computer, hope) for hope in _HOPES]
    odds = _odds(setup, pairings, say).first_wins
    best, blind = (odds[pairing] if is_first else 1 - odds[pairing] for pairing in pairings)
    yield _hope_words(setup, person, best, blind)


def _odds(setup: Setup, pairings: list[Pairing], say: Progress) -> Odds:
    """Return the chances of pairings; those of a card, which may change, are not kept."""
    start = start_position(setup.rules)
    if CARD not in setup.who:
        return cached_odds(start, pairings, say)
    return odds_from(start, pairings, say, {CARD: guest_of(*card_of(setup.rules, solution_of))})


def _hope_words(setup: Setup, person: Person, best: float, blind: float) -> str:
    name, computer = setup.name(person), setup.who[person.other - 1]
    if best == 0:
        return (
            f"Against {computer}, {name} cannot win from this seat. To change seats: --first {setup.first.other.value}"
        )
    if best == blind:
        return f"Against {computer}, {name} wins {best:.1%} of such matches, whatever {name} plays."
    return (
        f"Against {computer}, {name} would win {best:.1%} of such matches with perfect play, and {blind:.1%} with "
        "moves at random."
    )
