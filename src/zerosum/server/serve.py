"""`zerosum serve`: the application on a socket, its logs, and its address for other devices on the network.

Logs are one JSON object a line on standard error; no secret that opens a seat is ever logged.
"""

from __future__ import annotations

import asyncio
import io
import ipaddress
import logging
import os
import shutil
import signal
import socket
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from types import FrameType, ModuleType
from typing import Final, TextIO, cast

import segno
import structlog
import uvicorn
from fastapi import FastAPI

from zerosum.base.errors import ZerosumError
from zerosum.base.files import make_folder
from zerosum.screens.rendering import compile_templates
from zerosum.server import limits
from zerosum.server.app import drain, make_app
from zerosum.server.db.engine import DatabaseError, read_url
from zerosum.server.db.upgrade import upgrade
from zerosum.server.garbage import collect_garbage
from zerosum.server.http.protocols import HttpProtocol, WebSocketProtocol
from zerosum.server.http.turns import Turns
from zerosum.server.settings import EVERYWHERE, Settings, sqlite_file
from zerosum.server.world import REAL

resource: ModuleType | None
try:
    import resource
except ImportError:  # not on every system
    resource = None


_ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address that is nobody's; asking for the way there sends nothing."""


class LanError(ZerosumError):
    """A machine that is on no network."""


def lan_address() -> str:
    """Return the IPv4 address by which others on the network reach this machine, else raise."""
    for address in _candidates():
        known = ipaddress.IPv4Address(address)
        if not known.is_loopback and not known.is_unspecified:
            return address
    raise LanError("--lan: this machine has no address on a network. Connect it, or give its address with --host.")


def _candidates() -> Iterator[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(_ELSEWHERE)
        yield str(probe.getsockname()[0])
    with suppress(OSError):
        for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            yield str(found[4][0])


def terminal_qr_code(address: str) -> str:
    """Return an address as a QR code in plain text, light on dark as most terminals are; phones read either."""
    drawn = io.StringIO()
    segno.make(address, micro=False, error="l").terminal(out=drawn, border=2, compact=True)
    return drawn.getvalue()


class _StandardError:
    """Standard error, which may be on a full disk: a log that cannot be written stops nothing."""

    def write(self, text: str) -> int:
        """Write, if possible."""
        with suppress(OSError, ValueError):
            sys.stderr.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, if possible."""
        with suppress(OSError, ValueError):
            sys.stderr.flush()


def set_up() -> None:
    """Send our own lines and those of the libraries the same way; somebody at a terminal sees only what is wrong."""
    level = logging.WARNING if sys.stderr.isatty() else logging.INFO
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", _StandardError())),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[_only_the_event, structlog.processors.JSONRenderer()]
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)


def _only_the_event(
    _logger: object,
    _name: str,
    event: structlog.typing.EventDict,
) -> structlog.typing.EventDict:
    kept = ("event", "level", "timestamp", "exception")
    return {key: event[key] for key in kept if key in event}


_PROXIES = "127.0.0.1,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7"
_log = structlog.get_logger("zerosum.serve")


class PortError(ZerosumError):
    """A port that cannot be listened on."""


def run(settings: Settings) -> int:
    """Serve until a signal stops it; return the exit status."""
    set_up()
    _allow_connections()
    _make_folder(settings.database)
    upgrade(read_url(settings.database), trusted=settings.trust_database)
    lan = lan_address() if settings.lan else None
    bound = _bind(settings)
    if lan is not None:
        settings = replace(settings, public_urls=(*settings.public_urls, f"http://{lan}:{bound.getsockname()[1]}"))
    app = make_app(settings)
    server = _Server(_config(settings, app), app, settings, bound)
    server.run(sockets=[bound])
    return 0 if server.started else 1


def _allow_connections() -> None:
    """Take as many open connections as the system allows; the usual is far fewer than one address may have."""
    if resource is None:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _make_folder(database: str) -> None:
    path = sqlite_file(database)
    if path is not None:
        folder = os.path.dirname(os.path.abspath(path))
        try:
            make_folder(folder)
        except OSError as error:
            raise DatabaseError(f"{folder}: cannot be made ({error.strerror}).") from None


def _bind(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # The protocol must be named: only then does asyncio send small answers at once.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((settings.host, settings.port))
    except (OSError, OverflowError) as error:
        bound.close()
        why = getattr(error, "strerror", None) or str(error)
        raise PortError(
            f"{settings.host}:{settings.port} cannot be listened on ({why}). Is zerosum running already? Try --port 0."
        ) from None
    bound.set_inheritable(False)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        # Accepted connections inherit it. Without it, one whose peer never reads stays forever.
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, limits.STUCK_SECONDS * 1000)
    return bound


def _config(settings: Settings, app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=HttpProtocol,
        ws=WebSocketProtocol,
        h11_max_incomplete_event_size=limits.HEAD_BYTES,
        log_config=None,
        log_level=logging.WARNING,
        access_log=False,
        server_header=False,
        lifespan="on",
        proxy_headers=settings.behind_proxy,
        forwarded_allow_ips=_PROXIES if settings.behind_proxy else "",
        timeout_graceful_shutdown=limits.DRAIN_SECONDS,
        timeout_keep_alive=30,
        ws_max_size=limits.FRAME_BYTES,
        ws_max_queue=8,
        ws_ping_interval=limits.LIVE_PING_SECONDS,
        ws_ping_timeout=limits.LIVE_PING_SECONDS,
        ws_per_message_deflate=False,
    )


def _invitation(url: str) -> str:
    """Return how a room opens the page; without the QR code if the terminal cannot show it."""
    code = terminal_qr_code(url)
    try:
        code.encode(sys.stderr.encoding)
    except UnicodeEncodeError:
        code = ""
    if code.find("\n") > shutil.get_terminal_size().columns:
        code = ""
    room = f"For a class: open a room at {url}/room/new\n"
    return f"Everybody on your network can open it. {'Scan this with a phone:' if code else ''}\n{code}{room}"


class _Server(uvicorn.Server):
    """A server that prints its address, and finishes open requests before it stops."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, settings: Settings, bound: socket.socket) -> None:
        super().__init__(config)
        self._app = app
        host, port = bound.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        here = f"http://{'127.0.0.1' if host == EVERYWHERE else shown}:{port}"
        self._url = settings.public_urls[-1] if settings.lan else here
        self._settings = settings
        self._signal: int | None = None
        self._beside: list[asyncio.Future[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(f"Serving on {self._url}\n")
            sys.stdout.flush()
            if sys.stderr.isatty():
                sys.stderr.write(_invitation(self._url) if self._settings.lan else "Open it in a browser. ")
                sys.stderr.write("Ctrl-C stops it; nothing that was played is lost.\n")
            _log.info("serving", url=self._url)
            turns: Turns = self._app.state.turns
            compiling = asyncio.ensure_future(REAL.in_thread(compile_templates))
            self._beside = [compiling, asyncio.create_task(collect_garbage(lambda: turns.steps))]
            if self._settings.open_browser:
                await REAL.in_thread(webbrowser.open, self._url)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Note a signal; SIGTERM is no failure, Ctrl-C is left to uvicorn.

        Nothing is logged here: the signal may have interrupted a logger that holds its lock.
        """
        self._signal = sig
        if sig == signal.SIGTERM:
            self.should_exit = True
        else:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nothing new, give the answers under way, then stop."""
        _log.info("stopping", signal=self._signal)
        for server in self.servers:
            server.close()
        await drain(self._app)
        await super().shutdown(sockets)
