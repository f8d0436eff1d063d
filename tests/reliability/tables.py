"""Tables that are opened for a test, and what the store has of them, as anybody can read it over the API."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field

from tests.reliability.clients import Caller, Document, Reply

API = "/api/v1"
_ids = itertools.count(1)


def new_id() -> str:
    """Return a `move_id` that was not used in this run."""
    return f"m{next(_ids)}"


@dataclass(frozen=True)
class Table:
    """A table and the keys of its persons; where one screen is shared they are the same."""

    id: str
    tokens: tuple[str, str]
    game: str = field(default="", compare=False)

    def path(self, what: str = "") -> str:
        return f"{API}/tables/{self.id}" + (f"/{what}" if what else "")

    def caller(self, url: str, person: int) -> Caller:
        """Return a person of this table, from an address of their own."""
        return Caller(url, self.tokens[person - 1])

    def state(self, caller: Caller) -> Document:
        """Return the table as somebody sees it."""
        return done(caller.call("GET", self.path()))

    def events(self, caller: Caller) -> list[Document]:
        """Return everything that has happened, page by page."""
        found: list[Document] = []
        while True:
            page = done(caller.call("GET", self.path(f"events?since={len(found)}")))
            found += page["events"]
            if len(found) >= page["version"] or not page["events"]:
                return found


def done(reply: Reply, status: int = 200) -> Document:
    """Return the document of an answer that must have come."""
    assert reply.status == status, (reply.status, reply.body[:300])
    return reply.document


def new_key(url: str) -> str:
    return str(done(Caller(url).call("POST", f"{API}/keys"), 201)["token"])


def open_table(url: str, game: str = "zero-sum-game", **order: object) -> Table:
    """Open a table for two people online, both there; or as the order says."""
    one = Caller(url, new_key(url))
    source = {} if "variant" in order else {"game": game}
    opened = done(one.call("POST", f"{API}/tables", {**source, "name": "Ann", **order}), 201)
    table_id = opened["state"]["table"]
    if not opened["invitation"]:
        return Table(table_id, (one.token, one.token), game)
    two = Caller(url, new_key(url))
    done(two.call("POST", f"{API}/join", {"invitation": opened["invitation"], "name": "Bob"}))
    return Table(table_id, (one.token, two.token), game)


def move(state: Document, text: str, move_id: str = "") -> Document:
    """Return a move for a table as it was seen."""
    return {"version": state["version"], "move_id": move_id or new_id(), "move": text}


def command(state: Document) -> Document:
    """Return any other command for a table as it was seen."""
    return {"version": state["version"], "move_id": new_id()}


def said(text: bytes | str) -> str:
    """Return what an answer says of version and state, which is the same through every door."""
    plain = text.decode() if isinstance(text, bytes) else text
    return plain[plain.index('"version":') :]


def version_said(answer: str) -> int:
    """Return the version that such an answer is about."""
    return int(json.loads("{" + answer)["version"])
