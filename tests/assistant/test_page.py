"""The page on `zerosum mcp` names every tool with its arguments, and its settings start a server."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import pytest

from zerosum.assistant.answers import EXAM_TOOLS, TOOLS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "mcp.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_is_in_the_table_with_its_arguments(name: str) -> None:
    arguments = [f"`{one}`" for one in inspect.signature(TOOLS[name]).parameters if one != "worker"]
    assert f"\n| `{name}` | {', '.join(arguments)} |".replace("|  |", "| |") in PAGE


def test_what_an_examination_leaves_out_is_said() -> None:
    section = PAGE.partition("## In an examination\n")[2].partition("\n## ")[0]
    changed = {name for name in TOOLS if EXAM_TOOLS.get(name) is not TOOLS[name]}
    assert set(re.findall(r"`(\w+)`", section)) == changed


def test_the_settings_call_the_command() -> None:
    settings = json.loads(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[0])
    assert settings == {"mcpServers": {"zerosum": {"command": "zerosum", "args": ["mcp"]}}}
