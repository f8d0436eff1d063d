"""The pages that teach say what the solver says, need no script, and take any address."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from random import Random
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

import pytest

from tests.security.planted import NO_RATES, changed
from tests.server.running import Server, served
from zerosum.match.match import read_match
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, start_position
from zerosum.solver import Verdict, solution_of
from zerosum.tables.problems import PROBLEMS

MATCHES = Path(__file__).parents[2] / "docs" / "matches"
RECORD = (MATCHES / "6-ann-bob.txt").read_text()
BORDER = "----------------------------zerosum"
WORDS = {Verdict.WIN: "wins", Verdict.LOSS: "loses", Verdict.DRAW: "draws"}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served(command=changed(NO_RATES)) as running:
        yield running


def ask(server: Server, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str]:
    """Return the status and the text of an answer."""
    request = Request(server.url + path, body, {"Accept": "text/html", **headers})  # noqa: S310 - our own server
    try:
        with urlopen(request) as answer:  # noqa: S310 - likewise
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


def get(server: Server, path: str) -> str:
    status, text = ask(server, path)
    assert status == 200, (path, status)
    return text


def post_review(server: Server, **fields: str) -> tuple[int, str]:
    parts = [f'--{BORDER}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{fields[key]}\r\n' for key in fields]
    body = "".join([*parts, f"--{BORDER}--\r\n"]).encode()
    return ask(server, "/review", body, **{"Content-Type": f"multipart/form-data; boundary={BORDER}"})


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def chips(html: str) -> dict[str, str]:
    """Return each move shown with its value, as words."""
    found = re.findall(r'class="chip (?:win|loss|draw)".*?class="big number">(.*?)</span>(.*?)</li>', html)
    return {move.replace("−", "-"): text_of(words) for move, words in found}


def walk(position: Position, chance: Random) -> Iterator[tuple[str, Position]]:
    """Yield the addresses of a random match, and what they should show."""
    moves = ""
    while True:
        yield moves, position
        if position.outcome is not None:
            return
        move = chance.choice(position.legal_moves())
        moves, position = moves + position.text_of(move), position.play(move)


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_explorer_tells_the_value_of_every_move(server: Server, game: str) -> None:
    solution = solution_of(built_in(game))
    for moves, position in walk(start_position(built_in(game)), Random(5)):
        html = get(server, f"/games/{game}/solved?moves={moves}")
        assert ("And then?" in html) is bool(moves)
        if position.outcome is not None:
            who = "first" if position.outcome.winner == 1 else "second"
            assert f"The {who} player has won" in text_of(html)
            assert not chips(html)
            continue
        shown = chips(html)
        assert len(shown) == len(position.legal_moves())
        for option in solution.options(position):
            words = shown[position.text_of(option.move)]
            assert WORDS[option.value.verdict] in words
            assert words.endswith("at once" if option.value.plies == 1 else f"in {option.value.plies}")


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("+5+5", "Move 2, +5: +5 is not allowed"),
        ("five", "cannot be read"),
        ("+5" * 700, "more than 600 moves"),
        ("%00", "cannot be read"),
        ("+9999999", "Move 1"),
    ],
)
def test_moves_that_cannot_be_are_told_and_the_last_position_is_shown(server: Server, moves: str, words: str) -> None:
    html = get(server, f"/games/sum31/solved?moves={moves}")
    assert words in text_of(html)
    assert chips(html)


@pytest.mark.parametrize("game", GAME_IDS)
def test_an_answer_is_right_where_it_wins(server: Server, game: str) -> None:
    rules = built_in(game)
    solution = solution_of(rules)
    listed = re.findall(r'href="(/games/[^"]*/puzzle\?[^"]*)"', get(server, f"/games/{game}/puzzles?set=2"))
    assert listed
    for address in map(unescape, listed[::6]):
        question = get(server, address)
        assert "✓" not in question
        position = parse_position(unescape(re.findall(r'name="position" value="([^"]*)"', question)[0]), rules)
        for option in solution.options(position)[::4]:
            answer = get(server, f"{address}&{urlencode({'move': position.text_of(option.move)})}")
            title = re.findall(r"<title>(.*?)</title>", answer)[0]
            right = option.value.verdict is Verdict.WIN
            assert title.startswith("Right:" if right else "No:")
            assert len(chips(answer)) == (len(position.legal_moves()) if right else 0)
            assert "would have won" not in answer


def solutions_named(html: str) -> bool:
    return bool(chips(html)) or "The answer" in text_of(html)


def test_a_target_that_loses_is_no_goal(server: Server) -> None:
    for game, label in (("thin-ice", "Avoid"), ("summit", "Target")):
        status, text = ask(server, f"/learn/{game}")
        assert status == 200
        assert re.findall(r"<span>(Avoid|Target) <b>", text) == [label]


def test_the_answer_is_told_when_it_is_asked_for_or_after_the_last_try(server: Server) -> None:
    """An attempt is in the address alone: what was tried, how many hints, whether to show it."""
    base = "/games/sum31/puzzle?position=1,2,3,4,7+28+1"
    first = get(server, f"{base}&move=%2B1")
    assert "Two tries left" in text_of(first)
    assert not solutions_named(first)
    assert "Hint:" not in text_of(first)
    second = get(server, f"{base}&tried=%2B1&move=%2B2")
    assert "One try left" in text_of(second)
    assert text_of(second).count("Hint:") == 2
    assert "Look for a move that makes 31." in text_of(second)
    assert not solutions_named(second)
    again = get(server, f"{base}&tried=%2B1+%2B2&move=%2B2")
    assert "One try left" in text_of(again), "the same wrong answer counts once"
    last = get(server, f"{base}&tried=%2B1+%2B2&move=%2B4")
    assert solutions_named(last)
    assert 'data-points="0"' in last
    hinted = get(server, f"{base}&hints=1")
    assert "Hint: 1 of your 5 moves wins, at once." in text_of(hinted)
    assert not solutions_named(hinted)
    assert solutions_named(get(server, f"{base}&show=1"))
    for asked, points in (("", 3), ("&hints=1", 2), ("&tried=%2B1", 2), ("&tried=%2B1+%2B2&hints=2", 1)):
        assert f'data-points="{points}"' in get(server, f"{base}{asked}&move=%2B3")


def test_the_page_of_a_day_has_the_duel_of_that_day(server: Server) -> None:
    shown = get(server, "/puzzles/daily/2026-11-15")
    assert "15 November 2026" in shown
    assert "Try 1 of 3: you are to move" in shown
    assert re.findall(r'name="move" value="\+([^"]+)"', shown) == ["1", "2", "4", "5", "8", "9", "10", "11"]
    assert get(server, "/puzzles/daily/0001-01-01")
    assert "The daily duel" in get(server, "/puzzles/daily")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/puzzles/daily/2026-02-30", 404),
        ("/puzzles/daily/20261115", 404),
        ("/puzzles/daily/%00", 404),
        ("/puzzles/daily/2026-11-15?reasons=2", 422),
        ("/puzzles/daily/9999-12-31", 404),
        ("/games/sum31/puzzle?position=1,2,3,4,7+28+1&tried=" + "%2B1+" * 90, 422),
        ("/games/nope", 404),
        ("/games/nope/puzzles", 404),
        ("/games/sum31/puzzles?set=0", 422),
        ("/games/sum31/puzzles?set=" + "9" * 50, 422),
        ("/games/sum31/puzzle", 422),
        ("/games/sum31/puzzle?position=%00", 422),
        ("/games/sum31/puzzle?position=1,2,3+500+1", 422),
        ("/games/sum31/puzzle?position=1,2,3,4,5,6,7,8,9+0+1", 422),
        ("/games/sum31/puzzle?position=1,3,4,6,9+22+1&move=%2B5", 422),
        ("/tables/nope/review", 404),
        ("/tables/nope/review?match=x", 422),
    ],
)
def test_other_addresses_are_refused_in_words(server: Server, path: str, status: int) -> None:
    found, html = ask(server, path)
    assert found == status
    assert "<h1>" in html
    assert "Traceback" not in html


def test_a_record_is_reviewed_and_each_step_can_be_asked_for(server: Server) -> None:
    for step in range(len(read_match(RECORD).moves) + 1):
        status, html = post_review(server, record=RECORD, step=str(step))
        assert status == 200
        seen = re.findall(r'<div class="step" data-step="(\d+)">', html)
        assert seen == [str(step)]
    assert "from a win to a loss" in html
    assert quote("1,2,3,4,6,7,8,9 5 2", safe="").replace("%20", "+") in html


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ("", "There is no record yet"),
        ("nothing", "The record does not say which game"),
        ('[Game "sum31"]\n\n1. +5 +5', "Move 2"),
        ("x" * 70_000, "at most 65536 bytes"),
    ],
)
def test_what_is_no_record_is_told_and_kept_in_the_form(server: Server, record: str, words: str) -> None:
    status, html = post_review(server, record=record)
    assert status == 422
    assert words in text_of(html)
    assert f">{record[:10]}" in unescape(html)


def test_hostile_names_are_text(server: Server) -> None:
    record = RECORD.replace('"Ann"', '"<script>alert(1)</script>"')
    status, html = post_review(server, record=record)
    assert status == 200
    assert "<script>alert" not in html


def call(server: Server, path: str, body: object, token: str = "") -> dict[str, object]:
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    status, text = ask(server, f"/api/v1{path}", json.dumps(body).encode(), **headers)
    assert status in (200, 201), text
    document: dict[str, object] = json.loads(text)
    return document


def test_an_online_match_is_reviewed_when_it_is_over(server: Server) -> None:
    ann, bob = (str(call(server, "/keys", {})["token"]) for _ in range(2))
    opened = call(server, "/tables", {"game": "sum31", "name": "Ann"}, ann)
    table = opened["state"]["table"]  # type: ignore[index]  # a document
    call(server, "/join", {"invitation": opened["invitation"], "name": "Bob"}, bob)
    call(server, f"/tables/{table}/move", {"version": 2, "move_id": "a", "move": "+5"}, ann)
    status, html = ask(server, f"/tables/{table}/review")
    assert (status, "no-coaching" in html) == (403, True)
    assert ask(server, f"/tables/{table}/review?match=2")[0] == 404
    call(server, f"/tables/{table}/resign", {"version": 3, "move_id": "b"}, bob)
    assert "Bob resigned" in get(server, f"/tables/{table}/review?match=1&step=1")


def test_the_reader_who_played_a_computer_is_you_in_the_review(server: Server) -> None:
    ann = str(call(server, "/keys", {})["token"])
    opened = call(server, "/tables", {"game": "sequence-zero", "opponent": "level:1"}, ann)
    table = opened["state"]["table"]  # type: ignore[index]  # a document
    call(server, f"/tables/{table}/resign", {"version": opened["state"]["version"], "move_id": "a"}, ann)  # type: ignore[index]
    mine = ask(server, f"/tables/{table}/review", None, Authorization=f"Bearer {ann}")[1]
    assert "Player 1" not in unescape(mine)
    for words in ("You against Level 1", "Level 1 won: you resigned.", "Your total", "You stand to win", "For you"):
        assert words in text_of(mine)
    assert 'aria-label="You have ' in mine
    others = get(server, f"/tables/{table}/review")
    assert "Player 1 against Level 1" in text_of(others)
    assert "You " not in text_of(others)
    pasted = '[Game "sum31"]\n[Who1 "human"]\n[Who2 "level:1"]\n[Player2 "Level 1"]\n\n1. +5 +6'
    assert "You against Level 1" in text_of(post_review(server, record=pasted)[1])
    assert "You " not in text_of(post_review(server, record=pasted.replace("human", "level:2"))[1])


def test_the_reference_has_every_call_and_problem_and_its_example_works(server: Server) -> None:
    html = get(server, "/api/v1/docs")
    described = json.loads(get(server, "/api/v1/openapi.json"))
    told = text_of(html)
    for path, methods in described["paths"].items():
        for method in methods:
            assert f"{method.upper()} {path} " in told
    for code in PROBLEMS:
        assert f"<code>{code}</code>" in html
    targets = set(re.findall(r'href="#([^"]+)"', html))
    assert targets <= set(re.findall(r'id="([^"]+)"', html))
    example = unescape(re.findall(r"<pre[^>]*>(.*?)</pre>", html, re.DOTALL)[0])
    token = str(call(server, "/keys", {})["token"])
    order, *moves = (json.loads(body) for body in re.findall(r"--json '(.*?)'", example))
    table = call(server, "/tables", order, token)["state"]["table"]  # type: ignore[index]  # a document
    *_, last = (call(server, f"/tables/{table}/move", move, token) for move in moves)
    assert last["state"]["match"]["outcome"]["words"] == "Bob won by making 0."  # type: ignore[index]  # likewise
