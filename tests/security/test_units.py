"""Keys, rates and doors, each by itself."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine
from starlette.datastructures import Headers

from zerosum.match.setup import Person
from zerosum.server import limits
from zerosum.server.db import queries
from zerosum.server.db.schema import metadata
from zerosum.server.http.auth import COOKIE, allowed_origins, cookie_header, cookie_name
from zerosum.server.http.rate_limits import Bucket, Budgets, Payer
from zerosum.tables import keys
from zerosum.tables.events import Event, EventKind
from zerosum.tables.keys import Key, code_of, hash_of, invitation_of, new_key, read_key, read_secret
from zerosum.tables.problems import Problem

LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"


class TestKeys:
    def test_a_key_has_256_random_bits(self) -> None:
        tokens = {new_key().token for _ in range(2000)}
        assert len(tokens) == 2000
        assert all(re.fullmatch(r"zs_[A-Za-z0-9_-]{43}", one) for one in tokens)
        # Each of the places takes (nearly) every sign: nothing of it is fixed.
        assert all(len({one[at] for one in tokens}) > 40 for at in range(3, 45))

    def test_codes_and_invitations_have_140_bits_and_differ_in_all_they_are_for(self) -> None:
        key, other = new_key(), new_key()
        made = [code_of(one, table, person) for one in (key, other) for table in ("a", "b") for person in Person]
        made += [invitation_of(one, table) for one in (key, other) for table in ("a", "b")]
        plain = {one.replace("-", "") for one in made}
        assert len(plain) == len(made)
        assert all(len(one) * 5 >= 128 and set(one) <= set(LETTERS) for one in plain)
        assert code_of(key, "a", Person.ONE) == made[0]

    def test_no_key_is_printed(self) -> None:
        key = new_key()
        assert key.token not in f"{key} {key!r} {[key]} {{'key': {key!r}}}"

    @pytest.mark.parametrize(
        "text", ["", "zs_", "zs_" + "a" * 42, "zs_" + "a" * 44, "zs_" + "\u0661" * 43, "xx_" + "a" * 43]
    )
    def test_what_is_no_key_is_not_read_as_one(self, text: str) -> None:
        assert read_key(text) is None
        assert read_key("zs_" + "a" * 43 + "\n") is None

    @given(st.text())
    def test_a_secret_is_read_whole_or_not_at_all(self, text: str) -> None:
        found = read_secret(text)
        assert found is None or (len(found) == 28 and set(found) <= set(LETTERS))

    def test_a_code_is_read_however_it_is_typed(self) -> None:
        code = "01ab-01ab-01ab-01ab-01ab-01ab-01av"
        plain = code.replace("-", "")
        for typed in (
            code,
            code.upper(),
            f" {plain} ",
            code.replace("0", "O").replace("1", "l"),
            code.replace("v", "u"),
        ):
            assert read_secret(typed) == plain


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Return what has been compared in constant time."""
    seen: list[tuple[str, str]] = []
    right: Callable[[Any, Any], bool] = hmac.compare_digest

    def compare(first: str, second: str) -> bool:
        seen.append((first, second))
        return right(first, second)

    monkeypatch.setattr(hmac, "compare_digest", compare)
    return seen


def test_what_the_database_knows_is_compared_in_constant_time(compared: list[tuple[str, str]]) -> None:
    key, other = new_key(), new_key()
    engine = create_engine("sqlite://")
    metadata.create_all(engine)
    with engine.begin() as connection:
        opened = Event(1, 0, EventKind.OPENED, Person.ONE, {}, "auto")
        queries.create(connection, "t", opened, frozenset({Person.ONE}), key, invites=True)
        compared.clear()
        assert queries.held(connection, "t", key) == {Person.ONE}
        assert (key.hash, key.hash) in compared
        assert queries.held(connection, "t", other) == frozenset()
        assert (key.hash, other.hash) in compared
        invitation = queries.invitation(connection, invitation_of(key, "t"))
        assert invitation is not None
        assert (hash_of(invitation_of(key, "t")),) * 2 in compared
        code = read_secret(code_of(key, "t", Person.ONE))
        assert code is not None
        assert queries.come_back(connection, code, other, 1) == ("t", limits.DEVICES - 2)
        assert (hash_of(code),) * 2 in compared
        assert queries.held(connection, "t", other) == {Person.ONE}
    assert queries.Invitation("t", Person.TWO, other.hash).taken_by(other)
    assert (other.hash, other.hash) in compared
    assert not queries.Invitation("t", Person.TWO, None).taken_by(other)
    assert keys.same_hash("a", "a")


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


