"""The gauge and the tiles of a match, for the page: true to the match, well-formed, without a style or a raw name."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree as ET

import pytest

from tests.each import each
from zerosum.base.english import figures
from zerosum.match.match import Match
from zerosum.match.match_words import result
from zerosum.match.setup import Person, Setup
from zerosum.rules.game_files import GAME_IDS, built_in, load_text
from zerosum.rules.model import Rules, Totals
from zerosum.rules.moves import parse_move
from zerosum.screens.board_header import what_decided
from zerosum.screens.board_pieces import layout, match_sketch, number_line, place_on_line, tiles

MINUS = "\N{MINUS SIGN}"
HOSTILE = ('<b onclick="x">', 'O\'Neil & "Sons"')
BIG = load_text('format = 1\nid = "big"\nname = "Big"\npool = [999999, -999999, 500000]\ntarget = -1000000')
PIE = load_text('like = "sequence-zero"\nid = "pie"\nname = "Pie"\nswap = true\nban = "mirror"')
GAMES = [*map(built_in, GAME_IDS), BIG, PIE]


def played(rules: Rules, moves: str = "", **more: object) -> Match:
    match = Match.begin(Setup(rules=rules, names=HOSTILE, **more))  # type: ignore[arg-type]  # as a test gives them
    for text in moves.split():
        match = match.after(parse_move(text, rules.operations))
    return match


def at_random(rules: Rules, seed: int) -> Match:
    chance, match = Random(seed), played(rules)
    for _ in range(chance.randrange(40)):
        if match.outcome is not None:
            break
        match = match.after(chance.choice(match.position.legal_moves()))
    return match


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 - our own text


def runners(svg: ET.Element) -> dict[str, str]:
    found = (one for one in svg.iter("g") if "data-runner" in one.attrib)
    return {one.attrib["data-runner"]: one.findtext("text", "") for one in found}


@each("rules", GAMES)
@each("seed", range(8))
def test_the_gauge_shows_where_each_total_stands(rules: Rules, seed: int) -> None:
    match = at_random(rules, seed)
    text = number_line(match)
    svg = parsed(text)
    assert "style=" not in text
    assert "<b " not in text
    if rules.totals is Totals.SHARED:
        expected = {"shared": match.position.totals[0]}
    else:
        expected = {f"p{person.value}": match.position.total(match.seat(person)) for person in Person}
    assert runners(svg) == {name: f"{total:,}".replace("-", MINUS) for name, total in expected.items()}
    places = [float(place) for place in re.findall(r'"(-?[0-9.]+)%"', text)]
    assert all(0 <= place <= 100 for place in places)
    parsed(match_sketch(match))


def test_the_last_hop_says_its_move_and_whose_it_is() -> None:
    svg = parsed(number_line(played(built_in("sum31"), "+5 +6")))
    amount = next(one for one in svg.iter("text") if "amount" in one.attrib.get("class", ""))
    assert (amount.text, amount.attrib["class"]) == ("+6", "amount p2")
    assert [one.attrib["data-hop"] for one in svg.iter("svg") if "data-hop" in one.attrib] == ["1", "2"]


def test_the_gauge_is_said_in_words_with_names_that_cannot_escape() -> None:
    assert 'aria-label="The total is 11; the target is 31."' in number_line(played(built_in("sum31"), "+5 +6"))
    assert "You have " in number_line(played(built_in("sequence-zero"), "-5"), Person.TWO)
    own = parsed(number_line(played(built_in("sequence-zero"), "-5")))
    assert own.attrib["aria-label"] == f"{HOSTILE[0]} has -5, {HOSTILE[1]} has 0; the target is 0."


def test_a_target_that_loses_is_a_wall_and_said_to_lose() -> None:
    line, other = number_line(played(built_in("thin-ice"), "+5")), number_line(played(built_in("summit"), "+5"))
    assert 'aria-label="The total is 5; 26 loses."' in line
    assert ('class="wall"' in line, 'class="goal"' in line) == (True, False)
    assert ('class="wall"' in other, 'class="goal"' in other) == (False, True)


def test_after_a_swap_the_hops_go_with_the_total() -> None:
    svg = parsed(number_line(played(PIE, "+5 swap")))
    assert runners(svg) == {"p1": "0", "p2": "5"}
    assert [one.attrib["data-lane"] for one in svg.iter("svg") if "data-hop" in one.attrib] == ["p2"]


def test_a_free_number_offers_its_moves_and_a_taken_one_says_who_has_it() -> None:
    found = list(tiles(played(built_in("zero-sum-duel"), "+5 -6")))
    assert [tile.taken_by for tile in found[4:7]] == [Person.ONE, Person.TWO, None]
    assert [(press.text, press.shown, press.name) for press in found[6].presses] == [
        ("+7", "+7", "Add 7"),
        ("-7", f"{MINUS}7", "Subtract 7"),
    ]
    assert not any(press.objection for press in found[6].presses)
    assert all(press.objection == "that number is not available" for press in found[4].presses)


def test_where_a_game_only_adds_a_number_stands_for_itself() -> None:
    first = next(tiles(played(built_in("sum-to-zero"))))
    assert [(press.text, press.shown, press.name) for press in first.presses] == [("-9", f"{MINUS}9", f"Add {MINUS}9")]


def test_a_banned_move_says_why() -> None:
    rules = load_text('like = "zero-sum-duel"\nid = "m"\nname = "M"\nban = "mirror"\npool = [1, 1, 2]')
    found = list(tiles(played(rules, "+1")))
    assert [press.objection != "" for press in found[1].presses] == [False, True]
    assert [press.objection for press in found[2].presses] == ["", ""]


def test_equal_numbers_are_tiles_of_their_own() -> None:
    rules = load_text('like = "sum31"\nid = "twice"\nname = "Twice"\npool = [2, 2, 3]')
    assert [tile.taken_by for tile in tiles(played(rules, "+2"))] == [Person.ONE, None, None]
    assert layout(played(rules)) == "many"
    assert layout(played(load_text('like = "sum31"\nid = "l"\nname = "L"\npool = [2, -100]'))) == "large"
    assert layout(played(built_in("zero-sum-game"))) == "ten"


def test_a_number_says_where_it_lands_unless_it_is_not_allowed() -> None:
    match = played(built_in("sequence-zero"), "+5 -6")
    found = {press.text: press.total for tile in tiles(match) for press in tile.presses}
    assert (found["+7"], found["-7"], found["+5"]) == (12, -2, None)
    assert place_on_line(match, 0) == 50.0
    assert (place_on_line(match, 12), place_on_line(match, -12)) == (100.0, 0.0)


def test_large_numbers_stand_apart_and_keep_to_the_line() -> None:
    text = number_line(played(BIG, "+999999"))
    assert "999,999" in text
    assert figures("Ann plays -1234. 5678-9 is a name.", ["5678-9"]) == f"Ann plays {MINUS}1,234. 5678-9 is a name."
    first = next(tiles(played(BIG)))
    assert (first.number, first.presses[0].text) == (f"{MINUS}999,999", "-999999")


def test_a_small_hop_on_a_long_line_keeps_a_width() -> None:
    rules = load_text('like = "zero-sum-duel"\nid = "l"\nname = "L"\npool = [1, 1000000]')
    widths = re.findall(r'width="([0-9.]+)%" height="[0-9]+" viewBox', number_line(played(rules, "+1000000 -1")))
    assert len(widths) == 2
    assert all(float(width) > 0 for width in widths)


TIE = 'like = "sequence-zero"\nid = "t"\nname = "T"\npool = [1, 1]\ntie = "{}"'
OWN = 'like = "sequence-zero"\nid = "c"\nname = "C"\npool = [3, 1]'
AVOID = 'like = "sum31"\nid = "a"\nname = "A"\ntarget = 5\nreaching = "loses"\npool = [1, 2, 3]'


@pytest.mark.parametrize(
    ("rules", "moves", "words"),
    [
        (built_in("sum31"), "+9 +8 +7 +1 +6", "Ben left the total at 25, and 6 was still there."),
        (built_in("sum31"), "+9 +1 +8 +2 +5 +3 +4", "At 28, every number left went past 31."),
        (built_in("sum31"), "+9 +8 +7 +3 +5", "Ann went from 27 to 32."),
        (built_in("sequence-zero"), "+5 +6 +1 +3 -4 -9", "Ben had 9, and 9 was still there."),
        (load_text(OWN), "+3 +1", "Ben is 1 away from 0, Ann is 3 away."),
        (
            load_text(TIE.format("second-mover")),
            "+1 +1",
            "Both are 1 away from 0; then the player who moved second wins.",
        ),
        (load_text(AVOID), "+2 +3", ""),
        (load_text(AVOID), "+1 +3 +2", "At 4, every number left went past 5."),
        (built_in("sum31"), "+9", ""),
    ],
)
def test_what_decided_a_match_is_said_in_a_sentence(rules: Rules, moves: str, words: str) -> None:
    match = Match.begin(Setup(rules=rules, names=("Ann", "Ben")))
    for text in moves.split():
        match = match.after(parse_move(text, rules.operations))
    assert what_decided(match) == words


@pytest.mark.parametrize(
    ("rules", "moves", "won", "lost"),
    [
        (
            built_in("sum31"),
            "+9 +8 +7 +1 +6",
            "You won by making 31. Ben left the total at 25, and 6 was still there.",
            "Ann won by making 31. You left the total at 25, and 6 was still there.",
        ),
        (
            built_in("sum31"),
            "+9 +8 +7 +2 +1 +6",
            "You won: Ben passed 31. Ben went from 27 to 33.",
            "Ann won: you passed 31. You went from 27 to 33.",
        ),
        (
            load_text(OWN),
            "+1 +3",
            "You won, closer to 0. You are 1 away from 0, Ben is 3 away.",
            "Ann won, closer to 0. Ann is 1 away from 0, you are 3 away.",
        ),
    ],
)
def test_the_end_of_a_match_is_told_to_whoever_played_it(rules: Rules, moves: str, won: str, lost: str) -> None:
    match = Match.begin(Setup(rules=rules, names=("Ann", "Ben")))
    for text in moves.split():
        match = match.after(parse_move(text, rules.operations))
    told = [f"{result(match, you)} {what_decided(match, you)}" for you in Person]
    assert told == [won, lost]
