"""`zerosum.measure`: anything that can name a move, measured exactly in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, NamedTuple

from zerosum.arena.entrants.bot import BOT
from zerosum.arena.entrants.bot_as_player import bot_player, bot_policy
from zerosum.arena.strength.best_response import Edges, PolicyGraph, chances_met
from zerosum.arena.strength.measured import Measured, measured_on
from zerosum.arena.strength.measurement import report_on_graph, report_on_round, scores_of, scores_on
from zerosum.arena.strength.named_policies import LevelChances, Policy, level_policy, policy_of
from zerosum.arena.strength.player_chances import ChancesAt, asked, of_openspiel
from zerosum.base.errors import BadValueError
from zerosum.base.progress import Progress, silent
from zerosum.base.text import shorten
from zerosum.players.levels import STRENGTHS
from zerosum.players.policies import MovePolicy
from zerosum.rules.game_files import Game, rules_of
from zerosum.rules.model import Rules, Tie
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.solver import SolverError, solution_of
from zerosum.solver.graph import graph_of, passes_of, truth_of
from zerosum.solver.graph_arrays import Graph
from zerosum.solver.graph_passes import Truth
from zerosum.strategy.card_player import CARD, PLAYERS

_BOT = f"{BOT}:"
_MEASURED = "(measured)"


class _Opened(NamedTuple):
    """A player that can be asked for the chance of every edge of a graph."""

    name: str
    ask: Callable[[Graph, Truth, Progress], Edges]
    policy: MovePolicy | None = None
    """The same of one position; None if it is asked about all of a game alone."""


def measure(
    player: object, game: Game, *, greedy: bool = False, name: str = "", progress: Progress = silent
) -> Measured:
    """Measure any player in a game exactly: scores, exploitability, the line that beats it, regret by position.

    `game` is an id, the path of a rules file, `Rules`, or their table. `player` is one of these:

    - a name: `level:5`, `perfect`, `card`, one that was registered, `policy:FILE`, `bot:COMMAND` (a bot that answers
      `policy`; it is started and ended here)
    - a function of a position that returns a move, several, or the chance of each; a move may be text
    - an array of NumPy in the order of `game_table(game)`: an action for each position, or a row of chances for each
    - a module of PyTorch that maps observations to a score for each action; its chances are their softmax
    - a model of Stable-Baselines3 or sb3-contrib that was trained on our environments
    - a policy of OpenSpiel for one of our games

    Illegal actions of a module or a model are left out, as a mask does. With `greedy` the player always makes one move:
    the best by the scores of a module, a model or an array of any values; of a bot, its first answer in each position.
    A wrong answer raises a `BadAnswerError` that names the position. `progress` is called with words now and then.

    With sudden death a match may go on for ever. Names, functions and bots are measured there if they play alike
    wherever the target is out of reach for two rounds; others are refused with two positions in which they do not.

    >>> found = measure(lambda position: position.legal_moves()[-1], "sum31")
    >>> found.exploitability, found.against("level:5").as_first
    (1.0, 0.148224)
    >>> print(found.line)
    +1 +9 +6 +8? +7
    """
    rules = _rules(game)
    with _opened(player, game, rules, greedy=greedy) as opened:
        if rules.tie is Tie.SUDDEN_DEATH:
            return _without_end(opened, rules, name, progress)
        graph, truth = _graph(rules)
        on = PolicyGraph(graph, truth, opened.ask(graph, truth, progress))
    return measured_on(report_on_graph(name or opened.name, on, scores_on(on, progress)), on)


def _rules(game: Any) -> Rules:
    """Return the rules of a game; OpenSpiel's own object for one of our games has them too."""
    rules = None if isinstance(game, Rules) else getattr(game, "rules", None)
    return rules if isinstance(rules, Rules) else rules_of(game)


@lru_cache(maxsize=4)
def _graph(rules: Rules) -> tuple[Graph, Truth]:
    """Return the graph of a game without mirrors, and what is true of it; both are remembered."""
    if not find_spec("numpy"):
        graph = graph_of(start_position(rules), mirrors=False)
        return graph, truth_of(graph)
    from zerosum.solver.game_table import game_table  # noqa: PLC0415 - an extra, and slow to load

    graph = game_table(rules).graph
    return graph, truth_of(graph)


