"""Ruling 7: where the referee stops a match, and who wins there."""

from __future__ import annotations

import pytest

from tests.clauses.replay import variant
from tests.match.kills import long_line
from zerosum.base import limits
from zerosum.base.errors import RecordError
from zerosum.match.match import Match, read_match, winner_at_limit
from zerosum.match.new_setup import new_setup
from zerosum.match.setup import Setup, SetupError
from zerosum.rules.game_files import RULEBOOK_IDS, built_in
from zerosum.rules.model import Rules, Seat
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.position import start_position
from zerosum.solver import Verdict, solution_of

GAME = built_in("zero-sum-game")
DRAWN = variant("zero-sum-game", pool=[-51, -37, 37, 51])
LOST = variant("zero-sum-game", pool=[-1, -1], start=[5, 1])
TOO_LARGE = variant("zero-sum-game", pool=[-999_999, 2, 3, 1_000_000], start=[-7, 9])


def stopped(setup: Setup, plies: int) -> Match:
    """Return a match of Zero Sum Game after moves that never reach zero."""
    match = Match.begin(setup)
    for move in long_line(plies):
        assert match.outcome is None
        match = match.after(move)
    return match


class TestRuling7Limit:
    """Sudden death: the limit."""

    def test_600_plies_between_computers_and_on_a_server(self) -> None:
        """Ruling 7: the referee stops at 600 plies, and the exact verdict of that position decides."""
        match = stopped(Setup(rules=GAME), limits.MATCH_PLIES)
        assert limits.MATCH_PLIES == 600
        assert match.position.outcome is None
        # Both are equally far from zero, so nobody is closer; but whoever is to move wins by force.
        assert sum(match.position.totals) == 0
        assert solution_of(GAME).value(match.position).verdict is Verdict.WIN
        assert match.outcome == Outcome(match.position.seat, Reason.PLY_LIMIT)
        assert read_match(match.record()) == match
        with pytest.raises(RecordError, match="over"):
            match.after(match.position.legal_moves()[0])

    @pytest.mark.parametrize(
        ("rules", "verdict", "winner"),
        [(GAME, Verdict.WIN, Seat.FIRST), (LOST, Verdict.LOSS, Seat.SECOND), (DRAWN, Verdict.DRAW, Seat.SECOND)],
    )
    def test_the_exact_verdict(self, rules: Rules, verdict: Verdict, winner: Seat) -> None:
        """Ruling 7: whoever wins with perfect play wins; seat 2 where neither can force an end."""
        position = start_position(rules)
        assert solution_of(rules).value(position).verdict is verdict
        assert winner_at_limit(position) is winner

    def test_a_game_too_large_to_solve(self) -> None:
        """Ruling 7 needs a verdict; without one the closer seat wins, seat 2 if both are as close."""
        assert winner_at_limit(start_position(TOO_LARGE)) is Seat.FIRST
        even = variant("zero-sum-game", pool=list(TOO_LARGE.pool), start=[9, -9])
        assert winner_at_limit(start_position(even)) is Seat.SECOND

    def test_no_limit_for_a_person_at_a_terminal(self) -> None:
        """Ruling 7: the rules set none; 10,000 plies guard the disk."""
        setup = new_setup(GAME, at_terminal=True)
        assert setup.plies == limits.TERMINAL_PLIES == 10_000
        match = stopped(setup, limits.MATCH_PLIES + 1)
        assert match.outcome is None
        assert read_match(match.record()) == match
        assert new_setup(GAME, who=("level:3", "human"), at_terminal=True).plies == limits.TERMINAL_PLIES

    def test_who_has_the_limit_of_600(self) -> None:
        """Ruling 7: computers at a terminal, and everybody on a server; a record says so where it is not 600."""
        assert new_setup(GAME, who=("random", "level:3"), at_terminal=True).plies == limits.MATCH_PLIES
        assert new_setup(GAME).plies == limits.MATCH_PLIES
        for game in RULEBOOK_IDS:
            record = Match.begin(new_setup(built_in(game), at_terminal=True)).record()
            assert ('[Limit "10000"]' in record) == (game == "zero-sum-game")

    def test_the_guard_ends_a_match_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Ruling 7: at 10,000 plies the same verdict decides (here at 612)."""
        monkeypatch.setattr(limits, "TERMINAL_PLIES", 612)
        match = stopped(new_setup(GAME, at_terminal=True), 612)
        assert match.outcome is not None
        assert match.outcome.reason is Reason.PLY_LIMIT

    @pytest.mark.parametrize("limit", [0, -1, 599, 10_001, True, "700"])
    def test_no_other_limits(self, limit: object) -> None:
        """Nothing stops a match where it likes."""
        with pytest.raises(SetupError):
            Setup(rules=GAME, limit=limit)  # type: ignore[arg-type]  # as a test gives them

    @pytest.mark.parametrize("limit", ["0", "-1", "599", "10001", "x", "", "00700", "1" * 99])
    def test_no_other_limits_in_a_record(self, limit: str) -> None:
        """A record cannot stop a match where it likes either."""
        with pytest.raises(RecordError, match="Limit"):
            read_match(f'[Game "zero-sum-game"]\n[Limit "{limit}"]\n\n')
