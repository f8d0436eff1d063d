"""The answers to the puzzle on a page, and the moves of a daily."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from zerosum.coach.daily import daily_game, daily_position, parse_day
from zerosum.rules.game_files import built_in
from zerosum.rules.notation import parse_position
from zerosum.solver import solution_of


def right_and_wrong(page: Page) -> tuple[str, str]:
    """Return a move of the puzzle on the page that wins, and one that loses."""
    game, _, position = str(page.locator("#puzzle").get_attribute("data-puzzle")).partition(" ")
    rules = built_in(game)
    at = parse_position(position, rules)
    best, *_, worst = solution_of(rules).options(at)
    return at.text_of(best.move), at.text_of(worst.move)


def daily_moves(day: str, *, best: bool) -> list[str]:
    """Return own moves that win the daily of a date, or that lose it."""
    on = parse_day(day)
    solution = solution_of(built_in(daily_game(on)))
    position = daily_position(on, solution)
    mover, moves = position.seat, list[str]()
    while position.outcome is None:
        ours = position.seat is mover
        move = solution.options(position)[-1 if ours and not best else 0].move
        moves += [position.text_of(move)] if ours else []
        position = position.play(move)
    return moves


def play_daily(page: Page, *, best: bool) -> None:
    """Play a whole try of the daily on the page with the keyboard."""
    for move in daily_moves(page.url.rpartition("/")[2][:10], best=best):
        at = page.locator("[name=at]").get_attribute("value")
        page.locator(f"button[value='{move}']").press("Enter")
        expect(page.locator(f"[name=at][value='{at}']")).to_have_count(0)
