"""The exam for Inspect: the task `zerosum/matches`, and our players as models.

    inspect eval zerosum/matches --model zerosum/level-5

Inspect finds this module by the entry point of the package. Nothing else of ours imports it, since it needs the extra
`inspect`. A model sees the text of the prompt alone. Our players, which read no English, find the position in the
metadata of the message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from itertools import cycle
from math import fsum
from typing import Any, Final, TypeVar

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    get_model,
    modelapi,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolChoice, ToolInfo

from zerosum.entrants.computer import Computer
from zerosum.entrants.decision import Illegal
from zerosum.entrants.entrant import Fault, Turn
from zerosum.entrants.prompt import Format, Style
from zerosum.exam.conversation import Conversation, Host, Mark
from zerosum.match.setup import Person
from zerosum.measure.books import even_book, start_book
from zerosum.measure.intervals import bootstrap
from zerosum.players import pick
from zerosum.rules.errors import ZerosumError
from zerosum.rules.files import load_game
from zerosum.rules.moves import format_move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.numbers import shorten
from zerosum.rules.schema import rules_from_dict, rules_to_dict
from zerosum.solver import solution_of
from zerosum.strategy.player import PLAYERS

E = TypeVar("E", bound=Enum)
_KEY: Final = "zerosum"
"""Under this key of a message's metadata our players find the turn."""
_CUT: Final = ("max_tokens", "model_length")
"""Why a model stopped where its answer is cut off."""


_ORDER: Final = {Person.ONE: "first", Person.TWO: "second"}
_SPEAKERS: Final[dict[str, Callable[..., ChatMessage]]] = {"user": ChatMessageUser, "assistant": ChatMessageAssistant}


class NoPositionError(ZerosumError):
    """A prompt without a position: one of our players was asked something by a task that is not ours."""


@contextmanager
def _told() -> Iterator[None]:
    """Let Inspect show an error of ours as it shows its own: in one line, without a traceback."""
    try:
        yield
    except ZerosumError as error:
        raise PrerequisiteError(str(error)) from None


def _one_of(kind: type[E], key: str, text: str) -> E:
    try:
        return kind(text)
    except ValueError:
        every = ", ".join(str(one.value) for one in kind)
        raise PrerequisiteError(f"{key}={shorten(text)} is none of these: {every}.") from None


@modelapi(name="zerosum")
class Player(ModelAPI):
    """A player of ours as a model: `zerosum/random`, `zerosum/level-1` to `zerosum/level-9`, `zerosum/perfect`."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the base's own default
        seed: str | int = "",
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        with _told():
            self._computer = Computer(PLAYERS.find(model_name.replace("-", ":")))
        self._seed = seed

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - the base's own name
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer with a move; the same seed gives the same move."""
        del tools, tool_choice
        turn = _turn_in(input)
        move = pick(self._computer.chances(turn.position), f"{self._seed}/{config.seed or ''}/{turn.seed}")
        output = ModelOutput.from_content(self.model_name, f"MOVE: {turn.position.text_of(move)}")
        # Without it, Inspect may count tokens, and downloads a file for that.
        output.usage = ModelUsage()
        return output


def _noted(turn: Turn) -> dict[str, Any]:
    """Return a turn as the metadata of a message hold it."""
    operations = turn.start.rules.operations
    moves = [format_move(move, operations) for move in turn.moves]
    return {
        _KEY: {"rules": rules_to_dict(turn.start.rules), "start": str(turn.start), "moves": moves, "seed": turn.seed}
    }


def _turn_in(messages: Sequence[ChatMessage]) -> Turn:
    """Return the turn that the last message with a position asks about."""
    noted = next((found for one in reversed(messages) if (found := (one.metadata or {}).get(_KEY))), None)
    if noted is None:
        raise NoPositionError("Our players answer only the tasks zerosum/positions and zerosum/matches.")
    rules = rules_from_dict(noted["rules"])
    start = position = parse_position(noted["start"], rules)
    moves = tuple(parse_move(text, rules.operations) for text in noted["moves"])
    for move in moves:
        position = position.play(move)
    return Turn(start, moves, position, 0.0, noted["seed"])


@task
def matches(
    *,
    games: str = "sum31",
    opponent: str = "level:5",
    pairs: int = 10,
    seed: str | int = "",
    from_start: bool = False,
    illegal: str = "rules",
    lenient: bool = False,
    legal_moves: bool = False,
    history: bool = True,
    thinking: bool = True,
    format: str = "line",  # noqa: A002 - as everywhere else
) -> Task:
    """Whole matches against a player of ours: pairs from one position, the model once in either seat.

    Args:
        games: Built-in ids or rules files, separated by commas.
        opponent: Who plays against the model: random, level:1 to level:9, perfect or card.
        pairs: Pairs of matches of each game.
        seed: What the positions and the opponent's choices follow from.
        from_start: Whether matches begin at the start of the game; otherwise at positions of an even book.
        illegal: What an illegal move costs: rules, forfeit or random.
        lenient: Whether the last move in a reply counts where no line names one.
        legal_moves: Whether the prompt lists the legal moves.
        history: Whether the prompt tells the moves of both players.
        thinking: Whether the model may think before it answers.
        format: How the answer is to be written: line or json.
    """
    style = Style(legal_moves, history, thinking, _one_of(Format, "format", format))
    policy = _one_of(Illegal, "illegal", illegal)
    if pairs < 1:
        raise PrerequisiteError(f"pairs={pairs}: at least 1.")
    samples: list[Sample] = []
    hosts: dict[str, Host] = {}
    with _told():
        for game in games.replace(",", " ").split():
            hosts[game] = Host(load_game(game), opponent, style=style, illegal=policy, lenient=lenient)
            samples += _pairs(game, pairs, str(seed), from_start=from_start)
    return Task(MemoryDataset(samples, name="matches"), solver=[_player(hosts, str(seed))], scorer=match_score())


