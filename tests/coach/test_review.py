"""Reviews: the turning points that a naive search finds, and matches of every kind of end."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.clauses.replay import shy_plays, variant
from tests.cli.command import GAMES, GOLDEN, Zerosum
from tests.coach.truth import naive_review
from tests.full import part, parted
from zerosum.base import limits
from zerosum.base.documents import to_json
from zerosum.coach.review import Review, review
from zerosum.coach.review_words import LoserDocument, decided, for_the_loser
from zerosum.match.match import Match, read_match
from zerosum.match.setup import Person, Setup
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import parse_move
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position
from zerosum.rules.record import Ending
from zerosum.solver import Verdict, solution_of

pytestmark = pytest.mark.slow

WORKED: dict[str, list[str]] = {
    "sequence-zero": ["-5 +6 +9 -4 -8 -7 +2 +3 +1", "-5"],
    "sum31": ["+5 +6 +9 +8 +3", "+9 +8 +7 +6 +1", "+9 +8 +6 +5 +1 +2", "+9 +8 +7 +6 +2"],
    "sum-to-zero": ["+5 -2 -3", "+4 -1 -3"],
    "zero-sum-duel": ["+5 -3 -2", "+2 +3 -1 -4"],
    "zero-sum-game": ["-4 +4 +5 -5 -1", "+5 -5 -3", "+3 -3", "-5 +5"],
}
"""The rulebooks' own matches, as the tests of their clauses replay them."""
PREFIXES = {
    "sequence-zero": "sequence-",
    "sum31": "sum31-",
    "sum-to-zero": "sum-to-zero-",
    "zero-sum-duel": "duel-",
    "zero-sum-game": "game-",
}
ENDINGS = sorted(path.stem for path in (GOLDEN / "endings").glob("*.txt"))


def played(game: str | Rules, moves: str, ending: Ending | None = None) -> Match:
    rules = built_in(game) if isinstance(game, str) else game
    match = Match.begin(Setup(rules=rules))
    for text in moves.split():
        match = match.after(parse_move(text, rules.operations))
    return match.after(ending) if ending else match


def reviewed(match: Match) -> Review:
    return review(match, solution_of(match.setup.rules))


def compare(match: Match) -> Review:
    """Check a review against the naive one, and against itself."""
    found = reviewed(match)
    for ours, theirs in zip(found.moves, naive_review(match), strict=True):
        said = {ours.position.text_of(move) for move in ours.better}
        told = (ours.before.verdict, ours.after.verdict, ours.blunder, said, ours.real)
        assert told == tuple(theirs[key] for key in ("verdict", "after", "blunder", "better", "real")), ours
        assert (ours.reason is not None) == ours.blunder
    for one, two in pairwise(found.moves):
        assert one.person is two.person.other
        assert one.after.verdict is two.before.verdict.opposite
        assert one.after.plies is None or one.after.plies - 1 == two.before.plies
    return found


@pytest.mark.parametrize("game", parted(GAMES, ("sum-to-zero", "sequence-zero", "zero-sum-game")))
def test_the_rulebooks_matches_turn_where_a_naive_search_says(game: str, zerosum: Zerosum, tmp_path: Path) -> None:
    """The worked matches, the golden dialogue, and every golden ending of the game."""
    for moves in WORKED[game]:
        compare(played(game, moves))
    path = tmp_path / "golden"
    zerosum("play", game, "--record", str(path), stdin=(GOLDEN / f"{game}.in").read_text()).ok()
    assert compare(read_match(path.read_text())).moves
    compare_endings(PREFIXES[game], zerosum, tmp_path)
    if game != "zero-sum-game":  # whose random matches go farther than the naive search
        assert sum(len(compare(moved(line)).turning_points) for line in shy_plays(game, part(5, 12))) > part(0, 3)


def moved(line: list[Position]) -> Match:
    """Return the match that has these positions."""
    match = Match.begin(Setup(rules=line[0].rules))
    for before, after in pairwise(line):
        if match.outcome is None:
            match = match.after(next(move for move in before.legal_moves() if before.play(move) == after))
    return match


