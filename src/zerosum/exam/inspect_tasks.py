"""The exam for Inspect: the tasks `zerosum/positions` and `zerosum/matches`, and our players as models.

    inspect eval zerosum/positions --model zerosum/level-5

Inspect finds this module by the entry point of the package. No other module imports it, since it needs the extra
`inspect`. A model sees only the text of the prompt. Built-in players, which read no English, find the position in the
metadata of the message.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, TypeVar

from inspect_ai import Task, model, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolChoice, ToolDef, ToolInfo

from zerosum.arena.entrants.entrant import IllegalMovePolicy
from zerosum.arena.entrants.model_endpoint import ModelReply, ToolCall
from zerosum.arena.entrants.open_entrant import Computer
from zerosum.arena.entrants.prompt import AnswerFormat, PromptStyle
from zerosum.base.errors import ZerosumError
from zerosum.base.text import shorten
from zerosum.exam import export
from zerosum.exam.askers import CONDITIONS, NO_TOOLS, REFEREE, answer_call
from zerosum.exam.conversation import Conversation, Host, seatings
from zerosum.exam.draw_items import PUBLIC, public_set
from zerosum.exam.items import CANARY, Item, ItemSet, read_items
from zerosum.exam.scoring import grade as grade_reply
from zerosum.exam.scoring import keeping_moves
from zerosum.match.setup import Person
from zerosum.players import pick
from zerosum.rules.game_files import load_game
from zerosum.rules.notation import parse_position
from zerosum.strategy.card_player import PLAYERS

T = TypeVar("T")
_KEY: Final = "zerosum"
"""Under this key of a message's metadata our players find the turn."""
_CUT: Final = ("max_tokens", "model_length")
"""The stop reasons of a model whose answer is cut off."""
_FILTERED: Final = "content_filter"
"""The stop reason of a model that refused, or was not let through."""
_FORMATS: Final = {one.value: one for one in (AnswerFormat.LINE, AnswerFormat.JSON)}
_SPEAKERS: Final[dict[str, Callable[..., ChatMessage]]] = {
    "user": model.ChatMessageUser,
    "assistant": model.ChatMessageAssistant,
}


@contextmanager
def _errors_in_one_line() -> Iterator[None]:
    """Let Inspect show a ZerosumError like its own errors: in one line, without a traceback."""
    try:
        yield
    except ZerosumError as error:
        raise PrerequisiteError(str(error)) from None


def _one_of(choices: Mapping[str, T], key: str, text: str) -> T:
    if text not in choices:
        raise PrerequisiteError(f"{key}={shorten(text)} is none of these: {', '.join(choices)}.")
    return choices[text]


