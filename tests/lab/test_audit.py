"""The audit: planted faults are found, none is invented, and every statement is shown or proved."""

from __future__ import annotations

from functools import cache

import pytest

from tests.full import FULL
from tests.lab.brute import VARIANTS, allows, happenings, small_tables
from tests.lab.planted import FAULTS, Planted
from zerosum.coach.evenness import even_words
from zerosum.lab.audit import Audit, WrongWitnessError, audit, audit_json, check_ending, same_as
from zerosum.lab.endings import Reachability
from zerosum.lab.findings import FindingKind, Severity
from zerosum.lab.lemmas import What
from zerosum.lab.metrics import ALL, metrics, screen
from zerosum.lab.perfect_play import early_ends
from zerosum.rules.describe import describe
from zerosum.rules.game_files import GAME_IDS, built_in, load_game, load_text
from zerosum.rules.model import Rules, rules_from_dict
from zerosum.rules.moves import Move
from zerosum.solver import solve

GAMES = ("sum-to-zero", "sequence-zero", "zero-sum-game", "sum31")


@cache
def of_games() -> dict[str, Audit]:
    """Return the audits of games; their own figures take seconds and are not looked at here, so others stand in."""
    figures = screen(built_in("sum31"))
    return {game: audit(built_in(game), screened=figures) for game in GAMES}


def kinds(found: Audit) -> list[tuple[str, str]]:
    """Return the kind and the severity of each finding."""
    return [(one.kind, one.severity.value) for one in found.findings]


SLOW = {"never-ends": pytest.mark.slow}
"""Every round of a game without end is looked at."""


@pytest.mark.parametrize("n", [pytest.param(n, marks=SLOW.get(one.kind, ())) for n, one in enumerate(FAULTS)])
class TestPlanted:
    def test_the_fault_is_found(self, n: int) -> None:
        planted: Planted = FAULTS[n]
        found = audit(rules_from_dict(planted.sound | planted.fault))
        assert (planted.kind, planted.severity) in kinds(found)

    def test_none_is_invented(self, n: int) -> None:
        planted: Planted = FAULTS[n]
        found = audit(rules_from_dict(planted.sound))
        assert (planted.kind, planted.severity) not in kinds(found)
        assert found.counts["error"] == found.counts["dead"] == 0


def test_there_are_forty() -> None:
    assert len(FAULTS) >= 40


class TestTheFive:
    def test_no_file_contradicts_itself(self) -> None:
        assert [found.counts["error"] for found in of_games().values()] == [0] * len(of_games())

    def test_dead_clauses(self) -> None:
        dead = {
            game: [one.clause for one in found.findings if one.severity is Severity.DEAD]
            for game, found in of_games().items()
        }
        assert dead["sum-to-zero"][0] == "If the pool is empty and nobody has won, whoever moved last wins."
        assert dead["sequence-zero"][0] == "If both are equally close, the second player wins."
        assert dead["zero-sum-game"][0] == "If the pool is empty and nobody has won, whoever is closer to 0 wins."
        assert not dead["sum31"]

    def test_what_every_overshoot_game_has_is_a_note(self) -> None:
        assert ("dead-ending", "note") in kinds(of_games()["sum31"])

    def test_the_mistakes_of_the_rulebooks(self) -> None:
        marked = {
            game: [(one.kind, one.example) for one in found.findings if "The rulebook is wrong" in one.words]
            for game, found in of_games().items()
        }
        assert marked["sum-to-zero"] == [("example-impossible", 2)]
        assert marked["zero-sum-game"] == [
            *(("example-illegal", n) for n in (1, 3, 6)),
            ("example-pool", 2),
            ("example-impossible", 5),
        ]
        assert all("Ruling" in one.words for one in of_games()["zero-sum-game"].findings if one.example)

    def test_words(self) -> None:
        words = [one.words for found in of_games().values() for one in found.findings]
        assert any("move 3: -5 was already taken." in one for one in words)
        assert any("totals 2 and -1 cannot be final: with this pool they always sum to 0." in one for one in words)

    @pytest.mark.parametrize("game", GAMES)
    def test_the_document(self, game: str) -> None:
        answer = audit_json(of_games()[game])
        assert list(answer) == ["game", "fingerprint", "findings", "counts", "endings", "first", "even_to", "solved"]
        assert answer["counts"] == {one.value: kinds_of(of_games()[game], one) for one in Severity}
        for finding in answer["findings"]:
            assert list(finding) == ["kind", "severity", "clause", "words", "witness", "proof", "example"]


def kinds_of(found: Audit, severity: Severity) -> int:
    """Return how many findings are of a severity."""
    return sum(one.severity is severity for one in found.findings)


