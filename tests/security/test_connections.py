"""Huge and tiny frames, crowds, idle and slow connections meet limits, and honest players go on (promise 19)."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.patience import PATIENCE
from tests.security.attacks import frame
from tests.security.calling import Caller, Socket, fresh_address, opened, upgrade
from tests.security.honest import Match, going_on
from tests.security.planted import IMPATIENT, UNLIMITED, changed, lose_patience
from tests.security.seating import move_id
from tests.security.uploads import MEMORY, watched
from tests.server.running import Server, served


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served() as one:
        yield one


def closed_by(do: Callable[[], object]) -> int:
    """Return the code with which a live connection is closed."""
    with pytest.raises(ConnectionClosed) as caught:
        do()
    assert caught.value.rcvd is not None
    return caught.value.rcvd.code


_OPEN = frame(1, b"x", final=False)
FRAMES = {
    "too large": (1009, bytes([0x81, 0xFE, 0x13, 0x88]) + bytes(5004)),
    "no text": (1003, frame(2, b"{}")),
    "messages": (1008, frame(1, b'{"type":"ping"}') * 2_000),
}


@pytest.mark.parametrize(("code", "data"), FRAMES.values(), ids=FRAMES)
def test_frames_beyond_a_limit_close_the_connection(server: Server, code: int, data: bytes) -> None:
    ann, table = opened(server)
    with ann.live(table) as live:
        live.connection.socket.sendall(data)
        assert closed_by(lambda: [live.hear() for _ in range(1000)]) == code


@pytest.mark.parametrize("data", [frame(1, b"\xff"), b"\xff\xff", frame(1, b"x")[:1] + b"\x01x"])
def test_frames_that_break_the_protocol_close_the_connection(server: Server, data: bytes) -> None:
    ann, table = opened(server)
    with ann.live(table) as live:
        live.connection.socket.sendall(data)
        with pytest.raises(ConnectionClosed):
            [live.hear() for _ in range(1000)]
    assert "Traceback" not in server.log


def test_a_message_inside_another_closes_the_connection(server: Server) -> None:
    ann, table = opened(server)
    with ann.live(table) as live:
        live.connection.socket.sendall(_OPEN)
        assert live.connection.ping().wait(PATIENCE)  # the server has read what was sent before
        live.connection.socket.sendall(frame(1, b'{"type":"ping"}'))
        with pytest.raises(ConnectionClosed):
            [live.hear() for _ in range(1000)]


UNREADABLE = {
    "chunks": ["Transfer-Encoding: chunked"],
    "a body": ["Content-Length: 5"],
    "a body twice": ["Content-Length: 0", "Transfer-Encoding: chunked"],
    "long headers": [f"X-{n}: " + "x" * 1_000 for n in range(20)],
}


@pytest.mark.parametrize("headers", UNREADABLE.values(), ids=UNREADABLE)
def test_a_handshake_that_cannot_be_read_is_refused_at_once(server: Server, headers: list[str]) -> None:
    _, table = opened(server)
    handshake = upgrade(table).decode().removesuffix("\r\n") + "".join(f"{line}\r\n" for line in headers) + "\r\n"
    with _plain(server, fresh_address()) as plain:
        plain.sendall(handshake.encode())
        plain.settimeout(PATIENCE)
        said = plain.recv(65536)
        assert said.startswith(b"HTTP/1.1 4")
        while plain.recv(65536):
            pass  # it is closed


def _wait_for_moves(match: Match) -> None:
    """Wait until honest people have moved again, however busy the machine is."""
    before, deadline = len(match.seconds), time.monotonic() + PATIENCE
    while len(match.seconds) <= before and not match.wrong:
        assert time.monotonic() < deadline, "The match stands still."
        time.sleep(0.01)


def test_messages_beyond_what_an_address_may_send_close_with_1008() -> None:
    """Many connections share the budget of their address."""
    with served(command=changed("from zerosum.server import limits\nlimits.WORK = (100, 1.0)\n")) as server:
        ann, table = opened(server)
        with ExitStack() as stack:
            lives = [stack.enter_context(ann.live(table)) for _ in range(5)]
            assert closed_by(lambda: _ask_all(lives)) == 1008


def _ask_all(lives: Sequence[Socket]) -> None:
    for _ in range(30):
        for live in lives:
            live.ask({"type": "ping"})


def test_a_crowd_of_spectators_keeps_no_player_away(server: Server) -> None:
    ann, table = opened(server, opponent="human")
    with ExitStack() as stack:
        for _ in range(100):
            stack.enter_context(Caller(server, "a spectator").live(table))
        with pytest.raises(InvalidStatus), Caller(server, "a spectator").live(table):
            pass
        with ann.live(table) as live:
            assert live.hear()["state"]["you"] == [1]
            assert live.ask({"type": "ping"}) == {"type": "pong"}


def test_one_address_has_only_so_many_live_connections_and_connections() -> None:
    few = "from zerosum.server import limits\nlimits.LIVE_PER_ADDRESS, limits.CONNECTIONS = 10, 10\n"
    few += "limits.REQUEST_SECONDS = 600\n"
    with served(command=changed(few)) as server, ExitStack() as stack:
        ann, table = opened(server)
        for _ in range(10):
            stack.enter_context(ann.live(table))
        with pytest.raises(InvalidStatus), ann.live(table):
            pass
        plain = [stack.enter_context(_plain(server, ann.address)) for _ in range(15)]
        deadline = time.monotonic() + PATIENCE
        while sum(_is_cut(one, 0.01) for one in plain) < 5:
            assert time.monotonic() < deadline, "too many connections are held"
        assert sum(_is_cut(one, 0.01) for one in plain) <= 6, "the one that was refused may still have been counted"
        assert Caller(server, "another").call("GET", "/").status == 200


def _plain(server: Server, address: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), PATIENCE, (address, 0))


def _is_cut(plain: socket.socket, seconds: float) -> bool:
    plain.settimeout(seconds)
    try:
        while plain.recv(65536):
            pass  # an answer that came before
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def test_connections_that_ask_for_nothing_are_cut() -> None:
    whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    body = b"POST /tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc"
    with served(command=changed(IMPATIENT)) as server, ExitStack() as stack, going_on(server) as match:
        _wait_for_moves(match)
        lose_patience(server)
        ways = [(b"", b""), (b"GET / HTTP/1.1\r\n", b"X: "), (body, b"d"), (whole, b"GET /"), (whole + b"GET /", b"")]
        idle = [(stack.enter_context(_plain(server, fresh_address())), way) for way in ways for _ in range(100)]
        for plain, (first, _) in idle:
            plain.sendall(first)
        time.sleep(0.5)
        for plain, (_, then) in idle:
            with suppress(ConnectionError):  # on a slow machine it has been cut already
                plain.sendall(then)
        assert [way for plain, way in idle if not _is_cut(plain, PATIENCE)] == []


def test_a_thousand_idle_connections_stop_nobody(server: Server) -> None:
    with ExitStack() as stack, going_on(server) as match:
        for _ in range(10):
            address = fresh_address()
            for _ in range(100):
                stack.enter_context(_plain(server, address))
        _wait_for_moves(match)
        assert Caller(server, "another").call("GET", "/").status == 200


def live_connections(server: Server) -> int:
    found = re.search(
        r"^zerosum_live_connections (\d+)", Caller(server, "x").call("GET", "/metrics").text, re.MULTILINE
    )
    assert found is not None
    return int(found[1])


def test_who_reads_nothing_is_let_go_and_holds_no_memory() -> None:
    patch = UNLIMITED + "limits.STUCK_SECONDS = 2\n"
    with served(command=changed(patch)) as server, ExitStack() as stack:
        ann, table = opened(server)
        for _ in range(10):
            stuck = stack.enter_context(_reader_of_nothing(server, table))
            assert stuck.fileno() > 0
        with watched(server) as memory, ann.live(table) as live:
            state = live.hear()["state"]
            assert live_connections(server) == 11
            deadline = time.monotonic() + PATIENCE
            while live_connections(server) > 1:
                assert time.monotonic() < deadline, "who reads nothing is still there"
                for _ in range(100):
                    over = state["match"]["outcome"] is not None
                    message = (
                        {"type": "rematch"} if over else {"type": "move", "move": state["match"]["legal_moves"][0]}
                    )
                    message |= {"version": state["version"], "move_id": move_id()}
                    state = live.ask(message)["state"]
        assert max(memory) < MEMORY


def _reader_of_nothing(server: Server, table: str, room: int = 2048) -> socket.socket:
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    plain.bind((fresh_address(), 0))
    plain.connect(("127.0.0.1", server.port))
    plain.sendall(upgrade(table))
    assert plain.recv(12) == b"HTTP/1.1 101"
    return plain
