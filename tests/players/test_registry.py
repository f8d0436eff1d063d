"""Players are open: one line adds a player, and every door has it; and a seed chooses as it always did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from tests.each import each
from zerosum.base.errors import BadNameError, BadValueError
from zerosum.cli import menu
from zerosum.cli.commands import play_commands
from zerosum.cli.console import Console, Quit
from zerosum.jobs import game_jobs
from zerosum.jobs.job_table import JobError
from zerosum.match.match import Match, read_match
from zerosum.match.new_setup import new_setup
from zerosum.match.setup import Person, Series, Setup, SetupError
from zerosum.players import PLAYERS, PlayerInfo, Players, UnknownPlayerError, check_player, choose, pick, register
from zerosum.players.odds import odds_from
from zerosum.rules.game_files import built_in
from zerosum.rules.model import rules_to_dict
from zerosum.rules.moves import Move
from zerosum.rules.position import IllegalMoveError, Position, start_position
from zerosum.screens.new_table_form import opponents
from zerosum.server.http.bodies import body_model
from zerosum.solver import SolverError
from zerosum.tables.new_table import TableRequest, open_request
from zerosum.tables.problems import Problem

SUM31 = built_in("sum31")
START = start_position(SUM31)
TOSSES = [2, 2, 2, 2, 1, 2, 2, 1, 1, 1, 2, 1]

CHOICES = {
    ("sum31", "+5 +6", "random"): "+4 +3 +7 +9 +2 +1 +2 +8",
    ("sum31", "+5 +6", "level:1"): "+4 +8 +1 +8 +3 +2 +8 +1",
    ("sum31", "+5 +6", "level:2"): "+4 +8 +1 +8 +3 +2 +8 +1",
    ("sum31", "+5 +6", "level:3"): "+4 +8 +1 +8 +3 +2 +8 +1",
    ("sum31", "+5 +6", "level:4"): "+4 +8 +1 +8 +3 +2 +8 +1",
    ("sum31", "+5 +6", "level:5"): "+4 +7 +9 +1 +3 +2 +7 +9",
    ("sum31", "+5 +6", "level:6"): "+3 +7 +4 +9 +2 +2 +7 +4",
    ("sum31", "+5 +6", "level:7"): "+3 +1 +4 +9 +2 +2 +1 +4",
    ("sum31", "+5 +6", "level:8"): "+3 +9 +4 +9 +2 +2 +9 +4",
    ("sum31", "+5 +6", "level:9"): "+3 +9 +4 +9 +2 +2 +9 +4",
    ("sum31", "+5 +6", "perfect"): "+3 +9 +4 +9 +2 +2 +9 +4",
    ("zero-sum-duel", "+5", "random"): "+8 +6 +9 -9 +4 -2 -3 -4",
    ("zero-sum-duel", "+5", "level:1"): "+1 -8 +3 -7 +8 +7 -8 -3",
    ("zero-sum-duel", "+5", "level:2"): "+9 -8 +2 -6 +7 +6 -8 -2",
    ("zero-sum-duel", "+5", "level:3"): "+8 -8 +1 -6 +7 +6 -8 +2",
    ("zero-sum-duel", "+5", "level:4"): "+8 -7 +9 -4 +7 +6 -7 +9",
    ("zero-sum-duel", "+5", "level:5"): "+8 -7 +9 -3 +7 +6 -6 +9",
    ("zero-sum-duel", "+5", "level:6"): "+7 -4 +8 -2 +7 +6 -4 +9",
    ("zero-sum-duel", "+5", "level:7"): "+6 +6 +6 +6 +6 +6 +6 +6",
    ("zero-sum-duel", "+5", "level:8"): "+6 +6 +6 +6 +6 +6 +6 +6",
    ("zero-sum-duel", "+5", "level:9"): "+6 +6 +6 +6 +6 +6 +6 +6",
    ("zero-sum-duel", "+5", "perfect"): "+6 +6 +6 +6 +6 +6 +6 +6",
    ("zero-sum-game", "+3 -2", "random"): "+4 +1 +5 +5 -1 -4 -3 -1",
    ("zero-sum-game", "+3 -2", "level:1"): "-5 +5 -1 +4 -3 -3 +5 -1",
    ("zero-sum-game", "+3 -2", "level:2"): "+2 +5 -4 +4 -3 -3 +5 -4",
    ("zero-sum-game", "+3 -2", "level:3"): "-3 -3 -3 -3 -3 -3 -3 -3",
    ("zero-sum-game", "+3 -2", "level:4"): "-3 -3 -3 -3 -3 -3 -3 -3",
    ("zero-sum-game", "+3 -2", "level:5"): "-3 -3 -3 -3 -3 -3 -3 -3",
    ("zero-sum-game", "+3 -2", "level:6"): "-3 -3 -3 -3 -3 -3 -3 -3",
    ("zero-sum-game", "+3 -2", "level:7"): "-3 -3 -3 -3 -3 -3 -3 -3",
    ("zero-sum-game", "+3 -2", "level:8"): "-3 -3 -3 -3 -3 -3 -3 -3",
    ("zero-sum-game", "+3 -2", "level:9"): "-3 -3 -3 -3 -3 -3 -3 -3",
    ("zero-sum-game", "+3 -2", "perfect"): "-3 -3 -3 -3 -3 -3 -3 -3",
}
"""What each player chose for the seeds seed/1/0 to seed/1/7 before players were open: that must never change."""


@each(("game", "moves", "who"), CHOICES)
def test_a_seed_chooses_as_it_always_did(game: str, moves: str, who: str) -> None:
    position = start_position(built_in(game))
    for move in moves.split():
        position = position.play(move)
    chosen = [position.text_of(choose(who, position, f"seed/1/{n}")) for n in range(8)]
    assert " ".join(chosen) == CHOICES[game, moves, who]


def test_the_seed_of_a_move_is_that_of_its_match_and_ply() -> None:
    match = Match.begin(Setup(rules=SUM31, seed="abc")).after("+5")
    assert match.seed == "abc/1/1"
    third = Match.begin(Setup(rules=SUM31, seed="abc", series=Series("s", 5, 3)))
    assert third.seed == "abc/3/0"


def largest(position: Position) -> Move:
    return max(position.legal_moves(), key=lambda move: move.number)


@pytest.fixture
def toy() -> Iterator[str]:
    """Register a player for one test."""
    register("largest", largest, title="Largest", words="takes the largest number")
    yield "largest"
    PLAYERS.remove("largest")


def accepted_by_the_menu(answer: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the player that the menu takes an answer for."""
    answers = iter([answer, "q"])
    monkeypatch.setattr(Console, "ask", lambda _self, _prompt: next(answers))
    try:
        return menu._ask_who(Console(plain=True))
    except Quit:
        return ""


