"""A referee under any sequence of answers, undos and resignations, against a model of what must have been written."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.full import part
from tests.strategies import hostile_text, variants
from zerosum.base.errors import RecordError
from zerosum.match.match import Entry, Match, Undo, read_match
from zerosum.match.referee import NothingToUndoError, Referee, Refusal
from zerosum.match.setup import Person, Setup
from zerosum.match.typed_moves import OPERATION_WORDS, Chosen
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Reason
from zerosum.rules.record import Ending


class RefereeMachine(RuleBasedStateMachine):
    """Whatever is answered, the journal alone tells the match."""

    def __init__(self) -> None:
        super().__init__()
        self.journal: list[Entry] = []
        self.referee = Referee(Match.begin(Setup(rules=_ANY_RULES)), self.journal.append)
        self.begun = self.referee.match

    @initialize(
        rules=variants(max_pool=4),
        who=st.sampled_from([("human", "human"), ("human", "perfect"), ("random", "human")]),
        first=st.sampled_from(Person),
        lenient=st.booleans(),
    )
    def begin(self, rules: Rules, who: tuple[str, str], first: Person, *, lenient: bool) -> None:
        self.begun = Match.begin(Setup(rules=rules, who=who, first=first, lenient=lenient))
        self.referee = Referee(self.begun, self.journal.append)

    def _take(self, text: str, operation: str) -> None:
        before, entries = self.referee.match, len(self.journal)
        taken = self.referee.take_number(text)
        if isinstance(taken, Chosen):
            assert taken.number in before.position.pool
            taken = self.referee.take_operation(taken, operation)
        if isinstance(taken, Refusal):
            assert str(taken)
            assert self.referee.match is before
            assert len(self.journal) == entries
        else:
            assert self.journal[entries:] == [taken]
        if isinstance(taken, Ending):
            assert before.setup.forfeits
            assert taken.outcome.winner is before.position.seat.other
        if isinstance(taken, Move):
            assert taken in before.position.legal_moves()

    @precondition(lambda self: self.referee.match.outcome is None)
    @rule(choice=st.integers(0, 99))
    def move(self, choice: int) -> None:
        moves = self.referee.match.position.legal_moves()
        self.referee.play(moves[choice % len(moves)])

    @precondition(lambda self: self.referee.match.outcome is None)
    @rule(number=st.integers(-12, 12), operation=st.one_of(st.sampled_from(sorted(OPERATION_WORDS)), hostile_text()))
    def answer(self, number: int, operation: str) -> None:
        self._take(str(number), operation)

    @precondition(lambda self: self.referee.match.outcome is None)
    @rule(text=hostile_text(), operation=hostile_text())
    def answer_anything(self, text: str, operation: str) -> None:
        self._take(text, operation)

    @rule(person=st.sampled_from(Person))
    def undo(self, person: Person) -> None:
        before = self.referee.match
        try:
            undone = self.referee.undo(person)
        except NothingToUndoError:
            assert before.undo_plies(person) == 0
        except RecordError:
            assert before.outcome is not None
        else:
            assert self.referee.match.moves == before.moves[: -undone.plies]
            people = all(map(before.setup.is_human, Person))
            assert undone.plies == 1 if people else self.referee.match.to_move is person

    @precondition(lambda self: len(self.journal) > 3)
    @rule(person=st.sampled_from(Person))
    def resign(self, person: Person) -> None:
        before = self.referee.match
        if before.outcome is not None:
            with pytest.raises(RecordError, match="over"):
                self.referee.resign(person)
            return
        seat = before.seat(person)
        assert self.referee.resign(person) == Ending(Reason.RESIGNED, seat)
        assert self.referee.match.outcome is not None
        assert self.referee.match.outcome.winner is seat.other

    @rule(text=st.one_of(st.integers(-12, 12).map(str), hostile_text()))
    def answer_after_the_end(self, text: str) -> None:
        """After the end no answer of any kind makes an entry."""
        before = self.referee.match
        if before.outcome is None:
            return
        entries = len(self.journal)
        with contextlib.suppress(RecordError):
            assert isinstance(self.referee.take_number(text), (Refusal, Chosen))
        assert self.referee.match is before
        assert len(self.journal) == entries

    @invariant()
    def the_journal_tells_the_match(self) -> None:
        replayed = self.begun
        for entry in self.journal:
            replayed = replayed.after(entry)
        assert replayed == self.referee.match

    @invariant()
    def the_record_tells_the_match(self) -> None:
        assert read_match(self.referee.match.record()) == self.referee.match

    @invariant()
    def undone_plies_are_gone(self) -> None:
        plies = sum(1 if isinstance(entry, Move) else 0 for entry in self.journal)
        plies -= sum(entry.plies for entry in self.journal if isinstance(entry, Undo))
        assert plies == len(self.referee.match.moves)


_ANY_RULES = Rules(id="any", name="Any", pool=(1,), target=1)
TestReferee = RefereeMachine.TestCase
TestReferee.settings = settings(max_examples=part(50, 150), stateful_step_count=30, deadline=None)


class FullDiskError(Exception):
    """What a journal that cannot be written raises."""


def test_what_cannot_be_written_is_not_done() -> None:
    """Moves, forfeits, undos and resignations leave the match as it was when writing fails."""
    begun = Match.begin(Setup(rules=built_in("zero-sum-duel"))).after(Move(5))

    def full(entry: Entry) -> None:
        raise FullDiskError(entry)

    referee = Referee(begun, full)
    for attempt in (
        lambda: referee.play(Move(6)),
        lambda: referee.take_number("+6"),
        lambda: referee.take_number("5"),
        lambda: referee.undo(Person.ONE),
        lambda: referee.resign(Person.TWO),
    ):
        with pytest.raises(FullDiskError):
            attempt()
        assert referee.match is begun
