"""What is played is what the players' chances say, and what is told of it is what a review of its record says."""

from __future__ import annotations

import sys
from collections import Counter
from math import sqrt
from pathlib import Path

import pytest

from tests.arena.runs import bot, reported, settled
from zerosum.arena.arena_page import page
from zerosum.arena.arena_report import ArenaReport, report_of
from zerosum.arena.arena_run import play_run, state_of
from zerosum.arena.entrants.entrant import IllegalMovePolicy
from zerosum.arena.plan import pair, slot
from zerosum.arena.strength.named_policies import policy_of
from zerosum.arena.strength.pairs import pair_chances, question
from zerosum.arena.tally import MatchReader, match_of
from zerosum.base.statistics import normal_quantile
from zerosum.coach.review import review
from zerosum.lab.executors import Local
from zerosum.match.match import Match, read_match
from zerosum.match.setup import Person
from zerosum.rules.game_files import load_game
from zerosum.rules.notation import parse_position
from zerosum.solver import solution_of

SUM31 = load_game("sum31")


def matches(report: ArenaReport) -> list[Match]:
    """Return all matches of a run, read back from their records."""
    run = report.run
    reader = MatchReader(run, run.folder.log())
    return [read_match(match_of(run, one).record()) for _, both in reader.matches(report.state.counted) for one in both]


@pytest.mark.parametrize("book", ["start", "even"])
def test_two_levels_score_what_arithmetic_says(book: str, tmp_path: Path) -> None:
    pairs = 2_000
    report = reported(tmp_path / "run", "level:9", "level:8", pairs=pairs, book=book, positions=50)
    (one,) = report.pairings
    positions = [parse_position(text, SUM31) for text in report.run.plan.books[0]]
    chances = pair_chances(positions, policy_of("level:9", SUM31), policy_of("level:8", SUM31))
    mean, variance = question(chances)
    assert one.exact == mean
    assert one.score is not None
    assert abs(one.score - mean) < normal_quantile(0.9995) * sqrt(variance / pairs)


def test_each_move_is_drawn_with_its_chance(tmp_path: Path) -> None:
    report = reported(tmp_path / "run", "level:2", "random", pairs=800, book="start")
    reader = MatchReader(report.run, report.run.folder.log())
    opened = Counter(one.moves.split()[0] for _, (one, _) in reader.matches(report.state.counted))
    policy = policy_of("level:2", SUM31).guest
    start = parse_position("1,2,3,4,5,6,7,8,9 0 1", SUM31)
    for move, chance in zip(start.legal_moves(), policy.chances(start), strict=True):
        off = 4.5 * sqrt(800 * chance * (1 - chance))
        assert abs(opened[start.text_of(move)] - 800 * chance) <= off, move


@pytest.mark.parametrize("entrant", ["level:4", "bot"])
def test_share_kept_is_the_accuracy_of_the_reviews(entrant: str, tmp_path: Path) -> None:
    who = bot(tmp_path) if entrant == "bot" else entrant
    report = reported(tmp_path / "run", who, "level:6", pairs=12)
    solution = solution_of(SUM31)
    choices, kept = Counter[str](), Counter[str]()
    for match in matches(report):
        found = review(match, solution)
        for person in Person:
            name = match.setup.name(person)
            had, held = found.choices(person)
            choices[name] += had
            kept[name] += held
    for line in report.entrants:
        assert line.tally.choices == choices[line.name] > 0
        assert line.tally.share == kept[line.name] / choices[line.name]
        assert line.kept_low <= line.tally.share <= line.kept_high


def test_a_pair_is_one_position_with_the_seats_changed(tmp_path: Path) -> None:
    report = reported(tmp_path / "run", "level:4", "level:6", pairs=6, positions=3)
    found = matches(report)
    points = [0.0] * 6
    for at, match in enumerate(found):
        number = at // 2 + 1
        assert str(match.positions[0]) == slot(report.run.plan, number).position
        assert match.setup.first is (Person.TWO if at % 2 else Person.ONE)
        assert match.outcome is not None
        points[number - 1] += match.person(match.outcome.winner) is Person.ONE
    (one,) = report.pairings
    assert list(one.cells) == [points.count(cell / 2) for cell in range(5)]


