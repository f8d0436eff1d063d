"""An evening on a server: tables opened, joined, watched, come back to; mistakes made; and all secrets noted."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from websockets.exceptions import InvalidStatus

from tests.security.browsing import send, visitor
from tests.security.calling import Caller
from tests.security.listening import Listener
from tests.security.seating import open_online
from tests.server.running import Server

_CODE = re.compile(r'value="((?:[0-9a-z]{4}-){6}[0-9a-z]{4})"')
_INVITED = re.compile(r"/join/([0-9a-z]{28})")


def spend(server: Server) -> Listener:
    """Have everything happen that brings somebody a secret, or could give one away."""
    listener = Listener()
    _programs(server, listener)
    _browsers(server, listener)
    _mistakes(server, listener)
    Caller(server, "a machine", heard=listener.heard).call("GET", "/metrics")
    return listener


def _programs(server: Server, listener: Listener) -> None:
    """Play with keys in headers, while somebody looks on."""
    table = open_online(server, listener, {"best_of": 3, "clock": {"minutes": 3}})
    watching = listener.somebody(server, "a spectator")
    with watching.live(table.id) as spectator, table.two.live(table.id) as live:
        live.hear()
        table.do(table.one, "move")
        live.ask({"type": "move", **table.body("move")})
        table.do(table.one, "ask-undo")
        live.ask({"type": "refuse-undo", **table.body("refuse-undo")})
        table.do(table.one, "resign")
        live.ask({"type": "next", **table.body("next")})
        spectator.ask({"type": "resign", **table.body("resign")})
    device = listener.somebody(server, "person 1 elsewhere")
    code = table.one.call("POST", "/api/v1/join", {"invitation": table.invitation}).text
    code = next(secret for secret, who in listener.owners.items() if table.one.token in who and "-" in secret)
    listener.know(code, device)
    back = device.call("POST", "/api/v1/come-back", {"code": code}).json
    listener.know(back["codes"]["1"], device)
    for one in (table.one, table.two, device, watching, Caller(server, "nobody", heard=listener.heard)):
        for path in ("", "/events", "/matches/1/record", "/matches/1/review", "/values", "/hint"):
            one.call("GET", f"/api/v1/tables/{table.id}{path}")
        one.call("GET", "/api/v1/tables")


def _browsers(server: Server, listener: Listener) -> None:
    """Play with keys in cookies; pages show their owners' secrets to their owners."""
    cid, dee, eve = (_visitor(server, listener, name) for name in ("Cid", "Dee", "Eve"))
    place = send(cid, "/tables", {"game": "sum31", "opponent": "human", "name": "Cid"}).header("location")
    listener.know(_found(_CODE, _quiet(cid).call("GET", place).text), cid)
    invitation = _found(_INVITED, _quiet(cid).call("GET", place).text)
    listener.know(invitation, cid, dee)
    for one in (cid, dee):
        one.call("GET", f"/join/{invitation}")
    send(dee, f"/join/{invitation}", {"name": "Dee"})
    listener.know(_found(_CODE, _quiet(dee).call("GET", place).text), dee)
    # Who opens a used invitation knew it already.
    listener.know(invitation, eve)
    for one in (cid, dee, eve):
        for path in (place, f"{place}/board", f"{place}/record", f"{place}/review", "/", "/return", "/api/v1/docs"):
            one.call("GET", path)
        one.call("GET", f"/join/{invitation}")
        send(one, f"/join/{invitation}", {"name": "Zoe"})
        send(one, f"{place}/move", {"version": "2", "move_id": "x", "move": "+5"})


def _mistakes(server: Server, listener: Listener) -> None:
    """Send secrets where they do not belong."""
    ann = listener.somebody(server, "careless")
    browser = ann.renamed("careless", browser=True)
    code = "0000-1111-2222-3333-4444-5555-6666"
    listener.know(code)
    for secret in (ann.token, code, code.replace("-", "")):
        for path in ("/tables/{}", "/join/{}", "/games/{}", "/?key={}", "/tables?since={}", "/static/{}", "/{}"):
            browser.call("GET", path.format(secret))
        for path in ("/api/v1/tables/{}", "/api/v1/games/{}", "/api/v1/tables/{}/events?since={}", "/api/v1/{}"):
            ann.call("GET", path.format(secret, secret))
        for body in ({"code": secret}, {secret: 1}, {"invitation": secret}, [secret], secret, {"name": secret}):
            for path in ("/api/v1/come-back", "/api/v1/join", "/api/v1/tables", "/api/v1/analyze"):
                ann.call("POST", path, body)
        ann.call(secret.replace("-", ""), "/api/v1/keys")
        ann.call("GET", "/api/v1/tables", headers={"Authorization": secret, "X-Key": secret, "User-Agent": secret})
        with suppress(InvalidStatus), ann.live("2" * 12, {"Authorization": f"Basic {secret}"}):
            pass
        with suppress(InvalidStatus), ann.live(f"x?since={secret}"):
            pass
    send(browser, "/return", {"code": "not a code"})


def _visitor(server: Server, listener: Listener, name: str) -> Caller:
    one = visitor(server, name, listener.heard)
    listener.owners[one.token] = set()
    return one


def _quiet(caller: Caller) -> Caller:
    """Return one whose answers are not listened to: what they hold is about to be noted as a secret."""
    return Caller(caller.server, caller.name, caller.token, caller.browser)


def _found(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    assert found is not None, text
    return found[1]


def race(server: Server, invitation: str, how_many: int) -> list[int]:
    """Have so many people take up one invitation at once, half of them by the page; return their statuses."""

    def take(n: int) -> int:
        if n % 2:
            return send(visitor(server, "racer"), f"/join/{invitation}", {"name": f"R{n}"}).status
        racer = Listener().somebody(server, "racer")
        return racer.call("POST", "/api/v1/join", {"invitation": invitation, "name": f"R{n}"}).status

    with ThreadPoolExecutor(how_many) as pool:
        return list(pool.map(take, range(how_many)))
