"""`zerosum metrics` and `zerosum lab`, as people meet them."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.command import Zerosum
from zerosum.cli.commands.figures_commands import table_of
from zerosum.lab.metrics import ALL, METRICS, MetricsJson, metrics
from zerosum.lab.store import NAME, document_of, fact_of, open_store
from zerosum.rules.game_files import load_game
from zerosum.rules.model import rules_from_dict

COUNTDOWN = "docs/variants/countdown.toml"
KEYS = {
    *("game", "fingerprint", "scope", "error", "value", "openings", "first", "balance", "fairness", "even_to"),
    *("length", "early"),
    *("density", "only", "changes", "behind", "endings", "refill", "perfect", "step", "skill", "graph", "numbers"),
}


@pytest.mark.slow
def test_json_has_the_documented_keys_and_comes_from_the_store_the_second_time(zerosum: Zerosum, home: Path) -> None:
    first = zerosum("metrics", "sum31", "--json").ok().out
    (found,) = json.loads(first)["games"]
    assert set(found) == {"game", "fingerprint", "scope", "error", *METRICS} >= KEYS
    assert found == json.loads(json.dumps(metrics(load_game("sum31"))))
    with open_store(home) as store:
        name = found["fingerprint"]
        kept = store.facts("metrics", [name])[name]
        store.keep("metrics", {name: kept | {"fairness": 0.123}})
    second = zerosum("metrics", "sum31", "--json").ok().out
    assert second == first.replace(f'"fairness": {found["fairness"]}', '"fairness": 0.123')
    with open_store(home) as store:
        # A metric that was added since then is missing: nothing of the rest is believed.
        store.keep("metrics", {name: {key: value for key, value in kept.items() if key != "behind"}})
    assert zerosum("metrics", "sum31", "--json").ok().out == first


def test_players_can_be_chosen(zerosum: Zerosum) -> None:
    (found,) = json.loads(zerosum("metrics", "sum31", "--levels", "5,random,level:2", "--json").ok().out)["games"]
    for name in ("first", "length", "endings", "step"):
        assert list(found[name]) == ["random", "level:2", "level:5"]
    assert list(found["endings"]["random"]) == ["reached-target", "overshot"]
    done = zerosum("metrics", "sum31", "--levels", "2,11")
    assert done.status == 2
    assert "There is no level '11'." in done.err


def test_one_game_has_its_players_side_by_side_and_several_games_stand_side_by_side(zerosum: Zerosum) -> None:
    one = zerosum("metrics", "sum31").ok().out
    assert "random    level 2    level 5" in one
    assert "Real choices                59.3 %     57.4 %     51.1 %" in one
    assert "  level 6  ####################    |                 50.9 %\n" in one
    assert "  level 7  #############   |       |                 32.1 %  not even\n" in one
    both = zerosum("metrics", "sum31", COUNTDOWN).ok().out.splitlines()
    assert both[0].split() == ["Sum31", "Countdown"]
    assert " ".join(both[1].split()) == "Between equals even up to level 6 even up to level 7"
    assert both[3].split()[-6:] == ["0", "of", "9", "6", "of", "10"]


def _some() -> list[MetricsJson]:
    games = [load_game("sum31"), load_game(COUNTDOWN)]
    table = {"format": 1, "id": "v", "name": "V", "pool": [1, 2, -1, -2], "target": 0, "start": 3, "totals": "own"}
    games.append(rules_from_dict(table | {"exhausted": "closest", "tie": "sudden-death"}))
    return [metrics(rules) for rules in games]


def test_tables_fit_narrow_terminals_and_say_the_same() -> None:
    documents = _some()
    names = ["Sum31", "Countdown", "数字の決闘"]
    wide = table_of(names, documents, ALL[:3], 200)
    assert any("no limit" in line for line in wide)
    for columns in (42, 60, 80):
        narrow = table_of(names, documents, ALL[:3], columns)
        # The remarks below are sentences, which the terminal breaks.
        assert max(map(len, narrow[:-2])) <= columns
        assert not Counter(" ".join(wide).split()) - Counter(" ".join(narrow).split())
    single = table_of(names[:1], documents[:1], ALL, 44)
    assert max(map(len, single[:-1])) <= 44


def test_a_fact_serves_every_game_of_its_fingerprint() -> None:
    minus = rules_from_dict({"format": 1, "id": "m", "name": "M", "pool": [-1, -2, -4], "target": -5})
    plus = rules_from_dict({"format": 1, "id": "p", "name": "P", "pool": [1, 2, 4], "target": 9, "start": 4})
    assert document_of(fact_of(metrics(plus), plus), minus) == metrics(minus)


@pytest.mark.parametrize(("args", "words"), [(("nothing",), "There is no game"), ((), "Missing argument")])
def test_nonsense_is_one_clear_error(zerosum: Zerosum, args: tuple[str, ...], words: str) -> None:
    done = zerosum("metrics", *args)
    assert done.status == 2
    assert words in done.err


@pytest.mark.slow
def test_lab_shows_checks_exports_and_forgets(zerosum: Zerosum, home: Path, tmp_path: Path) -> None:
    zerosum("metrics", "sum31").ok()
    with open_store(home) as store:
        store.keep_run("a run", {"done": 1})
        store._connection.execute("UPDATE facts SET version = 'old' WHERE kind = 'odds'")
    shown = zerosum("lab")
    assert "metrics            1" in shown.ok().out
    assert "odds               1  (1 of an older release)" in shown.out
    assert zerosum("lab", "check").status == 1  # that row was changed behind our back
    assert zerosum("lab", "forget", "--old").ok().out == "1 row removed.\n"
    assert zerosum("lab", "check").ok().out == "3 rows; all can be read.\n"
    document = json.loads(zerosum("lab", "export").ok().out)
    assert document["schema"] == 1
    assert document["games"][0]["rules"]["id"] == "sum31"
    assert document["facts"][0]["body"]["fairness"] == metrics(load_game("sum31"))["fairness"]
    assert document["runs"] == [{"key": "a run", "body": {"done": 1}}]
    file = tmp_path / "lab.json"
    zerosum("lab", "export", "--output", str(file)).ok()
    assert json.loads(file.read_text()) == document
    assert zerosum("lab", "export", "--output", str(file)).status == 1
    assert zerosum("lab", "check", "--old").status == 2
    assert zerosum("lab", "forget").ok().out == "3 rows removed.\n"


@pytest.mark.slow
def test_a_store_that_is_not_ours_is_refused_by_lab_and_passed_by_others(zerosum: Zerosum, home: Path) -> None:
    home.mkdir()
    with sqlite3.connect(home / NAME) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = (home / NAME).read_bytes()
    for what in ((), ("check",), ("export",), ("forget",)):
        done = zerosum("lab", *what)
        assert (done.status, done.out) == (1, "")
        assert "is not a store of zerosum" in done.err
    for command in ("metrics", "audit"):
        done = zerosum(command, "sum31").ok()
        assert done.err.count("Going on without it.") == done.err.count("\n") == 1
    assert (home / NAME).read_bytes() == before


@pytest.mark.slow
def test_one_match_from_each_seat_is_offered_where_the_seat_decides(zerosum: Zerosum) -> None:
    said = "With zerosum play --best-of 2 each player moves first once: any game is even this way."
    for command in ("metrics", "audit"):
        assert said in zerosum(command, "zero-sum-duel").ok().out
        assert said not in zerosum(command, "sum31").ok().out
