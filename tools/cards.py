"""How to win, as the documentation shows it: the law of a game, its card with what the proof needs, its figures."""

from __future__ import annotations

from tools.tables import table
from zerosum.coach.course_builder import course_of
from zerosum.coach.lessons import for_seat
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Rules, Seat
from zerosum.solver import solution_of
from zerosum.strategy.card_files import BundledCard, bundled_card
from zerosum.strategy.prover import prove
from zerosum.strategy.vocabulary import VOCABULARY

_SEATS = {Seat.FIRST: "first", Seat.SECOND: "second"}


def how_to_win(game: str) -> str:
    """Return the law, the card and the figures of a game."""
    rules = built_in(game)
    found, law = bundled_card(rules), solution_of(rules).law
    if found is None or found.card.seat is None:
        raise SystemExit(f"{game} has no card.")
    parts = [f"**The law.** {law.words} There is no exception in any position.\n"] if law else [_NO_LAW]
    parts += [_card(rules, found), _figures(rules, found)]
    return "\n".join(parts)


_NO_LAW = (
    "This game has no [law](../ideas.md#laws): no sentence of the closed list is true of every position. "
    "It has a card.\n"
)


def _card(rules: Rules, found: BundledCard) -> str:
    card = found.card
    seat = _SEATS[card.seat or Seat.FIRST]
    rows = [
        (str(n), rule.words(rules), f"`{rule}`", "yes" if str(rule) in found.needed else "no")
        for n, rule in enumerate(card.rules, 1)
    ]
    other = ""
    if card.for_other is not None and card.seat is not None:
        last = f"rules 1 to {card.for_other}"
        other = f" The {_SEATS[card.seat.other]} player does better with {last} alone."
    safe = ""
    if any("safe" in rule.words(rules) for rule in card.rules):
        safe = " A number is *safe* if taking it neither loses at once nor lets the other win at once."
    return (
        f"**The card.** With it the {seat} player always wins. Each rule keeps the moves that fit it; if none fits, it "
        f"changes nothing. Play any move that is left.{safe}{other}\n\n"
        f"{table(('', 'rule', 'name', 'the proof needs it'), rows)}"
    )


def _figures(rules: Rules, found: BundledCard) -> str:
    positions, kept = prove(found.card, rules).positions, found.kept
    rows = [(f"`{one.who}`", _percent(one.as_first), _percent(one.as_second)) for one in found.against]
    return (
        f"Proved in all {positions:,} positions with the card to move. Anywhere in the game it keeps the best verdict "
        f"in {kept.good:,} of {kept.choices:,} real choices ({kept.share:.1%}). How often it wins, in per cent:\n\n"
        f"{table(('against', 'as first', 'as second'), rows)}"
    )


def lessons(game: str) -> str:
    """Return what each step of a game's course is worth: the exact scores of a learner, from the course's seat."""
    course = course_of(built_in(game), solution_of)
    seat = _SEATS[course.card.seat or Seat.FIRST]
    known = [("random moves", 0), *((f"and `{step.idea}`", step.count) for step in course.steps)]
    names = [one.who for one in course.scores[0]]
    rows = [
        (name, *(f"{100 * for_seat(one, course.card.seat):.1f}" for one in course.scores[count]))
        for name, count in known
    ]
    head = ("the learner knows", *(name.replace("level:", "level ") for name in names))
    return f"{course.rules.name}, as the {seat} player:\n\n{table(head, rows)}"


def _percent(chance: float) -> str:
    return f"{100 * chance:.2f}"


def vocabulary() -> str:
    """Return every word of the vocabulary, as Sum31 or Sequence Zero would say it."""
    rows = []
    for name, word in VOCABULARY.items():
        rules = built_in("sequence-zero" if "threat" in name or name in {"in-reach", "further", "nearest"} else "sum31")
        argument = f":{word.names.upper()}" if word.names else ""
        sentence = word.words(rules, 3).replace("3", word.names.upper()) if word.names else word.words(rules, 0)
        rows.append((f"`{name}{argument}`", sentence, str(word.cost)))
    return table(("word", "says, for example", "cost"), rows)