class TestRates:
    def test_so_many_at_once_then_so_many_a_second(self, clock: Clock) -> None:
        bucket = Bucket(3, clock)
        assert [bucket.take(1, 3, 2.0) for _ in range(4)] == [0, 0, 0, 0.5]
        clock.now += 0.5
        assert [bucket.take(1, 3, 2.0), bucket.take(1, 3, 2.0)] == [0, 0.5]
        clock.now += 1000
        assert [bucket.take(1, 3, 2.0) for _ in range(4)] == [0, 0, 0, 0.5]

    def test_what_costs_more_is_refused_whole(self, clock: Clock) -> None:
        bucket = Bucket(10, clock)
        assert bucket.take(8, 10, 1.0) == 0
        assert bucket.take(5, 10, 1.0) == 3
        assert bucket.take(2, 10, 1.0) == 0
        clock.now += 4.5
        assert bucket.take(5, 10, 1.0) == 0.5

    def test_addresses_do_not_share_and_are_told_when_to_try_again(self, clock: Clock) -> None:
        budgets = Budgets(clock)
        for _ in range(limits.ROOMS[0]):
            Payer(budgets, "a").charge("room")
        Payer(budgets, "b").charge("room")
        with pytest.raises(Problem) as refused:
            Payer(budgets, "a").charge("room")
        assert refused.value.code == "too-many"
        assert refused.value.more["retry_after"] == round(1 / limits.ROOMS[1])

    def test_few_addresses_are_remembered(self, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "ADDRESSES", 3)
        budgets = Budgets(clock)
        for number in range(10):
            Payer(budgets, str(number)).charge("room")
            Payer(budgets, str(number)).take(1)
        assert budgets.account.cache_info().currsize == budgets.bucket.cache_info().currsize == 3


class TestDoors:
    def refusal(self, host: str, call: tuple[str, str, str | None], **headers: str) -> str:
        try:
            allowed_origins("127.0.0.1", ("https://play.example",)).check(*call, Headers({"host": host, **headers}))
        except Problem as problem:
            return problem.code
        return ""

    def test_a_public_address_is_a_door_and_its_neighbours_are_not(self) -> None:
        get = ("https", "/", "GET")
        assert self.refusal("play.example", get) == self.refusal("Play.Example:8443", get) == ""
        for host in ("example", "xplay.example", "play.example.evil", "play.example.", "", "play.example:x", "[::1"):
            assert self.refusal(host, get) == "wrong-host"

    def test_a_cookie_needs_an_origin_where_something_can_change(self) -> None:
        cookie = {"cookie": f"{COOKIE}=x"}
        post, get, live = ("https", "/tables", "POST"), ("https", "/", "GET"), ("wss", "/api/v1/x", None)
        assert self.refusal("play.example", get, **cookie) == ""
        for call in (post, live):
            assert self.refusal("play.example", call, **cookie) == "wrong-origin"
            assert self.refusal("play.example", call, **cookie, origin="https://play.example") == ""
            assert self.refusal("play.example", call, **cookie, origin="https://play.example:443") == ""
            assert self.refusal("play.example", call, **cookie, origin="http://play.example") == "wrong-origin"
        assert self.refusal("play.example", live, **cookie, authorization="Bearer x") == ""
        assert self.refusal("play.example", post, **cookie, authorization="Bearer x") == "wrong-origin"
        for header in ("", " ", "x", "Bearer", "Bearer ", "Basic x"):
            assert self.refusal("play.example", live, **cookie, authorization=header) == "wrong-origin"

    @pytest.mark.parametrize("name", ["host", "origin", "authorization", "content-length"])
    def test_a_header_that_decides_comes_once(self, name: str) -> None:
        raw = [(b"host", b"localhost"), (name.encode(), b"localhost"), (name.encode(), b"localhost")]
        with pytest.raises(Problem) as caught:
            allowed_origins("127.0.0.1", ()).check("http", "/", "GET", Headers(raw=raw))
        assert caught.value.status == 400

    def test_a_cookie_over_tls_is_for_this_host_alone(self) -> None:
        key = Key("zs_" + "a" * 43)
        assert cookie_name("wss") == cookie_name("https") == f"__Host-{COOKIE}"
        assert "Secure" in cookie_header(key, "https")
        assert "Domain" not in cookie_header(key, "https") + cookie_header(key, "http")
        assert cookie_name("http") == COOKIE