def test_ids_differ_and_follow_from_everything(tmp_path: Path) -> None:
    plans = [
        settled(tmp_path / str(n), *names, **keys).plan
        for n, (names, keys) in enumerate(
            [
                (("level:4", "level:6"), {}),
                (("level:6", "level:4"), {}),
                (("level:4", "level:6"), {"seed": "8"}),
                (("level:4", "level:6"), {"book": "hard"}),
            ]
        )
    ]
    ids = [pair(plan, number).id for plan in plans for number in range(1, 21)]
    assert len(set(ids)) == len(ids)
    again = settled(tmp_path / "again", "level:4", "level:6").plan
    assert [pair(again, number).id for number in range(1, 21)] == ids[:20]


@pytest.mark.slow
def test_games_with_a_swap_and_with_sudden_death(tmp_path: Path) -> None:
    (tmp_path / "swap.toml").write_text('like = "sum31"\nid = "swapping"\nname = "Swapping"\nswap = true\n')
    games = [str(tmp_path / "swap.toml"), "zero-sum-game"]
    report = reported(tmp_path / "run", "level:3", "random", games=games, pairs=8, book="hard", positions=6)
    assert all(match.outcome is not None for match in matches(report))
    swapped = reported(tmp_path / "start", "level:3", "perfect", games=games[:1], pairs=40, book="start")
    assert any("swap" in match.record().splitlines()[-1] for match in matches(swapped))
    (one,) = swapped.pairings
    assert one.exact is not None
    assert one.score is not None
    assert abs(one.score - one.exact) < 0.25


def test_a_move_made_instead_of_an_illegal_one_is_nobodys_choice(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    bot(tmp_path, "Wrong")
    wrong.write_text(
        (tmp_path / "Wrong.py").read_text().replace('"bestmove +" + sorted(pool)[len(pool) // 2]', '"bestmove +77"')
    )
    report = reported(
        tmp_path / "run",
        f"bot:{sys.executable} -I -S {wrong}",
        "level:3",
        pairs=3,
        illegal=IllegalMovePolicy.RANDOM.value,
    )
    line = next(one for one in report.entrants if one.name == "Wrong")
    assert line.tally.decisions == 0
    assert line.account.illegal >= 6
    assert line.account.crash == line.account.time == 0
    lost = reported(tmp_path / "lost", f"bot:{sys.executable} -I -S {wrong}", "level:3", pairs=2)
    line = next(one for one in lost.entrants if one.name == "Wrong")
    assert line.score == 0
    assert line.account.illegal == 8  # asked twice in each of four matches


@pytest.mark.slow
def test_an_entrant_that_crashes_is_withdrawn_and_the_rest_is_void(tmp_path: Path) -> None:
    good, bad = bot(tmp_path), bot(tmp_path, "Bad", "lambda left: left < 7")
    report = reported(tmp_path / "run", good, bad, "level:3", pairs=6, book="start", engine=Local(3))
    by_name = {line.name: line for line in report.entrants}
    assert by_name["Bad"].withdrawn
    assert by_name["Bad"].account.crash >= 4
    assert by_name["Bad"].account.crashed == "it ended with exit status 7; it wrote: too few numbers"
    assert by_name["Bad"].score == 0
    assert report.state.void > 0
    assert report.complete
    assert "Bad lost at once: it ended with exit status 7." in page(report)
    (line,) = report.run.folder.log().read([1])
    plies = range(len(line["matches"][0]["moves"].split()))
    assert line["matches"][0]["claims"] == {str(ply): "unknown" for ply in plies}
    assert by_name["Middle"].account.matches > by_name["Bad"].account.matches
    again = report_of(report.run)
    one_by_one = reported(tmp_path / "slow", good, bad, "level:3", pairs=6, book="start")
    assert [line.account.matches for line in again.entrants] == [line.account.matches for line in one_by_one.entrants]
    assert again.state.counted == one_by_one.state.counted


def test_nothing_is_played_twice(tmp_path: Path) -> None:
    run = settled(tmp_path / "run", "level:4", "level:6", pairs=30)
    play_run(run, Local())
    before = Path(run.folder.path, "pairs.log").read_bytes()
    play_run(run, Local())
    assert Path(run.folder.path, "pairs.log").read_bytes() == before
    assert state_of(run, run.folder.log()).complete
