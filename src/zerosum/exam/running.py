"""A run: ask what is missing, write each reply to the log, and stop where nobody answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from queue import SimpleQueue
from threading import Event, Lock, Semaphore, Thread
from time import monotonic
from typing import Any, Final, TypedDict

from zerosum.entrants.model import NoAnswerError
from zerosum.exam import limits
from zerosum.exam.asking import Asker, replies_to
from zerosum.exam.folder import Run
from zerosum.exam.items import Item
from zerosum.exam.scoring import Grade, grade
from zerosum.match.run_folders import RunError
from zerosum.match.run_log import Log, Writer

_GRACE: Final = 2.0
"""Seconds that threads have to end their commands when the run is over."""

Watch = Callable[[int, int], None]
"""Called with how many items have been answered, and how many could not be."""
_Found = tuple[int, str | BaseException]


def ask_all(run: Run, asker: Asker, jobs: int = 1, watch: Watch = lambda _done, _failed: None) -> str | None:
    """Ask the items that are missing in the log; return why some still are, None where all are answered.

    An item that gets no answer is left for the next time; after some of them in a row, or where nothing has been
    answered yet, the run is ended.
    """
    log = run.log()
    with closing(Writer(log)) as writer:
        places = [place for place in range(1, len(run.set.items) + 1) if place not in log.at]
        with closing(_Crew(run, asker, places, jobs)) as crew:
            why = _keep(crew, writer, len(places), watch)
        # Whoever was still waiting when the run was ended may have got an answer.
        writer.append([(place, found) for place, found in crew.left() if isinstance(found, str)])
        return why


def _keep(crew: _Crew, writer: Writer, count: int, watch: Watch) -> str | None:
    """Write so many replies as they come; return why some did not."""
    log = writer.log
    why: str | None = None
    failed = in_a_row = 0
    for _ in range(count):
        place, found = crew.results.get()
        if isinstance(found, str):
            writer.append([(place, found)])
            in_a_row = 0
        elif isinstance(found, NoAnswerError):
            failed, in_a_row, why = failed + 1, in_a_row + 1, str(found)
        else:
            raise found
        watch(len(log.at), failed)
        if in_a_row >= (limits.FAILURES if log.at else 1):
            break
        crew.go_on()
    return why


class _Crew:
    """Threads that ask; models and commands do the thinking. For each result that is dealt with, one more is asked."""

    def __init__(self, run: Run, asker: Asker, places: list[int], jobs: int) -> None:
        self.results: SimpleQueue[_Found] = SimpleQueue()
        self._run, self._asker = run, asker
        self._ahead, self._guard, self._stop = iter(places), Lock(), Event()
        self._permits = Semaphore(jobs)
        self._threads = [Thread(target=self._work, daemon=True) for _ in range(min(jobs, len(places)))]
        for thread in self._threads:
            thread.start()

    def _work(self) -> None:
        while True:
            self._permits.acquire()
            with self._guard:
                place = next(self._ahead, None)
            if place is None or self._stop.is_set():
                return
            try:
                self.results.put((place, self._line(place)))
            except BaseException as error:  # noqa: BLE001 - raised where somebody hears of it
                self.results.put((place, error))

    def go_on(self) -> None:
        """Let one more item be asked."""
        self._permits.release()

    def _line(self, place: int) -> str:
        item, plan = self._run.set.items[place - 1], self._run.plan
        replies = replies_to(item, self._asker, plan.style, plan.tries, lenient=plan.lenient)
        told = [Told(reply=one.text, truncated=one.cut) for one in replies]
        return json.dumps({"n": place, "id": item.id, "replies": told})

    def left(self) -> Iterator[_Found]:
        """Yield the results that nobody has dealt with."""
        while not self.results.empty():
            yield self.results.get()

    def close(self) -> None:
        """Ask nothing more; whoever waits for an answer ends with it, or with this process."""
        self._stop.set()
        self._permits.release(len(self._threads) or 1)
        deadline = monotonic() + _GRACE
        for thread in self._threads:
            thread.join(max(0.0, deadline - monotonic()))


class Told(TypedDict):
    """A reply, as it stands in the log and in files of replies."""

    reply: str
    truncated: bool


def graded(item: Item, told: Iterable[Told], *, lenient: bool) -> list[Grade]:
    """Return the grades of the replies to an item, one for each try."""
    return [grade(item, one["reply"], truncated=one["truncated"], lenient=lenient) for one in told]


def replies_in(run: Run, log: Log) -> list[tuple[Item, list[Told]]]:
    """Return the items that were answered, with their replies, in the order of the set."""
    found: list[tuple[Item, list[Told]]] = []
    for line in log.read(sorted(log.at)):
        place = line["n"]
        if not 1 <= place <= len(run.set.items) or line.get("id") != run.set.items[place - 1].id:
            raise RunError(f"Item {place} of the log belongs to another set.")
        found.append((run.set.items[place - 1], _told(line.get("replies"), place)))
    return found


def _told(replies: Any, place: int) -> list[Told]:  # noqa: ANN401 - what a log holds
    """Return the replies of a line, each looked at: a log may have been written by anybody."""
    try:
        told = [(one["reply"], one["truncated"]) for one in replies]
    except (LookupError, TypeError):
        told = []
    if not told or not all(type(reply) is str and type(cut) is bool for reply, cut in told):
        raise RunError(f"Item {place} of the log cannot be read.")
    return [Told(reply=reply, truncated=cut) for reply, cut in told]
