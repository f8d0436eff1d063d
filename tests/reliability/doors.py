"""The two doors to a table, HTTP and live, through which a player asks and learns how the table stands."""

from __future__ import annotations

import json
import time
from typing import Protocol

from tests.reliability.clients import Caller, CutError, Document, Live
from tests.reliability.tables import Table, said

POLL_SECONDS = 0.02


class Refused(Exception):  # noqa: N818 - an answer
    """A command was answered by a problem."""

    def __init__(self, code: str, document: Document) -> None:
        self.code = code
        self.document = document
        super().__init__(f"{code}: {document.get('detail')}")


class Door(Protocol):
    """A connection of one person to one table."""

    url: str

    def ask(self, name: str, command: Document) -> str:
        """Send a command and return what is answered; raise `Refused` or, if nothing is answered, `CutError`."""

    def state(self) -> Document:
        """Return how the table stands, as far as is known here."""

    def wait(self) -> None:
        """Wait for something to happen, not long."""

    def drop(self) -> None:
        """Cut the connection."""


class HttpDoor:
    """A player who asks over HTTP, and looks again and again."""

    def __init__(self, url: str, table: Table, token: str) -> None:
        self.url = url
        self._table = table
        self._caller = Caller(url, token)
        self._state = table.state(self._caller)

    def ask(self, name: str, command: Document) -> str:
        reply = self._caller.call("POST", self._table.path(name), command)
        if reply.status != 200:
            raise Refused(reply.code, reply.document)
        if reply.document["state"]["version"] >= self._state["version"]:
            self._state = reply.document["state"]
        return said(reply.body)

    def state(self) -> Document:
        return self._state

    def wait(self) -> None:
        time.sleep(POLL_SECONDS)
        reply = self._caller.call("GET", self._table.path())
        if reply.status == 200:
            self._state = reply.document

    def drop(self) -> None:
        self._caller.close(rudely=True)


class LiveDoor:
    """A player with a live connection; the versions told on it must follow each other."""

    def __init__(self, url: str, table: Table, token: str, since: int = 0) -> None:
        self.url = url
        self.gaps: list[str] = []
        self._known = table.state(Caller(url, token))
        self.version = since or int(self._known["version"])
        self._live = Live(url, table.id, token, self.version)

    def ask(self, name: str, command: Document) -> str:
        self._live.send({"type": name, **command})
        while True:
            text = self._live.read()
            if text is None:
                self._live.drop()
                raise CutError("no answer")
            found = self._take(text)
            if found.get("move_id") == command["move_id"]:
                if found["type"] == "problem":
                    raise Refused(found["problem"]["code"], found["problem"])
                return said(text)

    def _hear(self, seconds: float) -> None:
        text = self._live.read(seconds)
        if text is not None:
            self._take(text)

    def _take(self, text: str) -> Document:
        found: Document = json.loads(text)
        if found["type"] == "event":
            if found["version"] != self.version + 1:
                self.gaps.append(f"version {found['version']} was told after {self.version}")
            self.version = found["version"]
        elif found["type"] == "state":
            self.version = found["version"]
        state = found.get("state")
        if state and state["version"] >= self._known.get("version", 0):
            self._known = state
        return found

    def state(self) -> Document:
        return self._known

    def wait(self) -> None:
        self._hear(0.2)

    def drop(self) -> None:
        self._live.drop()
