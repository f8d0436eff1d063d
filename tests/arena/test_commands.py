"""`zerosum arena` as a user meets it: what is told, as text, JSON, CSV and a page, and mistakes."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.arena.entrants.fake_endpoint import Scripted, endpoint
from tests.arena.runs import bot
from tests.cli.command import Zerosum
from zerosum.arena.strength.pairs import even_book
from zerosum.rules.game_files import load_game
from zerosum.solver import solution_of

MATCH = ("arena", "match", "level:6", "level:5", "--game", "sum31")
ENTRANT = (
    *("name", "matches", "score", "elo", "elo_low", "elo_high", "level", "level_low", "level_high", "level_fits"),
    *(
        "choices",
        "kept",
        "kept_low",
        "kept_high",
        "chance",
        "skill",
        "regret",
        "plies_lost",
        "illegal",
        "time",
        "crash",
    ),
)


def test_the_exact_score_is_told_at_once(zerosum: Zerosum) -> None:
    answer = zerosum(*MATCH, "--book", "start", "--json").ok().json()
    against = zerosum("measure", "policy", "level:6", "--game", "sum31", "--json").ok().json()["against"]
    five = next(one for one in against if one["who"] == "level:5")
    (pairing,) = answer["pairings"]
    assert pairing["exact"] == pytest.approx((five["as_first"] + five["as_second"]) / 2, abs=1e-12)
    assert answer["pairs"] == 0
    assert pairing["score"] is None
    ran = zerosum(*MATCH, "--book", "start").ok()
    assert f"{100 * pairing['exact']:.2f} % of the points, exactly." in ran.out
    assert f"about {pairing['needed']} pairs: --play --pairs {pairing['needed']}." in ran.out


@pytest.mark.full
def test_two_who_are_equally_strong_are_said_to_be(zerosum: Zerosum) -> None:
    """From the start of Sum to Zero both always do what the other would."""
    ran = zerosum("arena", "match", "perfect", "level:9", "--game", "sum-to-zero", "--book", "start").ok()
    assert "50.00 % of the points, exactly." in ran.out
    assert ran.out.endswith("They are equally strong, so no number of pairs would show who is stronger.\n")


def test_the_json_has_the_keys_it_should(zerosum: Zerosum) -> None:
    answer = zerosum(*MATCH, "--play", "--pairs", "30", "--json").ok().json()
    assert {"schema", "run", "complete", "games", "pairs", "entrants", "pairings", "sprt"} <= answer.keys()
    assert (answer["schema"], answer["complete"], answer["games"], answer["pairs"]) == (1, True, ["sum31"], 30)
    assert answer["sprt"] is None
    for entrant in answer["entrants"]:
        assert set(ENTRANT) <= entrant.keys()
        assert entrant["matches"] == 60
    (pairing,) = answer["pairings"]
    assert sum(pairing["cells"]) == 30
    points = sum(count * cell / 2 for cell, count in enumerate(pairing["cells"]))
    assert pairing["score"] == points / 60
    tested = zerosum(*MATCH, "--sprt", "0,100", "--json").ok().json()
    assert {"elo0", "elo1", "llr", "lower", "upper", "decision"} <= tested["sprt"].keys()
    assert tested["sprt"]["decision"] in ("H0", "H1")
    assert tested["pairs"] == tested["sprt"]["pairs"] >= 16


class Page(HTMLParser):
    """What a page links to, and what it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        found = dict(attrs)
        assert not {name for name in found if name.startswith("on") or name == "style"}
        if "href" in found:
            self.links.append(found["href"] or "")
        if found.get("id"):
            self.ids.append(found["id"] or "")


