"""What a tool refuses: one sentence of ours, as an error that the model reads."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import MCPError

from tests.assistant.asking import SUM21, Assistant
from zerosum.base import limits

pytestmark = pytest.mark.slow

LARGE = SUM21.replace("target = 21", f"target = 400\npool = {list(range(1, 41))}")
HUGE = 2**63


Refused = tuple[str, dict[str, Any], str]
REFUSED: list[Refused] = [
    ("analyse", {}, "There is no tool 'analyse'. Did you mean 'analyze'?"),
    ("\x1b[31m", {}, "There is no tool "),
    ("analyze", {}, "game: field required."),
    ("analyze", {"game": 31}, "game: input should be a valid string."),
    ("analyze", {"game": "sum31", "move": "+5"}, "analyze has no argument 'move'. Did you mean 'moves'?"),
    ("games", {"game": "sum31"}, "games has no argument 'game'. It takes none."),
    ("analyze", {"game": "sum13"}, "There is no game 'sum13'. Did you mean 'sum31'?"),
    ("analyze", {"game": "docs/variants/sum21.toml"}, "There is no game 'docs/variants/sum21.toml'."),
    ("analyze", {"game": ""}, "There is no game ''. The games are sum-to-zero,"),
    ("analyze", {"game": "sum31", "moves": "+5 +5"}, "Move 2, +5: +5 is not allowed: that number is not available."),
    ("analyze", {"game": "sum31", "moves": "five"}, "Move 1, "),
    ("analyze", {"game": "sum31", "moves": f"+{HUGE}"}, "Move 1, "),
    ("analyze", {"game": "sum31", "moves": ["+5", 6]}, "moves: "),
    ("analyze", {"game": "sum31", "moves": ["+1"] * 601}, "moves: more than 600, the longest match."),
    ("analyze", {"game": "sum31", "position": "1,2 3"}, ""),
    ("analyze", {"game": "sum31", "position": "1,2 3 1"}, "With 7 numbers used it is seat 2's turn."),
    ("analyze", {"game": "sum31", "position": f"1,2 {HUGE} 1"}, ""),
    ("analyze", {"game": "sum31", "position": "1," * 5_000}, "position: longer than 1000 characters."),
    ("analyze", {"game": LARGE}, "Sum21 can have about 1.1 trillion positions. "),
    ("hint", {"game": "sum31", "step": 0}, "step: 1 whether there is a good move"),
    ("hint", {"game": "sum31", "step": HUGE}, "step: 1 whether there is a good move"),
    ("hint", {"game": "sum31", "step": "x"}, "step: input should be a valid integer"),
    ("hint", {"game": "sum31", "moves": "+5 +6 +9 +8 +3"}, "The match is over; nobody is to move."),
    ("review", {"record": ""}, ""),
    ("review", {"record": "1. +5 +6"}, ""),
    ("review", {"record": '[Game "sum31"]\n\n1. +5 +5'}, ""),
    ("review", {"record": "x" * 70_000}, "record: larger than 64 KiB."),
    ("reply", {"game": "sum31", "who": "level:10"}, "who: there is no player 'level:10'; there are random, "),
    ("reply", {"game": "sum31", "who": "bot:id"}, "who: there is no player 'bot:id'; there are random, "),
    ("repair", {"game": "sum31", "goal": "../../etc/passwd"}, "goal: there is no goal '../../etc/passwd'; there are "),
    ("repair", {"game": "sum31", "cost": 9}, "cost: from 1 to 2."),
    ("measure", {"game": "sum31", "who": "bot:id"}, "who: there is no player 'bot:id'; there are random, "),
    ("measure", {"game": LARGE}, "Sum21 can have about 1.1 trillion positions. "),
    ("puzzle", {"game": "sum31", "count": 0}, "count: from 1 to 20."),
    ("puzzle", {"game": "sum31", "count": HUGE}, "count: from 1 to 20."),
    ("check_rules", {"rules": ""}, "rules: format: missing"),
    ("check_rules", {"rules": "sum31"}, "rules: not valid TOML: "),
    ("check_rules", {"rules": f"{SUM21}# {'x' * limits.RULES_FILE_BYTES}"}, "rules: larger than 64 KiB."),
    ("check_rules", {"rules": f"pool = {'[' * 20_000}"}, "rules: arrays or tables are nested too deeply."),
    ("check_rules", {"rules": f"{'a.' * 30_000}a = 1"}, "rules: a line has more than 200 dots"),
    ("check_rules", {"rules": f"{SUM21}start = {HUGE}"}, "rules: start: "),
    ("check_rules", {"rules": f"{SUM21}start = {'9' * 9_000}"}, "rules: a number is too large"),
    ("check_rules", {"rules": f'{SUM21}like = "../sum31"'}, "rules: not valid TOML: "),
    ("check_rules", {"rules": 'like = "../../etc/passwd"'}, "rules: like: must be one of sum-to-zero,"),
]


@pytest.mark.parametrize(("tool", "arguments", "sentence"), REFUSED)
def test_a_refusal_is_one_sentence(talk: Assistant, tool: str, arguments: dict[str, Any], sentence: str) -> None:
    said = talk.refused(tool, **arguments)
    assert said.startswith(sentence)
    assert said[-1] in ".?)'", said
    assert said.isprintable()
    assert "rror executing" not in said


def test_a_resource_that_is_not_there(talk: Assistant) -> None:
    for address, sentence in {
        "zerosum://rules/sum13": "There is no game 'sum13'. Did you mean 'sum31'?",
        "zerosum://rules/../../etc/passwd": "",
        "file:///etc/passwd": "",
    }.items():
        with pytest.raises(MCPError) as caught:
            talk.portal.call(talk.client.read_resource, address)
        assert str(caught.value).startswith(sentence)
        assert "root:" not in str(caught.value)
