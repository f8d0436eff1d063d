"""What can go wrong over the network: every problem has a stable code, a status and words.

A problem is answered as `application/problem+json`, on a live connection as a message, on a page as words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from zerosum.base.documents import to_json

PROBLEMS: Final[dict[str, tuple[int, str]]] = {
    "bad-request": (400, "The request cannot be read"),
    "no-key": (401, "A key is needed"),
    "not-your-seat": (403, "That seat is not yours"),
    "not-your-room": (403, "You are not in this room"),
    "not-your-desk": (403, "This desk is not yours"),
    "no-coaching": (403, "No coaching during an online match"),
    "wrong-host": (421, "This server does not answer to that host"),
    "wrong-origin": (403, "Another site may not do this"),
    "no-such-page": (404, "There is nothing here"),
    "no-such-game": (404, "There is no such game"),
    "no-such-table": (404, "There is no such table"),
    "no-such-match": (404, "There is no such match at this table"),
    "no-such-invitation": (404, "There is no such invitation"),
    "no-such-code": (404, "There is no such personal code"),
    "no-such-room": (404, "There is no room with this code"),
    "wrong-method": (405, "That method is not allowed here"),
    "stale": (409, "Something has happened since"),
    "not-your-turn": (409, "It is not your turn"),
    "not-now": (409, "That cannot be done now"),
    "move-id-reused": (409, "That move_id was used for something else"),
    "invitation-used": (410, "That invitation has been used"),
    "gone": (410, "This has been deleted"),
    "length-needed": (411, "The length of the body is needed"),
    "too-large-body": (413, "The request is too large"),
    "wrong-type": (415, "The content type is not understood"),
    "bad-field": (422, "A field is missing or wrong"),
    "unreadable-move": (422, "That is not a move"),
    "operation-missing": (422, "Add or subtract?"),
    "illegal-move": (422, "That move is not allowed"),
    "bad-name": (422, "That name cannot be used"),
    "bad-rules": (422, "These rules make no game"),
    "bad-record": (422, "That record cannot be read"),
    "bad-position": (422, "That position cannot arise"),
    "too-large": (422, "That game is too large"),
    "no-solution": (422, "That game has no exact solution here"),
    "too-many": (429, "Too many requests"),
    "headers-too-large": (431, "The headers are too large"),
    "internal": (500, "Something went wrong here"),
    "unavailable": (503, "The database cannot be reached"),
    "busy": (503, "Too many questions at once"),
    "thinking-too-long": (503, "That takes too long to work out"),
    "stopping": (503, "The server is stopping"),
}
"""Code, status and title; the detail of each problem says what happened and what to do."""


@dataclass(frozen=True, slots=True)
class ProblemDocument:
    """A problem; `code` is stable."""

    type: str
    title: str
    status: int
    detail: str
    code: str


class Problem(Exception):  # noqa: N818 - the word of the standard it is answered by
    """Something that went wrong, for the client; `more` are further members of the answer."""

    def __init__(self, code: str, detail: str = "", **more: object) -> None:
        self.code = code
        self.status, self.title = PROBLEMS[code]
        self.detail = detail or f"{self.title}."
        self.more: Mapping[str, object] = more
        super().__init__(f"{code}: {self.detail}")

    def document(self) -> dict[str, object]:
        """Return the members of the answer."""
        described = ProblemDocument("about:blank", self.title, self.status, self.detail, self.code)
        return {**to_json(described), **self.more}


RETRY_AFTER: Final = {"unavailable": 2, "busy": 3, "thinking-too-long": 5, "stopping": 3}
"""Seconds after which it is worth trying again; a rate limit says its own."""