def test_the_golden_endings_of_variants_too(zerosum: Zerosum, tmp_path: Path) -> None:
    compare_endings("variant-", zerosum, tmp_path)


def compare_endings(prefix: str, zerosum: Zerosum, folder: Path) -> None:
    names = [name for name in ENDINGS if name.startswith(prefix)]
    assert len(names) > 1
    for name in names:
        command, answers, _ = (GOLDEN / "endings" / f"{name}.txt").read_text().split("\n", 2)
        args = [*command.split()[3:], "--record", str(folder / name)]
        zerosum.play(*args, answers=answers.removeprefix("answers: "), cwd=GOLDEN / "endings").ok()
        records = list(folder.glob(f"{name}*"))
        assert records
        for path in records:
            assert compare(read_match(path.read_text())).match.outcome is not None


def test_what_a_rulebook_match_looks_like() -> None:
    """Sum31's example: the second player could have won, and gave it away with 6."""
    found = reviewed(played("sum31", "+5 +6 +9 +8 +3"))
    assert [one.n for one in found.turning_points] == [2]
    assert [(one.standing.winner, one.standing.plies) for one in found.moves][-1] == (Person.ONE, 0)
    assert (found.opening.winner, found.opening.plies) == (Person.TWO, 7)
    assert [found.blunders(seat) for seat in Seat] == [0, 1]
    assert [found.accuracy(seat) for seat in Seat] == [1.0, 0.0]


def test_an_empty_and_an_unfinished_match() -> None:
    empty = reviewed(played("sum31", ""))
    assert (empty.moves, empty.turning_points, empty.given_up) == ((), (), None)
    assert [empty.accuracy(seat) for seat in Seat] == [None, None]
    assert compare(played("sum31", "+5 +6")).match.outcome is None


def test_no_accuracy_where_there_was_no_choice() -> None:
    """Sum to Zero's opening loses whatever it is; the answer may win or not."""
    found = reviewed(played("sum-to-zero", "+5 -5"))
    assert [found.accuracy(seat) for seat in Seat] == [None, 1.0]


@pytest.mark.parametrize(
    ("moves", "ending", "given_up"),
    [
        ("+5", Ending(Reason.RESIGNED, Seat.SECOND), Person.TWO),
        ("+5", Ending(Reason.RESIGNED, Seat.FIRST), None),
        ("", Ending(Reason.RESIGNED, Seat.SECOND), Person.TWO),
        ("+5 +6", Ending(Reason.TIME, Seat.FIRST), Person.ONE),
        ("+5 +6", Ending(Reason.TIME, Seat.SECOND), None),
    ],
)
def test_a_match_given_up(moves: str, ending: Ending, given_up: Person | None) -> None:
    assert compare(played("sum31", moves, ending)).given_up is given_up


def test_a_forfeit() -> None:
    found = compare(played("zero-sum-duel", "", Ending(Reason.FORFEIT, Seat.FIRST, "12")))
    assert found.given_up is Person.ONE


def test_after_a_swap_the_persons_change_and_the_seats_stay() -> None:
    found = compare(played(variant("sum31", swap=True), "+5 swap +6 +9 +8 +3"))
    assert [one.seat.value for one in found.moves] == [1, 2, 2, 1, 2, 1]
    assert [one.person.value for one in found.moves] == [1, 2, 1, 2, 1, 2]
    assert found.moves[-1].standing.winner is Person.TWO
    assert found.moves[-1].after.verdict is Verdict.WIN


def test_a_draw_given_away_is_a_turning_point() -> None:
    rules = variant("zero-sum-game", pool=[-1, 1], start=[1, -1], reaching="loses")
    found = reviewed(played(rules, "-1"))
    assert [one.n for one in found.turning_points] == [1]
    assert (found.opening.winner, found.opening.plies) == (None, None)
    assert (found.moves[0].before.verdict, found.moves[0].after.verdict) == (Verdict.DRAW, Verdict.LOSS)
    kept = reviewed(played(rules, "+1"))
    assert kept.turning_points == ()
    assert kept.moves[0].standing.winner is None


