"""The tour: a visit to every screen, and to every way in which its forms can end, in a fixed order."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from itertools import cycle
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from tests.screens.visits import TODAY, Site, Visitor
from zerosum.coach.daily import daily_game, daily_position
from zerosum.match.match import Match
from zerosum.match.setup import Setup
from zerosum.rules.game_files import GAME_IDS, RETIRED, built_in, load_text
from zerosum.rules.moves import Move, Operation
from zerosum.rules.notation import parse_position
from zerosum.solver import solution_of

FERRY: Final = Path(__file__).parent.parent.parent / "docs" / "variants" / "ferry.toml"
SUM21: Final = 'like = "sum31"\nid = "sum21"\nname = "Sum21"\ntarget = 21\n'
WIDE: Final = f"""like = "zero-sum-duel"
id = "wide"
name = "A wide <b>one"
target = 500
pool = {list(range(1, 41))}
ban = "mirror"
swap = true
"""
LARGE: Final = """like = "zero-sum-duel"
id = "large"
name = "Large"
pool = [1, 22, 333, 500, 88888, 123456, 999999, 1000000, 1000000]
"""
RECORD: Final = '[Game "sum31"]\n[Player1 "Ann"]\n[Player2 "Ben"]\n\n1. +4 +6 2. +5 +8 3. +1 +7'
COACHED: Final = '[Game "sum31"]\n[Who1 "perfect"]\n[Who2 "human"]\n\n1. +9 +8 2. +5\n'
MOST_MOVES: Final = 40
NOBODY: Final = "zzzzzzzzzzzz"
"""An id that no table has."""


async def whole(site: Site) -> None:
    """Visit everything."""
    await first_visits(site)
    await games(site)
    await puzzles(site)
    await dailies(site)
    await lessons(site)
    await custom_games(site)
    await make_even(site)
    await forms_of_tables(site)
    await against_computers(site)
    await results(site)
    await coaching(site)
    await at_one_screen(site)
    await online(site)
    await clocks(site)
    await series(site)
    await records(site)
    await codes(site)
    await classroom(site)
    await errors(site)
    await files(site)


async def outside(site: Site) -> None:
    """Visit a server with a public address: links and their QR codes, cookies of a safe connection."""
    await public_tables(site)
    await public_room(site)
    await files(site)


async def first_visits(site: Site) -> None:
    """Come for the first time."""
    ann = site.visitor("Ann")
    await ann.get("/")
    await ann.get("/", accept_encoding="gzip")
    await ann.get("/", method="HEAD")
    for move in ("+3", "+1", "+5", "nonsense", "+" * 60):
        await ann.get(f"/?{urlencode({'take': move})}")
    for path in ("/games", "/learn", "/puzzles", "/review", "/tables", "/return", "/new", "/own", "/room", "/room/new"):
        await site.visitor("Somebody new").get(path)
    for path in ("/api/v1/docs", "/api/v1/openapi.json"):
        await ann.get(path)
    await ann.get("/api/v1/docs", accept_encoding="gzip")


async def games(site: Site) -> None:
    """Read the rules of every game, and walk through its positions."""
    ann = site.visitor("Reader")
    for game in (*GAME_IDS, *RETIRED):
        await ann.get(f"/games/{game}")
        await ann.get(f"/games/{game}/solved")
        await ann.get(unescape(ann.page.found(rf'(/games/{game}/solved\?moves=[^"#]+)')))
    for moves in ("+5-3", "+5-5", "+5+5", "swap", "+5,+6", "5x", "+1" * 600, "+5 6"):
        for game in ("sum31", "sum-to-zero"):
            await ann.get(f"/games/{game}/solved?moves={moves.replace(' ', '%20')}")
    await ann.get("/games/nothing")
    await ann.get("/games/nothing/solved")


async def puzzles(site: Site) -> None:
    """Solve puzzles, or fail to."""
    ann = site.visitor("Solver")
    for game in GAME_IDS[:5]:
        await ann.get(f"/games/{game}/puzzles?set=1")
        hrefs = [unescape(one) for one in re.findall(rf'"(/games/{game}/puzzle\?[^"]+)"', ann.page.text)]
        for n, href in enumerate((hrefs[0], hrefs[-1])):
            await ann.get(href)
            _, _, position = ann.page.found('data-puzzle="([^"]+)"').partition(" ")
            best, worst = best_and_worst(game, position)
            if n:
                await ann.get(f"{href}&show=1")
                await ann.get(f"{href}&{urlencode({'hints': 1})}")
                await ann.get(f"{href}&{urlencode({'hints': 2, 'tried': worst})}")
                await ann.get(href)
            await ann.press("/puzzle", move=worst)
            if ann.page.form("/puzzle"):
                await ann.press("/puzzle", move=best)
    at = "/games/sum31/puzzle?position=1,2,3,4,7+28+1"
    for more in ("", "&move=%2B3", "&move=%2B1", "&tried=%2B1&move=%2B2", "&tried=%2B1+%2B2&move=%2B4", "&show=1"):
        await ann.get(at + more)
    for wrong in ("&move=%2B9", "&move=none", "&hints=9", "&set=99", "&set=1&n=3", "&hints=1_0"):
        await ann.get(at + wrong)
    await ann.get("/games/sequence-zero/puzzle?position=1,2,4,5,6,7,8,9+-3/0+2")
    for path in ("sum31/puzzle", "sum31/puzzle?position=none", "nothing/puzzles", "sum31/puzzles?set=0"):
        await ann.get(f"/games/{path}")
    await ann.get("/games/sum31/puzzles?set=20")
    await ann.get("/games/sum31/puzzle?position=1,2,3+31+1")


def best_and_worst(game: str, position: str) -> tuple[str, str]:
    """Return the best and the worst move of a position."""
    rules = built_in(game)
    at = parse_position(position, rules)
    options = solution_of(rules).options(at)
    return at.text_of(options[0].move), at.text_of(options[-1].move)


async def dailies(site: Site) -> None:
    """Win the daily of today after a lost try, lose it, and look at others."""
    winner, loser = site.visitor("Winner"), site.visitor("Loser")
    await winner.get("/puzzles/daily")
    day = winner.at.rpartition("/")[2]
    await play_daily(winner, best=False)
    await winner.post(f"/puzzles/daily/{day}", {"at": "1.0", "move": "+1"})
    await play_daily(winner, best=True)
    await winner.get("/puzzles")
    await winner.get("/")
    await loser.get("/puzzles/daily")
    await loser.press(f"/{day}", move="none")
    for _ in range(3):
        await loser.get(f"/puzzles/daily/{day}")
        await play_daily(loser, best=False)
    await loser.get("/puzzles")
    for back in (1, 2, 6):
        await winner.get(f"/puzzles/daily/{TODAY - timedelta(back)}")
    await winner.get(f"/puzzles/daily/{TODAY - timedelta(1)}?reasons=1")
    await winner.get(f"/puzzles/daily/{TODAY - timedelta(1)}")
    await play_daily(winner, best=True)
    await winner.get(f"/puzzles/daily/{TODAY}")
    for wrong in (str(TODAY + timedelta(1)), "2027-1-1", "never", f"{TODAY}?reasons=2"):
        await winner.get(f"/puzzles/daily/{wrong}")
    streak = site.visitor("Streak")
    before = (TODAY - timedelta(1)).toordinal()
    streak.cookies["zerosum_daily"] = f"run!{before}.4.6|{TODAY - timedelta(1)}!+1|nonsense|2026-99-99!+1"
    await streak.get("/puzzles")
    await streak.get(f"/puzzles/daily/{TODAY}")
    await play_daily(streak, best=True)


async def play_daily(visitor: Visitor, *, best: bool) -> None:
    """Play one try of the daily on the page."""
    day = visitor.at.partition("#")[0].partition("?")[0].rpartition("/")[2]
    on = TODAY.fromisoformat(day)
    solution = solution_of(built_in(daily_game(on)))
    position = daily_position(on, solution)
    mover = position.seat
    while position.outcome is None:
        ours = position.seat is mover
        move = solution.options(position)[-1 if ours and not best else 0].move
        if ours:
            await visitor.press(f"/{day}", move=position.text_of(move))
        position = position.play(move)


async def lessons(site: Site) -> None:
    """Take a course of every game: its first step, an exercise, answers right and wrong, its end."""
    for game in GAME_IDS:
        ann = site.visitor("Pupil")
        await ann.get(f"/learn/{game}")
        await ann.get(f"/learn/{game}?show=exercise")
        form = ann.page.form(f"/learn/{game}")
        if form is None or "position" not in form.fields:
            continue
        moves = [value for name, value in form.buttons if name == "move" and value]
        for move in moves[:3]:
            if "count" in (getattr(ann.page.form(f"/learn/{game}"), "fields", {})):
                await ann.press(f"/learn/{game}", move=move)
        if "count" in (getattr(ann.page.form(f"/learn/{game}"), "fields", {})):
            await ann.press(f"/learn/{game}", move="")
        await ann.get(f"/learn/{game}")
    await one_course(site)
    await ends_of_courses(site)
    await own_lessons(site)


async def one_course(site: Site) -> None:
    """Take a course for a while, with answers that are mostly right."""
    ann = site.visitor("Pupil")
    await ann.get("/learn/sum31?show=exercise")
    for number, wrong in zip(range(16), cycle([False, False, False, True, False, False]), strict=False):
        form = ann.page.form("/learn/sum31")
        if form is None or form.fields.get("position") is None:
            await ann.get("/learn/sum31?show=exercise")
            continue
        moves = [value for name, value in form.buttons if name == "move" and value]
        await ann.press("/learn/sum31", move=await _answer(ann, moves, number, wrong=wrong))
        await ann.get("/learn/sum31?show=exercise")
    await ann.get("/learn")
    await ann.get("/")
    await ann.post("/learn/sum31", {"do": "again"})


async def _answer(ann: Visitor, moves: list[str], number: int, *, wrong: bool) -> str:
    """Return an answer that is right if the numbers are those of the game, and not to be wrong."""
    form = ann.page.form("/learn/sum31")
    assert form is not None
    if form.fields["numbers"] != "0":
        return moves[number % len(moves)]
    best, worst = best_and_worst("sum31", form.fields["position"])
    return worst if wrong else best


async def ends_of_courses(site: Site) -> None:
    """Look at the last pages of courses, and at the pages of what cannot be asked."""
    for game, progress in (
        ("zero-sum-game", "zero-sum-game!3.0.0.0.4.7.5.5.0"),
        ("zero-sum-duel", "zero-sum-duel!2.0.0.0.4.3.5.5.0"),
        ("sum31", "sum31_2.3.4"),
        ("sum31", "sum31!nonsense|other"),
    ):
        ann = site.visitor("Learned")
        ann.cookies["zerosum_lessons"] = progress
        await ann.get(f"/learn/{game}")
        await ann.get("/learn")
        await ann.get(f"/learn/{game}?show=example")
        if any(one.buttons == [("do", "read")] for one in ann.page.forms()):
            await ann.post(f"/learn/{game}", {"do": "read"})
    ann = site.visitor("Learner")
    await ann.get("/learn/nothing")
    await ann.get("/learn/own")
    await ann.get("/learn/sum31?position=none")
    await ann.get("/learn/sum31?step=99&position=1")
    await ann.get("/learn/sum31?idea=none")
    await ann.post("/learn/sum31", {"step": "x"})
    await ann.post("/learn/sum31", {"step": "1", "numbers": "0", "position": "1,2,3,4,7 28 1", "move": "none"})


async def own_lessons(site: Site) -> None:
    """Take a course of a custom game."""
    ann = site.visitor("Maker")
    await ann.get(f"/learn/own?{urlencode({'rules': SUM21})}")
    await ann.get(f"/learn/own?{urlencode({'rules': SUM21, 'show': 'exercise'})}")
    form = ann.page.form("/learn/own")
    assert form is not None
    await ann.press("/learn/own", move=next(value for name, value in form.buttons if name == "move"))
    await ann.get(f"/learn/own?{urlencode({'rules': SUM21 + 'swap = true'})}")
    await ann.get(f"/learn/own?{urlencode({'rules': 'nonsense'})}")
    await ann.post("/learn/own", {"rules": "#" * 5000})


async def custom_games(site: Site) -> None:
    """Make a game by a form and by a text, with mistakes and without, measure it and play it."""
    ann = site.visitor("Maker")
    for like in ("", *GAME_IDS[:4], "nothing"):
        await ann.get(f"/own?{urlencode({'like': like})}")
    for rules in (SUM21, WIDE, LARGE, "nonsense", 'like = "sum31"\nunknown = 1\n', "#" * 5000):
        await ann.get(f"/own?{urlencode({'rules': rules})}")
    await ann.get("/own")
    await ann.press("/own", do="like", like="sum-to-zero")
    await ann.press("/own", do="check", target="12", name="Mine")
    await ann.press("/own", do="check", target="many", start="", pool="0, 1", id="A B", name=" ")
    for fields in (
        {"pool": "9 to 1"},
        {"pool": "1 to 99"},
        {"pool": "1," * 500},
        {"pool": ""},
        {"pool": "1 1 2 x"},
        {"target": "0"},
        {"target": "12", "start2": "5"},
        {"target": "12", "start2": "x", "own": "1"},
        {"ends": "second-mover"},
        {"ends": "none"},
        {"start": "40", "passing": "1"},
        {"name": "\u202e"},
    ):
        await ann.get("/own?like=sum31")
        await ann.press("/own", {"do": "check", **fields})
    await ann.get("/own?like=sum31")
    await ann.press("/own", do="read", text=SUM21)
    await ann.press("/own", do="write", target="22", own="1")
    await ann.press("/own", do="check", text="target = 'none'")
    await ann.get("/own?like=sum31")
    form = ann.page.form("/own")
    assert form is not None
    for do in ("check", "write"):
        await ann.post("/own/check", {**form.fields, "do": do, "target": "25"})
    await ann.post("/own/check", {**form.fields, "repair": SUM21})
    await ann.post("/own/check", {**form.fields, "pool": "none"})
    await play_custom_game(site)
    await measure_custom_game(site)


async def play_custom_game(site: Site) -> None:
    """Open tables with a custom game."""
    ann = site.visitor("Maker")
    for more in ({}, {"opponent": "here"}, {"first": "toss", "coach": "1", "player": "Ann", "both": "1"}):
        await ann.get(f"/own?{urlencode({'rules': SUM21})}")
        await ann.press("/own", {"do": "play", **more})
        await ann.get("/")
    await ann.get(f"/own?{urlencode({'rules': SUM21})}")
    await ann.press("/own", do="play", target="23")
    await ann.press("/own", do="play", text=SUM21.replace("21", "24"))
    await ann.press("/own", do="play", player="x" * 41)
    await ann.press("/own", do="play", opponent="nobody")


async def measure_custom_game(site: Site) -> None:
    """Ask how good a custom game is, and make one even."""
    ann = site.visitor("Maker")
    await ann.get(f"/own?{urlencode({'rules': SUM21})}")
    await ann.press("/own", do="measure")


async def make_even(site: Site) -> None:
    """Make a game even, if that can be done."""
    ann = site.visitor("Maker")
    ferry = FERRY.read_text(encoding="utf-8")
    for query in ({"rules": ferry}, {"like": "sum31"}):
        await ann.get(f"/own?{urlencode(query)}")
        form = ann.page.form("/own")
        assert form is not None
        await ann.post("/own/check", {**form.fields, "do": "even"})
        await ann.press("/own", do="even")
    await ann.get(f"/own?{urlencode({'rules': ferry})}")
    await ann.press("/own", do="measure")


async def open_table(visitor: Visitor, **fields: str) -> str:
    """Open a table by a form; return its id."""
    await visitor.post("/tables", fields)
    found = re.fullmatch("/tables/([a-z0-9]+)", visitor.at)
    assert found is not None, (visitor.at, visitor.page.text)
    return found[1]


def free(visitor: Visitor) -> list[str]:
    """Return the moves that the board on the page offers."""
    forms = [one for one in visitor.page.forms() if one.action.endswith("/move")]
    return [value for one in forms for name, value in one.buttons if name == "move" and value]


async def play_out(visitor: Visitor, *, which: int = 0) -> None:
    """Play to the end of the match."""
    for _ in range(MOST_MOVES):
        if not free(visitor) and visitor.page.form("/resign"):
            await visitor.get(visitor.table)  # the computer has not moved yet
        moves = free(visitor)
        if not moves:
            return
        await visitor.press("/move", move=moves[which % len(moves)])


async def forms_of_tables(site: Site) -> None:
    """Fill the form of a new table, with mistakes."""
    ann = site.visitor("Opener")
    for query in ("game=variant", "game=variant&open=record", "game=last-straw", "game=nothing&minutes=5&best_of=3"):
        await ann.get(f"/new?{query}")
    usual = {"game": "sum31", "opponent": "level:1", "first": "best", "best_of": "1"}
    for wrong in (
        {"game": "nothing"},
        {"game": ""},
        {"opponent": "nobody"},
        {"best_of": "4"},
        {"best_of": "x"},
        {"minutes": "0"},
        {"minutes": "999", "increment": "2"},
        {"minutes": "5", "increment": "x"},
        {"first": "nobody"},
        {"name": "x" * 41},
        {"name": "\u202eAnn"},
        {"name": "Perfect", "opponent": "perfect"},
        {"opponent": "here", "name": "Ann", "opponent_name": "Ann"},
        {"game": "variant", "variant": "target = 'none'"},
        {"game": "variant", "variant": ""},
        {"game": "variant", "variant": "#" * 9000},
        {"record": "1. +5"},
        {"record": '[Game "sum31"]\n\n1. +5 +5'},
    ):
        await ann.post("/tables", usual | wrong)
    await ann.post("/tables", usual, files={"variant_file": SUM21})
    await ann.post("/tables", {"game": "variant", "opponent": "level:2"}, files={"variant_file": SUM21})
    await ann.post("/tables", {"record": ""}, files={"record_file": RECORD})
    await ann.post("/tables", {"game": "sum31", "opponent": "human"})
    await ann.press("/tables", name="Level 1\u202e")
    await ann.press("/tables", name="Ann")
    await ann.get("/new")
    await ann.press("/tables", game="zero-sum-duel", opponent="here", opponent_name="Ben", first="toss", lenient="1")
    await ann.get("/")
    await ann.get("/new")
    await ann.get("/tables")


async def against_computers(site: Site) -> None:
    """Play every game against computers of every kind, and some to their end."""
    for game in GAME_IDS:
        for opponent in ("level:1", "level:5", "perfect", "random", "card"):
            ann = site.visitor("Player")
            await open_table(ann, game=game, opponent=opponent)
            moves = free(ann)
            if moves:
                await ann.press("/move", move=moves[len(moves) // 2])
            if opponent in ("level:1", "perfect"):
                await play_out(ann, which=-1 if opponent == "perfect" else 1)
    ann = site.visitor("Player")
    await open_table(ann, game="sum31", opponent="level:3", first="me")
    table = ann.at
    for fields in ({"move": "+5", "typed": "1"}, {"move": "seven"}, {"move": "+99"}, {"move": ""}, {"version": "x"}):
        await ann.get(table)
        await ann.press("/move", fields)
    for fields in ({"move": "seven", "typed": "1"}, {"move": "+1", "version": "1"}, {"move": "9", "typed": "1"}):
        await ann.get(table)
        await ann.press("/move", fields, fragment=True)
    await ann.get(f"{table}/board")
    await ann.get(f"{table}/board?values=1&hint=1&at=3")
    await ann.get(table, accept_encoding="gzip")
    await ann.get(table)
    await ann.press("/ask-undo")
    await ann.press("/resign")
    await ann.press("/rematch", swap="0")
    await ann.press("/resign", fragment=True)
    await ann.press("/rematch")
    await ann.get(f"{table}/review?match=1")
    await ann.get(f"{table}/record?match=1")
    await ann.get(f"{table}/record?match=9")
    await ann.get(f"{table}/lesson?match=1")
    await ann.get(f"{table}/changes")
    await ann.get(f"{table}/projector")
    await ann.get("/")
    await site.visitor("Stranger").get(table)
    await site.visitor("Stranger").get(f"{table}/board")
    await site.visitor("Stranger").post(f"{table}/resign", {"version": "1", "move_id": "a"})
    await site.visitor("Stranger").post(f"{table}/coach", {"coach": "1"})


async def results(site: Site) -> None:
    """Come to the end of matches with other results before it, and see what is offered next."""
    for kept in ("", "sum31!level:2!l|sum31!level:2!l", "sum31!level:2!w|sum31!level:2!w", "nonsense|sum31!level:9!w"):
        ann = site.visitor("Regular")
        if kept:
            ann.cookies["zerosum_results"] = f"1|{kept}"
        await ann.get("/")
        await open_table(ann, game="sum31", opponent="level:2")
        await ann.press("/resign")
        await ann.get(f"{ann.table}/review")
        await ann.get("/")
        await ann.get("/return")
    ann = site.visitor("Regular")
    ann.cookies["zerosum_lessons"] = "sum31!1.0.0.0.4.7.5.5.0"
    ann.cookies["zerosum_results"] = "1|" + "|".join(f"{game}!perfect!w" for game in GAME_IDS)
    await ann.get("/")
    await open_table(ann, game="sum31", opponent="random")
    await beat(ann)
    await ann.get(f"{ann.table}/review")
    await ann.get(f"{ann.table}/lesson")
    await ann.post("/tables", {"game": "variant", "variant": SUM21, "opponent": "here", "name": "Ann"})
    await ann.press("/resign")
    await ann.get(f"{ann.table}/changes")
    await ann.get("/")


async def beat(visitor: Visitor) -> None:
    """Win against a computer by the moves that are worth most."""
    table = visitor.table
    for _ in range(MOST_MOVES):
        await visitor.get(f"{table}?values=1")
        if not free(visitor):
            return
        wins = re.findall(r'class="press win[^"]*" id="[^"]*" data-move="([^"]+)"', visitor.page.text)
        await visitor.press("/move", move=(wins or free(visitor))[0])


async def coaching(site: Site) -> None:
    """Ask the coach: hints, values and reasons, and let it speak up by itself."""
    for game, first in (("zero-sum-duel", "me"), ("sequence-zero", "me"), ("sum-to-zero", "me")):
        ann = site.visitor("Asker")
        await open_table(ann, game=game, opponent="level:1", first=first)
        table, version = ann.at, ann.page.found('data-version="([0-9]+)"')
        for query in ("values=1", *(f"hint={n}&at={version}" for n in (1, 2, 3, 4)), f"values=1&hint=2&at={version}"):
            await ann.get(f"{table}?{query}")
        await ann.get(f"{table}?values=1")
        for href in re.findall(r'id="why-[0-9]+" href="([^"]+)"', ann.page.text)[:2]:
            await ann.get(unescape(href))
            await ann.get(unescape(href).replace(table, f"{table}/board"))
        await ann.get(f"{table}?values=1&why=none&at={version}")
        await ann.get(f"{table}?hint=1&at=999")
        await ann.get(f"{table}?values=1")
        await ann.press("/move", move=free(ann)[0])
    ann = site.visitor("Asker")
    await ann.post("/tables", {"record": COACHED})
    await ann.press("/coach")
    await ann.press("/coach", fragment=True, coach="1", values="1")
    await ann.get(ann.table)
    await ann.press("/move", move="+1")
    await ann.get(ann.at)
    await ann.press("/ask-undo")
    await ann.press("/coach", coach="0")
    await ann.press("/coach", coach="1")
    await play_out(ann)
    ann = site.visitor("Coached")
    ann.cookies["zerosum_choices"] = "level:3|Ann%20B|1"
    await ann.get("/")
    await ann.get("/new")
    await ann.get("/own")
    await open_table(ann, game="thin-ice", opponent="level:3")
    await play_out(ann)


async def at_one_screen(site: Site) -> None:
    """Play at one screen: every game, the question before a forfeit, swapping seats, numbers of many digits."""
    for game in GAME_IDS:
        two = site.visitor("Two")
        await open_table(two, game=game, opponent="here", name="Ann", opponent_name="Ben")
        await two.get(two.at + "?values=1")
        for which in (0, -1):
            if free(two):
                await two.press("/move", move=free(two)[which])
        await two.get(f"{two.table}/projector")
    two = site.visitor("Two")
    await open_table(two, game="zero-sum-duel", opponent="here")
    await two.press("/move", move="+5")
    await two.get(unescape(two.page.found(r'href="(/tables/[^"]*sure=[^"]*)"')))
    table = two.at.partition("?")[0]
    await two.press("/move", move="+5", since=None, sure=None)
    form = next(one for one in two.page.forms() if "since" in one.fields)
    await two.post(form.action, {**form.fields, "move": "+5"}, x_fragment="board")
    await two.post(form.action, {**form.fields, "move": "+5", "since": "x"})
    await two.get(table)
    for variant, moves in ((WIDE, ("+1", "swap", "+40")), (LARGE, ("+1000000", "-500"))):
        two = site.visitor("Two")
        await two.post("/tables", {"game": "variant", "variant": variant, "opponent": "here"})
        for move in moves:
            await two.press("/move", move=move)
        await two.press("/resign")
        await two.get(f"{two.table}/projector")
        await two.get(f"{two.table}/review")
    match = Match.begin(Setup(rules=load_text(WIDE)))
    for number in range(1, 27):
        match = match.after(Move(number, Operation.ADD))
    two = site.visitor("Two")
    await two.post("/tables", {"record": match.record()})


async def invite(site: Site, host: Visitor, guest: Visitor, **fields: str) -> str:
    """Let one visitor invite another; return the address of the table."""
    table = await open_table(host, **{"game": "sum31", "opponent": "human", "name": "Ann", **fields})
    invitation = host.page.found('id="invitation"[^>]* value="([^"]+)"').removeprefix(site.origin)
    await guest.get(invitation)
    await guest.press(invitation, name="Ben")
    await host.get(f"/tables/{table}")
    return f"/tables/{table}"


async def online(site: Site) -> None:
    """Play online: the views of host, guest and spectator; all that two people can ask of each other."""
    host, guest, late, watcher = (site.visitor(name) for name in ("Host", "Guest", "Late", "Watcher"))
    table = await open_table(host, game="sum-to-zero", opponent="human", name="Ann", first="them", best_of="3")
    invitation = host.page.found('id="invitation"[^>]* value="([^"]+)"').removeprefix(site.origin)
    await host.get("/")
    await host.get(invitation)
    await watcher.get(f"/tables/{table}")
    for visitor in (guest, late):
        await visitor.get(invitation)
    for name in ("ann", "x" * 41, "\u202e"):
        await guest.press(invitation, name=name)
    await guest.press(invitation, name="Ben")
    await late.press(invitation, name="Eve")
    await late.get(invitation)
    await late.get("/join/nonsense")
    await late.post("/join/nonsense", {"name": "Eve"})
    at = f"/tables/{table}"
    for visitor in (host, watcher, late):
        await visitor.get(at)
    await exchange(host, guest, watcher, at)
    host, guest = site.visitor("Host"), site.visitor("Guest")
    at = await invite(site, host, guest, game="zero-sum-game", minutes="5", increment="3", best_of="2")
    await site.wait(30)
    for visitor in (host, guest):
        await visitor.get(at)
    await site.wait(200)
    await guest.get(at)
    await guest.get(f"{at}?values=1&hint=1")
    await guest.get(f"{at}/review")
    if guest.page.form("/claim") is None:
        await guest.get(at)
    if guest.page.form("/claim"):
        await guest.press("/claim")
    await host.get(at)


async def exchange(host: Visitor, guest: Visitor, watcher: Visitor, at: str) -> None:
    """Move, ask to undo, refuse and allow it, resign, ask for a rematch, refuse and allow it."""
    for visitor in (guest, host):
        await visitor.get(at)
        await visitor.press("/move", move=free(visitor)[0])
    for verdict in ("/refuse-undo", "/accept-undo"):
        await host.get(at)
        await host.press("/ask-undo")
        for visitor in (watcher, guest):
            await visitor.get(at)
        await guest.press(verdict)
        await host.get(at)
    await guest.get(at)
    await guest.press("/resign")
    await host.get(at)
    await watcher.get(at)
    await watcher.get(f"{at}/board")
    for again in ("/next", "/rematch"):
        if host.page.form(again):
            await host.press(again)
    await guest.get(at)
    await guest.press("/resign")
    await host.get(at)
    for _ in range(2):
        if host.page.form("/rematch"):
            await host.press("/rematch")
            await guest.get(at)
            await guest.press("/refuse-rematch" if guest.page.form("/refuse-rematch") else "/rematch")
            await host.get(at)
    if host.page.form("/rematch"):
        await host.press("/rematch")
        await guest.get(at)
        await guest.press("/rematch")
    for visitor in (host, guest, watcher):
        await visitor.get(at)
        await visitor.get(f"{at}/projector")
        await visitor.get("/")
    await host.get(f"{at}/review?match=1")
    await host.get(f"{at}/lesson?match=1")
    await guest.press("/move", version="1", move="+1") if guest.page.form("/move") else None


async def clocks(site: Site) -> None:
    """Play with a clock, and run out of time."""
    ann = site.visitor("Quick")
    await open_table(ann, game="sum31", opponent="level:1", minutes="1", increment="2")
    await site.wait(20)
    await ann.get(ann.at)
    await ann.press("/move", move=free(ann)[0])
    await ann.get(f"{ann.table}/board")
    await site.wait(120)
    await ann.get(ann.at)
    await ann.get(f"{ann.table}/review")
    host, guest = site.visitor("Quick host"), site.visitor("Quick guest")
    at = await invite(site, host, guest, minutes="1")
    await host.press("/move", move="+5")
    await site.wait(90)
    for visitor in (host, guest):
        await visitor.get(at)
    if host.page.form("/claim"):
        await host.press("/claim")


async def series(site: Site) -> None:
    """Play series: best of three, and one match from each seat."""
    for best_of, opponent in (("3", "level:1"), ("2", "random"), ("2", "here"), ("3", "here")):
        ann = site.visitor("Serious")
        await open_table(ann, game="sum31", opponent=opponent, best_of=best_of, name="Ann")
        for n in range(3):
            if free(ann) and n % 2:
                await ann.press("/move", move=free(ann)[-1])
            if ann.page.form("/resign"):
                await ann.press("/resign")
            if ann.page.form("/next"):
                await ann.press("/next")
        await ann.get(f"{ann.table}/review?match=1")
        await ann.get("/")


async def records(site: Site) -> None:
    """Give records of matches, and look at their reviews step by step."""
    ann = site.visitor("Reviewer")
    await ann.get("/review")
    await ann.press("/review", record=RECORD)
    for step in ("0", "2", "99"):
        await ann.post("/review", {"record": RECORD, "step": step})
    for record in ("1. +5", "", "#" * 70000, RECORD + " 4. +9", '[Game "nothing"]\n\n1. +5'):
        await ann.post("/review", {"record": record})
    await ann.post("/review", {"record": RECORD, "step": "x"})
    await ann.post("/review", {"record": ""}, files={"file": RECORD})
    for game in GAME_IDS:
        two = site.visitor("Two")
        await open_table(two, game=game, opponent="here", name="Ann", opponent_name="Ben")
        await play_out(two, which=1)
        await two.get(f"{two.table}/review")
        await two.get(f"{two.table}/review?step=1")
        await two.get(f"{two.table}/record")
        await ann.post("/review", {"record": two.page.text})
    await ann.get(f"/tables/{NOBODY}/review")
    await ann.get(f"/tables/{NOBODY}/record")


async def codes(site: Site) -> None:
    """Come back on other devices by a personal code."""
    ann = site.visitor("Ann")
    await open_table(ann, game="sum31", opponent="level:1")
    code = ann.page.found('id="code-1"[^>]* value="([^"]+)"')
    await ann.get("/return")
    for wrong in ("wrong", "", "x" * 100):
        await site.visitor("Guesser").post("/return", {"code": wrong})
    for _ in range(8):
        device = site.visitor("Device")
        await device.get("/return")
        await device.press("/return", code=code)
    await device.get("/return")
    await ann.get(ann.at)


async def classroom(site: Site) -> None:
    """Teach a lesson: all that the desk, the wall and the pupils see, from the opening to the end."""
    desk = site.visitor("Teacher")
    for wrong in (
        {"game": "sum31", "minutes": "x"},
        {"game": "sum31", "minutes": "999"},
        {"game": "nothing", "minutes": "5"},
        {"game": "variant", "variant": "nonsense", "minutes": "5"},
    ):
        await desk.post("/room", wrong)
    await desk.get("/room/new")
    await desk.press("/room", game="sum31", minutes="20", clock="5")
    code = code_of(desk)
    ann, ben, cid = (site.visitor(name) for name in ("Ann", "Ben", "Cid"))
    for path in ("", "?code=zzzzzz", "?code=no", f"?code={code.upper()}"):
        await ann.get(f"/room{path}")
    await ann.get(f"/room/{code}/wall")
    await ann.get(f"/room/{code}")
    await ann.press("/join", name=" ")
    for pupil, name in ((ann, "Ann"), (ben, "ann"), (ben, "Ben"), (cid, "=Cid")):
        await pupil.get(f"/room/{code}")
        if pupil.page.form("/join"):
            await pupil.press("/join", name=name)
    await desk.get(f"/room/{code}/desk")
    await site.visitor("Wall").get(f"/room/{code}/wall")
    await site.visitor("Wall").listen(f"/room/{code}/wall/live", 4)
    await desk.press("/start")
    await site.wait(6)
    await lesson(site, desk, code, [ann, ben, cid])
    await ending(site, desk, code, [ann, ben, cid])


def code_of(desk: Visitor) -> str:
    """Return the code of the room whose desk is on the page."""
    return desk.at.split("/")[2]


async def lesson(site: Site, desk: Visitor, code: str, pupils: list[Visitor]) -> None:
    """Play in a room, with everything that its desk can do meanwhile."""
    wall = site.visitor("Wall")
    await rounds(code, pupils * 3)
    await desk.get(f"/room/{code}/desk")
    await wall.get(f"/room/{code}/wall")
    await wall.listen(f"/room/{code}/wall/live", 4)
    await desk.press("/pause")
    for pupil in pupils:
        await pupil.get(f"/room/{code}")
    await wall.get(f"/room/{code}/wall")
    await desk.press("/start")
    await desk.press("/rename", pupil="3", name="Cyd")
    for wrong in ({"pupil": "3", "name": "Ann"}, {"pupil": "99", "name": "Eve"}, {"pupil": "x", "name": "Eve"}):
        await desk.get(f"/room/{code}/desk")
        await desk.press("/rename", wrong)
    pupils[2] = await ways_in(site, desk, code)
    await rounds(code, pupils * 8)
    for pupil in pupils:
        for form in ("/resign", "/ready"):
            await pupil.get(f"/room/{code}")
            if pupil.page.form(form):
                await pupil.press(form)
    await absent(site, code, pupils)
    await desk.get(f"/room/{code}/desk")
    await desk.press("/void")
    await desk.post(f"/room/{code}/desk/void", {"table": NOBODY})
    await desk.post(f"/room/{code}/desk/nothing", {})


async def rounds(code: str, pupils: list[Visitor]) -> None:
    """Let pupils go where the room says, one after the other, and move if they can."""
    for pupil in pupils:
        await pupil.get(f"/room/{code}")
        if free(pupil):
            await pupil.press("/move", move=free(pupil)[0])
        elif pupil.page.form("/ready"):
            await pupil.press("/ready")


async def absent(site: Site, code: str, pupils: list[Visitor]) -> None:
    """Wait for a partner who does not come, and leave them for another."""
    await site.wait(40)
    for pupil in pupils:
        await pupil.get(f"/room/{code}")
        await pupil.post(f"/room/{code}/new-partner", {})
        await pupil.get(f"/room/{code}")
    await rounds(code, pupils)


async def ways_in(site: Site, desk: Visitor, code: str) -> Visitor:
    """Make links that work once, and use them; return the pupil on their new device."""
    back: list[Visitor] = []
    for action, fields in (("/way-back", {"pupil": "3"}), ("/pass-desk", {})):
        await desk.get(f"/room/{code}/desk")
        await desk.press(action, fields)
        link = desk.page.found('value="([^"]+/in/[^"]+)"').removeprefix(site.origin)
        device, late = site.visitor("Device"), site.visitor("Late")
        await device.get(link)
        await late.get(link)
        await device.press(link)
        await late.press(link)
        back.append(device)
    await desk.get(f"/room/{code}/desk")
    await desk.press("/way-back", pupil="99")
    return back[0]


async def ending(site: Site, desk: Visitor, code: str, pupils: list[Visitor]) -> None:
    """End a lesson: podium, report, replay, and the end of the room itself."""
    wall, stranger = site.visitor("Wall"), site.visitor("Stranger")
    await desk.get(f"/room/{code}/desk")
    await desk.press("/remove", pupil="3")
    await pupils[-1].get(f"/room/{code}")
    await desk.get(f"/room/{code}/report")
    await desk.press("/end") if desk.page.form("/end") else await desk.post(f"/room/{code}/desk/end", {})
    for visitor in (*pupils, stranger):
        await visitor.get(f"/room/{code}")
    await wall.get(f"/room/{code}/wall")
    await site.wait(150)
    await desk.get(f"/room/{code}/desk")
    for path in ("report", "report.json", "report.csv"):
        await desk.get(f"/room/{code}/{path}")
        await stranger.get(f"/room/{code}/{path}")
    for pupil in pupils:
        await pupil.get(f"/room/{code}")
    await wall.listen(f"/room/{code}/wall/live", 40)
    await wall.get(f"/room/{code}/wall")
    for visitor in (desk, pupils[0]):
        await visitor.get("/room")
        await visitor.get("/")
    await stranger.get(f"/room/{code}/desk")
    await stranger.post(f"/room/{code}/ready", {})
    await desk.post(f"/room/{code}/ready", {})
    await desk.get(f"/room/{code}/desk")
    await desk.press("/delete", sure=None)
    await desk.press("/delete", sure="1")
    for path in ("", "/desk", "/wall", "/report"):
        await desk.get(f"/room/{code}{path}")


async def errors(site: Site) -> None:
    """Ask for what there is not, in wrong ways, and too often."""
    ann = site.visitor("Lost")
    for path in ("/nowhere", f"/tables/{NOBODY}", f"/tables/{NOBODY}/board", f"/tables/{NOBODY}/projector", "/room/x"):
        await ann.get(path)
    for path in ("/favicon.ico", "/robots.txt", "/manifest.json", "/healthz", "/readyz"):
        await ann.get(path)
    await ann.get("/nowhere", accept="application/json")
    for method, path in (("PUT", "/"), ("DELETE", "/tables"), ("PATCH", "/puzzles"), ("POST", "/games")):
        await ann.get(path, method=method)
    await ann.get("/", host="other.example")
    await ann.post("/tables", {"game": "sum31"}, origin="http://other.example")
    await ann.post("/tables", {"game": "sum31"}, content_type="application/json")
    await ann.post("/tables", {"game": "x" * 140_000})
    await ann.get("/learn/sum31?show=" + "x" * 20)
    await ann.get("/puzzles/daily/2027-01-15?reasons=x")
    await open_table(ann, game="sum31", opponent="level:1")
    await ann.post(f"{ann.table}/nothing", {})
    hasty = site.visitor("Hasty")
    await hasty.get("/")
    await hasty.hurry("/join/nonsense", 300)
    await hasty.get("/join/nonsense")


async def files(site: Site) -> None:
    """Ask for every file that a page has named, as it named it."""
    ann = site.visitor("Browser")
    pages = "\n".join(one["body"] for one in site.answered)
    for path in sorted(set(re.findall(r"/static/[A-Za-z0-9._-]+\?v=[0-9a-f]+", pages))):
        await ann.get(path)
    await ann.get("/static/style.css")
    await ann.get("/static/style.css", accept_encoding="gzip")
    await ann.get("/static/style.css", if_none_match=ann.page.header("etag"))
    await ann.get("/static/nothing.css")
    await ann.get("/static/style.css", method="POST")


async def public_tables(site: Site) -> None:
    """Invite, watch and share from a server that others can reach."""
    host, guest = site.visitor("Host"), site.visitor("Guest")
    at = await invite(site, host, guest)
    for path in (at, f"{at}/projector", "/own", "/puzzles/daily", "/api/v1/docs"):
        await host.get(path)
    for game in GAME_IDS:
        await open_table(host, game=game, opponent="human", name="Ann")
        invitation = host.page.found('id="invitation"[^>]* value="([^"]+)"').removeprefix(site.origin)
        await guest.get(invitation)
    await host.get(f"/own?{urlencode({'rules': SUM21})}")


async def public_room(site: Site) -> None:
    """Teach a lesson with computers at a server that others can reach."""
    desk, ann = site.visitor("Teacher"), site.visitor("Ann")
    await desk.get("/room/new")
    await desk.press("/room", game="zero-sum-duel", minutes="2", computers="1", help=None)
    code = code_of(desk)
    await desk.get(f"/room/{code}/wall")
    await ann.get(f"/room/{code}")
    await ann.press("/join", name="Ann")
    await desk.get(f"/room/{code}/desk")
    await desk.press("/pass-desk")
    await desk.get(f"/room/{code}/desk")
    await desk.press("/start")
    await ann.get(f"/room/{code}")
    await site.wait(15)
    await ann.get(f"/room/{code}")
    await play_out(ann)
    await desk.get(f"/room/{code}/wall")
    await ann.get(f"/room/{code}")
    await site.wait(200)
    for path in ("", "/wall", "/desk", "/report"):
        await (ann if not path else desk).get(f"/room/{code}{path}")
