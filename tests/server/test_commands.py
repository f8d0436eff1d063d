"""Tables as values: what is folded from events, what may be done, and what is never a forfeit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerosum.match.match import read_match
from zerosum.match.setup import Person
from zerosum.rules.game_files import GAME_IDS
from zerosum.server.runtime.table_cache import LoadedTable, begin_loading, command_text, load_table
from zerosum.tables import limits as table_limits
from zerosum.tables.commands import COMMANDS, Command, Moment, MoveCommand, allowed_commands, sender_of
from zerosum.tables.events import Event, EventKind
from zerosum.tables.fields import read_value
from zerosum.tables.json_text import dumps
from zerosum.tables.new_table import TableRequest, open_request
from zerosum.tables.problems import Problem
from zerosum.tables.table import BOTH, Table, fold
from zerosum.tables.view import state

ONE, TWO = frozenset({Person.ONE}), frozenset({Person.TWO})
NOW = 1_000_000


def opened(**order: Any) -> LoadedTable:
    """Return a new table in memory."""
    made = open_request(read_value(TableRequest, {"game": "sum31", "name": "Ann", **order}))
    return load_table("table", [Event(1, NOW, EventKind.OPENED, Person.ONE, made.data, "auto")])


def open_record(record: str) -> dict[str, object]:
    """Return what the first event of a table says that goes on with a record."""
    return open_request(TableRequest(record=record)).data


def joined(**order: Any) -> LoadedTable:
    """Return a table at which two people sit, each at a device."""
    loaded = opened(**order)
    loaded.add(Event(2, NOW, EventKind.JOINED, Person.TWO, {"name": "Ben"}, "auto"))
    return loaded


def do(loaded: LoadedTable, held: frozenset[Person], name: str, moment: Moment | None = None, **more: Any) -> None:
    """Carry a command out as the server does, without a store."""
    model = COMMANDS[name].model
    command = model(version=loaded.table.version, move_id=f"m{loaded.table.version}", **more)
    person = sender_of(loaded.table, held, command)
    draft = COMMANDS[name].decide(loaded.table, person, command, moment or Moment(NOW))
    data = {**draft.data, "command": command_text(name, command)}
    loaded.add(Event(loaded.table.version + 1, NOW, draft.kind, person, data, command.move_id), draft.played)


def refused(loaded: LoadedTable, held: frozenset[Person], name: str, moment: Moment | None = None, **more: Any) -> str:
    """Return the code of the problem that a command has; nothing happens."""
    before = loaded.table
    with pytest.raises(Problem) as problem:
        do(loaded, held, name, moment, **more)
    assert loaded.table is before
    return problem.value.code


class TestAMove:
    def test_is_played_by_whoever_is_to_move(self) -> None:
        loaded = joined()
        do(loaded, ONE, "move", move="+5")
        assert loaded.said[-1] == "Ann plays +5. The total is 5. Ben is to move."
        assert refused(loaded, ONE, "move", move="+6") == "not-your-turn"
        do(loaded, TWO, "move", move="+6")
        assert loaded.table.match.position.totals == (11,)

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
        loaded = joined(game="zero-sum-duel")
        assert refused(loaded, ONE, "move", move=text) == code

    def test_that_the_rules_forbid_forfeits_where_they_say_so(self) -> None:
        loaded = joined(game="zero-sum-duel")
        do(loaded, ONE, "move", move="+12")
        assert loaded.table.match.outcome is not None
        assert loaded.said[-1] == "Ben won: Ann forfeited."

    def test_that_the_rules_forbid_is_refused_elsewhere(self) -> None:
        assert refused(joined(), ONE, "move", move="+12") == "illegal-move"
        assert refused(joined(game="zero-sum-duel", lenient=True), ONE, "move", move="+12") == "illegal-move"


class TestTakingBack:
    def test_needs_the_other_persons_consent_online(self) -> None:
        loaded = joined()
        do(loaded, ONE, "move", move="+5")
        do(loaded, ONE, "ask-undo")
        assert refused(loaded, ONE, "ask-undo") == "not-now"
        assert refused(loaded, ONE, "accept-undo") == "not-now"
        do(loaded, TWO, "accept-undo")
        assert loaded.table.match.moves == ()

    def test_can_be_refused_and_is_forgotten_with_the_next_move(self) -> None:
        loaded = joined()
        do(loaded, ONE, "move", move="+5")
        do(loaded, ONE, "ask-undo")
        do(loaded, TWO, "refuse-undo")
        assert refused(loaded, TWO, "accept-undo") == "not-now"
        do(loaded, ONE, "ask-undo")
        do(loaded, TWO, "move", move="+6")
        assert loaded.table.undo_asked is None

    @pytest.mark.parametrize("opponent", ["here", "random"])
    def test_happens_at_once_elsewhere(self, opponent: str) -> None:
        loaded = opened(opponent=opponent)
        do(loaded, BOTH, "move", move="+5")
        loaded.add(Event(3, NOW, EventKind.PLAYED, Person.TWO, {"entry": "+6"}, "auto-3"))
        do(loaded, ONE, "ask-undo")
        assert len(loaded.table.match.moves) == {"here": 1, "random": 0}[opponent]


class TestPlayingAgain:
    def test_swaps_the_seats_once_both_agree(self) -> None:
        loaded = joined()
        do(loaded, ONE, "resign")
        do(loaded, ONE, "rematch")
        assert loaded.table.match.outcome is not None
        do(loaded, TWO, "rematch")
        assert (loaded.table.match.to_move, loaded.table.number, loaded.table.score) == (Person.TWO, 2, (0, 1))

    def test_a_series_goes_on_until_it_is_decided(self) -> None:
        loaded = joined(best_of=3)
        do(loaded, TWO, "resign")
        assert refused(loaded, ONE, "rematch") == "not-now"
        do(loaded, TWO, "next")
        do(loaded, TWO, "resign")
        assert refused(loaded, ONE, "next") == "not-now"
        assert loaded.said[-1] == "Ann won: Ben resigned. Ann wins the series 2 to 0."
        do(loaded, TWO, "rematch")
        do(loaded, ONE, "refuse-rematch")
        assert loaded.table.rematch_asked is None

    def test_one_match_from_each_seat_can_be_drawn(self) -> None:
        loaded = joined(best_of=2)
        do(loaded, TWO, "resign")
        assert (loaded.table.next_due, loaded.table.drawn) == (True, False)
        do(loaded, TWO, "next")
        assert loaded.said[-1] == "Match 2 of 2: the seats are swapped. Ben is to move."
        do(loaded, ONE, "resign")
        assert loaded.said[-1] == "Ben won: Ann resigned. The series is a draw, 1 to 1."
        assert refused(loaded, ONE, "next") == "not-now"
        drawn = fold("table", loaded.events)
        assert (drawn.drawn, drawn.score, drawn.number) == (True, (1, 1), 2)
        do(loaded, ONE, "rematch")
        do(loaded, TWO, "rematch")
        assert (loaded.table.setup.series is not None, loaded.table.score, loaded.table.drawn) == (True, (0, 0), False)
        assert state(loaded.table, BOTH, "")["series"] == {"best_of": 2, "round": 1, "over": False}

    def test_one_match_from_each_seat_can_be_won(self) -> None:
        loaded = opened(opponent="here", opponent_name="Ben", best_of=2)
        do(loaded, BOTH, "resign", person=2)
        do(loaded, BOTH, "next")
        do(loaded, BOTH, "resign", person=2)
        assert loaded.said[-1] == "Ann won: Ben resigned. Ann wins the series 2 to 0."
        assert state(loaded.table, BOTH, "")["series"] == {"best_of": 2, "round": 2, "over": True}

    @pytest.mark.parametrize(("number", "series"), [(1, True), (2, False)])
    def test_a_record_of_a_later_match_is_no_series(self, number: int, *, series: bool) -> None:
        """It does not say who won the matches before it."""
        record = f'[Game "sum31"]\n[Series "s"]\n[Best-Of "2"]\n[Round "{number}"]\n\n1. +5\n'
        table = fold("table", [Event(1, NOW, EventKind.OPENED, Person.ONE, open_record(record), "auto")])
        assert (table.setup.series is not None) is series


class TestTime:
    def test_is_charged_to_whoever_moved(self) -> None:
        loaded = joined(clock={"minutes": 1, "increment": 2})
        do(loaded, ONE, "move", Moment(NOW, spent=5_000), move="+5")
        assert loaded.table.left == (57_000, 60_000)

    def test_an_absent_opponent_can_be_claimed_against_after_the_stated_time(self) -> None:
        loaded = joined()
        stated = table_limits.ABSENT_SECONDS * 1000
        assert refused(loaded, TWO, "claim", Moment(NOW, spent=stated, unseen=stated - 1)) == "not-now"
        assert refused(loaded, ONE, "claim", Moment(NOW, spent=stated, unseen=stated)) == "not-now"
        do(loaded, TWO, "claim", Moment(NOW, spent=stated, unseen=stated))
        assert loaded.said[-1] == "Ben won: Ann left."

    def test_who_has_no_time_left_can_be_claimed_against_at_once(self) -> None:
        loaded = joined(clock={"minutes": 1})
        do(loaded, TWO, "claim", Moment(NOW, spent=60_000))
        assert loaded.table.match.outcome is not None


@st.composite
def played(draw: st.DrawFn) -> LoadedTable:
    """Return a table after anything that people may do at it."""
    online = draw(st.booleans())
    order = {"game": draw(st.sampled_from(GAME_IDS)), "best_of": draw(st.sampled_from([None, 2, 3]))}
    loaded = joined(**order) if online else opened(opponent="here", **order)
    for _ in range(draw(st.integers(0, 25))):
        seats = [ONE, TWO] if online else [BOTH]
        choices = [(held, name) for held in seats for name in allowed_commands(loaded.table, held) if name != "claim"]
        moves = [one for one in choices if one[1] == "move"]
        held, name = draw(st.sampled_from(moves or choices) | st.sampled_from(choices))
        legal = loaded.table.match.position.legal_moves()
        more: dict[str, Any] = {}
        if name == "move":
            more = {"move": loaded.table.match.position.text_of(draw(st.sampled_from(legal)))}
        do(loaded, held, name, **more)
    return loaded


@given(played())
def test_a_table_is_what_its_events_make(loaded: LoadedTable) -> None:
    assert fold("table", loaded.events) == loaded.table
    again = load_table("table", loaded.events)
    assert (again.said, again.by_id) == (loaded.said, loaded.by_id)


@pytest.mark.slow
@given(played())
def test_what_can_be_done_is_what_is_taken(loaded: LoadedTable) -> None:
    for held in (ONE, TWO, BOTH, frozenset()):
        able = allowed_commands(loaded.table, held)
        for name in COMMANDS:
            copy = load_table("table", loaded.events)
            more = {}
            if name == "move":
                legal = loaded.table.match.position.legal_moves()
                more = {"move": loaded.table.match.position.text_of(legal[0]) if legal else "+1"}
            moment = Moment(NOW, table_limits.ABSENT_SECONDS * 1000, table_limits.ABSENT_SECONDS * 1000)
            takers = [held] if len(held) < 2 else [frozenset({one}) for one in held]
            assert (name in able) == any(_taken(copy, one, name, moment, more) for one in takers), name


def _taken(loaded: LoadedTable, held: frozenset[Person], name: str, moment: Moment, more: dict[str, str]) -> bool:
    try:
        do(loaded, held, name, moment, **more)
    except Problem:
        return False
    return True


@given(played())
def test_a_command_sent_again_gets_its_first_answer(loaded: LoadedTable) -> None:
    for event in loaded.events:
        command = str(event.data.get("command", ""))
        if command and event.person:
            name, _, move = command.partition(" ")
            held = frozenset({event.person})
            then = dumps(load_table("table", loaded.events[: event.version]).state(held))
            model = MoveCommand if move else Command
            more: dict[str, Any] = {"move": move} if move else {}
            sent = model(version=1, move_id=event.move_id, **more)
            version = loaded.sent_before(held, name, sent)
            assert version == event.version
            assert loaded.text_at(held, version) == then
            with pytest.raises(Problem, match="move-id-reused"):
                loaded.sent_before(held, "resign" if name != "resign" else "next", sent)


def test_a_state_is_told_in_the_same_bytes_at_any_time() -> None:
    loaded = opened(opponent="here")
    loaded.keeps_from = 1
    seen = [dumps(loaded.state(BOTH))]
    for _ in range(100):
        do(loaded, BOTH, "move", move="+5")
        seen.append(dumps(loaded.state(BOTH)))
        assert loaded.text(BOTH) == loaded.text(BOTH) == seen[-1]
        assert loaded.text(ONE) == dumps(loaded.state(ONE))
        do(loaded, BOTH, "ask-undo")
        seen.append(loaded.text(BOTH))
    for version in range(1, loaded.table.version + 1):
        assert loaded.text_at(BOTH, version) == seen[version - 1]
    for since in (1, 2, 63, 64, 65, 66, 130, loaded.table.version):
        assert list(loaded.texts_after(BOTH, since)) == seen[since:]


@given(played())
def test_a_table_can_be_resumed_at_the_beginning_of_any_match(loaded: LoadedTable) -> None:
    for began in loaded.events:
        if began.kind is EventKind.BEGAN:
            resumed = begin_loading("table", loaded.events[0], began)
            for event in loaded.events[began.version :]:
                resumed.add(event)
            assert resumed.table == loaded.table
            assert resumed.said == loaded.said[began.version - 1 :]
            for since in range(began.version - 1, loaded.table.version):
                assert list(resumed.texts_after(BOTH, since)) == list(loaded.texts_after(BOTH, since))


@given(played())
def test_records_are_those_of_the_terminal(loaded: LoadedTable) -> None:
    assert read_match(loaded.table.match.record()) == replace(loaded.table.match)


def test_no_state_holds_a_move_id() -> None:
    loaded = joined()
    do(loaded, ONE, "move", move="+5")
    assert "m2" not in str(loaded.state(TWO))
    assert _is_pure(loaded.table)


def _is_pure(table: Table) -> bool:
    return allowed_commands(table, TWO) == allowed_commands(table, TWO) == ["move", "resign", "ask-undo"]
