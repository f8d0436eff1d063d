"""`zerosum review` as a user runs it: the text, the JSON of the contract, and the page."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.command import GAMES, GOLDEN, Zerosum, variant
from tests.cli.pty_play import Person

MATCH = '[Game "sum31"]\n[Player1 "{}"]\n[Player2 "{}"]\n\n1. +5 +6 2. +9 +8 3. +3\n'
HOSTILE = ("</title><script>x()</script>", '\' onload="x()" $title {} &amp; <!--')


def record(folder: Path, text: str = MATCH.format("Ann", "Bob")) -> str:
    path = folder / "record.txt"
    path.write_text(text)
    return str(path)


class Page(HTMLParser):
    """The tags, attributes and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self.inside: dict[str, str] = {}
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self._open = tag

    def handle_endtag(self, tag: str) -> None:
        self._open = f"after {tag}"

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        self.inside[self._open] = self.inside.get(self._open, "") + data


def page(zerosum: Zerosum, folder: Path, text: str) -> str:
    path = folder / "page.html"
    path.unlink(missing_ok=True)
    zerosum("review", record(folder, text), "--html", str(path)).ok()
    return path.read_text(encoding="utf-8")


class TestJson:
    def test_the_keys_of_the_contract(self, zerosum: Zerosum, tmp_path: Path) -> None:
        answer = zerosum("review", record(tmp_path), "--json").ok().json()
        assert (answer["schema"], answer["game"]) == (1, "sum31")
        keys = ("n", "seat", "move", "verdict", "after", "blunder", "better")
        assert [tuple(one[key] for key in keys) for one in answer["moves"]] == [
            (1, 1, "+5", "loss", "loss", False, []),
            (2, 2, "+6", "win", "loss", True, ["+1", "+8"]),
            (3, 1, "+9", "win", "win", False, []),
            (4, 2, "+8", "loss", "loss", False, []),
            (5, 1, "+3", "win", "win", False, []),
        ]
        assert answer["blunders"] == {"1": 0, "2": 1}
        assert answer["accuracy"] == {"1": 1.0, "2": 0.0}
        assert answer["outcome"] == {"winner": 1, "reason": "reached-target"}
        assert answer["turning_points"] == [2]
        assert answer["moves"][1]["reason"][-1] == "+1 or +8 would have won."

    def test_it_says_what_analyze_says(self, zerosum: Zerosum, tmp_path: Path) -> None:
        moves = ["-4", "+4", "+5", "-5", "-1"]
        text = f'[Game "zero-sum-game"]\n\n{" ".join(moves)}\n'
        answer = zerosum("review", record(tmp_path, text), "--json").ok().json()
        for at, one in enumerate(answer["moves"]):
            truth = zerosum("analyze", "zero-sum-game", "--moves", " ".join(moves[:at]), "--json").ok().json()
            assert (one["verdict"], one["plies"]) == (truth["verdict"], truth["plies"])
            (option,) = [option for option in truth["options"] if option["move"] == moves[at]]
            assert (one["after"], one["after_plies"]) == (option["verdict"], option["plies"])

    @pytest.mark.parametrize("moves", ["", "1. +5", "1. +5 resign:2", "time:1"])
    def test_matches_that_no_move_ended(self, zerosum: Zerosum, tmp_path: Path, moves: str) -> None:
        for args in (["--json"], [], ["--html", str(tmp_path / "page.html")]):
            ran = zerosum("review", record(tmp_path, f'[Game "sum31"]\n\n{moves}\n'), *args).ok()
            assert ran.out
        answer = zerosum("review", str(tmp_path / "record.txt"), "--json").json()
        assert len(answer["moves"]) == moves.count("+")
        assert (answer["outcome"] is None) == (":" not in moves)

    def test_standard_input_and_an_id(self, zerosum: Zerosum) -> None:
        piped = zerosum("review", "-", "--json", stdin=MATCH.format("Player 1", "Player 2")).ok()
        zerosum.play("sum31", answers="5 6")
        kept = zerosum.unfinished()[0]["id"]
        assert zerosum("review", kept, "--json").ok().json()["moves"] == piped.json()["moves"][:2]


