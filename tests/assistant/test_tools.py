"""Every tool, asked by the official client, answers what the command prints with `--json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from mcp.types import TextResourceContents

from tests.assistant.asking import SUM21, Assistant
from zerosum.cli.root_command import app
from zerosum.rules.game_files import GAME_IDS, built_in, load_text
from zerosum.rules.notation import parse_position
from zerosum.solver import Verdict, solution_of

pytestmark = pytest.mark.slow

RECORD = '[Game "sum31"]\n\n1. +5 +6 2. +9 +8 3. +3\n'


def printed(*words: str) -> str:
    result = CliRunner().invoke(app, list(words), prog_name="zerosum", catch_exceptions=False)
    return result.stdout


def document(*words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(*words, "--json"))
    assert found.pop("schema") == 1
    return found


def test_the_tools_are_these_and_only_read(talk: Assistant) -> None:
    tools = talk.tools()
    names = ["games", "rules", "analyze", "hint", "review", "reply", "puzzle", "check_rules", "solve", "audit"]
    names += ["metrics", "repair", "measure", "card", "lesson"]
    assert list(tools) == names
    for one in tools.values():
        assert one.annotations.read_only_hint
        assert one.description.endswith(".")
        assert one.title
        assert one.output_schema["required"][0] == "schema", "the client checks every answer against it"
        assert all(field["title"] for field in one.input_schema["properties"].values())
        assert all(field["description"] for field in one.input_schema["properties"].values())


def test_games(talk: Assistant) -> None:
    assert talk.ask("games") == document("games")


@pytest.mark.parametrize("game", ["sum31", "zero-sum-game"])
def test_rules(talk: Assistant, game: str) -> None:
    found = talk.ask("rules", game=game)
    assert "\n".join([found["name"], "", *found["words"], ""]) == printed("rules", game)
    assert found["rules"] in [{key: one[key] for key in one if key != "shelf"} for one in document("games")["games"]]


@pytest.mark.parametrize(
    ("game", "moves", "position"),
    [
        ("sum31", "+5 +6", ""),
        ("sum31", "", "1,2,3,4,7 28 1"),
        ("sum31", "+2", "1,2,3,4,7 28 1"),
        ("sum31", "+5 +6 +9 +8 +3", ""),
        ("zero-sum-duel", "+5 -3", ""),
    ],
)
def test_analyze(talk: Assistant, game: str, moves: str, position: str) -> None:
    asked = ["analyze", game, "--moves", moves, *(["--position", position] if position else [])]
    assert talk.ask("analyze", game=game, moves=moves, position=position) == document(*asked)
    assert talk.ask("analyze", game=game, moves=moves.split(), position=position, why=True) == document(*asked, "--why")


def test_analyze_takes_the_text_of_a_rules_file(talk: Assistant, tmp_path: Path) -> None:
    file = tmp_path / "sum21.toml"
    file.write_text(SUM21, encoding="utf-8")
    for name in ("analyze", "solve", "audit"):
        found, expected = talk.ask(name, game=SUM21), document(name, str(file))
        assert {**found, "seconds": 0} == {**expected, "seconds": 0}


def test_hint(talk: Assistant) -> None:
    at = "1,2,3,4,7 28 1"
    steps = [talk.ask("hint", game="sum31", position=at, step=step)["sentences"] for step in (1, 2, 3, 4)]
    assert steps[:3] == [
        ["Yes, there is a winning move: 1 of your 5 moves wins."],
        ["+3 wins at once."],
        ["+3 makes 31."],
    ]
    assert steps[3]
    same = talk.ask("hint", game="sum31", moves="+5 +6 +9 +8", step=2)
    assert same == {"game": "sum31", "position": at, "step": 2, "sentences": steps[1]}


def test_review(talk: Assistant, tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text(RECORD, encoding="utf-8")
    assert talk.ask("review", record=RECORD) == document("review", str(file))


def test_puzzle(talk: Assistant) -> None:
    found = talk.ask("puzzle", game="sum31", count=3, seed="a")
    assert found == document("puzzle", "sum31", "--count", "3", "--seed", "a")
    assert found == talk.ask("puzzle", game="sum31", count=3, seed="a")
    assert found != talk.ask("puzzle", game="sum31", count=3, seed="b")


@pytest.mark.parametrize("game", ["sum31", "last-straw"])
def test_solve_and_audit(talk: Assistant, game: str) -> None:
    assert {**talk.ask("solve", game=game), "seconds": 0} == {**document("solve", game), "seconds": 0}
    assert talk.ask("audit", game=game) == document("audit", game)


def test_metrics_repair_measure_card_and_lesson(talk: Assistant) -> None:
    assert talk.ask("metrics", game="sum31") == document("metrics", "sum31")
    assert talk.ask("repair", game="sum31", cost=1) == document("repair", "sum31", "--cost", "1")
    assert talk.ask("measure", game="sum31", who="level:4") == document(
        "measure", "policy", "level:4", "--game", "sum31"
    )
    assert talk.ask("card", game="sum31") == document("card", "sum31")
    assert talk.ask("lesson", game="sum31") == document("learn", "sum31")


def test_a_level_may_be_named_as_people_do(talk: Assistant) -> None:
    expected = talk.ask("reply", game="sum31", who="level:4", seed=1)
    for who in ("4", 4, "level 4", "Level 4", "level4", "level-4"):
        assert talk.ask("reply", game="sum31", who=who, seed=1) == expected
    schema = talk.tools()["reply"].input_schema["properties"]["who"]
    assert {"level:4", "perfect", 4} <= {*schema["enum"]}
    count = talk.tools()["puzzle"].input_schema["properties"]["count"]
    assert (count["minimum"], count["maximum"]) == (1, 20)


def test_prompts_are_offered_with_the_game_in_them(talk: Assistant) -> None:
    listed = talk.portal.call(talk.client.list_prompts).prompts
    assert [one.name for one in listed] == ["play", "learn", "design"]
    for one in listed:
        assert one.title
        found = talk.portal.call(talk.client.get_prompt, one.name, {"game": "summit"})
        text = str(found.messages[0].content)
        assert "summit" in text
        named = {word for word in talk.tools() if word in text.replace("_", " ").split() or word in text}
        assert named, "it names tools"


def test_check_rules(talk: Assistant) -> None:
    found = talk.ask("check_rules", rules=SUM21)
    assert (found["game"], found["name"], found["rules"]["target"]) == ("sum21", "Sum21", 21)
    assert found["words"] == [line for line in talk.ask("rules", game=SUM21)["words"] if not line.startswith(" ")]


def test_reply_plays_a_whole_match_from_position_to_position(talk: Assistant) -> None:
    """The perfect player answers as whoever wins: from every position in which it can, it keeps the win."""
    rules = built_in("sum31")
    at, seat, plies = "", 1, 0
    while True:
        who = "random" if seat == 1 else "perfect"
        answer = talk.ask("reply", game="sum31", position=at, who=who, seed=7)
        assert answer == talk.ask("reply", game="sum31", position=at, who=who, seed="7")
        before = parse_position(answer["position"], rules)
        assert str(before.play(answer["move"])) == answer["after"]
        if who == "perfect":
            assert solution_of(rules).value(before).verdict is Verdict.WIN
        at, seat, plies = answer["after"], 3 - seat, plies + 1
        if answer["outcome"]:
            assert answer["to_move"] is None
            assert answer["outcome"]["winner"] == 2
            break
        assert answer["to_move"] == seat
    assert plies <= 7


def test_seeds_of_a_reply_make_a_difference(talk: Assistant) -> None:
    moves = {talk.ask("reply", game=SUM21, who="random", seed=seed)["move"] for seed in range(12)}
    assert len(moves) > 2
    assert moves <= {f"+{number}" for number in range(1, 10)}


def test_resources_are_the_rules_files(talk: Assistant) -> None:
    listed = talk.portal.call(talk.client.list_resources).resources
    assert [one.uri for one in listed] == [f"zerosum://rules/{game}" for game in GAME_IDS]
    for one in listed:
        (content,) = talk.portal.call(talk.client.read_resource, one.uri).contents
        assert isinstance(content, TextResourceContents)
        assert load_text(content.text) == built_in(one.name)
        assert content.mime_type == "application/toml"