@model.modelapi(name="zerosum")
class PlayerModel(model.ModelAPI):
    """A built-in player as a model: `zerosum/random`, `zerosum/level-1` to `zerosum/level-9`, `zerosum/perfect`."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the base's own default
        seed: str | int = "",
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        with _errors_in_one_line():
            self._computer = Computer(PLAYERS.find(model_name.replace("-", ":")))
        self._seed = seed

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """Answer with a move; the same seed gives the same move."""
        del tools, tool_choice
        note = _note_in(input)
        move = pick(self._computer.chances(note.position), f"{self._seed}/{config.seed or ''}/{note.seed}")
        output = ModelOutput.from_content(self.model_name, f"MOVE: {note.text_of(move)}")
        # Without it, Inspect may count tokens, and downloads a file for that.
        output.usage = model.ModelUsage()
        return output


def _note_in(messages: Sequence[ChatMessage]) -> export.Note:
    """Return what the last message with a position asks."""
    noted = next((found for message in reversed(messages) if (found := (message.metadata or {}).get(_KEY))), None)
    if noted is None:
        raise PrerequisiteError("Our players answer only the tasks zerosum/positions and zerosum/matches.")
    return export.read_note(noted)


@task
def positions(
    *,
    items: str = PUBLIC,
    lenient: bool = False,
    legal_moves: bool = False,
    history: bool = True,
    thinking: bool = True,
    format: str = "line",
    tools: str = NO_TOOLS,
) -> Task:
    """Single positions, scored as `zerosum exam score` does.

    Args:
        items: A set of items that `zerosum exam make` wrote, or `public`.
        lenient: Whether the last move in a reply counts where no line names one.
        legal_moves: Whether the prompt lists the legal moves.
        history: Whether the prompt tells the moves of both players.
        thinking: Whether the model may think before it answers.
        format: How the answer is to be written: line or json.
        tools: Which tools the model has: none, or a referee who says nothing about good moves.
    """
    tools = _one_of({one: one for one in CONDITIONS}, "tools", tools)
    style = _style(legal_moves=legal_moves, history=history, thinking=thinking, format=format)
    drawn = _drawn(items)
    dataset = MemoryDataset([_sample(item, style) for item in drawn.items], name="positions", location=items)
    scoring = position_score(items=items, lenient=lenient)
    asking = ask(items=items, tools=tools)
    return Task(dataset, solver=[asking], scorer=scoring, metadata={"items": drawn.sha256, "tools": tools})


@lru_cache(maxsize=4)
def _drawn(items: str) -> ItemSet:
    with _errors_in_one_line():
        return public_set() if items == PUBLIC else read_items(items)


def _style(*, format: str, **switches: bool) -> PromptStyle:
    return PromptStyle(format=_one_of(_FORMATS, "format", format), **switches)


def _sample(item: Item, style: PromptStyle) -> Sample:
    asked = model.ChatMessageUser(content=item.prompt(style), metadata={_KEY: export.note_item(item)})
    known = {"game": item.game, "number": item.number, "source": item.source.value, "reskinned": item.dress is not None}
    known |= {**export.known_of(item), "canary": CANARY}
    return Sample([asked], target=list(keeping_moves(item)), id=item.id, metadata=known)


@solver
def ask(*, items: str = PUBLIC, tools: str = NO_TOOLS) -> Solver:
    """Ask once, with a referee at hand if there are tools; in another epoch one of our players may answer otherwise."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        for message in state.messages:
            if message.metadata and _KEY in message.metadata:
                noted = message.metadata[_KEY]
                message.metadata = {_KEY: {**noted, "seed": f"{noted['seed']}/{state.epoch}"}}
        if tools == REFEREE:
            state.tools = _referee(_drawn(items).by_id[str(state.sample_id)])
        return await generate(state)

    return solve


def _referee(item: Item) -> list[Tool]:
    """Return the referee's tools for one item."""

    def answer(name: str, **arguments: str) -> str:
        return answer_call(item, ToolCall("", name, json.dumps(arguments)))

    async def rules() -> str:
        """Give the rules of the game in words."""
        return answer("rules")

    async def analyze(moves: str = "", position: str = "") -> str:
        """Say where moves lead: the position, who is to move, the legal moves, and who has won once it is over.

        Args:
            moves: Moves from there on, with signs, such as "+5 +6". Empty: none.
            position: A position such as "1,2,3,4,7 28 1". Empty: the question's.
        """
        return answer("analyze", moves=moves, position=position)

    async def reply(moves: str = "", position: str = "", seed: str = "") -> str:
        """Choose a legal move at random, as an opponent.

        Args:
            moves: Moves from there on, with signs, such as "+5 +6". Empty: none.
            position: A position such as "1,2,3,4,7 28 1". Empty: the question's.
            seed: Any text; the same seed gives the same move.
        """
        return answer("reply", moves=moves, position=position, seed=seed)

    return [ToolDef(one).as_tool() for one in (rules, analyze, reply)]


def _scores(figures: Callable[[Sequence[tuple[Hashable, export.Tally]]], export.Tally], *keys: str) -> Metric:
    """Return a metric: the figures of all scores, those with the same metadata under these keys in one group."""

    def figures_of(scores: list[SampleScore]) -> Value:
        tallies = []
        for one in scores:
            known = one.sample_metadata or {}
            counted = {key: float(value or 0) for key, value in one.score.as_dict().items()}
            tallies.append((tuple(known[key] for key in keys), counted))
        return figures(tallies)

    return figures_of


@metric(scores="unreduced")
def exam_figures() -> Metric:
    """Return what replies to items add up to; the reskins of a position are one group."""
    return _scores(export.position_figures, "game", "number")


@metric(scores="unreduced")
def arena_figures() -> Metric:
    """Return what matches add up to; the two of a pair are one group."""
    return _scores(export.match_figures, "pair")


