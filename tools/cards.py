"""How to win, as the documentation shows it: the law of a game, its card with what the proof needs, its figures."""

from __future__ import annotations

import re

from tools.tables import table
from zerosum.coach.course_builder import course_of
from zerosum.coach.lessons import for_seat
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Rules, Seat
from zerosum.solver import solution_of
from zerosum.strategy.card import BundledCard, bundled_card
from zerosum.strategy.card_proof import prove
from zerosum.strategy.vocabulary import VOCABULARY

_SEATS = {Seat.FIRST: "first", Seat.SECOND: "second"}


def how_to_win(game: str) -> str:
    """Return the law, the card and the figures of a game."""
    rules = built_in(game)
    found, law = bundled_card(rules), solution_of(rules).law
    parts = [f"**The law.** {law.words} There is no exception in any position.\n" if law else _NO_LAW]
    if found is None:
        return f"{parts[0].rstrip()} {_NO_CARD}"
    if not law:
        parts[0] = f"{_NO_LAW.rstrip()} It has a card.\n"
    parts += [_card(rules, found), _figures(rules, found)]
    return "\n".join(parts)


_NO_LAW = "This game has no [law](../notes/ideas.md#laws): no sentence of the closed list is true of every position.\n"
_NO_CARD = "It has no card either: of the lists of rules that were tried, none always wins.\n"


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
    """Return what each step of a game's course is worth: the exact scores of a learner, from either seat."""
    course = course_of(built_in(game), solution_of)
    known = ["random moves", *(f"and `{step.idea}`" for step in course.steps if step.exercises)]
    scores = [*course.scores, *([course.by_heart] if course.by_heart else [])]
    rows = list(zip([*known, "and the book"], scores, strict=False))
    head = ("the learner knows", *(one.who.replace("level:", "level ") for one in course.scores[0]))
    parts = [f"After the last step: {course.expects[0].lower()}{course.expects[1:]}\n"]
    for seat in Seat if course.card.seat is not Seat.SECOND else reversed(Seat):
        shares = [(name, *(f"{100 * for_seat(one, seat):.1f}" for one in row)) for name, row in rows]
        parts += [f"As the {_SEATS[seat]} player:\n", table(head, shares)]
    parts += [f"By heart: {sentence}\n" for sentence in course.book]
    parts += [f"{one[0].upper()}{one[1:]}.\n" for one in course.left_out]
    return "\n".join(parts)


def _percent(chance: float) -> str:
    return f"{100 * chance:.2f}"


def vocabulary() -> str:
    """Return every word of the vocabulary, as Sum31 or Sequence Zero would say it."""
    rows = []
    for name, word in VOCABULARY.items():
        rules = built_in("sequence-zero" if "threat" in name or name in {"in-reach", "further", "nearest"} else "sum31")
        argument = f":{word.names.upper()}" if word.names else ""
        sentence = re.sub(r"\b3\b", word.names.upper(), word.words(rules, 3)) if word.names else word.words(rules, 0)
        rows.append((f"`{name}{argument}`", sentence, str(word.cost)))
    return table(("word", "says, for example", "cost"), rows)
