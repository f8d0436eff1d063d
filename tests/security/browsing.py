"""People at browsers without a script: forms are filled in and sent, cookies kept."""

from __future__ import annotations

from collections.abc import Mapping
from http.cookies import SimpleCookie
from urllib.parse import urlencode

from tests.security.calling import COOKIE, Caller, Heard, Reply, ignore
from tests.security.pages import Form
from tests.server.running import Server

_BOUNDARY = "----zerosum-boundary"


def visitor(server: Server, name: str, heard: Heard = ignore) -> Caller:
    """Return somebody whose browser has just been given its key."""
    reply = Caller(server, name, browser=True).call("GET", "/")
    return Caller(server, name, SimpleCookie(reply.header("set-cookie"))[COOKIE].value, browser=True, heard=heard)


def send(caller: Caller, path: str, fields: Mapping[str, str], *, multipart: bool = False) -> Reply:
    """Send a form."""
    if multipart:
        kind, body = f"multipart/form-data; boundary={_BOUNDARY}", _parts(fields)
    else:
        kind, body = "application/x-www-form-urlencoded", urlencode(fields, errors="surrogatepass").encode()
    return caller.call("POST", path, body, {"Content-Type": kind})


def _parts(fields: Mapping[str, str]) -> bytes:
    said = [
        f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    return ("".join(said) + f"--{_BOUNDARY}--\r\n").encode(errors="surrogatepass")


def send_form(caller: Caller, form: Form, changed: Mapping[str, str]) -> Reply:
    """Send a form of a page, with some of its fields changed."""
    path = form.action.removeprefix(caller.server.url)
    if form.method == "GET":
        return caller.call("GET", f"{path}?{urlencode(form.fields | dict(changed), errors='surrogatepass')}")
    return send(caller, path, form.fields | dict(changed), multipart=form.multipart)
