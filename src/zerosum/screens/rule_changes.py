"""The same game with one rule changed: what is offered at the end of a match and on the page of a game.

The changes of a built-in game are known. Those of another game are worked out when somebody wants to see them, on a
page of their own; the end of a match waits for nothing.
"""

from __future__ import annotations

from functools import cache

from zerosum.base.text import printable
from zerosum.coach.bundled import OfferedDocument, bundled_changes, offered
from zerosum.jobs import quality_jobs
from zerosum.players import HUMAN
from zerosum.rules.game_files import is_built_in
from zerosum.rules.model import Rules, written_dict
from zerosum.screens.rendering import page
from zerosum.screens.screen import Answer, ScreenHost, Visit, screen
from zerosum.tables.new_table import HERE
from zerosum.tables.table import Table


def opponent_of(table: Table) -> str:
    """Return whom the people at a table play, as a form for a new table says it."""
    computers = [who for who in table.setup.who if who != HUMAN]
    return computers[0] if computers else HUMAN if table.online else HERE


async def known_changes(host: ScreenHost, rules: Rules) -> list[OfferedDocument] | None:
    """Return the changes of a game if they are known without any work, else None."""
    if is_built_in(rules):
        return _bundled(rules.id)
    if host.knows(quality_jobs.one_change, written_dict(rules)):
        return await host.ask(quality_jobs.one_change, written_dict(rules))
    return None


@cache
def _bundled(game: str) -> list[OfferedDocument]:
    """Return the changes of a built-in game, written once."""
    return [offered(one) for one in bundled_changes(game)]


@screen("GET", "/tables/{table_id}/changes", anonymous=True)
async def changes(visit: Visit, host: ScreenHost) -> Answer:
    """Show three changes of one rule, each of which one tap plays against the same opponent."""
    table = (await host.table(visit.path["table_id"])).table
    rules = table.setup.rules
    found = await known_changes(host, rules)
    if found is None:
        found = await host.ask(quality_jobs.one_change, written_dict(rules))
    return page(
        "changes.html",
        here="Play",
        table=table.id,
        game=printable(rules.name),
        changes=found,
        opponent=opponent_of(table),
    )
