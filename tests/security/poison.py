"""Values that break programs, put in every field of every route and of every message.

Fields are read from the application: its description of the API, the parameters of its pages, the models of its
commands, the forms that its pages show. So a new field is poisoned as soon as there is one.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final
from urllib.parse import quote

from fastapi.routing import iter_route_contexts

from tests.full import FULL
from tests.security.browsing import send_form
from tests.security.calling import Caller, Reply, fresh_address
from tests.security.pages import Page
from zerosum.screens.screen import screens
from zerosum.server.app import make_app
from zerosum.server.settings import Settings
from zerosum.tables.commands import COMMANDS
from zerosum.tables.fields import Whole
from zerosum.tables.problems import PROBLEMS

LARGE: Final = 120_000
NUMBERS: Final = (
    "9223372036854775808",
    "-9223372036854775809",
    "-1",
    "NaN",
    "Infinity",
    "-Infinity",
    "1e1",
    "5.0",
    "-0.0",
)
NUMBERS_TOO: Final = (
    "1234567890123456789012345",
    "1e400",
    "1" * 5000,
    "true",
    "false",
    "1.5",
    "0x10",
    "01",
    "1_0",
    "+1",
)
TEXTS: Final = (
    *("", " ", "1_0", "\u0663", "5.0", "1e1", "true", "null", "NaN", "\0", "a\0b", "\ud800", "\udfff\ud800", "\u202e"),
    *("\x1b[31m", "a\r\nb: c", "<script>", "{{7*7}}", "../../etc/passwd", "%00", "' OR 1=1 --", "$(id)", "\U0010ffff"),
    *("\ufeff1", "-1", "9" * 25, "9223372036854775808", "+5", "swap", "a" * 70, "a" * 1000, "\u0130" * 20),
)
SHAPES: Final = ("null", "[]", "{}", "[null]", '{"a":1}', "[" * LARGE, "[" * 50_000 + "]" * 50_000)
RAW: Final = (*NUMBERS, *NUMBERS_TOO, *SHAPES, *(json.dumps(text) for text in TEXTS), f'"{"a" * LARGE}"')
"""Values as JSON, or nearly JSON."""
BODIES: Final = (
    *(b"", b"{", b"[]", b"null", b"1", b'""', b"\xff\xfe", b'{"a":"\xff"}', b"\xef\xbb\xbf{}", b"{}", b'{"":1}', b"\0"),
    *(b'{"\\ud800":1}', b"{" * LARGE, b'{"a":' * 20_000, b"[" * LARGE, b'"' + b"a" * LARGE, b"a" * 1_000_000),
    *('{"a":1}'.encode("utf-16"), '{"a":1}'.encode("utf-32"), b'{"__proto__":{"a":1}}', b'{"a":1}{"b":2}'),
)
SHARES: Final = 4
"""Of this many values, a field is tried with one in `make test`."""
KINDS: Final = (
    "",
    "text/plain",
    "application/xml",
    "application/json; charset=utf-16",
    "multipart/form-data",
    ";",
    "/",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was sent, and what was wrong with the answer."""

    what: str
    answer: str

    def __str__(self) -> str:
        return f"{self.what[:160]!r}: {self.answer[:300]}"


class Turns:
    """Deals values to fields: in `make full` all to each, in `make test` a share, so that each is tried somewhere."""

    def __init__(self) -> None:
        self._fields = itertools.count()

    def of(self, values: Sequence[str]) -> Sequence[str]:
        """Return the values for the next field."""
        return values if FULL else values[next(self._fields) % SHARES :: SHARES]


def judge(what: str, reply: Reply, *, refused: bool = False) -> Iterator[Finding]:
    """Yield a finding unless an answer is good, or a problem with a known code (on a page, in words)."""
    page = reply.header("content-type").startswith("text/html")
    known = reply.status < 400 or page or reply.code in PROBLEMS
    if reply.status >= 500 or not known or (refused and reply.status < 400):
        yield Finding(what, f"{reply.status} {reply.text}")


def _whole(schema: Mapping[str, Any]) -> bool:
    """Whether a schema is of whole numbers alone, so that nothing in `RAW` but `null` can be right."""
    kinds = {one.get("type") for one in schema.get("anyOf", [schema])}
    return kinds <= {"integer", "null"}


