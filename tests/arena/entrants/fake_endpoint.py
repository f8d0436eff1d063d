"""A model endpoint on this machine, for tests: real HTTP, scripted answers."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Scripted:
    """An answer: a reply of a model, or something that goes wrong."""

    text: str = ""
    status: int = 200
    finish: str = "stop"
    retry_after: str = ""
    message: Mapping[str, Any] | None = None
    """Sent in place of the text: a message with parts, calls of tools or a refusal."""
    usage: Mapping[str, Any] | None = None
    model: str = ""
    body: bytes | None = None
    """Sent as it is, in place of a chat completion."""
    drop: bool = False
    """Whether the connection is closed without an answer."""
    drip: float = 0.0
    """Seconds between one byte of the answer and the next; 0 sends it at once."""
    wait: threading.Event | None = None
    """Set when the answer may be sent."""


@dataclass(slots=True)
class Fake:
    """A running endpoint: its address, and the requests that it got."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    """The body of each request, with its path and headers under `path` and `headers`."""


@contextmanager
def endpoint(answer: Callable[[dict[str, Any]], Scripted]) -> Iterator[Fake]:
    """Run an endpoint that answers each request as `answer` says."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            request = {**json.loads(data), "path": self.path, "headers": dict(self.headers)}
            fake.requests.append(request)
            scripted = answer(request)
            if scripted.wait is not None:
                scripted.wait.wait()
            if scripted.drop:
                self.close_connection = True
                return
            self.send_response(scripted.status)
            if scripted.retry_after:
                self.send_header("Retry-After", scripted.retry_after)
            self.end_headers()
            data = _completion(scripted) if scripted.body is None else scripted.body
            if not scripted.drip:
                self.wfile.write(data)
                return
            for byte in data:
                self.wfile.write(bytes([byte]))
                time.sleep(scripted.drip)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: a test reads the requests."""

    class Server(ThreadingHTTPServer):
        daemon_threads = False  # so that closing it waits for them

        def handle_error(self, request: object, client_address: object) -> None:
            """Say nothing: a client that gave up is part of a test."""

    server = Server(("127.0.0.1", 0), Handler)
    fake = Fake(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _completion(scripted: Scripted) -> bytes:
    message = {"role": "assistant", "content": scripted.text} if scripted.message is None else scripted.message
    found: dict[str, Any] = {"choices": [{"message": message, "finish_reason": scripted.finish}]}
    found |= {"usage": scripted.usage} if scripted.usage is not None else {}
    found |= {"model": scripted.model} if scripted.model else {}
    return json.dumps(found).encode()
