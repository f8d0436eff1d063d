"""Values that cannot be made: each is refused where it is made, not where it is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.each import each
from zerosum.base.errors import BadNameError, BadValueError, IllegalPositionError, RecordError, RulesError
from zerosum.match.match import Match, Undo, read_match
from zerosum.match.setup import Person, Series, Setup, SetupError
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Rules, Seat, Totals
from zerosum.rules.moves import SWAP, Move, Operation
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.position import IllegalMoveError, Position, start_position
from zerosum.rules.record import Ending

SUM31 = built_in("sum31")
DUEL = built_in("zero-sum-duel")


def changed(**changes: Any) -> Callable[[], object]:
    return lambda: replace(SUM31, **changes)


def position(*values: Any, **more: Any) -> Callable[[], object]:
    return lambda: Position(SUM31, *values, **more)


def setup(**values: Any) -> Callable[[], object]:
    return lambda: Setup(**{"rules": SUM31} | values)


BAD: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "an empty pool": (changed(pool=()), RulesError, "^pool: must be a list of 1 to 64 numbers"),
    "a pool too long": (changed(pool=(1,) * 65), RulesError, "^pool: must be a list of 1 to 64 numbers"),
    "zero in a pool": (changed(pool=(0, 1)), RulesError, "^pool: 0 is not allowed"),
    "texts in a pool": (changed(pool=("1", "2")), RulesError, "^pool: number 1 of the list, .*, must be a whole"),
    "bools in a pool": (changed(pool=(True, 2)), RulesError, "^pool: number 1 of the list, .*, must be a whole"),
    "a pool too large": (changed(pool=(1_000_001,)), RulesError, "^pool: number 1 of the list, .*, must be a whole"),
    "a set as a pool": (changed(pool={1, 2}), RulesError, "^pool: must be a list"),
    "a target too large": (changed(target=10**7), RulesError, "^target: must be a whole number"),
    "a target of text": (changed(target="31"), RulesError, "^target: must be a whole number"),
    "no start": (changed(start=()), RulesError, "^start: must be one number"),
    "a bad id": (changed(id="Sum 31"), RulesError, "^id: must be 1 to 64 characters"),
    "a name of two lines": (changed(name="a\nb"), RulesError, "^name: .*cannot be shown"),
    "an unknown word": (changed(totals="everybody's"), RulesError, "^totals: must be one of shared, own"),
    "a flag of text": (changed(swap="yes"), RulesError, "^swap: must be true or false"),
    "no operations": (changed(operations=()), RulesError, "^operations: must be"),
    "a move of text": (lambda: Move("5"), BadValueError, "whole number from -1000000 to 1000000"),  # type: ignore[arg-type]
    "a move of a bool": (lambda: Move(True), BadValueError, "whole number"),  # noqa: FBT003 - the value is the test
    "a move too large": (lambda: Move(1_000_001), BadValueError, "whole number"),
    "an operation of text": (lambda: Move(5, "subtract"), BadValueError, "is an Operation"),  # type: ignore[arg-type]
    "a swap of a number": (lambda: Move(5, Operation.SWAP), BadValueError, "has no number"),
    "a winner that is a number": (lambda: Outcome(1, Reason.TIME), BadValueError, "is a Seat"),  # type: ignore[arg-type]
    "a reason of text": (lambda: Outcome(Seat.FIRST, "time"), BadValueError, "a Reason"),  # type: ignore[arg-type]
    "a pool of other numbers": (position((1, 10), (0,), Seat.FIRST), IllegalPositionError, "10 is in the position's"),
    "a number twice": (position((1, 1), (0,), Seat.FIRST), IllegalPositionError, "1 is in the position's"),
    "a pool that is a list": (position([1], (0,), Seat.FIRST), IllegalPositionError, "tuples of whole numbers"),
    "a pool of bools": (position((True,), (0,), Seat.FIRST), IllegalPositionError, "tuples of whole numbers"),
    "two totals": (position((1,), (0, 0), Seat.FIRST), IllegalPositionError, r"has 1 total\(s\), not 2"),
    "a total of text": (position((1,), ("0",), Seat.FIRST), IllegalPositionError, "tuples of whole numbers"),
    "a seat that is a number": (position((1,), (0,), 1), IllegalPositionError, "a Seat"),
    "a swap before": (position((1,), (0,), Seat.FIRST, SWAP), IllegalPositionError, "number move before"),
    "a swap not in the rules": (
        position((1,), (0,), Seat.SECOND, Move(5), swap_open=True),
        IllegalPositionError,
        "Seats can be swapped only",
    ),
    "no game at all": (lambda: start_position(31), BadValueError, "A game is the id"),  # type: ignore[arg-type]
    "names of two lines": (setup(names=("a\nb", "c")), BadNameError, "cannot be shown"),
    "one name": (setup(names=("a",)), SetupError, "^names: give one for each"),
    "names in one text": (setup(names="ab"), SetupError, "^names: 'ab' is not allowed here"),
    "a name that is a number": (setup(names=("a", 1)), SetupError, "A name is text"),
    "a player by a path": (setup(who=("human", "/bin/sh")), SetupError, "The name of a player or series has"),
    "a first that is a number": (setup(first=1), SetupError, "^first: 1 is not allowed here"),
    "a lenient that is a number": (setup(lenient=1), SetupError, "^lenient: 1 is not allowed here"),
    "a seed of two lines": (setup(seed="a\nb"), BadNameError, "seed .* cannot be shown"),
    "a seed that is a number": (setup(seed=5), SetupError, "^seed: 5 is not allowed here"),
    "a date in words": (setup(date="today"), SetupError, "A date is written as"),
    "a series that is a number": (setup(series=3), SetupError, "^series: 3 is not allowed here"),
    "the id of a game": (setup(rules="sum31"), SetupError, "^rules: 'sum31' is not allowed here"),
    "an even series": (lambda: Series("s", 4), SetupError, "the best of 2, or of an odd number from 1 to 99, not of 4"),
    "a series of none": (lambda: Series("s", -1), SetupError, "odd number"),
    "a series too long": (lambda: Series("s", 101), SetupError, "odd number"),
    "a match beyond its series": (lambda: Series("s", 3, 4), SetupError, "Round 4 of a best of 3"),
    "a series by a path": (lambda: Series("../s", 3), SetupError, "The name of a player or series has"),
    "an ending that a move makes": (
        lambda: Ending(Reason.OVERSHOT, Seat.FIRST),
        BadValueError,
        "a reason out of resigned, time, forfeit",
    ),
    "a resignation with an answer": (
        lambda: Ending(Reason.RESIGNED, Seat.FIRST, "x"),
        BadValueError,
        "Only a forfeit has an answer",
    ),
    "an answer of two lines": (
        lambda: Ending(Reason.FORFEIT, Seat.FIRST, "5\r6"),
        BadValueError,
        "at most 1000 printable characters",
    ),
    "an undo of text": (lambda: Undo("1"), BadValueError, "a number of plies"),  # type: ignore[arg-type]
    "an illegal match": (lambda: Match(Setup(rules=SUM31), (Move(5), Move(5))), IllegalMoveError, "not available"),
    "a match of texts": (lambda: Match(Setup(rules=SUM31), ("+5",)), BadValueError, "are moves"),  # type: ignore[arg-type]
    "a match that is undone": (
        lambda: Match(Setup(rules=SUM31), (Move(5), Undo(1))),  # type: ignore[arg-type]
        BadValueError,
        "are moves",
    ),
    "a match elsewhere": (
        lambda: Match(Setup(rules=SUM31), start=start_position(DUEL)),
        BadValueError,
        "a Position of the game that its Setup names",
    ),
}


@each(("make", "error", "message"), BAD.values())
def test_a_bad_value_is_an_error_where_it_is_made(
    make: Callable[[], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make()


def test_rules_take_the_words_of_a_rules_file() -> None:
    given: Any = {"pool": [3, 1, 2], "totals": "own", "start": 4, "operations": ["add", "subtract"]}
    rules = Rules(id="mine", name="Mine", target=5, **given)
    assert (rules.pool, rules.totals, rules.start) == ((1, 2, 3), Totals.OWN, (4, 4))
    assert rules.operations == (Operation.ADD, Operation.SUBTRACT)
    assert all(type(one) is Operation for one in rules.operations)


def test_the_outcome_of_a_position_is_worked_out() -> None:
    assert Position(SUM31, (1, 2), (31,), Seat.FIRST).outcome == Outcome(Seat.SECOND, Reason.REACHED_TARGET)
    assert Position(SUM31, (2, 1), (30,), Seat.FIRST).outcome is None
    assert Position(SUM31, (2, 1), (30,), Seat.FIRST).pool == (1, 2)
    with pytest.raises(TypeError):
        Position(SUM31, (1, 2), (30,), Seat.FIRST, outcome=Outcome(Seat.FIRST, Reason.TIME))  # type: ignore[call-arg]


class TestEntries:
    def test_a_text_is_a_move(self) -> None:
        match = Match.begin(Setup(rules=SUM31))
        assert match.after("+5") == match.after(Move(5))
        assert match.after("+5").moves == (Move(5),)

    @pytest.mark.parametrize("entry", [None, 5, 5.0, ("+5",), b"+5", Person.ONE])
    def test_anything_else_is_refused(self, entry: Any) -> None:
        match = Match.begin(Setup(rules=SUM31))
        with pytest.raises(BadValueError, match="A move is a Move or a text such as"):
            match.after(entry)
        with pytest.raises(BadValueError, match="A move is a Move or a text such as"):
            match.position.play(entry)

    def test_a_match_stands_as_it_stood(self) -> None:
        match = Match(Setup(rules=SUM31), tuple(map(Move, (5, 6, 9, 8, 3))))
        assert match.outcome == Outcome(Seat.FIRST, Reason.REACHED_TARGET)
        assert match.at(2) == Match(match.setup, match.moves[:2])
        assert match.at(2).positions == match.positions[:3]
        assert match.at(0) == Match.begin(match.setup)

    def test_the_record_of_a_match_from_a_position_says_where_it_began(self) -> None:
        there = start_position(SUM31).play("+5")
        match = Match(Setup(rules=SUM31), start=there).after("+6")
        assert match.position == there.play("+6")
        assert '[Position "1,2,3,4,6,7,8,9 5 2"]' in match.record()
        assert read_match(match.record()) == match
        with pytest.raises(RecordError, match=r"The tag Position cannot be '1 9'\. '1 9' is not a position"):
            read_match(match.record().replace("1,2,3,4,6,7,8,9 5 2", "1 9"))
