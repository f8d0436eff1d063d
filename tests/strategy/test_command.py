"""`zerosum card`, and the player `card` at every door."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Zerosum
from zerosum.cli.commands import card_command as command
from zerosum.jobs.job_table import JOBS
from zerosum.match.new_setup import new_setup
from zerosum.players import choose
from zerosum.players.levels import STRENGTHS
from zerosum.rules.game_files import BUILT_IN_IDS, built_in, load_text
from zerosum.rules.model import Seat
from zerosum.rules.position import start_position
from zerosum.screens.new_table_form import opponents
from zerosum.solver import solution_of
from zerosum.strategy import card_report
from zerosum.strategy.card import bundled_card, survivors
from zerosum.strategy.card_player import PLAYERS, card_of

CARDS = [game for game in BUILT_IN_IDS if bundled_card(built_in(game)) is not None]
KEYS = ["schema", "game", "seat", "rules", "exceptions", "proved", "positions", "kept", "against", "for_other"]


class TestCommand:
    @pytest.mark.parametrize("game", ["sum31", "zero-sum-game"])
    def test_json(self, zerosum: Zerosum, game: str) -> None:
        ran = zerosum("card", game, "--json").ok()
        answer = ran.json()
        assert ran.err == ""
        assert list(answer) == KEYS
        assert (answer["schema"], answer["game"], answer["proved"]) == (1, game, True)
        assert answer["seat"] == (2 if game == "sum31" else 1)
        assert answer["positions"] == (85 if game == "sum31" else 253)
        assert answer["kept"] == (pytest.approx(269 / 287, abs=1e-6) if game == "sum31" else 1.0)
        assert all(list(one) == ["rule", "words", "example"] for one in answer["rules"])
        assert answer["exceptions"] == []
        assert answer["for_other"] == (3 if game == "sum31" else None)
        assert [one["who"] for one in answer["against"]] == list(STRENGTHS)
        assert all(list(one) == ["who", "as_first", "as_second"] for one in answer["against"])

    def test_text(self, zerosum: Zerosum) -> None:
        lines = zerosum("card", "sum31").ok().out.splitlines()
        assert lines[0] == "Sum31: with this card the second player always wins"
        assert lines[2] == "  1. Make 31 if you can."
        assert "In the other seat, the first player's, go by rules 1 to 3 alone." in lines
        assert "Anywhere in the game, it keeps the best verdict in 269 of 287 real choices (93.7%)." in lines
        assert "random      89.66  100.00" in lines

    def test_a_card_that_is_not_proved_says_so(self, zerosum: Zerosum, tmp_path: Path) -> None:
        file = tmp_path / "hard.toml"
        file.write_text('like = "sum31"\nid = "hard"\nname = "Hard"\npool = [1,2,3,4,5,6,7,8,9,10,11,12]\ntarget = 50')
        answer = zerosum("card", str(file), "--seconds", "0.1", "--json").ok().json()
        assert (answer["proved"], answer["seat"], answer["positions"]) == (False, None, None)
        text = zerosum("card", str(file), "--seconds", "0.1").ok().out
        assert text.startswith("Hard: the best card found; it is not proved to win\n")
        assert "\nIt can lose: for one, when +" in text

    def test_a_proof_that_was_cut_short_is_not_called_a_loss(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Make and guard do win this game, but the proof may not follow so many positions."""
        monkeypatch.setattr(card_report, "MOST_FOLLOWED", 100)
        monkeypatch.setattr(card_report, "MOST_POSITIONS", 100)
        rules = load_text('like = "zero-sum-duel"\nid = "seven"\nname = "Seven"\npool = [1, 2, 3, 4, 5, 6, 7]')
        found = card_report.report_of(solution_of(rules))
        assert (found.proof.proved, found.proof.failure) == (False, None)
        assert any(line.startswith("Neither proved nor refuted: ") for line in command._proof(found))

    def test_a_game_with_a_swap(self, zerosum: Zerosum, tmp_path: Path) -> None:
        file = tmp_path / "swap.toml"
        file.write_text('like = "sum31"\nid = "swap"\nname = "Swap"\nswap = true')
        ran = zerosum("card", str(file))
        assert ran.status == 1
        assert "seats can be swapped" in ran.err

    def test_an_unknown_game(self, zerosum: Zerosum) -> None:
        assert zerosum("card", "sum3").status == 2


class TestPlayer:
    def test_is_offered_everywhere(self) -> None:
        assert "card" in PLAYERS.names
        assert "card" in dict(pair for _, group in opponents() for pair in group)
        assert new_setup(built_in("sum31"), who=("human", "card")).who == ("human", "card")

    @pytest.mark.parametrize("game", CARDS)
    def test_plays_only_moves_that_survive(self, game: str) -> None:
        rules = built_in(game)
        position = start_position(rules)
        position = position.play(position.legal_moves()[0])
        card, sight = card_of(rules, lambda _rules: pytest.fail("no solution is needed"))
        left = survivors(card, position, sight)
        assert {choose("card", position, f"seed {n}") for n in range(40)} <= set(left)

    def test_wins_from_its_seat(self) -> None:
        for seed in range(20):
            position = start_position(built_in("sum31"))
            while position.outcome is None:
                who = "card" if position.seat is Seat.SECOND else "level:6"
                position = position.play_unchecked(choose(who, position, f"{seed}/{position}"))
            assert position.outcome.winner is Seat.SECOND

    def test_plays_variants_the_same_way_every_time(self) -> None:
        rules = load_text('like = "sum31"\nid = "sum21"\nname = "Sum21"\ntarget = 21')
        start = start_position(rules)
        assert choose("card", start, "seed") == choose("card", start, "seed")

    def test_answers_in_a_worker(self) -> None:
        from zerosum.jobs import game_jobs  # noqa: F401, PLC0415 - registers the job
        from zerosum.rules.model import rules_to_dict  # noqa: PLC0415 - only here

        move = JOBS["choose"](rules_to_dict(built_in("sum31")), "card", "1,2,3,4,6,7,8,9 5 2", "seed")
        assert isinstance(move, str)

    def test_at_the_terminal(self, zerosum: Zerosum) -> None:
        ran = zerosum("play", "sum31", "--vs", "card", "--seed", "1", "--who-wins", stdin="5\nquit\n").ok()
        assert "Against card, Player 1 cannot win from this seat." in ran.err
