"""Builds the course of a solved game.

The rules of the game's card are tried in order, *keep a safe answer* after *stay safe*. A rule becomes a step if the
steps so far and it have enough exercises, and if a learner who follows them scores more against some level and less
against none, from the seat that the course is for. The book holds every other rule. The scores are exact; if a
variant is so large that they would take long, the exercises alone decide.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from dataclasses import astuple
from random import Random
from typing import Any, Final, NamedTuple

from zerosum.base.english import count
from zerosum.base.progress import Progress, silent
from zerosum.coach.causes import table_of, why, words
from zerosum.coach.exercises import FEWEST, choice_at, choices_of, chosen, exercises_of
from zerosum.coach.features import features_of
from zerosum.coach.lessons import (
    COURSES_FOLDER,
    STEPS,
    Course,
    Exercise,
    LessonStep,
    WorkedExample,
    bundled_course,
    for_seat,
    step_title,
    why_it_holds,
)
from zerosum.players.levels import Score
from zerosum.players.registry import Solved
from zerosum.rules.game_files import is_built_in
from zerosum.rules.model import Rules, Seat
from zerosum.solver import Solution, SolverError
from zerosum.solver.supports import naming_unknown
from zerosum.strategy.answer_tables import MORE, TWO, size
from zerosum.strategy.card import Card, CardError, Rule, survivors
from zerosum.strategy.card_player import card_of
from zerosum.strategy.card_report import against
from zerosum.strategy.claim_words import LostPosition, lost_words
from zerosum.strategy.claims import Answers
from zerosum.strategy.lookahead import Sight
from zerosum.strategy.phrases import YOU_AND_THEY

HOLD: Final = Rule("hold")
_AFTER: Final = "guard"
_QUICK: Final = 10_000
"""Scores of a variant with more positions than this, or without end of them, are not computed for a course."""
_LEAST: Final = 1e-9
"""Smaller differences come from rounding."""
_FEW: Final = 6
"""Numbers left in an example, at most, if there is such an exercise."""
_NOTHING: Final = "In no position does one rule of its card decide between a win and a loss."
_CHECKED: Final = "It has been compared with every position of this game, without an exception."


def course_of(rules: Rules, solved: Solved) -> Course:
    """Return the course of a game: the one that comes with it, or one that is built for a variant once it is solved."""
    return bundled_course(rules) or build_course(solved(rules))


def build_course(solution: Solution, progress: Progress = silent) -> Course:
    """Build the course of a solved game, by the card that comes with it or by the one found for a variant."""
    progress("its card")
    rules = solution.rules
    try:
        card, sight = card_of(rules, lambda _: solution)
    except CardError as error:
        return Course(rules, Card(None, ()), (), (), (), (), (), str(error))
    return _Builder(card, solution, sight, progress).course()


class _Opening(NamedTuple):
    """How to open, in words and as exceptions of a card."""

    words: str
    moves: tuple[tuple[str, str], ...]


class _Builder:
    """Puts one course together."""

    def __init__(self, card: Card, solution: Solution, sight: Sight, progress: Progress) -> None:
        self._card, self._solution, self._sight, self._progress = card, solution, sight, progress
        self._rules = solution.rules
        self._choices = list(choices_of(card, solution, Random("lessons")))
        self._known: dict[Card, tuple[Score, ...]] = {}
        positions = solution.count
        small = is_built_in(self._rules) or (positions is not None and positions <= _QUICK)
        self._scored = small and bool(self._scores(_card()))

    def course(self) -> Course:
        """Return the course."""
        told = _told(self._rules) if is_built_in(self._rules) else {}
        most = STEPS - (self._solution.law is not None)
        found: dict[Rule, list[Exercise]] = {}
        left: dict[Rule, str] = {}
        for rule in _ladder(self._card):
            self._progress(f"exercises of {rule}")
            made = exercises_of(_card(*found, rule), self._choices, self._sight)
            if len(made) < FEWEST:
                left[rule] = "too few positions are decided by it alone"
            elif not self._rises(_card(*found), _card(*found, rule)):
                left[rule] = "it wins no more matches"
            elif len(found) == most:
                left[rule] = f"a course has {count(STEPS, 'step')} at most"
            else:
                found[rule] = made
        left.pop(HOLD, None)
        taught = _card(*found)
        steps = [self._step(_card(*list(found)[: n + 1]), found[rule]) for n, rule in enumerate(found)]
        law = self._solution.law
        if law is not None and steps:
            steps.append(LessonStep(None, law.words, told.get("proof", _CHECKED), (), None))
        book, by_heart = self._book(taught, list(left)) if steps else ((), ())
        scores = [self._scores(_card(*list(found)[:n])) for n in range(len(found) + 1)] if self._scored else []
        return Course(
            self._rules,
            self._whole(taught.rules, list(left)),
            tuple(steps),
            book,
            tuple(f"{step_title(rule, self._rules)} is no step: {because}" for rule, because in left.items()),
            tuple(scores),
            by_heart,
            "" if steps else _NOTHING,
            tuple(told.get("before", ())),
            not naming_unknown(self._rules),
        )

    def _books(self, taught: Card, left: Sequence[Rule]) -> list[tuple[tuple[str, ...], Card]]:
        """Return what may be learnt by heart, and the card that it makes: the opening, the other rules, or both."""
        seat, opening = self._card.seat, self._opening(taught)
        ladder = tuple(rule for rule in _ladder(self._card) if rule in taught.rules or rule in left)
        rules = tuple(f"{_place(rule, ladder, taught)}: {rule.words(self._rules)}" for rule in left)
        books: list[tuple[tuple[str, ...], Card]] = []
        if opening is not None:
            books.append(((opening.words,), Card(seat, taught.rules, opening.moves)))
        if left:
            books.append((rules, Card(seat, ladder)))
        if opening is not None and left:
            books.append(((opening.words, *rules), Card(seat, ladder, opening.moves)))
        return books

    def _book(self, taught: Card, left: Sequence[Rule]) -> tuple[tuple[str, ...], tuple[Score, ...]]:
        """Return what is learnt by heart, and the scores with it: of the opening and the other rules, what is enough.

        It leaves out what raises no score.
        """
        seat, books = self._card.seat, self._books(taught, left)
        if not self._scored:
            return (books[-1][0] if books else ()), ()
        if not self._card.exceptions:
            card = " ".join(rule.words(self._rules) for rule in self._card.rules)
            books.append(((f"In place of the steps, in this order: {card}",), self._card))
        told: tuple[str, ...] = ()
        known = self._scores(taught)
        for words_told, known_by_heart in books:
            if not all(for_seat(one, seat) == 1 for one in known):
                scores = self._scores(known_by_heart)
                told, known = (words_told, scores) if rises(known, scores, seat) else (told, known)
        return told, known if told else ()

    def _whole(self, taught: Sequence[Rule], left: Sequence[Rule]) -> Card:
        """Return the rules of the course and its book; of rules that harm the other seat, it goes by those before."""
        serving = {HOLD, *self._card.rules[: self._card.for_other]}
        rules = (*taught, *left)
        for_other = next((n for n, rule in enumerate(rules) if rule not in serving), None)
        return Card(self._card.seat, rules, (), for_other)

    def _scores(self, card: Card) -> tuple[Score, ...]:
        """Return the exact scores of a card; none if they cannot be computed."""
        if card not in self._known:
            self._progress("scores of " + (", ".join(map(str, card.rules)) or "random moves"))
            try:
                exact = against(card, self._sight)
                self._known[card] = tuple(
                    Score(who, round(one, 9), round(two, 9)) for who, one, two in map(astuple, exact)
                )
            except SolverError:
                self._known[card] = ()
        return self._known[card]

    def _rises(self, before: Card, after: Card) -> bool:
        return not self._scored or rises(self._scores(before), self._scores(after), self._card.seat)

    def _step(self, card: Card, exercises: Sequence[Exercise]) -> LessonStep:
        rule = card.rules[-1]
        few = chosen(card, exercises, self._solution, self._sight)
        example = self._example(card, few, exercises)
        asked = tuple(one for one in few if one.position != example.position)
        return LessonStep(rule, rule.words(self._rules), why_it_holds(rule, self._rules), asked, example)

    def _example(self, card: Card, few: Sequence[Exercise], exercises: Sequence[Exercise]) -> WorkedExample:
        """Return a worked example, if possible one that would not be asked: small, and with short reasons."""
        asked = {one.position for one in few}
        others = [exercise for exercise in exercises if exercise.position not in asked] or list(exercises)
        small = [other for other in others if len(other.position.pool) <= _FEW] or others
        made = [self._worked(card, one) for one in small[: 4 * FEWEST]]
        looks = card.rules[-1].cost - 1  # A rule that looks ahead is shown by a line that is as long.
        return min(made, key=lambda one: (len(one.line) < looks, len(one.words) + len(one.refutation)))

    def _worked(self, card: Card, exercise: Exercise) -> WorkedExample:
        position, solution = exercise.position, self._solution
        best = next(option.move for option in solution.options(position))
        tempting = [
            move
            for move in survivors(Card(None, card.rules[:-1]), position, self._sight)
            if move not in exercise.solutions
        ]
        mistake = min(tempting, key=lambda move: len(" ".join(words(why(position, move, solution)))))
        line = [best]
        at = position.play_unchecked(best)
        while at.outcome is None:
            line.append(solution.options(at)[0].move)
            at = at.play_unchecked(line[-1])
        return WorkedExample(
            position,
            tuple(line),
            " ".join(words(why(position, best, solution))),
            mistake,
            " ".join(words(why(position, mistake, solution))),
        )

    def _opening(self, taught: Card) -> _Opening | None:
        """Return how to open; None if what is taught opens well already, or if there are too many answers to tell."""
        start, solution, seat = self._solution.start, self._solution, self._card.seat
        replies = (start.play_unchecked(one) for one in start.legal_moves())
        firsts = [start] if seat is Seat.FIRST else [reply for reply in replies if reply.outcome is None]
        choices = [choice for first in firsts if (choice := choice_at(first, solution)) is not None]
        if seat is None or all(set(survivors(taught, one.position, self._sight)) <= set(one.wins) for one in choices):
            return None
        if seat is Seat.FIRST:
            move = min(choices[0].wins, key=size)
            because = " ".join(words(why(start, move, solution)))
            text = start.text_of(move)
            return _Opening(f"As the first player, open with {text}. {because}", ((str(start), text),))
        table = table_of(features_of(solution), start, TWO) or table_of(features_of(solution), start, MORE)
        if table is None:
            return None
        told = lost_words(Answers(table), LostPosition(start, YOU_AND_THEY.you, YOU_AND_THEY.they))
        return _Opening(
            f"Your first move as the second player: {told[0].lower()}{told[1:]}",
            tuple((str(start.play_unchecked(one)), start.text_of(table.answer(one))) for one in start.legal_moves()),
        )


def _card(*rules: Rule) -> Card:
    """Return the card of a learner who knows some rules, whichever seat they have."""
    return Card(None, rules)


def _place(rule: Rule, ladder: Sequence[Rule], taught: Card) -> str:
    """Return where a rule without a step has its place among the steps."""
    before = sum(one in taught.rules for one in ladder[: ladder.index(rule)])
    return f"After step {before}" if before else "Before step 1"


def _ladder(card: Card) -> tuple[Rule, ...]:
    """Return the rules of a card, and *keep a safe answer* after *stay safe*."""
    at = next((n for n, rule in enumerate(card.rules, 1) if rule.name == _AFTER), 0)
    return card.rules if HOLD in card.rules else (*card.rules[:at], HOLD, *card.rules[at:])


def _told(rules: Rules) -> dict[str, Any]:
    """Return what people wrote about the course of a built-in game: a proof of its law, and what was taught before."""
    with open(os.path.join(COURSES_FOLDER, "told.toml"), "rb") as file:
        return dict(tomllib.load(file).get(rules.id, {}))


def rises(before: Sequence[Score], after: Sequence[Score], seat: Seat | None) -> bool:
    """Whether scores rise against somebody and fall against nobody."""
    gains = [for_seat(new, seat) - for_seat(old, seat) for old, new in zip(before, after, strict=True)]
    return min(gains) >= -_LEAST and max(gains) > _LEAST
