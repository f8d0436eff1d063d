"""The server that an assistant starts: tools and resources over standard input and output, by the MCP SDK.

The only module that needs the extra `mcp`. The tools are functions of `answers.py`: their docstrings are the words by
which a model chooses. A `ZerosumError` reaches the model as its one sentence.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Annotated, Any, Final, get_type_hints

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.mcpserver.resources import FunctionResource
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from mcp_types import Tool as MCPTool
from pydantic import Field, ValidationError

from zerosum.assistant import limits
from zerosum.assistant.answers import EXAM_TOOLS, TOOLS, Tool, assistant_worker
from zerosum.base.errors import ZerosumError
from zerosum.base.text import did_you_mean, printable, shorten
from zerosum.coach.hints import MORE
from zerosum.lab.goals import GOALS
from zerosum.rules.game_files import BUILT_IN_IDS, GAME_IDS, built_in, write_rules
from zerosum.server.worker.client import WorkerClient
from zerosum.strategy.card_player import PLAYERS
from zerosum.version import __version__

SCHEMA: Final = 1
_INSTRUCTIONS: Final = (
    "zerosum has number duels for two players; call games first. A move is written with its sign (+5, -3), a position "
    "as 'POOL TOTALS SEAT' (1,2,3,4,7 28 1). Nothing is kept between calls: give the game, and the moves or the "
    "position, each time."
)
_EXACT: Final = "Every game is solved and every verdict is exact: ask, and do not calculate it yourself."
_EXAM: Final = "This is an examination: no tool says which moves are good."
_RULES: Final = "zerosum://rules/"
_ESCAPE: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)
"""An escape in JSON: a surrogate pair, half of one (the group), or any other."""
_READS_ONLY: Final = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

Ctx = Context[WorkerClient, Any]
_ARGUMENTS: Final = {
    "game": "A game by its id, such as sum31, or the whole text of a rules file (TOML).",
    "moves": "The moves played so far, with signs: '+5 +6'. Empty: none was played.",
    "position": "The position to begin from, 'POOL TOTALS SEAT' as in '1,2,3,4,7 28 1'. Empty: the start.",
    "seed": "Any text or number; the same seed gives the same answer.",
    "why": "Also say why each move wins or loses.",
    "step": "1 is there a good move, 2 which, 3 why, 4 the lines.",
    "who": "random, level:1 (weak) to level:9 (strong), perfect or card.",
    "record": "The text of a record: '[Game \"sum31\"]', an empty line, then '1. +5 +6 2. +9 …'.",
    "rules": "The whole text of a rules file (TOML).",
    "count": "How many, from 1 to 20.",
    "goal": "What a good game is.",
    "cost": "The most that changes may cost together: a key 1, a number of the pool 2.",
}
_BOUNDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "step": {"minimum": 1, "maximum": MORE},
    "count": {"minimum": 1, "maximum": limits.PUZZLES},
    "cost": {"minimum": 1, "maximum": limits.REPAIR_COST},
    "goal": {"enum": [*GOALS]},
    "who": {"enum": [*PLAYERS.names, *range(1, 10)]},
}
"""What an argument may be, for clients; the tools check it themselves, with sentences that say what to do."""


BROKEN: Final = "\N{REPLACEMENT CHARACTER}"
"""What stands for a character that could not be read."""

TITLES: Final = {
    "games": "The games",
    "rules": "Rules of a game",
    "analyze": "Judge a position",
    "hint": "A hint",
    "review": "Review a match",
    "reply": "An opponent's move",
    "puzzle": "Puzzles",
    "check_rules": "Check a rules file",
    "solve": "Who wins",
    "audit": "What is wrong with a game",
    "metrics": "How even and rich a game is",
    "repair": "Make a better game",
    "measure": "How strong a player is",
    "card": "Strategy card",
    "lesson": "A course",
}

_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "number"}
_WHOLE: Final = {"type": "integer"}
_LIST: Final = {"type": "array"}
_OBJECT: Final = {"type": "object"}
_FLAG: Final = {"type": "boolean"}


def _or_null(kind: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"anyOf": [dict(kind), {"type": "null"}]}


_SEAT: Final = _or_null({"type": "integer", "enum": [1, 2]})
_VERDICT: Final = _or_null({"type": "string", "enum": ["win", "loss", "draw"]})
_RULES_PROPERTY: Final = {"game": _TEXT, "name": _TEXT, "idea": _TEXT, "words": _LIST, "rules": _OBJECT}
_PUZZLES: Final = {"puzzles": {"type": "array", "items": _OBJECT}}
_AT: Final = {"game": _TEXT, "moves": _LIST, "position": _TEXT, "to_move": _SEAT, "options": _LIST}
_MEMBERS: Final[Mapping[str, Mapping[str, Mapping[str, Any]]]] = {
    "games": {"games": {"type": "array", "items": _OBJECT}},
    "rules": _RULES_PROPERTY,
    "check_rules": _RULES_PROPERTY,
    "analyze": {**_AT, "outcome": _or_null(_OBJECT)},
    "hint": {"game": _TEXT, "position": _TEXT, "step": _WHOLE, "sentences": _LIST},
    "review": {"game": _TEXT, "moves": _LIST, "blunders": _OBJECT, "accuracy": _OBJECT, "outcome": _or_null(_OBJECT)},
    "reply": {
        **dict.fromkeys(("game", "who", "seed", "position", "move", "after"), _TEXT),
        "to_move": _SEAT,
        "outcome": _or_null(_OBJECT),
    },
    "puzzle": _PUZZLES,
    "solve": {
        "game": _TEXT,
        "winner": _SEAT,
        "plies": _or_null(_WHOLE),
        "winning_openings": _LIST,
        "openings": _LIST,
        "positions": _or_null(_WHOLE),
        "law": _or_null(_OBJECT),
        "seconds": _NUMBER,
    },
    "audit": {"game": _TEXT, "findings": _LIST, "solved": _FLAG},
    "metrics": {"games": {"type": "array", "items": _OBJECT}},
    "repair": {
        "game": _TEXT,
        "goal": _TEXT,
        "meets": _FLAG,
        "cost": _WHOLE,
        "tried": _WHOLE,
        "found": _LIST,
        "nearest": _LIST,
    },
    "measure": {"policy": _TEXT, "game": _TEXT, "against": _LIST, "exploitability": _or_null(_NUMBER)},
    "card": {"game": _TEXT, "rules": _LIST, "proved": _FLAG},
    "lesson": {"game": _TEXT, "steps": _LIST},
}
"""The members that every answer of a tool has; `analyze` has a verdict too, except in an examination."""
_SOMETIMES: Final[Mapping[str, Mapping[str, Any]]] = {"analyze": {"verdict": _VERDICT, "plies": _or_null(_WHOLE)}}
OUTPUTS: Final = {
    name: {
        "type": "object",
        "title": TITLES[name],
        "properties": {"schema": {"type": "integer", "const": 1}, **members, **_SOMETIMES.get(name, {})},
        "required": ["schema", *members],
    }
    for name, members in _MEMBERS.items()
}

_PLAY: Final = (
    "Play {game} with me. Ask which level you should play at and who begins. Call rules and tell me the rules in a few "
    "words, choose your moves with reply, and show me the position after each move. If I ask for a hint, call hint, "
    "with step 1 first."
)
_LEARN: Final = (
    "Teach me {game}. Call lesson and go through its steps one by one: one idea, then its exercises; wait for my "
    "answer to each before you tell me the solution. Check every claim of yours with analyze."
)
_DESIGN: Final = (
    "Help me to make a better game of {game}. Call audit and metrics, tell me in a few words what is wrong, call "
    "repair for the smallest changes, and let me choose. Write the rules file of the one that I choose, and check it "
    "with check_rules."
)
PROMPTS: Final = {
    "play": ("Play a match", "Play a number duel with the assistant.", _PLAY),
    "learn": ("Learn a game", "A lesson on a number duel, one idea at a time.", _LEARN),
    "design": ("Design a game", "Change a number duel until it is a good game.", _DESIGN),
}
"""Prompts that a client may offer, by name: title, words, and text with the game in it."""


class _Server(MCPServer[WorkerClient]):
    """A server whose errors are one sentence each, without the SDK's words around it."""

    async def list_tools(self) -> list[MCPTool]:
        """List the tools with the schemas of their answers."""
        return [one.model_copy(update={"output_schema": OUTPUTS[one.name]}) for one in await super().list_tools()]

    async def run_stdio_async(self) -> None:
        """Serve standard input and output; half a surrogate pair in a message is marked, so that it gets an answer.

        The SDK would drop such a message without one, and its sender would wait for ever.
        """
        async with stdio_server(_lines()) as (incoming, outgoing):  # type: ignore[arg-type]  # it only iterates
            options = self._lowlevel_server.create_initialization_options()
            await self._lowlevel_server.run(incoming, outgoing, options)

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[WorkerClient, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; its document is the answer, as text and as data."""
        if BROKEN in f"{name}{json.dumps(arguments, ensure_ascii=False)}":
            raise ToolError("An argument has a broken character: half of a surrogate pair. Send whole characters.")
        tool = self._tool_manager.get_tool(name)
        known = {one.name for one in self._tool_manager.list_tools()}
        if tool is None:
            hint = did_you_mean(name, known, f"The tools are {', '.join(sorted(known))}.")
            raise ToolError(f"There is no tool '{shorten(name)}'. {hint}")
        taken = tool.parameters.get("properties", {})
        for argument in arguments:
            if argument not in taken:
                takes = f"It takes {', '.join(taken)}." if taken else "It takes none."
                raise ToolError(f"{name} has no argument '{shorten(argument)}'. {did_you_mean(argument, taken, takes)}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            raise _in_our_words(error) from error.__cause__


async def _lines() -> AsyncIterator[str]:
    """Yield the lines of standard input, each half of a surrogate pair in them marked as broken."""
    with open(sys.stdin.fileno(), encoding="utf-8", errors="replace", closefd=False) as file:
        async for line in anyio.wrap_file(file):
            yield mended(line)


def mended(line: str) -> str:
    r"""Return a line of JSON whose escapes are all whole characters.

    >>> mended(r'"\ud83c\udfb2 \ud800 \\ud800"') == r'"\ud83c\udfb2 \ufffd \\ud800"'
    True
    """
    return _ESCAPE.sub(lambda found: r"\ufffd" if found[1] else found[0], line)


def _in_our_words(error: ToolError) -> ToolError:
    match error.__cause__:
        case ZerosumError() as ours:
            return ToolError(printable(str(ours)))
        case ValidationError() as wrong:
            first = wrong.errors(include_url=False, include_context=False, include_input=False)[0]
            return ToolError(f"{first['loc'][0]}: {first['msg'][0].lower()}{first['msg'][1:]}.")
        case _:
            return error


def _described(name: str, function: Tool) -> Callable[..., Awaitable[CallToolResult]]:
    """Return a function as the SDK takes it: arguments with their words, a document as text and as data."""
    types = get_type_hints(function)
    parameters = dict(inspect.signature(function).parameters)
    thinks = parameters.pop("worker", None) is not None

    async def tool(ctx: Ctx, **arguments: Any) -> CallToolResult:
        given = (ctx.request_context.lifespan_context,) if thinks else ()
        document = {"schema": SCHEMA, **await function(*given, **arguments)}
        text = TextContent(type="text", text=json.dumps(document))
        return CallToolResult(content=[text], structured_content=document)

    kind = inspect.Parameter.KEYWORD_ONLY
    described = [
        one.replace(kind=kind, annotation=Annotated[types[key], _field(key)]) for key, one in parameters.items()
    ]
    context = inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Ctx)
    tool.__signature__ = inspect.Signature([context, *described])  # type: ignore[attr-defined]  # read by the SDK
    tool.__annotations__ = {one.name: one.annotation for one in (context, *described)}
    tool.__name__, tool.__doc__ = name, function.__doc__
    return tool


def _field(key: str) -> Any:
    """Return what a client is told of an argument: its title, its words and its bounds."""
    bounds = dict(_BOUNDS.get(key, {}))
    return Field(title=key.capitalize(), description=_ARGUMENTS[key], json_schema_extra=bounds or None)


@asynccontextmanager
async def _thinking(server: MCPServer[WorkerClient]) -> AsyncIterator[WorkerClient]:
    """Give the tools a worker, and leave no process of it behind, however the server ends."""
    del server
    worker = assistant_worker()
    loop = asyncio.get_running_loop()
    leaving: list[asyncio.Task[None]] = []

    def leave(number: signal.Signals) -> None:
        leaving.append(loop.create_task(_leave(worker, number)))

    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows has other means
            loop.add_signal_handler(number, leave, number)
    try:
        yield worker
    finally:
        await worker.close()


async def _leave(worker: WorkerClient, number: signal.Signals) -> None:
    """End at once: the SDK waits for a line of input in a thread that no signal wakes."""
    await worker.close()
    os._exit(128 + number)


def make_server(*, exam: bool) -> MCPServer[WorkerClient]:
    """Return the server, with all tools, or with those that spoil no examination."""
    server = _Server(
        "zerosum",
        title="zerosum",
        version=__version__,
        instructions=f"{_INSTRUCTIONS} {_EXAM if exam else _EXACT}",
        log_level="ERROR",
        lifespan=_thinking,
        subscriptions=False,
    )
    for name, function in (EXAM_TOOLS if exam else TOOLS).items():
        title = TITLES[name]
        server.add_tool(_described(name, function), title=title, annotations=_READS_ONLY, structured_output=False)
    for name, (title, words, text) in ({} if exam else PROMPTS).items():
        server.prompt(name, title, words)(_prompt(text))
    for game in GAME_IDS:
        server.add_resource(
            FunctionResource(
                uri=f"{_RULES}{game}",
                name=game,
                title=built_in(game).name,
                description="The rules file of the game, every key written out: change it to make a variant.",
                mime_type="application/toml",
                fn=partial(_rules_file, game),
            )
        )
    server.resource(f"{_RULES}{{game}}", name="rules", mime_type="application/toml")(_unlisted_game)
    return server


def _prompt(text: str) -> Callable[..., str]:
    """Return a prompt whose one argument is a game."""

    def prompt(game: Annotated[str, Field(description=_ARGUMENTS["game"])] = "sum31") -> str:
        return text.format(game=game)

    return prompt


def _rules_file(game: str) -> str:
    return write_rules(built_in(game))


def _unlisted_game(game: str) -> str:
    """The rules file of a built-in game."""  # noqa: D401 - what an assistant is shown
    if game in BUILT_IN_IDS:
        return _rules_file(game)
    hint = did_you_mean(game, BUILT_IN_IDS, f"The games are {', '.join(GAME_IDS)}.")
    raise ResourceNotFoundError(f"There is no game '{shorten(printable(game))}'. {hint}")


def run(*, exam: bool) -> int:
    """Serve until standard input ends."""
    status = 0
    try:
        make_server(exam=exam).run()
    except* OSError:
        status = 1  # the client reads no more
    return status
