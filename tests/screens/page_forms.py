"""The forms of a page, as a browser would send them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Form:
    """A form of a page: where it goes, what it sends, and its buttons."""

    action: str
    method: str
    multipart: bool
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


def forms_of(html: str) -> list[Form]:
    """Return the forms of a page."""
    return _Forms(html).forms


def form_of(html: str, action: str) -> Form | None:
    """Return the first form of a page whose address ends so, without its query."""
    return next((one for one in forms_of(html) if re.split("[?#]", one.action)[0].endswith(action)), None)


class _Forms(HTMLParser):
    """Reads the forms of a page as a browser would send them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._select = self._area = ""
        self._inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(given.get("action", ""), given.get("method", "get"), "multipart" in str(attrs)))
            self._inside = True
        elif self._inside:
            self._control(tag, given)

    def _control(self, tag: str, given: dict[str, str]) -> None:
        fields, name = self.forms[-1].fields, given.get("name", "")
        if tag == "button" and name:
            self.forms[-1].buttons.append((name, given.get("value", "")))
        elif tag == "select":
            self._select = name
        elif tag == "option" and (self._select not in fields or "selected" in given):
            fields[self._select] = given.get("value", "")
        elif tag == "textarea":
            self._area = name
            fields[name] = ""
        elif tag == "input" and name and given.get("type") != "file":
            chosen = given.get("type") not in ("checkbox", "radio") or "checked" in given
            fields |= {name: given.get("value", "on")} if chosen else {}

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "form"
        if tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._area = ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.forms[-1].fields[self._area] += data.removeprefix("\n")
