"""The server that an assistant starts: tools and resources over standard input and output, by the MCP SDK.

The only module that needs the extra `mcp`. What a tool answers is in `answers.py`; here are the words by which a model
chooses between them. An error of ours reaches the model as its one sentence.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial, wraps
from typing import Annotated, Any, Final

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.mcpserver.resources import FunctionResource
from mcp_types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import Field, ValidationError

from zerosum.assistant import answers
from zerosum.assistant.answers import AssistantWorker
from zerosum.base.documents import Document
from zerosum.base.errors import ZerosumError
from zerosum.base.numbers import shorten
from zerosum.base.text import did_you_mean, printable
from zerosum.rules.files import GAME_IDS, built_in, games_json, write_rules
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
_READS_ONLY: Final = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

Ctx = Context[AssistantWorker, Any]
Game = Annotated[str, Field(description="A game by its id, such as sum31, or the whole text of a rules file (TOML).")]
Moves = Annotated[
    str | list[str], Field(description="The moves played so far, with signs: '+5 +6'. Empty: none was played.")
]
At = Annotated[
    str,
    Field(description="The position to begin from, 'POOL TOTALS SEAT' as in '1,2,3,4,7 28 1'. Empty: the start."),
]
Seed = Annotated[str | int, Field(description="Any text or number; the same seed gives the same answer.")]
Why = Annotated[bool, Field(description="Also say why each move wins or loses.")]
Step = Annotated[int, Field(description="1 is there a good move, 2 which, 3 why, 4 the lines.")]
Who = Annotated[str, Field(description="random, level:1 (weak) to level:9 (strong), perfect or card.")]
Record = Annotated[
    str, Field(description="The text of a record: '[Game \"sum31\"]', an empty line, then '1. +5 +6 2. +9 …'.")
]
RulesText = Annotated[str, Field(description="The whole text of a rules file (TOML).")]
Count = Annotated[int, Field(description="How many, from 1 to 20.")]


async def _games() -> Document:
    """List the games with all keys of their rules."""
    return dict(games_json())


async def _rules(ctx: Ctx, game: Game) -> Document:
    """Give the rules of a game in words, with what can never happen in it, and as keys."""
    return await answers.rules(_worker(ctx), game)


async def _analyze(ctx: Ctx, *, game: Game, moves: Moves = "", position: At = "", why: Why = False) -> Document:
    """Say who wins a position with perfect play, in how many plies, and the same of each legal move."""
    return await answers.analyze(_worker(ctx), game, moves, position, why=why)


async def _hint(ctx: Ctx, *, game: Game, moves: Moves = "", position: At = "", step: Step = 1) -> Document:
    """Give one step of a hint for whoever is to move; a learner is given step 1 first."""
    return await answers.hint(_worker(ctx), game, moves, position, step)


async def _review(ctx: Ctx, record: Record) -> Document:
    """Compare each move of a match with the truth: where it turned, why, and how well each side chose."""
    return await answers.review(_worker(ctx), record)


async def _reply(
    ctx: Ctx, *, game: Game, moves: Moves = "", position: At = "", who: Who = "level:3", seed: Seed = ""
) -> Document:
    """Choose a move as an opponent of a given strength; go on from the position called after."""
    return await answers.reply(_worker(ctx), game, moves, position, who=who, seed=seed)


async def _puzzle(ctx: Ctx, game: Game, count: Count = 1, seed: Seed = "") -> Document:
    """Give positions with something to find, from easy to hard, with their solutions."""
    return await answers.puzzle(_worker(ctx), game, count, seed)


async def _check_rules(rules: RulesText) -> Document:
    """Check the text of a rules file: its rules in words and all its keys, or what is wrong with it."""
    return answers.check_rules(rules)


async def _solve(ctx: Ctx, game: Game) -> Document:
    """Say who wins a game when both play perfectly, in how many plies, and by which openings."""
    return await answers.solve(_worker(ctx), game)


async def _audit(ctx: Ctx, game: Game) -> Document:
    """Say what is wrong with a game, with proofs: rules that never apply, choices that do not matter."""
    return await answers.audit(_worker(ctx), game)


async def _exam_rules(game: Game) -> Document:
    """Give the rules of a game in words and as keys."""
    return answers.exam_rules(game)


async def _exam_analyze(game: Game, moves: Moves = "", position: At = "") -> Document:
    """Say where moves lead: the position, who is to move, the legal moves, and who has won once it is over."""
    return answers.exam_analyze(game, moves, position)


async def _exam_reply(ctx: Ctx, game: Game, moves: Moves = "", position: At = "", seed: Seed = "") -> Document:
    """Choose a legal move at random, as an opponent; go on from the position called after."""
    return await answers.reply(_worker(ctx), game, moves, position, who=answers.RANDOM, seed=seed)


async def _exam_puzzle(ctx: Ctx, game: Game, count: Count = 1, seed: Seed = "") -> Document:
    """Give positions in which some move wins and some move loses, from easy to hard, without their solutions."""
    return await answers.exam_puzzle(_worker(ctx), game, count, seed)


TOOLS: Final[dict[str, Callable[..., Awaitable[Document]]]] = {
    "games": _games,
    "rules": _rules,
    "analyze": _analyze,
    "hint": _hint,
    "review": _review,
    "reply": _reply,
    "puzzle": _puzzle,
    "check_rules": _check_rules,
    "solve": _solve,
    "audit": _audit,
}
EXAM_TOOLS: Final[dict[str, Callable[..., Awaitable[Document]]]] = {
    "games": _games,
    "rules": _exam_rules,
    "analyze": _exam_analyze,
    "reply": _exam_reply,
    "puzzle": _exam_puzzle,
    "check_rules": _check_rules,
}
"""What `--no-answers` leaves."""


def _worker(ctx: Ctx) -> AssistantWorker:
    return ctx.request_context.lifespan_context


class _Server(MCPServer[AssistantWorker]):
    """A server whose errors are one sentence each, without the SDK's words around it."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[AssistantWorker, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; its document is the answer, as text and as data."""
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


