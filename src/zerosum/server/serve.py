"""`zerosum serve`: the application on a socket, its logs, and its address for other devices on the network.

Logs are one JSON object a line on standard error; no secret that opens a seat is ever logged.
"""

from __future__ import annotations

import asyncio
import gc
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
from types import ModuleType
from typing import Any, Final, TextIO, cast

import segno
import structlog
import uvicorn
from fastapi import FastAPI

from zerosum.base.errors import ZerosumError
from zerosum.base.files import make_folder
from zerosum.screens.rendering import compile_templates
from zerosum.server import limits
from zerosum.server.app import make_app
from zerosum.server.db.engine import DatabaseError, read_url
from zerosum.server.db.upgrade import upgrade
from zerosum.server.http.half_requests import end_half_requests
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


def _only_the_event(_logger: object, _name: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
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
    config = _config(settings, app)
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        return runner.run(_serve(uvicorn.Server(config), app, settings, bound))


async def _serve(server: uvicorn.Server, app: FastAPI, settings: Settings, bound: socket.socket) -> int:
    """Serve until a signal, then take nothing new, give the answers under way, and stop."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_note_failure)
    stop: asyncio.Future[int] = loop.create_future()
    _listen_for_signals(loop, stop)
    serving = asyncio.create_task(server.serve([bound]))
    while not server.started and not serving.done():
        await asyncio.sleep(limits.SOON_SECONDS)
    if not server.started:
        await serving
        return 1
    _listen_for_signals(loop, stop)  # uvicorn has its own since it began
    beside = [asyncio.create_task(end_half_requests(server, per_address=not settings.behind_proxy))]
    beside.append(asyncio.ensure_future(REAL.in_thread(compile_templates)))
    # What is loaded stays, so no collection has to look at it.
    gc.freeze()
    gc.enable()
    url = _url(settings, bound)
    _say_hello(settings, url)
    if settings.open_browser:
        beside.append(asyncio.ensure_future(REAL.in_thread(webbrowser.open, url)))
    ended: set[asyncio.Future[Any]] = {stop, serving}
    await asyncio.wait(ended, return_when=asyncio.FIRST_COMPLETED)
    _log.info("stopping", signal=stop.result() if stop.done() else None)
    await app.state.runtime.drain()
    server.should_exit = True
    await serving
    for task in beside:
        task.cancel()
    if stop.done() and stop.result() == signal.SIGINT:
        raise KeyboardInterrupt
    return 0


def _note_failure(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log a connection that broke the protocol in a way its parser did not foresee by one line; all else as usual."""
    if "transport" in context:
        _log.info("connection failed", error=type(context.get("exception")).__name__)
    else:
        loop.default_exception_handler(context)


def _listen_for_signals(loop: asyncio.AbstractEventLoop, first: asyncio.Future[int]) -> None:
    """Have the first signal noted; Ctrl-C after that ends the process at once."""
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, lambda number, _: _on_signal(loop, first, number))


def _on_signal(loop: asyncio.AbstractEventLoop, first: asyncio.Future[int], number: int) -> None:
    """Note a signal. Nothing is logged: it may have interrupted a logger that holds its lock."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    loop.call_soon_threadsafe(_note_first, first, number)


def _note_first(first: asyncio.Future[int], number: int) -> None:
    if not first.done():
        first.set_result(number)


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
    # Accepted connections inherit both. All that one read returns is parsed before another connection gets its turn.
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, limits.READ_BYTES)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        # Without it, a connection whose peer never reads stays forever.
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, limits.STUCK_SECONDS * 1000)
    return bound


def _config(settings: Settings, app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http="h11",
        ws="wsproto",
        h11_max_incomplete_event_size=limits.HEAD_BYTES,
        log_config=None,
        log_level=logging.ERROR,
        access_log=False,
        server_header=False,
        lifespan="on",
        proxy_headers=settings.behind_proxy,
        forwarded_allow_ips=_PROXIES if settings.behind_proxy else "",
        timeout_graceful_shutdown=limits.DRAIN_SECONDS,
        timeout_keep_alive=limits.KEEP_ALIVE_SECONDS,
        ws_max_size=limits.FRAME_BYTES,
        ws_ping_interval=limits.LIVE_PING_SECONDS,
        ws_ping_timeout=limits.LIVE_PING_SECONDS,
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


def _url(settings: Settings, bound: socket.socket) -> str:
    if settings.lan:
        return settings.public_urls[-1]
    host, port = bound.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"http://{'127.0.0.1' if host == EVERYWHERE else shown}:{port}"


def _say_hello(settings: Settings, url: str) -> None:
    """Say where the page is."""
    sys.stdout.write(f"Serving on {url}\n")
    sys.stdout.flush()
    if sys.stderr.isatty():
        sys.stderr.write(_invitation(url) if settings.lan else "Open it in a browser. ")
        sys.stderr.write("Ctrl-C stops it; nothing that was played is lost.\n")
    _log.info("serving", url=url)