def _without_end(opened: _Opened, rules: Rules, name: str, progress: Progress) -> Measured:
    """Measure a player where matches may go on for ever: its scores, and all that happens before the first refill."""
    if opened.policy is None:
        raise SolverError(
            f"{rules.name} has no end of positions, so no array, module, model or policy of OpenSpiel can be asked "
            "about all of them. Give a function of a position that plays alike wherever the target is out of reach."
        )
    # A function may have any name, also that of a built-in player.
    built_in = isinstance(opened.policy.chances, LevelChances)
    policy = Policy(opened.name if built_in else _MEASURED, opened.policy)
    start = start_position(rules)
    scores = scores_of(policy, start, progress=progress)
    graph = graph_of(start, mirrors=False, progress=progress)
    truth = truth_of(graph, solution_of(rules).options)
    on = PolicyGraph(graph, truth, opened.ask(graph, truth, progress))
    return measured_on(report_on_round(name or opened.name, on, scores), on)


def _remembered(chances: ChancesAt) -> MovePolicy:
    """Return a player who is asked once about each position."""
    known: dict[PositionKey, Sequence[float]] = {}

    def remembered(position: Position) -> Sequence[float]:
        found = known.get(position.key)
        if found is None:
            found = known[position.key] = chances(position)
        return found

    return MovePolicy(remembered, mirrors=False)


@contextmanager
def _opened(player: object, game: object, rules: Rules, *, greedy: bool) -> Iterator[_Opened]:
    """Give a player that can be asked; a bot is ended afterwards."""
    if isinstance(player, str) and player.startswith(_BOT) and greedy:
        with bot_player(player.removeprefix(_BOT), rules) as (name, moves):
            yield _by_position(name, _remembered(asked(moves)))
    elif isinstance(player, str) and player.startswith(_BOT):
        with bot_policy(player.removeprefix(_BOT), rules) as bot:
            yield _by_position(bot.name, bot.guest)
    elif isinstance(player, str):
        yield _named(player, rules)
    else:
        yield _object(player, game, rules, greedy=greedy)


def _named(name: str, rules: Rules) -> _Opened:
    if name in STRENGTHS:

        def ask(graph: Graph, truth: Truth, _progress: Progress) -> Edges:
            return passes_of(graph).edge_chances(graph, truth, STRENGTHS[name])

        return _Opened(name, ask, level_policy(name, rules).guest if rules.tie is Tie.SUDDEN_DEATH else None)
    if name in PLAYERS and name != CARD:
        return _by_position(name, _remembered(asked(PLAYERS.find(name).make(rules, solution_of))))
    return _by_position(name, policy_of(name, rules).guest)


def _by_position(name: str, policy: MovePolicy) -> _Opened:
    return _Opened(name, lambda graph, _truth, progress: chances_met(graph, policy.chances, progress), policy)


def _object(player: Any, game: Any, rules: Rules, *, greedy: bool) -> _Opened:
    """Return an object of Python that can be asked, by what it can do."""
    name = str(getattr(player, "__name__", "") or type(player).__name__)
    if hasattr(player, "action_probabilities"):
        # A policy in C++ does not know its game; the caller may have given OpenSpiel's.
        known = getattr(player, "game", None) or game
        return _Opened(name, lambda graph, *_: chances_met(graph, of_openspiel(player, known, graph)))
    if find_spec("numpy"):
        from zerosum.arena.strength import array_players as arrays  # noqa: PLC0415 - an extra, and slow to load
        from zerosum.solver.game_table import game_table  # noqa: PLC0415 - as above

        kinds = ((arrays.is_array, arrays.of_array), (arrays.is_module, arrays.of_module))
        of = next((of for fits, of in (*kinds, (arrays.is_model, arrays.of_model)) if fits(player)), None)
        if of is not None:
            return _Opened(name, lambda *_: of(game_table(rules), player, greedy=greedy))
    if callable(player):
        return _by_position(name, _remembered(asked(player)))
    raise BadValueError(
        "A player is a name, a function of a position, an array, a module of PyTorch, a model of Stable-Baselines3 or "
        f"a policy of OpenSpiel, not {shorten(repr(player))}."
    )