def _in_our_words(error: ToolError) -> ToolError:
    match error.__cause__:
        case ZerosumError() as ours:
            return ToolError(printable(str(ours)))
        case ValidationError() as wrong:
            first = wrong.errors(include_url=False, include_context=False, include_input=False)[0]
            return ToolError(f"{first['loc'][0]}: {first['msg'][0].lower()}{first['msg'][1:]}.")
        case _:
            return error


def _answering(name: str, function: Callable[..., Awaitable[Document]]) -> Callable[..., Awaitable[CallToolResult]]:
    """Return a tool: the document of a function, in one line of text as `--json` prints it, and as data."""

    @wraps(function)
    async def tool(**arguments: Any) -> CallToolResult:  # noqa: ANN401 - what the function takes
        document = {"schema": SCHEMA, **await function(**arguments)}
        text = TextContent(type="text", text=json.dumps(document))
        return CallToolResult(content=[text], structured_content=document)

    tool.__name__ = name
    return tool


@asynccontextmanager
async def _thinking(server: MCPServer[AssistantWorker]) -> AsyncIterator[AssistantWorker]:
    """Give the tools a worker, and leave no process of it behind, however the server ends."""
    del server
    worker = AssistantWorker()
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


async def _leave(worker: AssistantWorker, number: signal.Signals) -> None:
    """End at once: the SDK waits for a line of input in a thread that no signal wakes."""
    await worker.close()
    os._exit(128 + number)


def make_server(*, exam: bool) -> MCPServer[AssistantWorker]:
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
        server.add_tool(_answering(name, function), annotations=_READS_ONLY, structured_output=False)
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
    server.resource(f"{_RULES}{{game}}", name="rules", mime_type="application/toml")(_unknown_game)
    return server


def _rules_file(game: str) -> str:
    return write_rules(built_in(game))


def _unknown_game(game: str) -> str:
    """The rules file of a built-in game."""  # noqa: D401 - what an assistant is shown
    hint = did_you_mean(game, GAME_IDS, f"The games are {', '.join(GAME_IDS)}.")
    raise ResourceNotFoundError(f"There is no game '{shorten(printable(game))}'. {hint}")


def run(*, exam: bool) -> int:
    """Serve until standard input ends."""
    status = 0
    try:
        make_server(exam=exam).run()
    except* OSError:
        status = 1  # whoever started this reads no more
    return status