@pytest.mark.full
def test_a_match_that_the_referee_stopped() -> None:
    """The limit of a match ends no position: the review ignores it, and is quick enough to wait for."""
    line = next(one for one in shy_plays("zero-sum-game", 200, limits.MATCH_PLIES) if len(one) > limits.MATCH_PLIES)
    match = moved(line)
    assert match.outcome is not None
    assert match.outcome.reason is Reason.PLY_LIMIT
    found = reviewed(match)
    assert len(found.moves) == limits.MATCH_PLIES
    assert found.moves[-1].standing.plies != 0


@pytest.mark.parametrize(
    ("game", "moves", "ending", "said", "opens_at"),
    [
        ("sum31", "+5 +6 +9 +8 +3", None, "Move 2 decided it: Player 2 played +6 and let the win go.", 2),
        ("sum31", "+4 +6 +5 +8 +1 +7", None, "Move 5 decided it: Player 1 played +1 and let the win go.", 5),
        ("sum31", "+5 +6", None, "The last turn so far was move 2: Player 2 played +6 and let the win go.", 2),
        ("sum31", "+5", None, "Nobody has made a mistake so far: Player 2 stands to win, as at the start.", 0),
        (
            "sum31",
            "+5 +6",
            Ending(Reason.RESIGNED, Seat.FIRST),
            "Player 1 stood to win when it ended without a move. That decided it.",
            2,
        ),
        (
            "sum31",
            "+5",
            Ending(Reason.RESIGNED, Seat.FIRST),
            "The start decided it: Player 2 stood to win all along; no move could change that.",
            0,
        ),
        ("sum-to-zero", "+5 -5", None, "The start decided it: Player 2 stood to win all along and made no mistake.", 0),
    ],
)
def test_what_decided_it(game: str, moves: str, ending: Ending | None, said: str, opens_at: int) -> None:
    found = reviewed(played(game, moves, ending))
    assert (decided(found), found.opens_at) == (said, opens_at)


def test_nothing_is_decided_where_nobody_can_force_an_end() -> None:
    endless = variant("zero-sum-game", pool=(1, -1), start=(3, -3), reaching="loses")
    found = reviewed(played(endless, "+1"))
    assert decided(found) == "Neither side could force an end, and nobody made a mistake."


def test_the_loser_is_told_what_would_have_been_hardest() -> None:
    """Second in Zero Sum Duel all is lost from the start, yet some moves are harder to answer than others."""
    once = reviewed(played("zero-sum-duel", "-4 -9 -6 +7 -5 -8 +3 -1 +2"))
    assert for_the_loser(once) == [
        "+2 instead of -9 at move 2, the last trap, would have made it hardest: 4 of Player 1's 14 replies to it win."
    ]
    found = reviewed(played("sequence-zero", "+9 -6 -2 -3 -7"))
    assert found.turning_points == ()
    assert decided(found) == "The start decided it: Player 1 stood to win all along and made no mistake."
    assert for_the_loser(found) == [
        "+3 at move 2 would have made it hardest: 1 of Player 1's 14 replies to it wins.",
        "Player 2 missed the last trap at move 4, +7 instead of -3: 1 of Player 1's 10 replies to it wins.",
    ]
    document = to_json(LoserDocument.of(found))
    assert [one["n"] for one in document["traps"] if one["missed"]] == [2, 4]
    assert (document["player"], document["swap_seats"]) == (2, False)


def test_swapping_seats_is_offered_to_who_lost_to_a_computer(zerosum: Zerosum, tmp_path: Path) -> None:
    """The command plays the same computer from the other seat."""
    record = tmp_path / "lost.txt"
    record.write_text('[Game "sum31"]\n[Who1 "human"]\n[Who2 "level:3"]\n\n1. +5 +1 2. +9 +8 3. +2 +6\n')
    said = zerosum("review", str(record)).ok().out
    assert said.endswith("Swap seats? zerosum play sum31 --vs level:3 --first 2\n")
    assert zerosum("review", str(record), "--json").ok().json()["loser"]["swap_seats"] is True
    record.write_text('[Game "sum31"]\n[Who1 "level:3"]\n[Who2 "human"]\n\n1. +5 +1 2. +9 +8 3. +2 +6\n')
    assert "Swap seats?" not in zerosum("review", str(record)).ok().out