def bodies(caller: Caller, right: Mapping[str, Mapping[str, object]], only: str = "") -> Iterator[Finding]:
    """Poison each member of each body of the API; `right` has for each path a body that would be taken."""
    described = make_app(Settings("sqlite:////nowhere/nothing.sqlite3")).openapi()
    schemas, seen, turns = described["components"]["schemas"], set[str](), Turns()
    for path, methods in described["paths"].items():
        content = methods.get("post", {}).get("requestBody", {}).get("content", {})
        if not content or not path.endswith(only):
            continue
        name = content["application/json"]["schema"]["$ref"].rpartition("/")[2]
        members = schemas[name]["properties"]
        # Of bodies alike, the first is poisoned with everything, the others with some.
        known = name in seen
        seen.add(name)
        place = path.format(table_id=right["table"]["id"], code=right["room"]["code"], number=1, table="2" * 12)
        base = dict(right.get(path, right["command"]))
        for member, schema in members.items():
            for raw in RAW[::5] if known else RAW if only else turns.of(RAW):
                body = _with(base, member, raw)
                wrong = _whole(schema) and raw != "null"
                yield from judge(f"POST {path} {member}: {raw}", _post(caller, place, body), refused=wrong)
        for body in (*BODIES, _with(base, "no_such_member", "1"), _twice(base)):
            yield from judge(f"POST {path} {body[:80]!r}", _post(caller, place, body), refused=body != _twice(base))
        for kind in KINDS:
            yield from judge(f"POST {path} as {kind}", _post(caller, place, b"{}", kind), refused=True)


def _post(caller: Caller, path: str, body: bytes, kind: str = "application/json") -> Reply:
    return caller.call("POST", path, body, {"Content-Type": kind})


def _with(base: Mapping[str, object], member: str, raw: str) -> bytes:
    """Return a body with one member replaced by what need not be JSON."""
    rest = {name: value for name, value in base.items() if name != member}
    head = json.dumps(rest)[:-1] + (", " if rest else "")
    return f"{head}{json.dumps(member)}: {raw}}}".encode(errors="surrogatepass")


def _twice(base: Mapping[str, object]) -> bytes:
    """Return a body with each member twice."""
    text = json.dumps(base)
    return f"{text[:-1]}, {text[1:]}".encode()


def parameters(caller: Caller, table_id: str, code: str) -> Iterator[Finding]:
    """Poison each parameter of each path and query, of the API and of the pages; `code` is a room's."""
    app, turns = make_app(Settings("sqlite:////nowhere/nothing.sqlite3")), Turns()
    queries = {(one.method, one.path): one.query for one in screens()}
    for route in iter_route_contexts(app.routes):
        found = getattr(route.original_route, "dependant", None)
        if found is None or not route.methods:
            continue
        method = min(route.methods)
        names = re.findall(r"\{(\w+)\}", route.path or "")
        usual = {
            "table_id": table_id,
            "game": "sum31",
            "number": "1",
            "invitation": "0" * 28,
            "command": "resign",
            "day": "2026-11-15",
            "code": code,
            "secret": "0" * 28,
            "action": "start",
            "table": "2" * 12,
        }
        for name in names:
            for text in turns.of(TEXTS):
                given = {**usual, name: quote(text.encode(errors="surrogatepass"), safe="")}
                path = (route.path or "").format(**given)
                yield from judge(f"{method} {path}", _plain(caller, method, path))
        place = (route.path or "").format(**usual)
        asked = {one.alias: "int" in str(one.field_info.annotation) for one in found.query_params}
        asked |= {name: isinstance(mark, Whole) for name, mark in queries.get((method, route.path or ""), {}).items()}
        for asked_name, whole in asked.items():
            for text in turns.of(TEXTS):
                query = f"{asked_name}={quote(text.encode(errors='surrogatepass'))}"
                strange = whole and text not in (
                    "9" * 25,
                    "9223372036854775808",
                    "-1",
                )
                reply = _plain(caller, method, f"{place}?{query}")
                yield from judge(f"{method} {place}?{query}", reply, refused=strange)


def _plain(caller: Caller, method: str, path: str) -> Reply:
    fresh = Caller(caller.server, caller.name, caller.token, caller.browser, fresh_address())
    return fresh.call(method, path, None, {"Content-Type": "application/x-www-form-urlencoded"})


def forms(starts: list[str], owner: Caller) -> Iterator[Finding]:
    """Poison each field of each form that pages show."""
    sent, turns = set[tuple[str, ...]](), Turns()
    for address in starts:
        reply = owner.call("GET", address)
        if not reply.header("content-type").startswith("text/html"):
            continue
        for form in Page(owner.server.url + address, reply.text).forms:
            kind = (form.action.rpartition("/")[2], *sorted(form.fields))
            if kind in sent:
                continue
            sent.add(kind)
            for name in form.fields:
                for text in turns.of((*TEXTS, "a" * LARGE)):
                    answered = send_form(owner, form, {name: text})
                    yield from judge(f"form {form.action} {name}: {text}", answered)


def messages() -> Iterator[tuple[str, str]]:
    """Yield messages for a live connection, none of which is right, and which member of it is poisoned."""
    for command, handler in COMMANDS.items():
        base: dict[str, object] = {"type": command, "version": 9999, "move_id": "x", "move": "+1"}
        members = ["type", *(one.name for one in fields(handler.model))]
        right = {name: value for name, value in base.items() if name in members}
        for member in members:
            for raw in RAW:
                if len(raw) < 4000 and not (member == "person" and raw == "null"):
                    yield f"{command} {member}", _with(right, member, raw).decode(errors="replace")
    for body in BODIES:
        if len(body) < 4000:
            yield "whole", body.decode(errors="replace")