def _pairs(game: str, pairs: int, seed: str, *, from_start: bool) -> Iterator[Sample]:
    """Yield the matches of a game: two from each position."""
    solution = solution_of(load_game(game))
    book = () if from_start else even_book(solution, pairs, seed)
    for n, position in zip(range(pairs), cycle(book or start_book(solution)), strict=False):
        for first in Person:
            known = {"game": game, "pair": f"{game}/{n + 1}", "position": str(position), "model": first.value}
            shown = f"A match of {solution.rules.name} from {position}. The model moves {_ORDER[first]}."
            yield Sample(shown, id=f"{game}-{n + 1:03}-{first.value}", metadata=known)


def _player(hosts: Mapping[str, Host], seed: str) -> Solver:
    """Return the solver that plays a match to its end; every turn is a chat of its own, as in the exam."""

    @solver(name="play")
    def play() -> Solver:
        return solve

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # it would ask the whole conversation
        known = state.metadata
        host = hosts[known["game"]]
        position = parse_position(known["position"], host.rules)
        talk = host.begin(Person(known["model"]), f"{seed}/{known['pair']}/{state.epoch}", position)
        state.messages.clear()
        while talk.messages:
            chat = _chat(talk)
            state.output = await get_model().generate(chat)
            state.messages += [chat[-1], state.output.message]
            talk = host.answered(talk, state.output.completion, cut=state.output.stop_reason in _CUT)
        known["counts"] = _counts(talk.marks) | {"won": float(talk.won is True)}
        known["record"] = talk.match.record()
        return state

    return play()


def _chat(talk: Conversation) -> list[ChatMessage]:
    asked = replace(talk.turn, seed=f"{talk.turn.seed}/{len(talk.replies)}")
    return [_SPEAKERS[one.role](content=one.content, metadata=_noted(asked)) for one in talk.messages]


def _counts(marks: Sequence[Mark]) -> Counts:
    """Return what a score holds of some turns."""
    real = [mark for mark in marks if mark.real]
    replies = [reply for mark in marks for reply in mark.replies]
    return {
        "choices": float(len(real)),
        "kept": float(sum(mark.kept for mark in real)),
        "by_chance": fsum(mark.chance for mark in real),
        "regret": fsum(mark.regret for mark in marks),
        "illegal": float(sum(reply.fault is Fault.ILLEGAL for reply in replies)),
        "unreadable": float(sum(reply.fault is Fault.UNREADABLE for reply in replies)),
    }


Counts = dict[str, float]
"""What a score holds: numbers that may be added up over samples and averaged over epochs."""


@metric(scores="unreduced")
def match_figures() -> Metric:
    """Return the score of matches and the share of choices kept, each with a 95 % interval over pairs."""

    def figures(scores: list[SampleScore]) -> Counts:
        pairs: dict[str, list[Counts]] = {}
        for one in scores:
            pairs.setdefault((one.sample_metadata or {})["pair"], []).append(_counts_in(one))
        added = [
            {key: fsum(one[key] for one in pair) for key in pair[0]} | {"matches": len(pair)} for pair in pairs.values()
        ]
        return {
            **_share(added, "score", "won", "matches"),
            **_share(added, "kept", "kept", "choices"),
            **_skill(added),
            **{key: _total(added, key) for key in ("choices", "illegal", "unreadable")},
        }

    return figures


def _counts_in(one: SampleScore) -> Counts:
    return {key: float(value or 0) for key, value in one.score.as_dict().items()}


def _total(counts: Sequence[Counts], key: str) -> float:
    return fsum(one[key] for one in counts)


def _share(counts: Sequence[Counts], name: str, of: str, among: str) -> Counts:
    """Return a share with its interval; nothing where there is nothing to share."""
    if not _total(counts, among):
        return {}

    def share(drawn: Sequence[Counts]) -> float:
        every = _total(drawn, among)
        return _total(drawn, of) / every if every else 0.0

    low, high = bootstrap(counts, share, name)
    return {name: share(counts), f"{name}_low": low, f"{name}_high": high}


def _skill(counts: Sequence[Counts]) -> Counts:
    """Return what chance keeps, and the share kept on a scale where chance has 0 and perfect play 1."""
    choices, kept, by_chance = (_total(counts, key) for key in ("choices", "kept", "by_chance"))
    return {"chance": by_chance / choices, "skill": (kept - by_chance) / (choices - by_chance)} if choices else {}


@scorer(metrics=[match_figures()])
def match_score() -> Scorer:
    """Return the scorer of `zerosum/matches`."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # what is best is worked out, not looked up
        counts = state.metadata["counts"]
        won = "won" if counts["won"] else "lost"
        return Score(value=counts, answer=won, explanation=state.metadata["record"])

    return score
