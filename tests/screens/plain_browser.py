"""A browser without a network: it asks a host for pages, sends their forms and keeps cookies."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.screens.page_forms import Form, form_of
from tests.screens.plain_host import PlainHost
from zerosum.screens.screen import Answer, Visit, screen_at


@dataclass(slots=True)
class PlainBrowser:
    """Somebody at a host, and the page that is shown."""

    host: PlainHost = field(default_factory=PlainHost)
    cookies: dict[str, str] = field(default_factory=dict)
    at: str = ""
    page: str = ""

    def answer(self, method: str, address: str, fields: dict[str, str] | None = None, *, alone: bool = False) -> Answer:
        """Return an answer, wherever it leads, and keep its cookies."""
        parts = urlsplit(address)
        screen, path = screen_at(method, parts.path)
        query = dict(parse_qsl(parts.query))
        visit = Visit(path, query, fields or {}, dict(self.cookies), "http://127.0.0.1", alone, parts.query)
        try:
            screen.show(visit, self.host).send(None)
        except StopIteration as done:
            answer: Answer = done.value
        self.cookies |= answer.cookies
        return replace(answer, text="".join([answer.text, *answer.pieces]), pieces=())

    def visit(self, address: str, method: str = "GET", fields: dict[str, str] | None = None) -> str:
        """Show what an address leads to, and return it."""
        answer = self.answer(method, address, fields)
        if answer.location:
            return self.visit(answer.location)
        self.at, self.page = address, answer.text
        return self.page

    def form(self, action: str) -> Form:
        """Return the first form of the page whose address ends so."""
        form = form_of(self.page, action)
        assert form is not None, self.page
        return form

    def press(self, action: str, **changed: str) -> str:
        """Send a form of the page with some of its fields changed, and return what that leads to."""
        form = self.form(action)
        fields = {**form.fields, **changed}
        if form.method == "get":
            return self.visit(f"{form.action.partition('#')[0]}?{urlencode(fields)}")
        return self.visit(form.action, "POST", fields)
