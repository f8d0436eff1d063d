"""Frames of a live connection that are read and written at once are those that the library reads and writes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.uri import parse_uri

from zerosum.server.http.protocols import _text_frame, _whole_text

SHORT = 125


def masked(payload: bytes, *, opcode: Opcode = Opcode.TEXT, final: bool = True) -> bytes:
    """Return a frame as clients send it."""
    return Frame(opcode, payload, final).serialize(mask=True)


@given(st.binary(max_size=SHORT + 5) | st.text(max_size=SHORT + 5).map(str.encode))
def test_a_whole_short_text_is_read(payload: bytes) -> None:
    try:
        text = payload.decode() if len(payload) <= SHORT else None
    except UnicodeDecodeError:
        text = None
    assert _whole_text(masked(payload)) == text


@given(st.binary(max_size=SHORT), st.binary(min_size=1, max_size=20))
def test_anything_else_is_left_to_the_library(payload: bytes, more: bytes) -> None:
    whole = masked(payload)
    others = [whole[:-1], whole + more, masked(payload, final=False), masked(payload, opcode=Opcode.BINARY)]
    others += [masked(payload, opcode=Opcode.PING), Frame(Opcode.TEXT, payload).serialize(mask=False)]
    assert [_whole_text(one) for one in others] == [None] * len(others)


@given(st.text(max_size=300) | st.integers(65_530, 65_540).map(lambda length: "x" * length))
def test_what_is_written_is_what_clients_read(text: str) -> None:
    client = ClientProtocol(parse_uri("ws://localhost/"), state=OPEN)
    client.receive_data(_text_frame(text))
    (frame,) = client.events_received()
    assert isinstance(frame, Frame)
    assert (frame.opcode, frame.fin, bytes(frame.data).decode()) == (Opcode.TEXT, True, text)