class TestText:
    def test_all_of_it(self, zerosum: Zerosum, tmp_path: Path) -> None:
        ran = zerosum("review", record(tmp_path)).ok()
        assert ran.out.isascii()
        assert ran.err == ""
        for line in (
            "Sum31: Ann against Bob",
            "Ann won by making 31.",
            "Move 2 decided it: Bob played +6 and let the win go; +1 or +8 would have held",
            "   2  Bob     +6     11     Ann, in 6 moves  turning point",
            "  Move 2, Bob +6: from a win to a loss.",
            "    +1 or +8 would have won.",
            "  Ann              100%  2 of 2 real choices kept the best result",
            "   5-8 |        X  *",
            "          0  1  2  3  4  5",
        ):
            assert line in ran.out.splitlines(), line

    def test_each_total_of_ones_own_stands_under_a_name(self, zerosum: Zerosum) -> None:
        text = '[Game "zero-sum-game"]\n[Player1 "Ann"]\n[Player2 "Bob"]\n[First "2"]\n\n1. +5 -3 2. -2\n'
        lines = zerosum("review", "-", stdin=text).ok().out.splitlines()
        at = next(n for n, line in enumerate(lines) if line.split()[:1] == ["n"])
        head, start, *moves = lines[at : at + 5]
        assert head.split()[:5] == ["n", "player", "move", "Ann", "Bob"]
        assert start.split()[:3] == ["start", "0", "0"]
        assert [line.split()[:5] for line in moves] == [
            ["1", "Bob", "+5", "0", "5"],
            ["2", "Ann", "-3", "-3", "5"],
            ["3", "Bob", "-2", "-3", "3"],
        ]
        assert moves[1][head.index("Ann") :].startswith("-3 ")
        assert moves[1][head.index("Bob") :].startswith("5 ")

    @pytest.mark.parametrize("game", GAMES)
    def test_it_fits_on_80_columns(self, zerosum: Zerosum, tmp_path: Path, game: str) -> None:
        path = tmp_path / "golden"
        zerosum("play", game, "--record", str(path), stdin=(GOLDEN / f"{game}.in").read_text()).ok()
        long = path.read_text().replace('"Player 1"', f'"{"W" * 40}"').replace('"Player 2"', f'"{"M" * 40}"')
        for text in (path.read_text(), long):
            lines = zerosum("review", "-", stdin=text).ok().out.splitlines()
            assert max(map(len, lines)) < 80
            assert not any(line != line.rstrip() for line in lines)

    def test_a_match_of_hundreds_of_moves(self, zerosum: Zerosum, tmp_path: Path) -> None:
        game = variant(tmp_path, like="zero-sum-game", pool=[1, -1], start=[3, -3], reaching="loses")
        zerosum.play(game, "--p1", "perfect", "--p2", "perfect", "--record", str(tmp_path / "long")).ok()
        ran = zerosum("review", str(tmp_path / "long"), "--html", str(tmp_path / "page.html")).ok()
        assert len(zerosum("review", str(tmp_path / "long"), "--json").json()["moves"]) == 600
        assert max(map(len, ran.out.splitlines())) < 80
        assert len((tmp_path / "page.html").read_text()) < 2_000_000

    def test_colour_only_where_it_is_wanted(self, zerosum: Zerosum, tmp_path: Path) -> None:
        path = record(tmp_path)
        with Person(zerosum.command, "review", path) as someone:
            assert someone.ends() == 0
            assert "\x1b[36mAnn, in 6 moves\x1b[0m" in someone.seen
        for args, env in ((["--plain"], {}), ([], {"NO_COLOR": "1"})):
            with Person(zerosum.command, "review", path, *args, columns=80, **env) as someone:
                assert someone.ends() == 0
                assert "\x1b" not in someone.seen

    def test_what_goes_wrong_is_one_line(self, zerosum: Zerosum, tmp_path: Path) -> None:
        huge = variant(tmp_path, pool=list(range(1, 61)), operations=["add", "subtract"], target=0)
        zerosum.play(huge, "--record", str(tmp_path / "huge"), answers="+1 resign").ok()
        for args in (["nothing-here"], [str(tmp_path)], [record(tmp_path, "x")], [str(tmp_path / "huge")]):
            ran = zerosum("review", *args)
            assert (ran.status, ran.out, len(ran.err.splitlines())) == (1, "", 1), ran