@pytest.mark.slow
def test_a_run_is_kept_and_reported(zerosum: Zerosum, tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    name = "E<b>vil"
    plan = tmp_path / "plan.toml"
    who = bot(tmp_path).removeprefix("bot:")
    entrants = f'["level:5", "random", {{ who = "bot:{who}", name = "{name}" }}]'
    plan.write_text(f'format = 1\ngames = ["sum31"]\npairs = 3\nentrants = {entrants}\n')
    ran = zerosum("arena", "run", str(plan), "--output", run).ok()
    assert ran.err.startswith("So few pairs rarely show who is stronger; for 50 Elo it takes about 152.")
    html, table = tmp_path / "report.html", tmp_path / "report.csv"
    again = zerosum("arena", "report", run, "--html", str(html), "--csv", str(table)).ok()
    assert again.out == ran.out.partition("\n\nKept in")[0] + "\n"
    text = html.read_text(encoding="utf-8")
    page = Page(text)
    assert not page.tags & {"script", "img", "link", "iframe", "b"}
    assert "E&lt;b&gt;vil" in text
    assert sorted(page.links) == sorted(f"#match-{pair}-{first}" for pair in range(1, 10) for first in (1, 2))
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert not re.search(r"https?://", text)
    assert who not in text + ran.out
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert {row["name"] for row in rows} == {"level:5", "random", name}
    record = Path(run, "records", "000001-2.txt")
    assert "[Position " in record.read_text(encoding="utf-8")
    assert "stands to win" in zerosum("review", str(record)).ok().out
    assert who not in "".join(path.read_text() for path in Path(run, "records").iterdir())
    assert "exists already" in zerosum("arena", "report", run, "--html", str(html)).err


@pytest.mark.slow
def test_a_folder_is_used_again_only_when_asked(zerosum: Zerosum, tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    play = (*MATCH, "--play", "--pairs", "5", "--output", run)
    first = zerosum(*play, "--json").ok()
    ran = zerosum(*play)
    assert (ran.status, ran.out) == (1, "")
    assert "add --resume to go on" in ran.err
    assert zerosum(*play, "--json", "--resume").ok().out == first.out
    other = zerosum(*MATCH, "--play", "--pairs", "6", "--output", run, "--resume")
    assert (other.status, "another plan" in other.err) == (1, True)


def test_a_book_is_listed(zerosum: Zerosum) -> None:
    sum31 = load_game("sum31")
    positions = [str(one) for one in even_book(solution_of(sum31), 6, "x")]
    ran = zerosum("arena", "book", "sum31", "--count", "6", "--seed", "x").ok()
    assert ran.out.splitlines() == positions
    answer = zerosum("arena", "book", "sum31", "--count", "6", "--seed", "x", "--json").ok().json()
    assert answer == {"schema": 1, "game": "sum31", "kind": "even", "seed": "x", "positions": positions}
    between = zerosum("arena", "book", "sum31", "--kind", "between", "--between", "level:3", "level:2", "--count", "3")
    assert len(between.ok().out.splitlines()) == 3


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("arena", "match", "level:6", "level:55", "--game", "sum31"), "There is no entrant 'level:55'"),
        (("arena", "match", "level:6", "level:6", "--game", "sum31"), "is listed twice"),
        (("arena", "match", "level:6", "level:5", "--game", "sum13"), "There is no game 'sum13'"),
        ((*MATCH, "--sprt", "20"), "two numbers of Elo points"),
        ((*MATCH, "--sprt", "a,b"), "--sprt takes two numbers"),
        ((*MATCH, "--sprt", "0,10,20"), "--sprt takes two numbers"),
        ((*MATCH, "--pairs", "-3"), "pairs: must be"),
        ((*MATCH, "--pairs", "0"), "pairs: must be"),
        ((*MATCH, "--resume", "--play"), "--resume goes on with the run that --output names"),
        ((*MATCH, "--output", "x"), "add --play to play"),
        ((*MATCH, "--play", "--jobs", "2", "--scheduler", "tcp://x:1"), "exclude each other"),
        (("arena", "book", "sum31", "--kind", "between"), "go together"),
        (("arena", "fight"), "There is no command 'arena fight'"),
    ],
)
def test_mistakes_are_told(args: tuple[str, ...], words: str, zerosum: Zerosum) -> None:
    ran = zerosum(*args)
    assert ran.status == 2
    assert ran.out == ""
    assert words in " ".join(ran.err.split())


def test_what_is_not_there_is_told(zerosum: Zerosum, tmp_path: Path) -> None:
    gone = f"bot:{tmp_path}/gone"
    for args, status, words in (
        (("arena", "report", str(tmp_path)), 1, "not a run of the arena"),
        (("arena", "run", str(tmp_path / "plan.toml")), 1, "cannot be read"),
        (("arena", "match", gone, "level:5", "--game", "sum31"), 2, "There is no program"),
    ):
        ran = zerosum(*args)
        assert (ran.status, ran.out) == (status, "")
        assert words in ran.err


@pytest.mark.slow
def test_a_model_that_never_answers_leaves_the_run_incomplete(zerosum: Zerosum, tmp_path: Path) -> None:
    answers = [Scripted("MOVE: +5"), Scripted(status=401)]
    run = str(tmp_path / "run")
    with endpoint(lambda _request: answers[0] if len(answers) == 1 else answers.pop(0)) as fake:
        match = (
            "arena",
            "match",
            f"model:mine@{fake.url}",
            "random",
            "--game",
            "sum31",
            "--pairs",
            "2",
            "--output",
            run,
        )
        ran = zerosum(*match, "--illegal", "random", "--json")
        assert ran.status == 3
        assert "refuses to answer" in ran.err
        assert ran.json()["complete"] is False
        reported = zerosum("arena", "report", run)
        assert (reported.status, "incomplete, --resume goes on." in reported.out) == (3, True)
        unkept = zerosum(*match[:-2])
        assert (unkept.status, "incomplete, only a run with --output can go on." in unkept.out) == (3, True)
        answers[:] = [Scripted("MOVE: +5")]
        done = zerosum(*match, "--illegal", "random", "--json", "--resume").ok().json()
        assert "A move that is not legal costs you a try." in str(fake.requests[-1]["messages"])
        zerosum(*match[:-2], "--illegal", "forfeit").ok()
        assert "You lose at once if your move is not legal." in str(fake.requests[-1]["messages"])
    assert (done["complete"], done["pairs"]) == (True, 2)
    assert next(one for one in done["entrants"] if one["name"] == "mine")["illegal"] > 0
