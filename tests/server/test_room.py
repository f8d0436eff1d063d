"""A room: decisions and folds, without network or database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count, pairwise
from random import Random
from typing import Any

import pytest

from tests.each import each
from tests.full import part
from zerosum.jobs.pairing import APART_MS, FreePupil, pairs
from zerosum.rules.game_files import built_in
from zerosum.tables import classroom_decisions as decide
from zerosum.tables import limits as table_limits
from zerosum.tables.classroom import COMPUTER, Classroom, ClassroomPhase, fold_room, open_room, podium, standings
from zerosum.tables.classroom_decisions import ClassroomDecision, ClassroomDraft, ClassroomRequest
from zerosum.tables.events import ClassroomEvent, EventKind, automatic_event
from zerosum.tables.fields import read_value
from zerosum.tables.problems import Problem
from zerosum.tables.table import open_table

SECOND = 1000


@dataclass
class Lesson:
    """A room in virtual time; every event is kept."""

    room: Classroom
    events: list[ClassroomEvent]
    now: int = 1_000_000
    ids: count[int] = field(default_factory=count)

    @classmethod
    def begin(cls, **settings: object) -> Lesson:
        request = read_value(ClassroomRequest, {"game": "sum31", **settings})
        draft = decide.opening(request, "k702mx")
        event = ClassroomEvent(1, 1_000_000, draft.kind, draft.pupil, draft.data, "auto:1")
        return cls(open_room("room1", event), [event])

    def do(self, draft: ClassroomDraft | None) -> None:
        if draft is not None:
            event = ClassroomEvent(self.room.version + 1, self.now, draft.kind, draft.pupil, draft.data, draft.move_id)
            self.events.append(event)
            self.room = self.room.after(event)

    def pair(self) -> list[tuple[int, int]]:
        found = [(one, two) for one, two in pairs(free_of(self.room, self.now))]
        self.do(decide.pair(self.room, self.now, found, lambda: f"table{next(self.ids)}"))
        return found

    def finish(self, table: str, winner: int) -> None:
        self.do(decide.result(self.room, table, winner, self.now))


def free_of(room: Classroom, now: int) -> list[FreePupil]:
    return decide.as_free(room, now, decide.free_pupils(room, now))


def last_pair(lesson: Lesson) -> Sequence[Any]:
    pairs: Any = lesson.events[-1].data["pairs"]
    (only,) = pairs
    return list(only)


def lesson_of(count: int, **settings: object) -> Lesson:
    lesson = Lesson.begin(**settings)
    for n in range(count):
        lesson.do(decide.join(lesson.room, f"Pupil {n + 1}"))
    return lesson


def test_two_of_one_name_get_a_number_and_a_pupil_can_be_renamed() -> None:
    lesson = Lesson.begin()
    for name in ("Ann", "ann", "ANN", "A" * 20, "a" * 20):
        lesson.do(decide.join(lesson.room, name))
    assert [one.name for one in lesson.room.present] == ["Ann", "ann 2", "ANN 3", "A" * 20, "a" * 18 + " 2"]
    lesson.do(decide.rename(lesson.room, 2, "Ann"))
    assert lesson.room.pupil(2).name == "Ann 2"
    assert decide.rename(lesson.room, 2, "Ann 2") is None


@each("name", ["", "   ", "x" * 21, "a\x1b[2J", "a\u202eb", "\u200b"])
def test_a_name_that_cannot_be_shown_is_refused(name: str) -> None:
    with pytest.raises(Problem, match="bad-name"):
        decide.join(Lesson.begin().room, name)


def test_a_room_is_full_at_its_limit() -> None:
    lesson = lesson_of(table_limits.ROOM_PUPILS)
    with pytest.raises(Problem, match="full"):
        decide.join(lesson.room, "Late")


def test_the_same_again_changes_nothing() -> None:
    lesson = lesson_of(3)
    lesson.do(decide.start(lesson.room))
    assert decide.start(lesson.room) is None
    lesson.do(decide.pause(lesson.room))
    assert decide.pause(lesson.room) is None
    lesson.do(decide.start(lesson.room))
    assert lesson.room.phase is ClassroomPhase.PLAYING
    assert decide.ready(lesson.room, 1) is None
    lesson.do(decide.remove(lesson.room, 3))
    assert decide.remove(lesson.room, 3) is None
    lesson.do(decide.end(lesson.room))
    assert decide.end(lesson.room) is None
    for refused in (decide.start, decide.pause):
        with pytest.raises(Problem, match="ended"):
            refused(lesson.room)


def test_a_pause_puts_the_end_off_and_is_no_waiting() -> None:
    lesson = lesson_of(1, minutes=2)
    lesson.now += 60 * SECOND
    assert lesson.room.waited(lesson.room.pupil(1), lesson.now) == 0
    lesson.do(decide.start(lesson.room))
    began = lesson.now
    lesson.now += 30 * SECOND
    assert lesson.room.waited(lesson.room.pupil(1), lesson.now) == 30 * SECOND
    lesson.do(decide.pause(lesson.room))
    lesson.now += 300 * SECOND
    assert lesson.room.left(lesson.now) == 90 * SECOND
    assert decide.end_in_time(lesson.room, lesson.now) is None
    lesson.do(decide.start(lesson.room))
    assert lesson.room.waited(lesson.room.pupil(1), lesson.now) == 0
    assert lesson.room.paused_between(began, lesson.now) == 300 * SECOND
    lesson.now += 90 * SECOND - 1
    assert decide.end_in_time(lesson.room, lesson.now) is None
    lesson.now += 1
    lesson.do(decide.end_in_time(lesson.room, lesson.now))
    assert lesson.room.phase is ClassroomPhase.ENDED


def test_a_result_counts_once_and_until_two_minutes_after_the_end() -> None:
    lesson = lesson_of(4)
    lesson.do(decide.start(lesson.room))
    assert len(lesson.pair()) == 2
    one, two = lesson.room.open_tables
    winner = lesson.room.matches[one].pupils[1]
    first = decide.result(lesson.room, one, winner, lesson.now)
    assert first is not None
    assert first.move_id == f"result:{one}:1"
    lesson.do(first)
    assert decide.result(lesson.room, one, winner, lesson.now) is None
    assert decide.result(lesson.room, two, winner, lesson.now) is None, "a winner who does not sit there"
    assert lesson.room.pupil(winner).score == 1
    assert not lesson.room.pupil(winner).waiting, "the pupil says when to go on"
    lesson.do(decide.end(lesson.room))
    assert not lesson.room.closed(lesson.now)
    late = lesson.now + table_limits.ROOM_FINISH_SECONDS * SECOND
    other = lesson.room.matches[two].pupils[0]
    assert decide.result(lesson.room, two, other, late + 1) is None
    assert decide.result(lesson.room, two, other, late) is not None
    assert lesson.room.closed(late + 1)


def test_a_match_that_is_ended_without_result_frees_both() -> None:
    lesson = lesson_of(2)
    lesson.do(decide.start(lesson.room))
    lesson.pair()
    (table,) = lesson.room.open_tables
    assert decide.ready(lesson.room, 1) is None, "tapped again after a partner was found"
    with pytest.raises(Problem, match="wait 12 more"):
        decide.leave_absent(lesson.room, 1, 18_001)
    lesson.do(decide.leave_absent(lesson.room, 1, 30_000))
    assert not lesson.room.open_tables
    assert decide.result(lesson.room, table, 2, lesson.now) is None
    lesson.do(decide.ready(lesson.room, 1))
    assert [one.number for one in decide.free_pupils(lesson.room, lesson.now)] == [1]


def test_a_removed_pupil_leaves_the_partner_free() -> None:
    lesson = lesson_of(2)
    lesson.do(decide.start(lesson.room))
    lesson.pair()
    lesson.do(decide.remove(lesson.room, 1))
    assert not lesson.room.open_tables
    assert [row.pupil.number for row in standings(lesson.room)] == [2]
    with pytest.raises(Problem, match="not in the room"):
        decide.ready(lesson.room, 1)


def test_ties_are_broken_by_accuracy_then_by_fewer_matches() -> None:
    lesson = lesson_of(6)
    lesson.do(decide.start(lesson.room))
    played = [
        ((1, 2), 1, (4, 4, 2, 1)),
        ((3, 4), 3, (4, 2, 2, 1)),
        ((5, 6), 5, (2, 2, 0, 0)),
        ((5, 4), 4, (2, 2, 2, 1)),
    ]
    for (one, two), winner, (choices, kept, other_choices, other_kept) in played:
        for pupil in (one, two):
            lesson.do(decide.ready(lesson.room, pupil))
        lesson.do(decide.pair(lesson.room, lesson.now, [(one, two)], lambda: f"table{next(lesson.ids)}"))
        (table,) = lesson.room.open_tables
        lesson.finish(table, winner)
        reviews = [{"choices": c, "kept": k, "mistakes": []} for c, k in ((choices, kept), (other_choices, other_kept))]
        lesson.do(decide.review(lesson.room, table, reviews))
        assert decide.review(lesson.room, table, reviews) is None
    rows = [(row.place, row.pupil.number) for row in standings(lesson.room)]
    # 1, 5, 3 and 4 have a win each: 4 of 4, 4 of 4 in two matches, 2 of 4, 2 of 4 in two; 2 has 1 of 2, 6 no choice.
    assert rows == [(1, 1), (2, 5), (3, 3), (4, 4), (5, 2), (6, 6)]
    assert lesson.room.pupil(4).accuracy == Fraction(1, 2)


def test_all_who_are_level_share_a_place_on_the_podium() -> None:
    lesson = lesson_of(7)
    lesson.do(decide.start(lesson.room))
    assert podium(standings(lesson.room)) == [], "nobody has played"
    for one, two in ((1, 2), (3, 4), (5, 6)):
        lesson.do(decide.pair(lesson.room, lesson.now, [(one, two)], lambda: f"table{next(lesson.ids)}"))
        (table,) = lesson.room.open_tables
        lesson.finish(table, one)
    # Three have won, three have lost, and 7 has not played.
    assert [(row.place, row.pupil.number) for row in podium(standings(lesson.room))] == [(1, 1), (1, 3), (1, 5)]
    lesson.do(decide.ready(lesson.room, 1))
    lesson.do(decide.pair(lesson.room, lesson.now, [(1, 7)], lambda: f"table{next(lesson.ids)}"))
    (table,) = lesson.room.open_tables
    lesson.finish(table, 1)
    assert [(row.place, row.pupil.number) for row in podium(standings(lesson.room))] == [(1, 1), (2, 3), (2, 5)]
    lesson.do(decide.ready(lesson.room, 2))
    lesson.do(decide.ready(lesson.room, 3))
    lesson.do(decide.pair(lesson.room, lesson.now, [(2, 3)], lambda: f"table{next(lesson.ids)}"))
    (table,) = lesson.room.open_tables
    lesson.finish(table, 2)
    found = [(row.place, row.pupil.number) for row in podium(standings(lesson.room))]
    assert found == [(1, 1), (2, 5), (3, 2), (3, 3)], "of equal wins the one with fewer matches; two share a place"


def test_a_computer_is_marked_not_counted_and_about_as_strong() -> None:
    lesson = lesson_of(1, computers=True)
    lesson.do(decide.rename(lesson.room, 1, "Computer, Level 2"))
    lesson.do(decide.start(lesson.room))
    lesson.do(decide.pair(lesson.room, lesson.now, [(COMPUTER, 1)], lambda: "table1"))
    (match,) = lesson.room.matches.values()
    assert match.computer == "level:2"
    seated = last_pair(lesson)
    opened = decide.table_opening(lesson.room, seated, "aa", lesson.now)
    assert opened["online"] is False
    assert "computer" in str(opened["tags"]).lower()
    lesson.finish("table1", COMPUTER)
    assert (lesson.room.pupil(1).matches, lesson.room.pupil(1).score) == (0, 0)


def test_a_table_of_a_room_knows_its_room_and_whether_hints_are_on() -> None:
    for help_ in (False, True):
        lesson = lesson_of(2, help=help_, game="zero-sum-duel", lenient=False, clock={"minutes": 3})
        lesson.do(decide.start(lesson.room))
        lesson.pair()
        seated = last_pair(lesson)
        event = automatic_event(
            1, lesson.now, EventKind.OPENED, None, decide.table_opening(lesson.room, seated, "aa", lesson.now)
        )
        table = open_table("abcdefghjkmn", event)
        assert (table.room, table.coaching, table.setup.forfeits) == ("room1", help_, True)
        assert table.setup.rules == built_in("zero-sum-duel")
        assert table.absent_seconds == table_limits.ROOM_ABSENT_SECONDS
        assert table.clock is not None
        assert not table.waiting


def simulated(seed: int) -> tuple[Lesson, int]:
    """Return a random lesson, and how long somebody waited while another was free whom they had not just met."""
    dice = Random(seed)
    lesson = lesson_of(dice.choice((2, 3, 4, 5, 8, 13, 24)), minutes=3)
    lesson.do(decide.start(lesson.room))
    longest = 0
    while lesson.room.phase is not ClassroomPhase.ENDED:
        lesson.now += SECOND
        play(lesson, dice)
        come_and_go(lesson, dice)
        lesson.pair()
        longest = max(longest, kept_waiting(lesson))
        lesson.do(decide.end_in_time(lesson.room, lesson.now))
    return lesson, longest


def play(lesson: Lesson, dice: Random) -> None:
    for table in sorted(lesson.room.open_tables):
        if dice.random() < 0.08:
            lesson.finish(table, dice.choice(lesson.room.matches[table].pupils))
        elif dice.random() < 0.002:
            lesson.do(decide.void(lesson.room, table))
    for one in lesson.room.present:
        if not one.table and not one.waiting and dice.random() < 0.3:
            lesson.do(decide.ready(lesson.room, one.number))


def come_and_go(lesson: Lesson, dice: Random) -> None:
    chance, room = dice.random(), lesson.room
    if room.phase is ClassroomPhase.PAUSED:
        lesson.do(decide.start(room))
    elif chance < 0.01:
        lesson.do(decide.join(room, "Late"))
    elif chance < 0.015:
        lesson.do(decide.remove(room, dice.choice([*room.pupils])))
    elif chance < 0.02:
        lesson.do(decide.pause(room))


def kept_waiting(lesson: Lesson) -> int:
    room = lesson.room
    free = decide.free_pupils(room, lesson.now)
    waited = [
        room.waited(one, lesson.now)
        for one in free
        if any(other.number not in (one.number, one.last) and other.last != one.number for other in free)
    ]
    return max(waited, default=0)


def test_random_rooms_are_what_their_events_say_and_nobody_waits_in_vain() -> None:
    """Ten thousand in `make full`."""
    for seed in range(part(100, 10_000)):
        lesson, longest = simulated(seed)
        assert fold_room("room1", lesson.events) == lesson.room, seed
        assert longest <= 13 * SECOND, seed
        check_results(lesson)


def check_results(lesson: Lesson) -> None:
    """Count the results a second time, by the events alone, and look at who met whom."""
    wins, matches, tables = Counter[int](), Counter[int](), {}
    playing: dict[int, str] = {}
    for event in lesson.events:
        data = event.data
        if event.kind.value == "paired":
            for table, one, two, _ in data["pairs"]:  # type: ignore[attr-defined]
                assert not {one, two} & playing.keys(), "a pupil at two tables"
                tables[table] = (one, two)
                playing |= {one: table, two: table}
        elif event.kind.value in ("result", "voided"):
            pupils = tables[data["table"]]
            for pupil in pupils:
                assert playing.pop(pupil) == data["table"]
            if event.kind.value == "result":
                wins[data["winner"]] += 1  # type: ignore[index]
                matches.update(pupils)
        elif event.kind.value == "pupil-removed" and event.pupil in playing:
            for pupil in tables[playing[event.pupil]]:
                del playing[pupil]
    assert {one.number: one.score for one in lesson.room.pupils.values() if one.score} == dict(wins)
    assert {one.number: one.matches for one in lesson.room.pupils.values() if one.matches} == dict(matches)
    order = [row.pupil for row in standings(lesson.room)]
    for better, worse in pairwise(order):
        assert (better.score, better.accuracy, -better.matches) >= (worse.score, worse.accuracy, -worse.matches)


def test_a_decision_takes_a_room_and_a_time() -> None:
    decision: ClassroomDecision = decide.end_in_time
    assert decision(Lesson.begin().room, 0) is None


def free(pupil: int, waited: int = 0, score: int = 0, *, last: int = 0, met: dict[int, int] | None = None) -> FreePupil:
    known = [[other, times] for other, times in (met or {}).items()]
    return {"pupil": pupil, "waited": waited, "score": score, "firsts": 0, "seconds": 0, "last": last, "met": known}


def together(found: list[tuple[int, int]]) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in found}


def test_pairs_are_new_then_near_then_even() -> None:
    met = [free(1, met={2: 1}), free(2, met={1: 1}), free(3, met={4: 1}), free(4, met={3: 1})]
    assert not together(pairs(met)) & {frozenset({1, 2}), frozenset({3, 4})}
    near = [free(1, score=5), free(2, score=1), free(3, score=5), free(4, score=1)]
    assert together(pairs(near)) == {frozenset({1, 3}), frozenset({2, 4})}
    seats: list[FreePupil] = [{**free(n), "firsts": n % 2, "seconds": 0} for n in (1, 2, 3, 4)]
    assert {second for _, second in pairs(seats)} == {1, 3}, "who has moved first moves second now"


def test_the_odd_one_out_has_waited_least() -> None:
    found = pairs([free(1, 5_000), free(2, 100), free(3, 9_000)])
    assert together(found) == {frozenset({1, 3})}


def test_two_who_have_just_met_wait_a_little() -> None:
    again = [free(1, APART_MS - 1, last=2, met={2: 1}), free(2, APART_MS - 1, last=1, met={1: 1})]
    assert pairs(again) == []
    assert together(pairs([free(1, APART_MS, last=2), free(2, 0, last=1)])) == {frozenset({1, 2})}
    assert together(pairs([*again, free(3)])) < {frozenset({1, 3}), frozenset({2, 3})}


def waiting_class(dice: Random, count: int) -> list[FreePupil]:
    """Return pupils who have met some others before, at random."""
    met: dict[int, dict[int, int]] = {n: {} for n in range(1, count + 1)}
    scores, firsts, last = dict.fromkeys(met, 0), dict.fromkeys(met, 0), dict.fromkeys(met, 0)
    for _ in range(dice.randrange(3, 12)):
        order = dice.sample(list(met), count)
        for one, two in zip(order[::2], order[1::2], strict=False):
            met[one][two] = met[two][one] = met[one].get(two, 0) + 1
            last[one], last[two] = two, one
            firsts[one] += 1
            scores[dice.choice((one, two))] += 1
    return [
        {
            "pupil": n,
            "waited": dice.randrange(9_000),
            "score": scores[n],
            "firsts": firsts[n],
            "seconds": sum(met[n].values()) - firsts[n],
            "last": last[n],
            "met": [[other, times] for other, times in met[n].items()],
        }
        for n in met
    ]


def total_cost(pupils: list[FreePupil], found: list[tuple[int, int]]) -> int:
    """Return what pairs cost, counted a second time: 10,000 a meeting, 100 a point, 0 to 4 for the seats."""
    by_number = {one["pupil"]: one for one in pupils}
    cost = 0
    for first, second in found:
        one, two = by_number[first], by_number[second]
        surplus = (one["firsts"] - one["seconds"], two["firsts"] - two["seconds"])
        evened = abs(surplus[0] + 1) - abs(surplus[0]) + abs(surplus[1] - 1) - abs(surplus[1]) + 2
        met = sum(times for other, times in one["met"] if other == second)
        cost += 10_000 * met + 100 * abs(one["score"] - two["score"]) + evened
    return cost


def test_blocks_are_within_three_per_cent_of_the_exact_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exact optimum is one matching of all at once."""
    dice, blocked, exact = Random(1), 0, 0
    for _ in range(part(1, 20)):
        pupils = waiting_class(dice, 80)
        found = pairs(pupils)
        assert len(found) == 40
        blocked += total_cost(pupils, found)
        with monkeypatch.context() as all_at_once:
            all_at_once.setattr("zerosum.jobs.pairing.BLOCK", 1000)
            exact += total_cost(pupils, pairs(pupils))
    assert exact <= blocked <= 1.03 * exact
