"""What a board shows, noted each time it changes, and whether all of it is about one version of the match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from tests.browser.playing import after, our_turn, presses, version
from tests.server.running import Server
from zerosum.base.text import MINUS

_WATCH = """() => {
  const board = document.getElementById("board");
  const text = (one) => (one?.textContent ?? "").trim();
  const list = (query) => [...board.querySelectorAll(query)].map(text);
  const box = (query) => { const { top, height } = board.querySelector(query).getBoundingClientRect();
    return [Math.round(top + scrollY), Math.round(height)]; };
  window.boards = [];
  const note = () => window.boards.push({
    version: Number(board.dataset.version), status: text(board.querySelector("#status")),
    happened: text(board.querySelector("#happened")), title: document.title,
    hops: Number(board.querySelector(".gauge svg").dataset.hops), runner: list("[data-runner]")[0],
    moves: list(".moves b"), totals: list(".moves li > .quiet:last-child"), taken: list(".tile.taken").length,
    boxes: [".players", ".head", ".pool"].map(box) });
  new MutationObserver(note).observe(board, { subtree: true, childList: true, attributes: true, characterData: true });
  note();
}"""
HUMAN, COMPUTER = "Ann", "Level 1"


@dataclass(frozen=True)
class Watched:
    """How many boards were seen, at how many moves, and what was wrong with any."""

    boards: int
    moves: int
    wrong: list[str]


def watch_matches(page: Page, site: Server, moves: int) -> Watched:
    """Play matches of Sum31 against a level until so many moves were made, and check every board that was shown."""
    made, boards, wrong = 0, 0, list[str]()
    while made < moves:
        form: dict[str, str | float | bool] = {"game": "sum31", "opponent": "level:1", "name": HUMAN, "first": "me"}
        page.goto(page.request.post(f"{site.url}/tables", form=form, headers={"Origin": site.url}).url)
        page.evaluate(_WATCH)
        while our_turn(page) == "Your turn":
            seen = version(page)
            presses(page).first.click()
            after(page, seen)
        found: list[dict[str, Any]] = page.evaluate("window.boards")
        made, boards = made + len(found[-1]["moves"]), boards + len(found)
        wrong += [f"{one}: {board}" for board in found for one in contradictions(board)]
        if len({str(board["boxes"]) for board in found}) > 1:
            wrong.append(f"the board jumped: {[board['boxes'] for board in found]}")
    return Watched(boards, made, wrong)


def contradictions(board: dict[str, Any]) -> list[str]:
    """Return what on a board is not about the same moment as the rest; the human moves first."""
    made = len(board["moves"])
    mover, other = (HUMAN, COMPUTER) if made % 2 == 0 else (COMPUTER, HUMAN)
    total = board["totals"][-1].split()[-1] if made else "0"
    played = f"{other} plays {board['moves'][-1]}. The total is {total}." if made else "The match begins."
    over = "wins" in board["status"] or "win!" in board["status"]
    turn = "Your turn" if mover == HUMAN else f"{COMPUTER}\N{RIGHT SINGLE QUOTATION MARK}s turn"
    return [
        name
        for name, wrong in {
            "status": not over and board["status"] != turn,
            "title": not board["title"].startswith(board["status"]),
            "sentence": not over and board["happened"] != played,
            "end": over and " won" not in board["happened"],
            "line": board["runner"] != total.replace("-", MINUS),
            "hops": board["hops"] != made,
            "tiles": board["taken"] != made,
            "version": board["version"] != made + 1,
        }.items()
        if wrong
    ]