class TestPage:
    def test_it_is_whole_and_asks_for_nothing(self, zerosum: Zerosum, tmp_path: Path) -> None:
        text = page(zerosum, tmp_path, MATCH.format("Ann", "Bob"))
        found = Page(text)
        assert not re.search(r"https?:|//\w|@import|url\(|<link|<img|<iframe", text)
        assert not [one for one in found.attributes if one[1] in ("src", "href", "style") or one[1].startswith("on")]
        assert found.tags["script"] == found.tags["style"] == found.tags["svg"] == 1
        assert found.tags["desc"] == 1
        assert [value for _, name, value in found.attributes if name == "aria-live"] == ["polite"]
        steps = [value for tag, name, value in found.attributes if tag == "div" and name == "data-step"]
        bars = [value for tag, name, value in found.attributes if tag == "g" and name == "data-step"]
        assert steps == bars == ["0", "1", "2", "3", "4", "5"]
        assert "Best play then is +1 +3 +4 +7 +8, and Bob passes 31." in found.texts
        assert {"ArrowLeft", "ArrowRight"} <= set(re.findall(r"\w+", found.inside["script"]))

    def test_its_policy_names_its_script_and_style(self, zerosum: Zerosum, tmp_path: Path) -> None:
        found = Page(page(zerosum, tmp_path, MATCH.format("Ann", "Bob")))
        (policy,) = [value for _, name, value in found.attributes if name == "content" and "default-src" in value]
        assert policy.startswith("default-src 'none'; ")
        for tag in ("script", "style"):
            digest = b64encode(sha256(found.inside[tag].encode()).digest()).decode()
            assert f"{tag}-src 'sha256-{digest}'" in policy, tag

    def test_hostile_names_and_titles_are_text(self, zerosum: Zerosum, tmp_path: Path) -> None:
        game = variant(tmp_path, like="sum31", name=HOSTILE[0])
        zerosum.play(game, "--names", *HOSTILE, "--record", str(tmp_path / "hostile"), answers="5 6 9 8 3").ok()
        hostile = Page(page(zerosum, tmp_path, (tmp_path / "hostile").read_text()))
        plain = Page(page(zerosum, tmp_path, MATCH.format("Ann", "Bob")))
        assert hostile.tags == plain.tags
        assert [one[:2] for one in hostile.attributes] == [one[:2] for one in plain.attributes]
        for name in HOSTILE:
            assert name in hostile.texts

    def test_a_hyphen_is_standard_output(self, zerosum: Zerosum, tmp_path: Path) -> None:
        whole = page(zerosum, tmp_path, MATCH.format("Ann", "Bob"))
        ran = zerosum("review", record(tmp_path), "--html", "-").ok()
        assert (ran.out, ran.err) == (whole, "")
        assert not (tmp_path / "-").exists()
        both = zerosum("review", record(tmp_path), "--html", "-", "--json")
        assert (both.status, both.out) == (2, "")

    def test_it_opens_where_the_match_was_decided(self, zerosum: Zerosum, tmp_path: Path) -> None:
        text = page(zerosum, tmp_path, MATCH.format("Ann", "Bob"))
        assert re.findall(r'<div class="step" data-step="(\d)">', text) == ["2"]
        assert '<output id="where">2 of 5</output>' in text

    def test_it_overwrites_nothing(self, zerosum: Zerosum, tmp_path: Path) -> None:
        there = tmp_path / "there.html"
        there.write_text("mine")
        for path in (there, tmp_path / "no" / "folder.html"):
            ran = zerosum("review", record(tmp_path), "--html", str(path))
            assert (ran.status, ran.out) == (1, "")
        assert there.read_text() == "mine"
