"""Number duels, solved: play them, learn them, design new ones, and measure minds on them.

>>> import zerosum
>>> game = zerosum.load_game("sum31")
>>> position = zerosum.start_position(game).play("+5").play("+6")
>>> position.totals, position.seat.value
((11,), 1)
>>> [position.text_of(move) for move in position.legal_moves()]
['+1', '+2', '+3', '+4', '+7', '+8', '+9']
>>> print(position.play("+9").play("+8").play("+3").outcome)
Outcome(winner=Seat.FIRST, reason=Reason.REACHED_TARGET)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from zerosum.version import __version__

if TYPE_CHECKING:
    from zerosum.arena.measure import measure
    from zerosum.arena.strength.named_policies import BadAnswerError
    from zerosum.arena.strength.policy_report import BeatingLine, Measured, Mistake
    from zerosum.base.errors import (
        BadNameError,
        BadValueError,
        IllegalPositionError,
        InvalidTextError,
        RecordError,
        RulesError,
        UnknownGameError,
        ZerosumError,
    )
    from zerosum.coach.hints import hint, hint_sentences
    from zerosum.coach.review import Review, review
    from zerosum.lab.audit import Audit
    from zerosum.lab.library_calls import Metrics, audit, card, levels, metrics, repair, search
    from zerosum.lab.repair import Repairs
    from zerosum.lab.search import SearchResult
    from zerosum.match.match import Match, Undo, read_match
    from zerosum.match.new_setup import new_setup
    from zerosum.match.referee import Referee
    from zerosum.match.setup import Person, Series, Setup, SetupError
    from zerosum.players import PLAYERS, Player, PlayerInfo, Players, UnknownPlayerError, choose, register
    from zerosum.players.odds import Ladder
    from zerosum.rules.describe import describe
    from zerosum.rules.game_files import GAME_IDS, RULEBOOK_IDS, load_game, load_text
    from zerosum.rules.model import Ban, Exhausted, InvalidMove, Overshoot, Reaching, Rules, Seat, Tie, Totals
    from zerosum.rules.moves import SWAP, Move, Operation
    from zerosum.rules.notation import parse_position
    from zerosum.rules.outcome import Outcome, Reason
    from zerosum.rules.position import Clause, IllegalMoveError, Position, perft, start_position
    from zerosum.rules.record import Ending
    from zerosum.solver import Option, Solution, SolverError, Value, Verdict, solve
    from zerosum.solver.encoding import Encoding, encoding_of
    from zerosum.solver.game_table import GameTable, game_table
    from zerosum.strategy.card_report import CardReport

__all__ = [
    "GAME_IDS",
    "PLAYERS",
    "RULEBOOK_IDS",
    "SWAP",
    "Audit",
    "BadAnswerError",
    "BadNameError",
    "BadValueError",
    "Ban",
    "BeatingLine",
    "CardReport",
    "Clause",
    "Encoding",
    "Ending",
    "Exhausted",
    "GameTable",
    "IllegalMoveError",
    "IllegalPositionError",
    "InvalidMove",
    "InvalidTextError",
    "Ladder",
    "Match",
    "Measured",
    "Metrics",
    "Mistake",
    "Move",
    "Operation",
    "Option",
    "Outcome",
    "Overshoot",
    "Person",
    "Player",
    "PlayerInfo",
    "Players",
    "Position",
    "Reaching",
    "Reason",
    "RecordError",
    "Referee",
    "Repairs",
    "Review",
    "Rules",
    "RulesError",
    "SearchResult",
    "Seat",
    "Series",
    "Setup",
    "SetupError",
    "Solution",
    "SolverError",
    "Tie",
    "Totals",
    "Undo",
    "UnknownGameError",
    "UnknownPlayerError",
    "Value",
    "Verdict",
    "ZerosumError",
    "__version__",
    "audit",
    "card",
    "choose",
    "describe",
    "encoding_of",
    "game_table",
    "hint",
    "hint_sentences",
    "levels",
    "load_game",
    "load_text",
    "measure",
    "metrics",
    "new_setup",
    "parse_position",
    "perft",
    "read_match",
    "register",
    "repair",
    "review",
    "search",
    "solve",
    "start_position",
]

# A name is loaded when it is first asked for, so that `zerosum --version` loads none of them.
_HOMES = {
    "zerosum.arena.measure": ("measure",),
    "zerosum.arena.strength.policy_report": ("BeatingLine", "Measured", "Mistake"),
    "zerosum.arena.strength.named_policies": ("BadAnswerError",),
    "zerosum.lab.library_calls": ("Metrics", "audit", "card", "levels", "metrics", "repair", "search"),
    "zerosum.lab.audit": ("Audit",),
    "zerosum.lab.repair": ("Repairs",),
    "zerosum.lab.search": ("SearchResult",),
    "zerosum.players.odds": ("Ladder",),
    "zerosum.strategy.card_report": ("CardReport",),
    "zerosum.solver.game_table": ("GameTable", "game_table"),
    "zerosum.coach.hints": ("hint", "hint_sentences"),
    "zerosum.coach.review": ("Review", "review"),
    "zerosum.match.match": ("Match", "Undo", "read_match"),
    "zerosum.match.new_setup": ("new_setup",),
    "zerosum.match.referee": ("Referee",),
    "zerosum.match.setup": ("Person", "Series", "Setup", "SetupError"),
    "zerosum.players": ("Player", "PlayerInfo", "Players", "UnknownPlayerError", "register"),
    "zerosum.rules.describe": ("describe",),
    "zerosum.base.errors": (
        "BadNameError",
        "BadValueError",
        "IllegalPositionError",
        "InvalidTextError",
        "RecordError",
        "RulesError",
        "UnknownGameError",
        "ZerosumError",
    ),
    "zerosum.rules.game_files": ("GAME_IDS", "RULEBOOK_IDS", "load_game", "load_text"),
    "zerosum.rules.model": (
        "Ban",
        "Exhausted",
        "InvalidMove",
        "Overshoot",
        "Reaching",
        "Rules",
        "Seat",
        "Tie",
        "Totals",
    ),
    "zerosum.rules.moves": ("SWAP", "Move", "Operation"),
    "zerosum.rules.notation": ("parse_position",),
    "zerosum.rules.outcome": ("Outcome", "Reason"),
    "zerosum.rules.position": ("Clause", "IllegalMoveError", "Position", "perft", "start_position"),
    "zerosum.rules.record": ("Ending",),
    # This module adds the player `card` to the others.
    "zerosum.strategy.card_player": ("PLAYERS", "choose"),
    "zerosum.solver.encoding": ("Encoding", "encoding_of"),
    "zerosum.solver": ("Option", "Solution", "SolverError", "Value", "Verdict", "solve"),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'zerosum' has no attribute '{name}'")


def __dir__() -> list[str]:
    return __all__
