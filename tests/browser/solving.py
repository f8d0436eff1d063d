"""The answers to the puzzle on a page."""

from __future__ import annotations

from playwright.sync_api import Page

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
