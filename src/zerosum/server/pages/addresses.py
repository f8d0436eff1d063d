"""The addresses that people pass on: by which name a link is written, whether others can open it, and as a QR code."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

import segno
from fastapi import Request
from markupsafe import Markup

_KEPT: Final = 256
"""QR codes that are remembered; making one takes some milliseconds, and a waiting page asks for its own again."""


def shared_origin(request: Request) -> str:
    """Return how links to pass on begin: as the browser calls this server, or by a name that others can use too."""
    own = str(request.base_url).rstrip("/")
    public: tuple[str, ...] = request.app.state.public_urls
    return public[0] if public and only_here(own) else own


def only_here(address: str) -> bool:
    """Whether only this machine can open an address.

    >>> only_here("http://127.0.0.1:8031"), only_here("http://localhost/x"), only_here("http://192.168.1.20:8031")
    (True, True, False)
    """
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@lru_cache(maxsize=_KEPT)
def qr_code(address: str) -> Markup:
    """Return an address as a picture for a phone's camera, black on white whatever the colours of the page."""
    made = segno.make(address, micro=False, error="m")
    picture = made.svg_inline(omitsize=True, border=4, light="#fff", svgclass="qr", lineclass=None)
    return Markup(picture.replace("<svg ", '<svg aria-hidden="true" ', 1))  # noqa: S704 - squares alone
