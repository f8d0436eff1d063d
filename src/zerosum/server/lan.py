"""The address of this machine on its network, and how a terminal shows it to a phone."""

from __future__ import annotations

import io
import ipaddress
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import segno

from zerosum.base.errors import ZerosumError

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
