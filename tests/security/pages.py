"""Every page that can be reached, read as a browser reads it: nothing in it may run or come from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urljoin, urlsplit

from tests.security.calling import Caller, Reply, fresh_address

POLICY: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_FETCHED: Final = {
    "src",
    "href",
    "action",
    "formaction",
    "poster",
    "data",
    "srcset",
    "background",
    "xlink:href",
    "ping",
}
_FORBIDDEN: Final = {"style", "iframe", "object", "embed", "base", "applet", "frame", "frameset"}
_PAGES: Final = 400


@dataclass
class Form:
    """A form: where it is sent, how, and the names of its fields with what stands in them."""

    action: str
    method: str
    multipart: bool
    fields: dict[str, str] = field(default_factory=dict)


class Page(HTMLParser):
    """A page as it was read; `found` is what must not be in it."""

    def __init__(self, address: str, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.address = address
        self.found: list[str] = []
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.texts: list[str] = []
        self._in_script = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read an element."""
        given = {name: value or "" for name, value in attrs}
        if tag in _FORBIDDEN or (tag == "meta" and "http-equiv" in given and not _looks_again(given)):
            self.found.append(f"<{tag}>")
        self._in_script = tag == "script"
        if self._in_script and "src" not in given:
            self.found.append("a script in the page")
        for name, value in given.items():
            self._read_attribute(tag, name, value)
        if tag == "form":
            kind = given.get("enctype", "") == "multipart/form-data"
            action = urljoin(self.address, given.get("action", ""))
            self.forms.append(Form(action, given.get("method", "get").upper(), kind))
        if tag in ("input", "select", "textarea", "button") and self.forms and given.get("name"):
            self.forms[-1].fields[given["name"]] = given.get("value", "")

    def _read_attribute(self, tag: str, name: str, value: str) -> None:
        if name.startswith("on") or name in ("style", "srcdoc"):
            self.found.append(f"<{tag} {name}>")
        if name in _FETCHED:
            there = urlsplit(urljoin(self.address, value))
            if there[:2] != urlsplit(self.address)[:2]:
                self.found.append(f"<{tag} {name}={value[:40]!r}>, which is elsewhere")
            elif tag == "a":
                self.links.append(there._replace(fragment="").geturl())

    def handle_data(self, data: str) -> None:
        """Read a text."""
        self.texts.append(data)
        if self._in_script and data.strip():
            self.found.append("words in a script")

    def handle_endtag(self, tag: str) -> None:
        """Read the end of an element."""
        self._in_script = self._in_script and tag != "script"


def _looks_again(given: dict[str, str]) -> bool:
    """Whether a page only asks for itself again, as one must that follows something without a script."""
    return given["http-equiv"] == "refresh" and given.get("content", "").isdecimal()


def check_headers(reply: Reply) -> Iterator[str]:
    """Yield what an answer does not say of itself, and must."""
    policy = dict(part.strip().split(" ", 1) for part in reply.header("content-security-policy").split(";") if part)
    if policy != POLICY:
        yield f"its policy is {policy}"
    yield from (f"{name} is missing" for name, value in HEADERS.items() if reply.header(name) != value)


def check(address: str, reply: Reply) -> list[str]:
    """Return what is wrong with an answer, as a page or as anything else."""
    found = list(check_headers(reply))
    if reply.header("content-type").startswith("text/html"):
        found += Page(address, reply.text).found
    return [f"{reply.status} {address}: {one}" for one in found]


def _shape(address: str) -> str:
    """Return what is alike in addresses of one kind of page; ids of tables and of games, and all numbers, differ."""
    parts = urlsplit(address)
    path = re.sub(r"(?<=/tables/)[a-z0-9]{12}|(?<=/games/)[a-z0-9-]+", "ID", parts.path)
    return path + "?" + ",".join(sorted(part.partition("=")[0] for part in parts.query.split("&")))


def crawl(caller: Caller, starts: Iterable[str]) -> Iterator[tuple[str, Reply]]:
    """Yield some pages and every page that links lead to from them, but of pages that are alike one alone."""
    first = [urljoin(caller.server.url, start) for start in starts]
    waiting, seen = list(reversed(first)), set[str]()
    while waiting and len(seen) < _PAGES:
        address = waiting.pop()
        if address in seen or (address not in first and _shape(address) in seen):
            continue
        seen |= {address, _shape(address)}
        parts = urlsplit(address)
        browser = Caller(caller.server, caller.name, caller.token, caller.browser, fresh_address(), caller.heard)
        reply = browser.call("GET", parts.path + (f"?{parts.query}" if parts.query else ""))
        yield address, reply
        if reply.header("content-type").startswith("text/html"):
            waiting = Page(address, reply.text).links + waiting
        if reply.header("location"):
            waiting.append(urljoin(address, reply.header("location")))
