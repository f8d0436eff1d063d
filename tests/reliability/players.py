"""Players who keep their own ledger: of everything that was acknowledged to them, and of what they sent again."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from tests.patience import PATIENCE
from tests.reliability.clients import Caller, CutError, Document
from tests.reliability.doors import Door, HttpDoor, LiveDoor, Refused
from tests.reliability.tables import Table, command, move, version_said

RETRY_SECONDS = 0.1
THOUGHT_SECONDS = 0.04
"""The longest that a player thinks after an answer; without it the players would take the machine for themselves."""
_AGAIN = frozenset({"unavailable", "stopping", "busy", "too-many"})


@dataclass(frozen=True)
class Sent:
    """A command that was sent."""

    name: str
    document: Document


@dataclass(frozen=True)
class Acknowledged:
    """A command that was answered: with which words, by whom, when, and after how many seconds."""

    sent: Sent
    version: int
    answer: str
    url: str
    at: float
    took: float
    resent: bool


@dataclass(frozen=True)
class Cut:
    """A connection that ended while a command was under way."""

    url: str
    sent: float
    ended: float


class Player(threading.Thread):
    """One person at one table, who plays any legal move, again and again, whatever happens to the server."""

    def __init__(self, table: Table, person: int, urls: Sequence[str], *, live: bool, seed: int) -> None:
        super().__init__(name=f"player {person} at {table.id}", daemon=True)
        self.table, self.person, self.live = table, person, live
        self.ledger: list[Acknowledged] = []
        self.cuts: list[Cut] = []
        self.wrong: list[str] = []
        self.under_way: float | None = None
        self.error: BaseException | None = None
        self._urls = list(urls)
        self._chance = Random(seed)
        self._pending: Sent | None = None
        self._resent = False
        self._done = threading.Event()
        self._abandoned = False
        self._door: Door | None = None
        self._version = 0

    def finish(self) -> None:
        """Have the last answer waited for, then stop."""
        self._done.set()

    def abandon(self) -> None:
        """Have the player stop, whatever is unanswered."""
        self._abandoned = True
        self._done.set()

    def run(self) -> None:
        try:
            while not self._done.is_set() or (self._pending is not None and not self._abandoned):
                try:
                    self._go_on()
                except CutError:
                    self._note_cut()
        except BaseException as error:  # noqa: BLE001 - told by whoever waits for the player
            self.error = error
        finally:
            self._leave()

    def _note_cut(self) -> None:
        if self.under_way is not None and self._door is not None:
            self.cuts.append(Cut(self._door.url, self.under_way, time.monotonic()))
        self.under_way = None
        self._resent = self._pending is not None
        self._leave()
        self._urls.append(self._urls.pop(0))

    def _leave(self) -> None:
        if self._door is not None:
            if isinstance(self._door, LiveDoor):
                self.wrong += [f"{self.name}: {one}" for one in self._door.gaps]
                self._version = self._door.version
            self._door.drop()
        self._door = None

    @property
    def url(self) -> str:
        """Where this player is now."""
        return self._urls[0]

    def _go_on(self) -> None:
        if len(self._urls) > 1 and self._chance.random() < 0.02:
            self._leave()
            self._urls.append(self._urls.pop(0))
        door = self._connected()
        if self._pending is None:
            self._pending = self._choice(door.state())
        if self._pending is None:
            door.wait()
        else:
            self._ask(door, self._pending)

    def _connected(self) -> Door:
        """Return the door, opened again where need be; what was acknowledged last is then asked for once more."""
        deadline = time.monotonic() + PATIENCE
        token = self.table.tokens[self.person - 1]
        while self._door is None:
            try:
                if self.live:
                    self._door = LiveDoor(self._urls[0], self.table, token, self._version)
                else:
                    self._door = HttpDoor(self._urls[0], self.table, token)
                self._remind(self._door)
            except (CutError, AssertionError) as error:
                if time.monotonic() > deadline:
                    raise AssertionError(f"{self.name}: the server did not come back ({error})") from None
                self._leave()
                self._urls.append(self._urls.pop(0))
                time.sleep(RETRY_SECONDS)
        return self._door

    def _remind(self, door: Door) -> None:
        if self.ledger and self._chance.random() < 0.5:
            last = self.ledger[-1]
            try:
                again = door.ask(last.sent.name, last.sent.document)
            except Refused as refused:
                if refused.code in _AGAIN:
                    return
                again = str(refused)
            if again != last.answer:
                at = next((n for n, (a, b) in enumerate(zip(again, last.answer, strict=False)) if a != b), 0)
                told = f"{last.answer[max(0, at - 40) : at + 60]!r}, then {again[max(0, at - 40) : at + 60]!r}"
                self.wrong.append(f"{self.name}: sent again, version {last.version} got another answer: {told}")

    def _choice(self, state: Document) -> Sent | None:
        """Return what to do at a table that stands so; None if there is nothing to do."""
        match = state["match"]
        if match["outcome"] is not None:
            due = state["rematch_asked"] != self.person and not (state["rematch_asked"] is None and self.person == 2)
            return Sent("rematch", command(state)) if due else None
        if match["to_move"] != self.person:
            return None
        return Sent("move", move(state, self._chance.choice(match["legal_moves"])))

    def _ask(self, door: Door, pending: Sent) -> None:
        self.under_way = time.monotonic()
        try:
            answer = door.ask(pending.name, pending.document)
        except Refused as refused:
            self.under_way = None
            if refused.code in _AGAIN:
                self._resent = True
                time.sleep(RETRY_SECONDS)
                return
            # It was never carried out, or it would have been answered: the table has gone on otherwise.
            self.wrong.append(f"{self.name}: {pending.name} {pending.document} was refused: {refused}")
            self._pending = None
            door.wait()
            return
        now = time.monotonic()
        took, self.under_way = now - self.under_way, None
        self.ledger.append(Acknowledged(pending, version_said(answer), answer, door.url, now, took, self._resent))
        self._pending, self._resent = None, False
        self._done.wait(self._chance.random() * THOUGHT_SECONDS)


def start_players(tables: Sequence[Table], urls: Sequence[str], seed: int) -> list[Player]:
    """Start two players at each table, through either door, at any of some replicas."""
    players = []
    for number, table in enumerate(tables):
        for person in (1, 2):
            turned = list(urls[(number + person) % len(urls) :]) + list(urls[: (number + person) % len(urls)])
            live = (number + 2 * person) % 4 < 2
            players.append(Player(table, person, turned, live=live, seed=seed * 1000 + number * 2 + person))
    for player in players:
        player.start()
    return players


def finish(players: Sequence[Player]) -> None:
    """Let all players finish; raise what stopped one."""
    for player in players:
        player.finish()
    for player in players:
        player.join(2 * PATIENCE)
        if player.is_alive() or player.error is not None:
            raise AssertionError(f"{player.name} did not finish: {player.error!r}") from player.error


def audit(players: Sequence[Player], url: str) -> list[str]:
    """Hold every ledger against the store; return whatever was lost, changed or doubled."""
    wrong = [one for player in players for one in player.wrong]
    for table in {player.table for player in players}:
        try:
            events = table.events(Caller(url))
        except AssertionError as error:
            wrong.append(f"{table.id} cannot be read any more: {error}")
            continue
        here = [(player, one) for player in players if player.table == table for one in player.ledger]
        wrong += _audit(table, events, here)
    return wrong


def _audit(table: Table, events: list[Document], ledger: list[tuple[Player, Acknowledged]]) -> list[str]:
    wrong = []
    if [one["version"] for one in events] != list(range(1, len(events) + 1)):
        wrong.append(f"{table.id}: the versions of the events do not follow each other")
    unclaimed = {one["version"] for one in events if one["kind"] not in ("opened", "joined")}
    for player, one in ledger:
        event = events[one.version - 1] if one.version <= len(events) else None
        where = f"{table.id} version {one.version} ({one.sent.document})"
        if event is None:
            wrong.append(f"{where}: acknowledged and lost")
        elif one.version not in unclaimed:
            wrong.append(f"{where}: acknowledged twice")
        elif not _same(event, player.person, one):
            wrong.append(f"{where}: acknowledged and changed to {event}")
        unclaimed.discard(one.version)
    return wrong + [f"{table.id} version {one}: nobody was told of it; doubled?" for one in sorted(unclaimed)]


def _same(event: Document, person: int, one: Acknowledged) -> bool:
    last = json.loads("{" + one.answer)["state"]["last"]
    return bool(event == last and event["person"] == person and event.get("entry") == one.sent.document.get("move"))


def wait_for(true: Callable[[], object], seconds: float, what: str) -> None:
    """Wait until something is true."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.002)
