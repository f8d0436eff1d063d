"""`zerosum.measure`: anything that can name a move, measured exactly in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, NamedTuple

from zerosum.arena.entrants.bot import BOT
from zerosum.arena.entrants.bot_as_player import bot_player, bot_policy
from zerosum.arena.strength.best_response import Edges, PolicyGraph, chances_met
from zerosum.arena.strength.measured import Measured, measured_on
from zerosum.arena.strength.measurement import report_on, report_on_graph, scores_on
from zerosum.arena.strength.named_policies import policy_of
from zerosum.arena.strength.player_chances import ChancesAt, asked, of_openspiel
from zerosum.arena.strength.policy_tables import TABLE
from zerosum.base.errors import BadValueError
from zerosum.base.text import shorten
from zerosum.players.levels import STRENGTHS
from zerosum.rules.game_files import Game, rules_of
from zerosum.rules.model import Rules, Tie
from zerosum.rules.position import start_position
from zerosum.solver import SolverError, solution_of
from zerosum.solver.graph import graph_of, passes_of, truth_of
from zerosum.solver.graph_arrays import Graph
from zerosum.solver.graph_passes import Truth
from zerosum.strategy.card_player import CARD, PLAYERS

_BOT = f"{BOT}:"


class _Opened(NamedTuple):
    """A player that can be asked: its name, and what gives the chance of every edge of a graph."""

    name: str
    ask: Callable[[Graph, Truth], Edges]


def measure(player: object, game: Game, *, greedy: bool = False, name: str = "") -> Measured:
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
    A wrong answer raises a `BadAnswerError` that names the position.

    >>> found = measure(lambda position: position.legal_moves()[-1], "sum31")
    >>> found.exploitability, found.against("level:5").as_first
    (1.0, 0.148224)
    >>> print(found.line)
    +1 +9 +6 +8? +7
    """
    rules = _rules(game)
    if rules.tie is Tie.SUDDEN_DEATH:
        return _without_end(player, rules)
    graph, truth = _graph(rules)
    with _opened(player, game, rules, greedy=greedy) as (its_name, ask):
        on = PolicyGraph(graph, truth, ask(graph, truth))
    return measured_on(report_on_graph(name or its_name, on, scores_on(on)), on)


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


def _without_end(player: object, rules: Rules) -> Measured:
    """Measure a built-in player where matches may go on for ever: of others not every position can be asked about."""
    if player not in STRENGTHS and player != CARD:
        raise SolverError(
            f"{rules.name} has no end of positions, so only the built-in players can be measured in it: "
            f"{', '.join(STRENGTHS)} and {CARD}."
        )
    return Measured(report_on(policy_of(str(player), rules), rules), None, None, ())


@contextmanager
def _opened(player: object, game: object, rules: Rules, *, greedy: bool) -> Iterator[_Opened]:
    """Give a player that can be asked; a bot is ended afterwards."""
    if isinstance(player, str) and player.startswith(_BOT) and greedy:
        with bot_player(player.removeprefix(_BOT), rules) as (name, moves):
            yield _Opened(name, _by_position(asked(moves)))
    elif isinstance(player, str) and player.startswith(_BOT):
        with bot_policy(player.removeprefix(_BOT), rules) as bot:
            yield _Opened(bot.name, _by_position(bot.guest.chances))
    elif isinstance(player, str):
        yield _named(player, rules)
    else:
        yield _Opened(_name_of(player), _object(player, game, greedy=greedy))


def _named(name: str, rules: Rules) -> _Opened:
    if name in STRENGTHS:
        return _Opened(name, lambda graph, truth: passes_of(graph).edge_chances(graph, truth, STRENGTHS[name]))
    if name in PLAYERS and name != CARD:
        return _Opened(name, _by_position(asked(PLAYERS.find(name).make(rules, solution_of))))
    policy = policy_of(name, rules)
    return _Opened(name.removeprefix(TABLE), _by_position(policy.guest.chances))


def _by_position(chances: ChancesAt) -> Callable[[Graph, Truth], Edges]:
    return lambda graph, _: chances_met(graph, chances)


def _name_of(player: object) -> str:
    return str(getattr(player, "__name__", "") or type(player).__name__)


def _object(player: Any, game: Any, *, greedy: bool) -> Callable[[Graph, Truth], Edges]:
    """Return what asks an object of Python, by what it can do."""
    if hasattr(player, "action_probabilities"):
        # A policy in C++ does not know its game; the caller may have given OpenSpiel's.
        known = getattr(player, "game", None) or game
        return lambda graph, _: chances_met(graph, of_openspiel(player, known, graph))
    if find_spec("numpy"):
        from zerosum.arena.strength import array_players as arrays  # noqa: PLC0415 - an extra, and slow to load
        from zerosum.solver.game_table import game_table  # noqa: PLC0415 - as above

        kinds = ((arrays.is_array, arrays.of_array), (arrays.is_module, arrays.of_module))
        for fits, of in (*kinds, (arrays.is_model, arrays.of_model)):
            if fits(player):
                return lambda graph, _: of(game_table(graph.rules), player, greedy=greedy)
    if callable(player):
        return _by_position(asked(player))
    raise BadValueError(
        "A player is a name, a function of a position, an array, a module of PyTorch, a model of Stable-Baselines3 or "
        f"a policy of OpenSpiel, not {shorten(repr(player))}."
    )