def doors(who: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, bool]:
    """Return which doors know a player."""

    def known(error: type[Exception], ask: Any) -> bool:
        try:
            ask()
        except error:
            return False
        return True

    schema: Any = body_model(TableRequest).model_json_schema()["properties"]["opponent"]
    question: Any = {"rules": rules_to_dict(SUM31), "who": who, "position": str(START), "seed": "1"}
    return {
        "check_player": known(UnknownPlayerError, lambda: check_player(who)),
        "choose": known(UnknownPlayerError, lambda: choose(who, START, "1")),
        "set-up": known(UnknownPlayerError, lambda: new_setup(SUM31, who=("human", who))),
        "menu": accepted_by_the_menu(who, monkeypatch) == who,
        "API": who in schema["enum"] and known(Problem, lambda: open_request(TableRequest(game="sum31", opponent=who))),
        "page": who in dict(dict(opponents())["Computers"]),
        "worker": known(JobError, lambda: game_jobs.choose(**question)),
    }


def test_a_new_player_is_one_line_and_every_door_has_it(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(doors(toy, monkeypatch).values()) == {True}
    assert choose(toy, START, "1") == Move(9)
    assert dict(dict(opponents())["Computers"])[toy] == "Largest: takes the largest number"
    named: Any = open_request(TableRequest(game="sum31", opponent=toy)).data["tags"]
    assert (named["Player2"], named["Who2"]) == ("Largest", toy)
    assert PLAYERS.spoken()[-1] == toy
    with pytest.raises(UnknownPlayerError, match=r"Did you mean 'largest'\?"):
        check_player("largst")
    with pytest.raises(SolverError, match="not for largest"):
        odds_from(START, [(toy, "random")])


def test_the_command_plays_it(toy: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROSUM_HOME", str(tmp_path))
    record = tmp_path / "record.txt"
    arguments = ["sum31", "--p1", toy, "--vs", toy, "--record", str(record)]
    assert CliRunner().invoke(play_commands.play_command, arguments, standalone_mode=False).return_value == 0
    assert read_match(record.read_text()).moves == tuple(map(Move, (9, 8, 7, 6, 5)))
    with pytest.raises(UnknownPlayerError, match="Did you mean 'largest'"):
        CliRunner().invoke(
            play_commands.play_command, ["sum31", "--vs", "larges"], standalone_mode=False, catch_exceptions=False
        )


def test_without_that_line_no_door_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(doors("largest", monkeypatch).values()) == {False}


class TestRegistry:
    def test_a_registry_of_ones_own(self) -> None:
        own = Players([PlayerInfo("largest", "Largest", "", lambda _rules, _solved: largest)])
        assert new_setup(SUM31, who=("human", "largest"), players=own).who == ("human", "largest")
        assert choose("largest", START, "", players=own) == Move(9)
        with pytest.raises(UnknownPlayerError, match="The players are human and largest"):
            check_player("perfect", own)

    def test_a_family_is_found_by_its_prefix(self) -> None:
        def taking(name: str) -> PlayerInfo:
            text = name.partition(":")[2]
            return PlayerInfo(name, name, "", lambda _rules, _solved: lambda _position: f"+{text}")

        own = Players()
        own.add_family("take:", taking)
        assert "take:5" in own
        assert own.names == ()
        assert check_player("take:5", own) == "take:5"
        assert choose("take:5", START, "", players=own) == Move(5)
        own.remove("take:")
        assert "take:5" not in own
        with pytest.raises(UnknownPlayerError):
            own.remove("take:")

    def test_a_name_is_given_once(self, toy: str) -> None:
        with pytest.raises(BadValueError, match="There is a player 'largest' already"):
            register(toy, largest)

    @pytest.mark.parametrize("name", ["", "human", "a b", "A", "x" * 41, "a\nb", "../a"])
    def test_a_name_is_one_that_a_record_can_say(self, name: str) -> None:
        with pytest.raises(BadValueError, match="A player's name has 1 to 40 characters"):
            register(name, largest)

    def test_names_that_differ_in_a_number_are_said_in_one_go(self) -> None:
        assert PLAYERS.spoken() == ["random", "level:1 to level:9", "perfect", "card"]


class TestChoices:
    @pytest.mark.parametrize(
        ("choice", "moves"),
        [
            (Move(5), {Move(5)}),
            ("+5", {Move(5)}),
            ([Move(5), Move(6)], {Move(5), Move(6)}),
            ({"+5": 0.5, "+6": 0.5}, {Move(5), Move(6)}),
            (["+5", "+6"], {Move(5), Move(6)}),
            ({Move(5): 0.5, Move(6): 0.5, Move(7): 0.0}, {Move(5), Move(6)}),
        ],
    )
    def test_chances_moves_or_a_move(self, choice: Any, moves: set[Move]) -> None:
        own = Players([PlayerInfo("toy", "Toy", "", lambda _rules, _solved: lambda _position: choice)])
        assert {choose("toy", START, str(seed), players=own) for seed in range(40)} == moves

    @pytest.mark.parametrize("choice", [None, [], {}, 5, [5]])
    def test_anything_else_is_refused(self, choice: Any) -> None:
        own = Players([PlayerInfo("toy", "Toy", "", lambda _rules, _solved: lambda _position: choice)])
        with pytest.raises(BadValueError, match="A player answers with"):
            choose("toy", START, "", players=own)

    def test_an_illegal_move_is_refused(self) -> None:
        own = Players([PlayerInfo("toy", "Toy", "", lambda _rules, _solved: lambda _position: [Move(5), Move(10)])])
        with pytest.raises(IllegalMoveError):
            choose("toy", START, "", players=own)


class TestSetup:
    def test_the_toss_of_a_seed_never_changes(self) -> None:
        tossed = [new_setup(SUM31, first="toss", seed=str(n)).first.value for n in range(12)]
        assert tossed == [pick((1, 2), f"{n}/toss") for n in range(12)] == TOSSES

    @pytest.mark.parametrize(
        ("asked", "error", "message"),
        [
            ({"names": ("Ann", "ANN")}, SetupError, "need different names"),
            ({"names": ("Ann", "a\nb")}, BadNameError, "cannot be shown"),
            ({"best_of": 4}, SetupError, "an odd number from 1 to 99, not of 4"),
            ({"who": ("human", "nobody")}, UnknownPlayerError, "There is no player 'nobody'"),
            ({"seed": "a\nb"}, BadNameError, "seed"),
        ],
    )
    def test_what_cannot_be_set_up(self, asked: dict[str, Any], error: type[Exception], message: str) -> None:
        with pytest.raises(error, match=message) as caught:
            new_setup(SUM31, **asked)
        assert getattr(caught.value, "exit_code", None) == 2

    def test_a_series_is_named_by_the_caller(self) -> None:
        setup = new_setup(SUM31, best_of=3, series_id=lambda: "abc")
        assert setup.series == Series("abc", 3)
        assert setup.first is Person.ONE


def test_nobody_is_told_to_mean_human_who_wrote_it() -> None:
    with pytest.raises(UnknownPlayerError) as told:
        PLAYERS.find("human")
    assert "Did you mean" not in str(told.value)
    assert str(told.value).startswith(
        "Nobody can be asked for moves here, so 'human' cannot play. The players are random,"
    )
    with pytest.raises(UnknownPlayerError, match="Did you mean 'human'"):
        PLAYERS.find("humann")


def test_nobody_is_told_to_mean_human_where_no_human_can_play() -> None:
    with pytest.raises(UnknownPlayerError, match="Did you mean 'human'"):
        PLAYERS.find("humna")
    with pytest.raises(UnknownPlayerError) as error:
        PLAYERS.find("humna", human=False)
    assert "human" not in str(error.value)