@scorer(metrics=[exam_figures()])
def position_score(*, items: str = PUBLIC, lenient: bool = False) -> Scorer:
    """Return the scorer of `zerosum/positions`; it needs the replies alone, so `inspect score` can use it on a log."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # what is right is worked out
        item = _drawn(items).by_id[str(state.sample_id)]
        stopped = state.output.stop_reason
        reply = ModelReply(state.output.completion, stopped in _CUT, refused=stopped == _FILTERED)
        grade = grade_reply(item, reply, lenient=lenient)
        right = f"The verdict is kept by {', '.join(keeping_moves(item))}."
        kind = {"kind": grade.kind.value}
        return Score(value=dict(export.tally_answer(item, grade)), answer=grade.move, explanation=right, metadata=kind)

    return score


@task
def matches(
    *,
    games: str | list[str] = "sum31",
    opponent: str = "level:5",
    pairs: int = 10,
    seed: str | int = "",
    from_start: bool = False,
    illegal: str = "rules",
    lenient: bool = False,
    legal_moves: bool = False,
    history: bool = True,
    thinking: bool = True,
    format: str = "line",
) -> Task:
    """Whole matches against a built-in player: pairs from one position, the model once in either seat.

    Args:
        games: Built-in ids or rules files, separated by commas.
        opponent: Who plays against the model: random, level:1 to level:9, perfect or card.
        pairs: Pairs of matches of each game.
        seed: What the positions and the opponent's choices follow from.
        from_start: Whether matches begin at the start of the game; otherwise at positions of an even book.
        illegal: What an illegal move costs: rules, forfeit or random.
        lenient, legal_moves, history, thinking, format: As for single positions.
    """
    if pairs < 1:
        raise PrerequisiteError(f"pairs={pairs}: at least 1.")
    asked = {"legal_moves": legal_moves, "history": history, "thinking": thinking, "format": format}
    playing = play(opponent=opponent, seed=str(seed), illegal=illegal, lenient=lenient, **asked)
    samples: list[Sample] = []
    for game in [games] if isinstance(games, str) else games:  # Inspect makes a list of what has commas
        host = _host(game, opponent, illegal, lenient, **asked)
        for seating in seatings(host.rules, pairs, str(seed), from_start=from_start):
            known = {
                "game": game,
                "pair": f"{game}/{seating.pair}",
                "first": seating.first.value,
                "position": str(seating.start),
            }
            samples.append(Sample(str(seating), id=f"{game}-{seating.pair:03}-{seating.first.value}", metadata=known))
    return Task(MemoryDataset(samples, name="matches"), solver=[playing], scorer=match_score())


@lru_cache(maxsize=32)
def _host(game: str, opponent: str, illegal: str, lenient: bool, **asked: Any) -> Host:
    policy = _one_of({one.value: one for one in IllegalMovePolicy}, "illegal", illegal)
    with _errors_in_one_line():
        return Host(load_game(game), opponent, style=_style(**asked), illegal=policy, lenient=lenient)


@solver
def play(*, opponent: str, seed: str, illegal: str, lenient: bool, **asked: Any) -> Solver:
    """Play a match to its end; every turn is a new chat, as in the exam."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # it would ask the whole conversation
        known = state.metadata
        host = _host(known["game"], opponent, illegal, lenient, **asked)
        position = parse_position(known["position"], host.rules)
        talk = host.begin(Person(known["first"]), f"{seed}/{known['pair']}/{state.epoch}", position)
        state.messages.clear()
        while talk.messages:
            chat = _chat(talk)
            state.output = await model.get_model().generate(chat)
            for one in (chat[-1], state.output.message):
                state.messages.append(one)  # one by one, since Inspect counts them
            talk = host.answered(talk, state.output.completion, cut=state.output.stop_reason in _CUT)
        known["tally"] = export.tally_match(talk)
        known["record"] = talk.match.record()
        return state

    return solve


def _chat(talk: Conversation) -> list[ChatMessage]:
    asked = replace(talk.turn, seed=f"{talk.turn.seed}/{len(talk.replies)}")
    return [
        _SPEAKERS[message.role](content=message.content, metadata={_KEY: export.note_turn(asked)})
        for message in talk.messages
    ]


@scorer(metrics=[arena_figures()])
def match_score() -> Scorer:
    """Return the scorer of `zerosum/matches`."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # what is right is worked out
        if (tally := state.metadata.get("tally")) is None:
            return Score.unscored(explanation="The match was stopped before its end.")
        won = "won" if tally["won"] else "lost"
        return Score(value=tally, answer=won, explanation=state.metadata["record"])

    return score
