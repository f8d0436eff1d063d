"""Tables as values: what is folded from events, what may be done, and what is never a forfeit."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerosum.match.match import read_match
from zerosum.match.setup import Person
from zerosum.rules.files import GAME_IDS
from zerosum.server import limits
from zerosum.server.domain.commands import COMMANDS, Command, MoveCommand, can, speaker
from zerosum.server.domain.encoding import dumps
from zerosum.server.domain.events import Event, Kind
from zerosum.server.domain.new_table import TableRequest, opening
from zerosum.server.domain.problems import Problem
from zerosum.server.domain.refusals import Moment
from zerosum.server.domain.table import BOTH, Table, fold
from zerosum.server.runtime.loaded_table import LoadedTable, content, keep, keep_all

ONE, TWO = frozenset({Person.ONE}), frozenset({Person.TWO})
NOW = 1_000_000


def opened(**order: Any) -> LoadedTable:
    """Return a new table in memory."""
    made = opening(TableRequest.model_validate({"game": "sum31", "name": "Ann", **order}))
    return keep("table", [Event(1, NOW, Kind.OPENED, Person.ONE, made.data, "auto")])


def joined(**order: Any) -> LoadedTable:
    """Return a table at which two people sit, each at a device."""
    kept = opened(**order)
    kept.add(Event(2, NOW, Kind.JOINED, Person.TWO, {"name": "Ben"}, "auto"))
    return kept


def do(kept: LoadedTable, held: frozenset[Person], name: str, moment: Moment | None = None, **more: Any) -> None:
    """Carry a command out as the server does, without a store."""
    model = COMMANDS[name].model
    command = model(version=kept.table.version, move_id=f"m{kept.table.version}", **more)
    person = speaker(kept.table, held, command)
    draft = COMMANDS[name].decide(kept.table, person, command, moment or Moment(NOW))
    data = {**draft.data, "command": content(name, command)}
    kept.add(Event(kept.table.version + 1, NOW, draft.kind, person, data, command.move_id))


def refused(kept: LoadedTable, held: frozenset[Person], name: str, moment: Moment | None = None, **more: Any) -> str:
    """Return the code of the problem that a command has; nothing happens."""
    before = kept.table
    with pytest.raises(Problem) as problem:
        do(kept, held, name, moment, **more)
    assert kept.table is before
    return problem.value.code


class TestAMove:
    def test_is_played_by_whoever_is_to_move(self) -> None:
        kept = joined()
        do(kept, ONE, "move", move="+5")
        assert kept.said[-1] == "Ann plays +5. The total is 5. Ben is to move."
        assert refused(kept, ONE, "move", move="+6") == "not-your-turn"
        do(kept, TWO, "move", move="+6")
        assert kept.table.match.position.totals == (11,)

    def test_waits_for_the_other_person(self) -> None:
        assert refused(opened(), ONE, "move", move="+5") == "not-now"

    def test_is_not_a_spectators(self) -> None:
        assert refused(joined(), frozenset(), "move", move="+5") == "not-your-seat"
        assert refused(joined(), TWO, "move", move="+5", person=1) == "not-your-seat"

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("5", "operation-missing"),
            ("99", "operation-missing"),
            ("x", "unreadable-move"),
            ("+", "unreadable-move"),
            ("+1_0", "unreadable-move"),
            ("+\u0663", "unreadable-move"),
            ("+5.0", "unreadable-move"),
            ("+1e1", "unreadable-move"),
            ("+9223372036854775808", "unreadable-move"),
            ("swap", "illegal-move"),
            ("+5 add", "unreadable-move"),
        ],
    )
    def test_that_cannot_be_read_never_forfeits(self, text: str, code: str) -> None:
        kept = joined(game="zero-sum-duel")
        assert refused(kept, ONE, "move", move=text) == code

    def test_that_the_rules_forbid_forfeits_where_they_say_so(self) -> None:
        kept = joined(game="zero-sum-duel")
        do(kept, ONE, "move", move="+12")
        assert kept.table.match.outcome is not None
        assert kept.said[-1] == "Ben won: Ann forfeited."

    def test_that_the_rules_forbid_is_refused_elsewhere(self) -> None:
        assert refused(joined(), ONE, "move", move="+12") == "illegal-move"
        assert refused(joined(game="zero-sum-duel", lenient=True), ONE, "move", move="+12") == "illegal-move"


class TestTakingBack:
    def test_needs_the_other_persons_consent_online(self) -> None:
        kept = joined()
        do(kept, ONE, "move", move="+5")
        do(kept, ONE, "ask-undo")
        assert refused(kept, ONE, "ask-undo") == "not-now"
        assert refused(kept, ONE, "accept-undo") == "not-now"
        do(kept, TWO, "accept-undo")
        assert kept.table.match.moves == ()

    def test_can_be_refused_and_is_forgotten_with_the_next_move(self) -> None:
        kept = joined()
        do(kept, ONE, "move", move="+5")
        do(kept, ONE, "ask-undo")
        do(kept, TWO, "refuse-undo")
        assert refused(kept, TWO, "accept-undo") == "not-now"
        do(kept, ONE, "ask-undo")
        do(kept, TWO, "move", move="+6")
        assert kept.table.undo_asked is None

    @pytest.mark.parametrize("opponent", ["here", "random"])
    def test_happens_at_once_elsewhere(self, opponent: str) -> None:
        kept = opened(opponent=opponent)
        do(kept, BOTH, "move", move="+5")
        kept.add(Event(3, NOW, Kind.PLAYED, Person.TWO, {"entry": "+6"}, "auto-3"))
        do(kept, ONE, "ask-undo")
        assert len(kept.table.match.moves) == {"here": 1, "random": 0}[opponent]


class TestPlayingAgain:
    def test_swaps_the_seats_once_both_agree(self) -> None:
        kept = joined()
        do(kept, ONE, "resign")
        do(kept, ONE, "rematch")
        assert kept.table.match.outcome is not None
        do(kept, TWO, "rematch")
        assert (kept.table.match.to_move, kept.table.number, kept.table.score) == (Person.TWO, 2, (0, 1))

    def test_a_series_goes_on_until_it_is_decided(self) -> None:
        kept = joined(best_of=3)
        do(kept, TWO, "resign")
        assert refused(kept, ONE, "rematch") == "not-now"
        do(kept, TWO, "next")
        do(kept, TWO, "resign")
        assert refused(kept, ONE, "next") == "not-now"
        assert kept.said[-1] == "Ann won: Ben resigned. Ann wins the series 2 to 0."
        do(kept, TWO, "rematch")
        do(kept, ONE, "refuse-rematch")
        assert kept.table.rematch_asked is None


class TestTime:
    def test_is_charged_to_whoever_moved(self) -> None:
        kept = joined(clock={"minutes": 1, "increment": 2})
        do(kept, ONE, "move", Moment(NOW, spent=5_000), move="+5")
        assert kept.table.left == (57_000, 60_000)

    def test_an_absent_opponent_can_be_claimed_against_after_the_stated_time(self) -> None:
        kept = joined()
        stated = limits.ABSENT_SECONDS * 1000
        assert refused(kept, TWO, "claim", Moment(NOW, spent=stated, unseen=stated - 1)) == "not-now"
        assert refused(kept, ONE, "claim", Moment(NOW, spent=stated, unseen=stated)) == "not-now"
        do(kept, TWO, "claim", Moment(NOW, spent=stated, unseen=stated))
        assert kept.said[-1] == "Ben won: Ann ran out of time."

    def test_who_has_no_time_left_can_be_claimed_against_at_once(self) -> None:
        kept = joined(clock={"minutes": 1})
        do(kept, TWO, "claim", Moment(NOW, spent=60_000))
        assert kept.table.match.outcome is not None


@st.composite
def played(draw: st.DrawFn) -> LoadedTable:
    """Return a table after anything that people may do at it."""
    online = draw(st.booleans())
    order = {"game": draw(st.sampled_from(GAME_IDS)), "best_of": draw(st.sampled_from([None, 3]))}
    kept = joined(**order) if online else opened(opponent="here", **order)
    for _ in range(draw(st.integers(0, 25))):
        seats = [ONE, TWO] if online else [BOTH]
        choices = [(held, name) for held in seats for name in can(kept.table, held) if name != "claim"]
        moves = [one for one in choices if one[1] == "move"]
        held, name = draw(st.sampled_from(moves or choices) | st.sampled_from(choices))
        legal = kept.table.match.position.legal_moves()
        more: dict[str, Any] = {}
        if name == "move":
            more = {"move": kept.table.match.position.text_of(draw(st.sampled_from(legal)))}
        do(kept, held, name, **more)
    return kept


@given(played())
def test_a_table_is_what_its_events_make(kept: LoadedTable) -> None:
    assert fold("table", kept.events) == kept.table
    again = keep("table", kept.events)
    assert (again.said, again.by_id) == (kept.said, kept.by_id)


@given(played())
def test_what_can_be_done_is_what_is_taken(kept: LoadedTable) -> None:
    for held in (ONE, TWO, BOTH, frozenset()):
        able = can(kept.table, held)
        for name in COMMANDS:
            copy = keep("table", kept.events)
            more = {}
            if name == "move":
                legal = kept.table.match.position.legal_moves()
                more = {"move": kept.table.match.position.text_of(legal[0]) if legal else "+1"}
            moment = Moment(NOW, limits.ABSENT_SECONDS * 1000, limits.ABSENT_SECONDS * 1000)
            takers = [held] if len(held) < 2 else [frozenset({one}) for one in held]
            assert (name in able) == any(_taken(copy, one, name, moment, more) for one in takers), name


def _taken(kept: LoadedTable, held: frozenset[Person], name: str, moment: Moment, more: dict[str, str]) -> bool:
    try:
        do(kept, held, name, moment, **more)
    except Problem:
        return False
    return True


@given(played())
def test_a_command_sent_again_gets_its_first_answer(kept: LoadedTable) -> None:
    for event in kept.events:
        command = str(event.data.get("command", ""))
        if command and event.person:
            name, _, move = command.partition(" ")
            held = frozenset({event.person})
            then = dumps(keep("table", kept.events[: event.version]).state(held))
            model = MoveCommand if move else Command
            sent = model.model_validate({"version": 1, "move_id": event.move_id, **({"move": move} if move else {})})
            answer = kept.first_answer(held, name, sent)
            assert answer is not None
            assert (answer.version, answer.state) == (event.version, then)
            with pytest.raises(Problem, match="move-id-reused"):
                kept.first_answer(held, "resign" if name != "resign" else "next", sent)


def test_a_state_is_told_in_the_same_bytes_at_any_time() -> None:
    kept = opened(opponent="here")
    seen = [dumps(kept.state(BOTH))]
    for _ in range(100):
        do(kept, BOTH, "move", move="+5")
        seen.append(dumps(kept.state(BOTH)))
        assert kept.text(BOTH) == kept.text(BOTH) == seen[-1]
        assert kept.text(ONE) == dumps(kept.state(ONE))
        do(kept, BOTH, "ask-undo")
        seen.append(kept.text(BOTH))
    for version in range(1, kept.table.version + 1):
        assert kept.text_at(BOTH, version) == seen[version - 1]
    for since in (1, 2, 63, 64, 65, 66, 130, kept.table.version):
        assert list(kept.texts_after(BOTH, since)) == seen[since:]
    again = asyncio.run(keep_all("table", kept.events))
    assert (again.table, again.said, again.by_id) == (kept.table, kept.said, kept.by_id)


@given(played())
def test_records_are_those_of_the_terminal(kept: LoadedTable) -> None:
    for record in kept.table.all_matches():
        assert read_match(record).record() == record
    assert read_match(kept.table.match.record()) == replace(kept.table.match)


def test_no_state_holds_a_move_id() -> None:
    kept = joined()
    do(kept, ONE, "move", move="+5")
    assert "m2" not in str(kept.state(TWO))
    assert _is_pure(kept.table)


def _is_pure(table: Table) -> bool:
    return can(table, TWO) == can(table, TWO) == ["move", "resign", "ask-undo"]
