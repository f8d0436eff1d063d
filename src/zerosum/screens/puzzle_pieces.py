"""What the pages of puzzles and of the daily share: a move that was pressed, and what a move leads to."""

from __future__ import annotations

from zerosum.base.errors import ZerosumError
from zerosum.jobs import game_jobs
from zerosum.match.typed_moves import TYPED
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.position import Position
from zerosum.screens.board_pieces import position_picture
from zerosum.screens.screen import ScreenHost
from zerosum.tables.problems import Problem


def read_move(position: Position, text: str) -> Move:
    """Return a legal move that an address or a form writes."""
    try:
        move = parse_move(TYPED.plain(text), position.rules.operations)
        position.play(move)
    except ZerosumError as error:
        raise Problem("illegal-move", str(error)) from None
    return move


async def played_out(host: ScreenHost, position: Position, move: Move) -> dict[str, object]:
    """Return what a move leads to, in words and as a picture."""
    found = await host.ask(game_jobs.played_out, *game_jobs.about(position), position.text_of(move))
    line = [parse_move(text, position.rules.operations) for text in found["line"]]
    return {
        "move": position.text_of(move),
        "why": found["why"],
        "line": found["line"],
        "scene": position_picture(position, line),
    }
