"""The turns of computer players: each is taken as soon as it is due, beside the requests."""

from __future__ import annotations

from functools import partial

import structlog

from zerosum.rules.rules_dict import rules_to_dict
from zerosum.server.domain.commands import computer_draft
from zerosum.server.domain.events import automatic_event
from zerosum.server.runtime.clocks import Clocks, NamedTasks
from zerosum.server.runtime.loaded_table import LoadedTable, prepare_limit_verdict
from zerosum.server.runtime.table_cache import TableCache
from zerosum.server.worker import jobs
from zerosum.server.worker.client import WorkerClient

_log = structlog.get_logger("zerosum.computer_turns")


class ComputerTurns:
    """Asks the worker for the move of every computer that is to move."""

    def __init__(self, cache: TableCache, tasks: NamedTasks, clocks: Clocks, worker: WorkerClient) -> None:
        self._cache = cache
        self._tasks = tasks
        self._clocks = clocks
        self._worker = worker
        cache.listen(self.start)

    def start(self, loaded: LoadedTable) -> None:
        """Take the turn of a computer that is to move, unless that is under way."""
        if loaded.table.computer_to_move:
            self._tasks.start(f"computer {loaded.table.id}", partial(self._play, loaded))

    async def _play(self, loaded: LoadedTable) -> None:
        while loaded.table.computer_to_move:
            table, match = loaded.table, loaded.table.match
            who, rules = table.setup.who[match.to_move - 1], rules_to_dict(table.setup.rules)
            move = await self._worker.ask(jobs.choose, rules, who, str(match.position), match.seed)
            await prepare_limit_verdict(match)
            if table is not loaded.table:
                continue
            moment = await self._clocks.moment(table)
            draft = computer_draft(table, move, moment)
            event = automatic_event(table.version + 1, moment.now, draft.kind, match.to_move, draft.data)
            written = await self._cache.append(loaded, event, draft.played)
            if not written and loaded.table is table:
                # Nobody else has moved on, so the same event would be refused forever.
                _log.error("computer's move refused at an unchanged version", version=table.version)
                return
