"""Visitors of an application in this process whose world repeats itself: the same visits give the same bytes.

A visitor asks by ASGI and knows nothing of how a page is made, so the same visits can be made before and after a
change of that. Every answer is written down. Time stands still while a request is answered, and chance begins anew
with each request, so that one request more or less work changes nothing in the others.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import math
import random
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, TypeVar
from unittest.mock import patch
from urllib.parse import urlencode

import anyio.to_thread

from tests.screens.page_forms import Form, form_of, forms_of
from tests.simulation import replicas
from tests.simulation.run import _end as end_all
from tests.simulation.virtual import VirtualLoop
from zerosum.jobs.job_table import Job
from zerosum.server.settings import Settings
from zerosum.server.worker.worker_process import answer
from zerosum.server.world import World
from zerosum.tables.problems import Problem

T = TypeVar("T")
Fields = Mapping[str, str]
Answered = dict[str, Any]
"""A request and its answer, as they are written down."""

EVERY_SECONDS: Final = 2.0
"""Virtual seconds from one request to the next; budgets are full again by then."""
_HEADERS: Final = frozenset(
    {
        "allow",
        "cache-control",
        "content-disposition",
        "content-encoding",
        "content-security-policy",
        "content-type",
        "etag",
        "location",
        "referrer-policy",
        "retry-after",
        "set-cookie",
        "vary",
        "www-authenticate",
        "x-content-type-options",
        "x-fragment",
        "x-frame-options",
    }
)
"""The headers that are written down."""
_TEXT: Final = ("text/html", "text/plain", "text/csv", "application/json", "application/problem+json")
_BOUNDARY: Final = "golden-boundary"


class _Worker(replicas.SimulatedWorker):
    """Answers in this process, by way of JSON as the worker process does, and remembers every answer."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, Any] = {}

    async def ask(self, job: Job[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Answer a question."""
        await asyncio.sleep(0.001)
        question = self._question(job, *args, **kwargs)
        if question not in self._known:
            self._known[question] = json.loads(answer(question.encode()))
        found = self._known[question]
        if "problem" in found:
            assert "trace" not in found, found["trace"]
            raise Problem(found["problem"]["code"], found["problem"]["detail"])
        return json.loads(json.dumps(found["answer"]))

    def remembers(self, job: Job[..., Any], *args: Any, **kwargs: Any) -> bool:
        """Whether a question was asked before."""
        return job.remembered and self._question(job, *args, **kwargs) in self._known

    @staticmethod
    def _question(job: Job[..., Any], *args: Any, **kwargs: Any) -> str:
        return json.dumps({"id": 1, "job": job.name, **job.arguments(*args, **kwargs)}, sort_keys=True)


class _World(World):
    """A world in which whole seconds pass."""

    def __init__(
        self, *, wall: Callable[[], float] = lambda: 0.0, monotonic: Callable[[], float] = lambda: 0.0, **more: Any
    ) -> None:
        super().__init__(
            wall=lambda: float(math.floor(wall())), monotonic=lambda: float(math.floor(monotonic())), **more
        )


async def _in_no_thread(function: Callable[..., T], *args: Any, **_: Any) -> T:
    """Call a function that the web framework would call in a thread, for which virtual time would not wait."""
    return function(*args)


@dataclass
class Site:
    """One application, and all that it has answered."""

    replica: replicas.Replica
    origin: str
    dice: random.Random
    answered: list[Answered] = field(default_factory=list)
    visitors: int = 0

    @property
    def app(self) -> Any:
        """The application."""
        return self.replica.app

    def visitor(self, name: str) -> Visitor:
        """Return somebody with a browser and an address of their own."""
        self.visitors += 1
        return Visitor(self, name, f"10.0.{self.visitors // 250}.{self.visitors % 250 + 1}")

    async def wait(self, seconds: float) -> None:
        """Let time pass."""
        await asyncio.sleep(seconds)

    async def begin(self) -> None:
        """Wait for the time of the next request, and roll the dice for it."""
        now = asyncio.get_running_loop().time()
        # A little after the whole second: a sum of small delays must not decide which second it is.
        await asyncio.sleep((math.floor(now / EVERY_SECONDS) + 1) * EVERY_SECONDS + 0.25 - now)
        self.dice.seed(f"request {len(self.answered)}")


@dataclass
class Reply:
    """An answer."""

    status: int
    headers: list[tuple[str, str]]
    text: str

    def header(self, name: str) -> str:
        """Return a header; nothing if there is none."""
        return next((value for key, value in self.headers if key == name), "")

    def forms(self) -> list[Form]:
        """Return the forms of the page."""
        return forms_of(self.text)

    def form(self, action: str) -> Form | None:
        """Return the first form whose address ends so, without its query."""
        return form_of(self.text, action)

    def found(self, pattern: str) -> str:
        """Return what the only group of a pattern finds on the page."""
        found = re.search(pattern, self.text)
        assert found is not None, f"{pattern} is not on the page:\n{self.text[:2000]}"
        return found[1]


@dataclass
class Visitor:
    """Somebody with a browser: its cookies, and the page that it shows."""

    site: Site
    name: str
    address: str
    cookies: dict[str, str] = field(default_factory=dict)
    page: Reply = field(default_factory=lambda: Reply(0, [], ""))
    at: str = ""

    @property
    def table(self) -> str:
        """The address of the table on the page."""
        found = re.match("/tables/[a-z0-9]+", self.at)
        assert found is not None, self.at
        return found[0]

    async def get(self, path: str, *, follow: bool = True, method: str = "GET", **headers: str) -> Reply:
        """Ask for a page, and go where it sends one."""
        return await self._ask(method, path, b"", headers, follow=follow)

    async def post(
        self, path: str, fields: Fields, *, follow: bool = True, files: Fields | None = None, **headers: str
    ) -> Reply:
        """Send a form, with files or without."""
        content = urlencode(fields).encode()
        kind = "application/x-www-form-urlencoded"
        if files is not None:
            content = _multipart(fields, files)
            kind = f"multipart/form-data; boundary={_BOUNDARY}"
        sent = {"content_type": kind, "content_length": str(len(content)), **headers}
        return await self._ask("POST", path, content, sent, follow=follow, fields=dict(fields) | dict(files or {}))

    async def press(
        self, action: str, given: Fields | None = None, *, fragment: bool = False, **fields: str | None
    ) -> Reply:
        """Send the first form of the page whose address ends so, with some fields changed; None leaves one out."""
        form = self.page.form(action)
        assert form is not None, f"{self.name} has no form {action} at {self.at}"
        changed = {**form.fields, **(given or {}), **fields}
        sent = {name: value for name, value in changed.items() if value is not None}
        alone = "board" if fragment else ""
        if form.method == "get":
            path = re.split("[?#]", form.action)[0]
            return await self.get(f"{path}?{urlencode(sent)}", x_fragment=alone)
        files: Fields | None = {} if form.multipart else None
        return await self.post(form.action or self.at, sent, files=files, x_fragment=alone)

    async def hurry(self, path: str, count: int) -> None:
        """Ask for a page many times at the same moment; the last answer is written down."""
        await self.site.begin()
        asked = [self._exchange(self._scope("GET", path, {}), b"") for _ in range(count)]
        self._note("GET", path, {"times": str(count)}, (await asyncio.gather(*asked))[-1])

    async def listen(self, path: str, seconds: float) -> list[str]:
        """Open a live connection for a while, and write down what is said."""
        await self.site.begin()
        heard: list[str] = []
        inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        inbox.put_nowait({"type": "websocket.connect"})

        async def hear(message: Any) -> None:
            heard.append(message.get("text") or message["type"])

        scope = self._scope("", path, {}) | {"type": "websocket", "subprotocols": [], "extensions": {}}
        scope["scheme"] = scope["scheme"].replace("http", "ws")
        del scope["method"]
        asyncio.get_running_loop().call_later(seconds, inbox.put_nowait, {"type": "websocket.disconnect", "code": 1000})
        replica = self.site.replica
        await replica.run(replica.app, scope, inbox.get, hear)
        self._note("LIVE", path, {}, Reply(101, [], "\n".join(heard)))
        return heard

    def _scope(self, method: str, path: str, headers: Mapping[str, str]) -> dict[str, Any]:
        path, _, query = path.partition("#")[0].partition("?")
        scheme, _, host = self.site.origin.partition("://")
        given = {"host": host, "accept": "text/html"}
        if method not in ("GET", "HEAD"):
            given["origin"] = self.site.origin
        if self.cookies:
            given["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": scheme,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in given.items() if value],
            "client": (self.address, 1),
            "server": ("127.0.0.1", 8031),
        }

    async def _ask(
        self,
        method: str,
        path: str,
        content: bytes,
        headers: Mapping[str, str],
        *,
        follow: bool,
        fields: Fields | None = None,
    ) -> Reply:
        await self.site.begin()
        reply = await self._exchange(self._scope(method, path, headers), content)
        self._note(method, path, {**(fields or {}), **_shown(headers)}, reply)
        for name, value in reply.headers:
            if name == "set-cookie":
                key, _, kept = value.partition(";")[0].partition("=")
                self.cookies[key] = kept
        to = reply.header("location")
        if to and follow:
            return await self.get(to.removeprefix(self.site.origin))
        self.page, self.at = reply, path
        return reply

    async def _exchange(self, scope: dict[str, Any], content: bytes) -> Reply:
        sent: list[dict[str, Any]] = []
        requests = [{"type": "http.request", "body": content, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if requests:
                return requests.pop()
            await asyncio.sleep(3600)
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(dict(message))

        replica = self.site.replica
        await replica.run(replica.app, scope, receive, send)
        start = next(one for one in sent if one["type"] == "http.response.start")
        body = b"".join(one.get("body", b"") for one in sent if one["type"] == "http.response.body")
        headers = [(name.decode().lower(), value.decode()) for name, value in start["headers"]]
        kept = sorted((one for one in headers if one[0] in _HEADERS), key=lambda one: one[0])
        return Reply(start["status"], kept, _as_text(dict(kept), body))

    def _note(self, method: str, path: str, fields: Fields, reply: Reply) -> None:
        answered = self.site.answered
        answered.append(
            {
                "name": f"{len(answered) + 1:03} {self.name}: {method} {path}",
                "sent": dict(fields),
                "cookies": dict(self.cookies),
                "status": reply.status,
                "headers": [f"{name}: {value}" for name, value in reply.headers],
                "body": reply.text,
            }
        )


def _shown(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if value and name not in ("content_type", "content_length")}


def _multipart(fields: Fields, files: Fields) -> bytes:
    parts = [
        f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    parts += [
        f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"; filename="a.txt"\r\n'
        f"Content-Type: text/plain\r\n\r\n{value}\r\n"
        for name, value in files.items()
    ]
    return ("".join(parts) + f"--{_BOUNDARY}--\r\n").encode()


def _as_text(headers: Mapping[str, str], body: bytes) -> str:
    """Return what an answer says; of a file that is no page, a hash."""
    if headers.get("content-encoding") == "gzip":
        body = gzip.decompress(body)
    kind = headers.get("content-type", "")
    if not body or kind.startswith(_TEXT):
        return body.decode()
    return f"{len(body)} bytes, SHA-256 {hashlib.sha256(body).hexdigest()}"


def visit(
    tour: Callable[[Site], Awaitable[T]], *, number: int = 0, origin: str = "http://127.0.0.1:8031", **settings: Any
) -> tuple[Site, T]:
    """Let visitors come to an application with an empty database; `number` tells applications in this process apart."""
    loop = VirtualLoop()

    async def run() -> tuple[Site, T]:
        simulation = replicas.Simulation("golden pages")
        simulation.trouble.over = True
        replica = simulation.replicas[number]
        await replica.run(replica.start)
        site = Site(replica, origin, replica.world.dice)
        found = await tour(site)
        assert not simulation.errors, simulation.errors
        replica.kill()
        return site, found

    with (
        patch.object(replicas, "SimulatedWorker", _Worker),
        patch.object(replicas, "World", _World),
        patch.object(replicas, "Settings", lambda url: Settings(url, **settings)),
        patch.object(anyio.to_thread, "run_sync", _in_no_thread),
    ):
        try:
            return loop.run_until_complete(run())
        finally:
            loop.set_exception_handler(lambda *_: None)
            loop.run_until_complete(end_all())
            loop.close()


TODAY: Final = datetime.fromtimestamp(replicas.EPOCH, UTC).date()
"""The date in the world of the visitors."""
