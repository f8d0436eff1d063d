"""Promise 6: whoever comes back asks for what was missed by version, and gets each event once, in order."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from random import Random

from tests.patience import PATIENCE
from tests.reliability.clients import CutError, Document, Live
from tests.reliability.players import Player, finish, start_players, wait_for
from tests.reliability.report import Report, Say, quietly
from tests.reliability.tables import Table, open_table
from zerosum.server import limits


class Watcher(threading.Thread):
    """A spectator with a bad connection, who notes every version told."""

    def __init__(self, urls: Sequence[str], table: Table, seed: int) -> None:
        super().__init__(name=f"watcher {seed}", daemon=True)
        self.events: dict[int, Document] = {}
        self.version = 1
        self.drops = 0
        self.wrong: list[str] = []
        self.error: BaseException | None = None
        self._urls, self._table = urls, table
        self._chance = Random(seed)
        self._until: int | None = None

    def see_until(self, version: int) -> None:
        """Have the watcher end when a version was told."""
        self._until = version

    def run(self) -> None:
        try:
            while not self.wrong and (self._until is None or self.version < self._until):
                self._look()
        except BaseException as error:  # noqa: BLE001 - told by whoever waits
            self.error = error

    def _look(self) -> None:
        """Connect, hear some messages, and drop the connection."""
        try:
            live = Live(self._chance.choice(self._urls), self._table.id, since=self.version)
        except CutError as error:
            if self._until is None:
                return
            raise AssertionError(f"a watcher cannot come back: {error}") from None
        for _ in range(self._chance.choice((0, 1, 3, 10, 40))):
            text = live.read(0.3 if self._until is None else 5)
            if text is None or (self._until is not None and self.version >= self._until):
                break
            self._take(json.loads(text))
        self.drops += 1
        live.drop()

    def _take(self, message: Document) -> None:
        if message["type"] == "state":
            self.wrong.append(f"{self.name}: a state was told instead of what was missed since {self.version}")
        if message["type"] == "event":
            if message["version"] != self.version + 1:
                self.wrong.append(f"{self.name}: version {message['version']} was told after {self.version}")
            self.version = message["version"]
            self.events[self.version] = message["event"]


def drop_at_random(
    urls: Sequence[str], events: int, *, watchers: int = 6, within: float = PATIENCE, say: Say = quietly, seed: int = 1
) -> Report:
    """Let spectators drop and come back while two people play; each must have heard every event, once."""
    report = Report("6", "events missed, " + ("two replicas" if len(urls) > 1 else "one server"))
    table = open_table(urls[0])
    players = start_players([table], urls, seed)
    watching = [Watcher(urls, table, seed + number) for number in range(watchers)]
    for watcher in watching:
        watcher.start()
    try:
        wait_for(lambda: _told(players, say) >= events, within + events, f"{events} events")
    except AssertionError as error:  # players who are not told of an event wait for it
        report.broken.append(str(error))
    finish(players)
    stored = table.events(table.caller(urls[-1], 1))
    for watcher in watching:
        watcher.see_until(len(stored))
    for watcher in watching:
        watcher.join(PATIENCE)
        report.check(watcher.error is None and not watcher.is_alive(), f"{watcher.name} stopped: {watcher.error!r}")
        report.broken += watcher.wrong
        missing = [one["version"] for one in stored[1:] if watcher.events.get(one["version"]) != one]
        report.check(not missing, f"{watcher.name} never heard of versions {missing[:10]}, or heard otherwise")
    report.broken += [one for player in players for one in player.wrong]
    report.figures = {"events": len(stored), "drops": sum(one.drops for one in watching), "gaps": len(report.broken)}
    return report


def _told(players: Sequence[Player], say: Say) -> int:
    told = sum(len(player.ledger) for player in players)
    say(f"{told} events")
    return told


def come_back_late(url: str) -> Report:
    """Miss just as many events as are told one by one, and then one more."""
    report = Report("6", "coming back late")
    table = open_table(url)
    players = start_players([table], [url], 7)
    most, brief = limits.CATCH_UP_STATES, limits.PAGE_EVENTS
    wait_for(lambda: table.state(table.caller(url, 1))["version"] >= brief + 10, 2 * PATIENCE, f"{brief} events")
    finish(players)
    version = table.state(table.caller(url, 1))["version"]
    for bound, states in ((most, True), (brief, False)):
        for missed in (0, 1, bound // 2, bound, bound + 1, version - 1):
            told = _all_told(url, table, version - missed, version, states=states)
            right = [("event", one) for one in range(version - missed + 1, version + 1)]
            right = right if missed <= bound else [("state", version)]
            report.check(told == right, f"who missed {missed} events was told {told[:3]}... ({len(told)} messages)")
        for since in (0, version + 1, 10**8):
            told = _all_told(url, table, since, version, states=states)
            report.check(told == [("state", version)], f"since={since} was answered by {told[:3]}")
    report.figures = {"events told one by one": f"{most}, {brief} without states", "broken": len(report.broken)}
    return report


def _all_told(url: str, table: Table, since: int, version: int, *, states: bool) -> list[tuple[str, int]]:
    """Return everything that is told to a viewer who comes back, until a message that is answered after all of it."""
    live = Live(url, table.id, since=since, states=states)
    told = []
    live.send({"type": "ping"})
    try:
        while (message := live.next("event", "state", "pong"))["type"] != "pong":
            told.append((str(message["type"]), int(message["version"])))
            assert message["version"] <= version
            assert ("state" in message) == states
            assert not states or message["state"]["version"] == message["version"]
    except CutError as error:
        told.append((f"cut: {error}", live.close_code or 0))
    live.drop()
    return told


def look_among_many(urls: Sequence[str], *, tables: int = 6, seconds: float = PATIENCE) -> Report:
    """Look at more tables than a replica keeps in memory, and play at them on another: everything must be heard."""
    report = Report("6", "looking on, more tables than memory")
    looked_at = [open_table(urls[0]) for _ in range(tables)]
    looking = [Live(urls[-1], table.id, since=2) for table in looked_at]
    players = start_players(looked_at, urls[:1], 3)
    wait_for(lambda: all(len(player.ledger) >= 5 for player in players), PATIENCE, "five moves each")
    finish(players)
    heard = 0
    for table, live in zip(looked_at, looking, strict=True):
        version = table.state(table.caller(urls[0], 1))["version"]
        told = 2
        try:
            while told < version:
                found = live.next("event", seconds=seconds)["version"]
                report.check(found == told + 1, f"version {found} was told after {told}")
                told = found
        except CutError:
            report.broken.append(f"a spectator heard of {told} events of {version}")
        heard += told
        live.drop()
    report.figures = {"tables": tables, "events heard": heard, "gaps": len(report.broken)}
    return report