@pytest.mark.slow
def test_random_variants() -> None:
    """Every statement is shown by moves that a plain game allows, or proved; clauses are sentences of the rules."""
    for keys in small_tables(VARIANTS)[:: 1 if FULL else 10]:
        rules = rules_from_dict(keys)
        found = audit(rules)
        sentences, true = describe(rules), happenings(keys)
        order = [list(Severity).index(one.severity) for one in found.findings]
        assert order == sorted(order), keys
        for one in found.findings:
            assert one.witness is not None or one.proof is not None, (keys, one)
            assert one.witness is None or allows(keys, list(one.witness)), (keys, one)
            assert one.clause is None or one.clause in sentences, (keys, one)
            if one.kind == "unreachable-target" and one.severity is Severity.DEAD:
                assert "reached-target" not in true, keys
            if one.kind == "dead-ban":
                assert "ban" not in true, keys


class TestSeverities:
    PLAIN = 'format = 1\nid = "x"\nname = "X"\npool = [1, 2, 3, 4, 5]\ntarget = 15\n'

    def test_written(self) -> None:
        assert ("dead-ending", "dead") in kinds(audit(load_text(self.PLAIN + 'exhausted = "last-mover"\n')))

    def test_by_default(self) -> None:
        assert ("dead-ending", "note") in kinds(audit(load_text(self.PLAIN)))

    def test_written_in_the_game_it_is_like(self) -> None:
        like = 'like = "sum-to-zero"\nid = "x"\nname = "X"\npool = [-1, -2, 1, 2]\n'
        assert ("dead-ending", "dead") in kinds(audit(load_text(like)))


class TestWitnesses:
    def test_one_that_shows_nothing_is_never_given(self) -> None:
        with pytest.raises(WrongWitnessError):
            check_ending(built_in("sum31"), What.OVERSHOT, Reachability(reachable=True, witness=(Move(1), Move(2))))

    def test_a_game_too_large_to_solve_is_audited_all_the_same(self) -> None:
        pool = tuple(range(1, 41))
        found = audit(Rules(id="x", name="X", pool=pool, target=sum(pool), operations=built_in("sum31").operations))
        assert not found.solved
        assert ("dead-ending", "dead") in kinds(found)


def test_a_stored_game_that_is_the_same_is_named() -> None:
    rules = load_text('like = "sum31"\nid = "x"\nname = "X"\ntarget = 30\n')
    other = load_text('like = "sum31"\nid = "y"\nname = "Y"\nstart = 1\n')
    said = [one.words for one in audit(rules, stored=other).findings if one.kind == "same-as"]
    assert said == ["This is Y with its numbers moved by -1."]
    assert not [one for one in audit(rules).findings if one.kind == "same-as"]


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_game_is_not_said_to_be_itself(game: str) -> None:
    assert list(same_as(built_in(game))) == []


@pytest.mark.parametrize("path", ["sum31", "zero-sum-duel", "docs/variants/sum21.toml", "docs/audit/early.toml"])
@pytest.mark.slow
def test_early_ends_are_those_of_the_metrics(path: str) -> None:
    rules = load_game(path)
    early = screen(rules, ("level:2",))["early"]["level:2"]
    assert early_ends(solve(rules)) == pytest.approx(early, abs=1e-9)


def test_a_game_with_very_many_positions_is_looked_at_in_its_first_plies() -> None:
    said = {one.kind: one.words for one in audit(built_in("sum-to-zero")).findings}
    assert "between equals of level 3 the second player wins 100% of the matches" in said[FindingKind("seat")]
    assert "56% of the matches are over after 4 plies" in said[FindingKind("early")]


@pytest.mark.parametrize("path", ["sum31", "zero-sum-duel", "docs/variants/sum21.toml"])
@pytest.mark.slow
def test_the_seat_is_blamed_exactly_where_a_game_is_not_even_up_to_level_3(path: str) -> None:
    rules = load_game(path)
    figures = metrics(rules)
    even = figures["even_to"]
    for screened in (None, figures):
        found = audit(rules, screened=screened)
        said = [one.words for one in found.findings if one.kind == "seat"]
        assert bool(said) is (even is None or even < 3)
        assert all(f"The game is {even_words(even)}; a good one is even up to level 3 at least." in one for one in said)
        assert (audit_json(found)["even_to"], found.first) == (even, {who: figures["first"][who] for who in ALL[:-1]})


def test_figures_that_are_known_are_used() -> None:
    rules = built_in("sum31")
    uneven = screen(rules)
    uneven["first"] = {"level:3": 0.1, "level:5": 0.5}
    (said,) = [one.words for one in audit(rules, screened=uneven).findings if one.kind == "seat"]
    # Of most players nothing is known, so nothing is said of how even the game is.
    assert said.endswith(" wins 90% of the matches. A good game is even up to level 3 at least.")
    uneven["first"] = {"level:5": 0.1}
    assert "seat" not in [one.kind for one in audit(rules, screened=uneven).findings]
