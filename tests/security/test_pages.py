"""Pages run nothing of their own or of anybody else's, and say so; names are shown as what they are (promise 12)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.security.browsing import send, send_form, visitor
from tests.security.calling import Caller, Reply, somebody
from tests.security.listening import Listener
from tests.security.pages import Page, check, crawl
from tests.security.planted import NO_RATES, changed
from tests.security.seating import Online
from tests.server.running import Server, served

HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>')
TEMPLATE = "{{7*7}}${7*7}<%=7*7%>"
TITLE = "<script>alert(2)</script>{{8*8}}"
VARIANT = f'like = "sum31"\nid = "mine"\nname = "{TITLE}"\ntarget = 21\n'
UNESCAPED = """
from dataclasses import replace
from markupsafe import Markup
from zerosum.screens import home
right = home.name_of
home.name_of = lambda match, person: Markup(right(match, person))
line = home._line
def marked(table, held):
    made = line(table, held)
    return replace(made, players=Markup(made.players))
home._line = marked
"""


def hostile_tables(server: Server, browser: Caller) -> list[str]:
    """Open tables whose people and whose game have hostile names, and play a little; return their addresses."""
    ann = Caller(server, "Ann", browser.token)
    other = somebody(server, "Ben")
    opened = ann.call("POST", "/api/v1/tables", {"variant": VARIANT, "name": HOSTILE[0]}).json
    joined = other.call("POST", "/api/v1/join", {"invitation": opened["invitation"], "name": HOSTILE[1]})
    assert joined.status == 200, joined.text
    table = Online(opened["state"]["table"], ann, other, "")
    for player in (ann, other):
        table.do(player, "move")
    table.do(other, "ask-undo")
    here = {"variant": VARIANT, "opponent": "here", "name": TEMPLATE, "opponent_name": HOSTILE[1]}
    beside = ann.call("POST", "/api/v1/tables", here).json["state"]["table"]
    waiting = ann.call("POST", "/api/v1/tables", {"game": "sum31", "name": HOSTILE[0]}).json
    over = ann.call("POST", "/api/v1/tables", here).json["state"]["table"]
    for command in ("move", "move", "resign"):
        Online(over, ann, ann, "").do(ann, command)
    ids = (table.id, beside, waiting["state"]["table"], over)
    return [f"/join/{waiting['invitation']}", *(f"/tables/{one}" for one in ids)]


def every_answer(server: Server, browser: Caller, places: list[str]) -> Iterator[tuple[str, Reply]]:
    """Yield every page, as whose tables they are and as a spectator; what other methods answer; and all errors."""
    starts = ["/", "/new?name=" + HOSTILE[0], "/new?variant=%22%3E%3Cscript%3E", "/return", "/review", *places]
    starts += ["/nothing", "/tables/nothing", "/games/%3Cscript%3E", "/static/style.css", "/static/nothing", "/metrics"]
    starts += ["/healthz", "/readyz", "/api/v1/openapi.json", "/join/nothing", "/games/sum31/puzzle?position=%3Cb%3E"]
    yield from crawl(browser, starts)
    yield from crawl(visitor(server, "a spectator"), places)
    for path in ("/", "/tables", "/api/v1/keys", "/static/style.css"):
        for method in ("HEAD", "OPTIONS", "DELETE", "TRACE"):
            yield f"{method} {path}", browser.call(method, path)
    yield "wrong host", browser.call("GET", "/", headers={"Host": "evil.example"})
    yield "wrong origin", browser.call("POST", "/tables", b"", {"Origin": "http://evil.example"})
    yield "too large", browser.call("POST", "/tables", b"x" * 200_000)
    yield "no HTTP", browser.call("GET", "/", headers={"X": "x" * 20_000})


def every_form(browser: Caller, pages: list[tuple[str, Reply]]) -> Iterator[tuple[str, Reply]]:
    """Yield what each form of the pages answers to hostile fields; each kind of form is sent once."""
    sent = set[tuple[str, ...]]()
    for address, reply in pages:
        if not reply.header("content-type").startswith("text/html"):
            continue
        for form in Page(address, reply.text).forms:
            kind = (form.action.rpartition("/")[2], *sorted(form.fields))
            if kind not in sent:
                sent.add(kind)
                for text in (*HOSTILE, TEMPLATE):
                    answered = send_form(browser, form, dict.fromkeys(form.fields, text))
                    yield f"form {form.action} with {text}", answered


def findings(server: Server) -> Iterator[str]:
    """Yield all that is wrong with any answer."""
    browser = visitor(server, "Ann")
    pages = list(every_answer(server, browser, hostile_tables(server, browser)))
    seen = ""
    for address, reply in [*pages, *every_form(browser, pages)]:
        yield from check(f"{server.url}/" if " " in address else address, reply)
        if reply.status >= 500:
            yield f"{address}: {reply.status}"
        if reply.header("content-type").startswith("text/html"):
            if any(text in reply.text for text in (*HOSTILE, TITLE)):
                yield f"{address}: a name stands there as it is"
            seen += "".join(Page(address, reply.text).texts)
    yield from (f"{text} is shown nowhere" for text in (*HOSTILE, TEMPLATE, TITLE) if text not in seen)
    if len(pages) < 50:
        yield f"only {len(pages)} pages were found"


def test_no_page_runs_anything_or_shows_a_name_as_anything_but_a_name() -> None:
    with served() as server:
        assert list(findings(server)) == []
        assert "<script>" not in server.log


@pytest.mark.full
def test_a_name_that_is_not_escaped_on_one_page_is_found() -> None:
    with served(command=changed(UNESCAPED)) as server:
        browser = visitor(server, "Ann")
        hostile_tables(server, browser)
        assert any("a script in the page" in one for one in check(server.url, browser.call("GET", "/")))


NAMES = {
    "escape": "a\x1b[31mb",
    "title": "a\x1b]0;b\x07",
    "return": "a\rb",
    "newline": "a\nb",
    "tab": "a\tb",
    "nul": "a\0b",
    "bidi": "a\u202eb",
    "isolate": "a\u2066b",
    "no width": "a\u200bb",
    "joiner": "a\u200db",
    "byte order": "a\ufeffb",
    "filler": "\u3164",
    "private": "a\ue000b",
    "unassigned": "a\u0378b",
    "blank": " ",
    "edge": " a",
    "long": "a" * 41,
    "huge": "a" * 1_000_000,
    "tags": "a\U000e0041b",
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served(command=changed(NO_RATES)) as one:
        yield one


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_that_cannot_be_shown_are_refused_at_every_door(server: Server, name: str) -> None:
    listener = Listener()
    ann, ben = listener.somebody(server, "Ann"), listener.somebody(server, "Ben")
    browser = visitor(server, "Cid", listener.heard)
    invitation = ann.call("POST", "/api/v1/tables", {"game": "sum31"}).json["invitation"]
    title = name.encode("unicode_escape").decode().replace("\\x", "\\u00")
    variant = f'like = "sum31"\nid = "mine"\nname = "{title}"\n'
    record = f'[Game "sum31"]\n[Player1 "{name}"]\n\n1. +5\n'
    replies = [
        ann.call("POST", "/api/v1/tables", {"game": "sum31", "name": name}),
        ann.call("POST", "/api/v1/tables", {"game": "sum31", "opponent": "here", "opponent_name": name}),
        ann.call("POST", "/api/v1/tables", {"game": "sum31", "opponent": name}),
        ben.call("POST", "/api/v1/join", {"invitation": invitation, "name": name}),
    ]
    if len(name) > 80 or not name.isprintable():
        replies += [ann.call("POST", "/api/v1/tables", one) for one in ({"variant": variant}, {"record": record})]
    stripped = name.strip()  # as a page does
    if stripped and (len(stripped) > 40 or not stripped.isprintable()):
        replies += [
            send(browser, "/tables", {"game": "sum31", "name": name}),
            send(browser, f"/join/{invitation}", {"name": name}),
        ]
    for reply in replies:
        assert reply.status in (413, 422), (reply.status, reply.text[:300])
        if len(name) < 40 and not name.isprintable():
            assert name not in shown(reply)
    assert set(server.log) <= {"\n", *map(chr, range(32, 127))}


def shown(reply: Reply) -> str:
    """Return what is told; a page gives what was typed back in its field, to be mended."""
    return "".join(Page("", reply.text).texts) if reply.header("content-type").startswith("text/html") else reply.text
