"""What the board of a table shows: made of the table, of its viewer, and of what the coach was asked.

Parts that every viewer of a version sees alike are drawn once. Here are also the links that people pass on.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from markupsafe import Markup

from zerosum.base.english import figure
from zerosum.base.text import printable
from zerosum.match.match import Match
from zerosum.match.match_words import name_of
from zerosum.match.setup import BOTH_SEATS, Person
from zerosum.rules.describe import describe, goal_line
from zerosum.rules.game_files import is_built_in
from zerosum.rules.model import Overshoot, Rules, Totals
from zerosum.rules.moves import ADD_ONLY, SWAP
from zerosum.screens.board_header import BoardViewer, board_header, reader_called
from zerosum.screens.board_pieces import CLASSES, Press, Tile, layout, number_line, place_on_line, tiles
from zerosum.screens.line_of_play import MoveWorth
from zerosum.screens.rendering import render
from zerosum.screens.rule_changes import opponent_of
from zerosum.screens.table_coach import SILENT, STEPS, Advice, CoachQuery
from zerosum.tables.commands import allowed_commands, claim_wait
from zerosum.tables.table import Table


def only_here(address: str) -> bool:
    """Whether only this machine can open an address.

    >>> only_here("http://127.0.0.1:8031"), only_here("http://localhost/x"), only_here("http://192.168.1.20:8031")
    (True, True, False)
    """
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def pool_tiles(
    match: Match, asked: CoachQuery, advice: Advice, *, may_move: bool, you: Person | None = None
) -> Iterator[dict[str, object]]:
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
            "taken_by": reader_called(match, by, you) if by else "",
            "style": CLASSES[by] if by else "",
            "sure": asked.link(sure=tile.presses[0].text) if sure else "",
            "presses": [
                _press(tile, n, press, values, asked, sure=sure)
                | _landing(match, press)
                | {"spoken_of": _spoken_of(press, advice, asked, threatens=tile.number == need)}
                for press in tile.presses
            ],
        }


def _spoken_of(press: Press, advice: Advice, asked: CoachQuery, *, threatens: bool) -> str:
    """Return why the coach speaks of a number, or nothing."""
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
    return {"lands": f"{whose} goes to {exactly}{figure(press.total)}{more}", "at": place_on_line(match, press.total)}


def _press(
    tile: Tile, n: int, press: Press, values: Mapping[str, MoveWorth], asked: CoachQuery, *, sure: bool
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


def forfeit_question(match: Match, move: str) -> dict[str, str] | None:
    """Return the question to confirm, if a move would forfeit."""
    if not move or not match.setup.forfeits:
        return None
    return {"move": move, "words": f"{figure(printable(move))} is not allowed now. Playing it forfeits the match."}


_MORE: Final = {1: "Which move?", 2: "Why?"}
_EARLIER: Final = 100
"""Earlier matches that a table links to."""
_LISTED: Final = 60
"""How many of the last moves are listed; an endless match must not make an endless page."""
_COMMON: Final = "common"
"""The key of what every viewer of a version sees alike."""
_NOT_ONLINE: Final = "No coaching while two people play online; review the match when it is over."


def board(
    table: Table, look: BoardViewer, asked: CoachQuery, advice: Advice, drawn: dict[object, Any]
) -> dict[str, object]:
    """Return all that the board of a table shows; `drawn` keeps what other viewers of this version see alike."""
    match, able = table.match, allowed_commands(table, look.held)
    may_move = "move" in able
    you = look.you if look.you and reader_called(match, look.you, look.you) == "You" else None
    if (_COMMON, you) not in drawn:
        drawn[_COMMON, you] = _common(table, you)
    return {
        **drawn[_COMMON, you],
        "move_id": look.move_id,
        "query": asked.query(),
        "problem": look.problem,
        "typed": look.typed,
        "takes_part": bool(look.held) and table.running,
        "can": able,
        "may_move": may_move,
        "persons": [_person(table, look, person) for person in Person],
        "pool": _pool(match, you, asked, advice, drawn, may_move=may_move),
        "may_swap": may_move and SWAP in match.position.legal_moves(),
        "swap_worth": next((one for one in advice.values if one.move == "swap"), None),
        "swap_hinted": advice.move == "swap",
        "sure": forfeit_question(match, asked.sure) if may_move else None,
        "now": look.around.moment.now,
        "room": look.around.classroom,
        "opponent": opponent_of(table),
        **_people(match, look, you),
        **_offers(look, able),
        **board_header(table, look, may_move=may_move),
        **_agreements(table, look),
        **_coach(table, look, asked, advice),
        **_secrets(table, look),
    }


def _people(match: Match, look: BoardViewer, you: Person | None) -> dict[str, object]:
    """Return who looks, and who else is there."""
    others = (person for person in Person if look.around.here.get(person) and person not in look.held)
    return {
        "called": name_of(match, you) if you else "",
        "you": " ".join(str(person.value) for person in sorted(look.held)),
        "here": " ".join(str(person.value) for person in others),
    }


def _offers(look: BoardViewer, able: Sequence[str]) -> dict[str, object]:
    """Return what comes after a match, unless the next one of a series is due."""
    if "next" in able:
        return {"next": (), "lesson": "", "changes": ()}
    return {"next": look.next, "lesson": look.lesson, "changes": look.changes}


def _common(table: Table, you: Person | None) -> dict[str, object]:
    """Return what every viewer of a version sees alike, but for `you`, who is called so."""
    match, rules = table.match, table.setup.rules
    over, link = match.outcome is not None, rules_link(rules)
    return {
        "id": table.id,
        "version": table.version,
        "game": printable(rules.name),
        "goal": goal_line(rules),
        "rules_link": link,
        "clauses": [] if link else describe(rules, lenient=not table.setup.forfeits, typed=False),
        "online": table.online,
        "over": over,
        "waiting": table.waiting,
        "number": table.number,
        "past": range(max(1, table.number - _EARLIER), table.number),
        "scored": table.setup.series is not None or table.number > 1,
        "series": _series(table),
        "gauge": number_line(match, you),
        "layout": layout(match),
        "signs": rules.operations != ADD_ONLY or min(rules.pool) < 0,
        "forfeits": table.setup.forfeits,
        "example": match.position.text_of(match.position.legal_moves()[0]) if not over else "",
        "move_list": render("board_moves.html", moves=_moves(match, you), unlisted=_unlisted(match))
        if match.moves
        else "",
    }


def _pool(
    match: Match, you: Person | None, asked: CoachQuery, advice: Advice, drawn: dict[object, Any], *, may_move: bool
) -> Markup:
    """Return the numbers; they are drawn once for all viewers to whom the coach says nothing about them."""
    silent = not (asked.query() or advice.values or advice.move or advice.why or advice.comment)
    if silent and (may_move, you) in drawn:
        found: Markup = drawn[may_move, you]
        return found
    pool = render(
        "board_pool.html",
        over=match.outcome is not None,
        layout=layout(match),
        signed=match.setup.rules.operations != ADD_ONLY,
        may_move=may_move,
        tiles=list(pool_tiles(match, asked, advice, may_move=may_move, you=you)),
    )
    if silent:
        drawn[may_move, you] = pool
    return pool


def rules_link(rules: Rules) -> str:
    """Return the address of the rules; nothing for a variant, which has no page."""
    return f"/games/{rules.id}" if is_built_in(rules) else ""


def _person(table: Table, look: BoardViewer, person: Person) -> dict[str, object]:
    match, seated = table.match, person in table.seated
    running = table.running and match.to_move is person
    left = table.left_of(person, look.around.moment.spent) if table.clock else 0
    outcome = match.outcome
    return {
        "person": person.value,
        "style": CLASSES[person],
        "name": reader_called(match, person, look.you) if seated else "Waiting",
        "you": person is look.you and reader_called(match, person, person) != "You",
        "turn": running,
        "won": outcome is not None and not table.drawn and match.person(outcome.winner) is person,
        "about": _about(table, look, person),
        "computer": person in table.seated and not table.setup.is_human(person),
        "total": match.position.total(match.seat(person)) if table.setup.rules.totals is Totals.OWN else None,
        "clock": clock_text(left) if table.clock else "",
        "left": left,
        "ticking": running and table.clock is not None,
        "wins": table.score[person - 1],
    }


def _about(table: Table, look: BoardViewer, person: Person) -> str:
    if person not in table.seated:
        return "not here yet"
    first = "moves first" if table.setup.first is person else "moves second"
    if not table.online or person in look.held:
        return first
    # On a phone the end of the line is cut off; who moves first can be seen otherwise.
    return f"{'here' if look.around.here.get(person) else 'away'}, {first}"


def clock_text(left: int) -> str:
    """Return milliseconds as minutes and seconds."""
    seconds = -(-left // 1000)
    return f"{seconds // 60}:{seconds % 60:02}"


def _series(table: Table) -> str:
    series = table.setup.series
    if series is not None:
        how = " of 2" if series.best_of == BOTH_SEATS else f", best of {series.best_of}"
        return f"match {series.number}{how}"
    return f"match {table.number}" if table.number > 1 else ""


def _unlisted(match: Match) -> int:
    """Return how many of the first moves are not listed: whole rounds, so that each player keeps their column."""
    surplus = max(0, len(match.moves) - _LISTED)
    return surplus + surplus % 2


def _moves(match: Match, you: Person | None) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    first = _unlisted(match)
    for ply, move in enumerate(match.moves[first:], first):
        before, after, mover = match.positions[ply], match.positions[ply + 1], match.mover(ply)
        total = "" if move == SWAP else f"\N{RIGHTWARDS ARROW} {after.total(before.seat)}"
        refilled = " sudden death" if len(after.pool) > len(before.pool) else ""
        row = {"n": ply + 1, "style": CLASSES[mover], "name": reader_called(match, mover, you)}
        rows.append(row | {"text": before.text_of(move), "total": total + refilled})
    return rows


def _agreements(table: Table, look: BoardViewer) -> dict[str, object]:
    """Return which consents are open: to take back, to play again, to claim."""
    undo, again = table.undo_asked, table.rematch_asked
    asked_again = again is not None and again.other in look.held
    keep = look.you is not None and not table.consents
    return {
        "undo_person": undo.other.value if undo else None,
        "undo_label": "Ask to take back" if table.consents else "Take back",
        "rematch_label": _rematch_label(table, asked_again=asked_again, keep=keep),
        "may_keep_seats": keep,
        "rematch_person": again.other.value if again and asked_again else None,
        "claim_in": _claim_in(table, look),
    }


def _rematch_label(table: Table, *, asked_again: bool, keep: bool) -> str:
    """Return the label of playing again; if the seats may be kept, another button does that."""
    if asked_again:
        return "Yes, play again"
    if table.consents:
        return "Ask for a rematch"
    return "Swap seats" if keep else "Play again, swap seats"


def _claim_in(table: Table, look: BoardViewer) -> int | None:
    """Return in how many milliseconds the match can be claimed; None if it cannot be claimed now."""
    if not table.running or len(look.held) != 1:
        return None
    wait = claim_wait(table, min(look.held), look.around.moment)
    return None if wait and look.around.here.get(table.match.to_move) else wait


def _coach(table: Table, look: BoardViewer, asked: CoachQuery, advice: Advice) -> dict[str, object]:
    allowed = table.coaching or table.waiting
    shows = allowed and bool(look.held) and table.running
    comment = advice.comment or SILENT
    return {
        "coach": shows,
        "may_coach": shows and table.solo,
        "coached": advice.comment is not None,
        "comment": [*comment["own"], *comment["their"]],
        "let_go": comment["let_go"] and bool(comment["own"]),
        "reply_due": table.computer_to_move,
        "coach_off": "" if allowed else _NOT_ONLINE,
        "coach_problem": advice.problem,
        "show_values": asked.values and allowed,
        "options": advice.values,
        "hint": advice.hint,
        "hint_then": advice.behind["then"] if advice.behind else [],
        "hint_lines": advice.behind["more"] if advice.behind else [],
        "more_label": _MORE.get(asked.hint, ""),
        "why": advice.why,
        "why_move": asked.why,
        "links": _links(asked) if shows else {"plain": asked.link(sure="")},
    }


def _links(asked: CoachQuery) -> dict[str, str]:
    """Return the addresses that ask the coach for more, or for less."""
    return {
        "plain": asked.link(sure=""),
        "worth": asked.link(values="" if asked.values else 1, why="", sure=""),
        "hint": asked.link(hint=1, sure=""),
        "more": asked.link(hint=asked.hint + 1, sure="") if asked.hint < STEPS else "",
        "unhint": asked.link(hint="", sure=""),
    }


def _secrets(table: Table, look: BoardViewer) -> dict[str, object]:
    """Return the addresses and codes that this one may see."""
    if look.around.classroom is not None:
        # In a room the teacher gives the way back, and nobody else looks on.
        return {"codes": [], "invitation": "", "invitation_qr": "", "only_here": False, "watch": ""}
    codes = [{"label": _code_label(table, look, person), "code": code} for person, code in look.around.codes.items()]
    invitation = look.invitation_link
    return {
        "codes": codes,
        "invitation": invitation,
        "invitation_qr": look.invitation_qr,
        "only_here": bool(invitation) and only_here(look.origin),
        "watch": f"{look.origin}/tables/{table.id}",
    }


def _code_label(table: Table, look: BoardViewer, person: Person) -> str:
    return "Your personal code" if len(look.around.codes) == 1 else f"Personal code of {name_of(table.match, person)}"
