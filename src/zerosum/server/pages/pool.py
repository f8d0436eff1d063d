"""The numbers on the page of a table: who has them, what they are worth, where they land, what is asked about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from zerosum.coach.review_words import name_of
from zerosum.match.match import Match
from zerosum.rules.model import Overshoot, Totals
from zerosum.rules.text import printable
from zerosum.server.pages.coach import Advice, Asked
from zerosum.server.pages.verdicts import Worth
from zerosum.web.figures import figure
from zerosum.web.gauge import place
from zerosum.web.tiles import CLASSES, Press, Tile, tiles


def pool_tiles(match: Match, asked: Asked, advice: Advice, *, may_move: bool) -> Iterator[dict[str, object]]:
    """Yield what the page shows of each number of the game."""
    values = {one.move: one for one in advice.values}
    need = figure(advice.comment["need"]) if advice.comment and advice.comment["need"] is not None else None
    sure = may_move and match.setup.forfeits
    for n, tile in enumerate(tiles(match)):
        by = tile.taken_by
        yield {
            "id": f"tile-{n}",
            "number": tile.number,
            "moves": " ".join(press.text for press in tile.presses),
            "taken_by": name_of(match, by) if by else "",
            "style": CLASSES[by] if by else "",
            "sure": asked.link(sure=tile.presses[0].text) if sure else "",
            "presses": [
                _press(tile, n, press, values, asked, sure=sure)
                | _landing(match, press)
                | {"spoken_of": _spoken_of(press, advice, asked, threatens=tile.number == need)}
                for press in tile.presses
            ],
        }


def _spoken_of(press: Press, advice: Advice, asked: Asked, *, threatens: bool) -> str:
    """Return why the coach speaks of a number, in words; nothing where it does not."""
    if press.text == advice.move:
        return "the hint"
    if advice.why is not None and press.text == asked.why:
        return "asked about"
    if advice.comment and press.text == advice.comment["trap"]:
        return "the trap"
    return "their threat" if threatens else ""


def _landing(match: Match, press: Press) -> dict[str, object]:
    """Return where a number lands: in words, and on the line."""
    if press.total is None:
        return {"lands": "", "at": ""}
    rules = match.setup.rules
    whose = "The total" if rules.totals is Totals.SHARED else "Your total"
    start = rules.start[0] if rules.totals is Totals.SHARED else rules.start[match.position.seat - 1]
    past = rules.overshoot is Overshoot.LOSES and (press.total > rules.target) != (start > rules.target)
    exactly = "exactly " if press.total == rules.target else ""
    more = f", past {figure(rules.target)}" if past and not exactly else ""
    return {"lands": f"{whose} goes to {exactly}{figure(press.total)}{more}", "at": place(match, press.total)}


def _press(
    tile: Tile, n: int, press: Press, values: Mapping[str, Worth], asked: Asked, *, sure: bool
) -> dict[str, object]:
    worth = values.get(press.text)
    return {
        "id": f"press-{n}-{tile.presses.index(press)}",
        "text": press.text,
        "shown": press.shown,
        "name": press.name,
        "objection": press.objection,
        "sure": asked.link(sure=press.text) if sure and press.objection else "",
        "worth": worth,
        "worth_style": worth.verdict if worth else "",
    }


def question(match: Match, move: str) -> dict[str, str] | None:
    """Return what is to be confirmed, where a move would forfeit."""
    if not move or not match.setup.forfeits:
        return None
    return {"move": move, "words": f"{figure(printable(move))} is not allowed now. Playing it forfeits the match."}
