"""What a file leaves out stays unwritten in all that search and repair write, and is never called dead."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.full import part
from tests.lab.inline import inline
from tests.solver.random_tables import table
from zerosum.cli.commands.search_commands import rules_files
from zerosum.lab.audit import audit
from zerosum.lab.findings import Severity
from zerosum.lab.goals import Goal, goal_named, read_goal
from zerosum.lab.repair import repair, repair_json
from zerosum.lab.search import Request, search, search_json
from zerosum.lab.search_report import files
from zerosum.lab.spaces import read_space
from zerosum.lab.store import open_store
from zerosum.rules.describe import clause_of
from zerosum.rules.game_files import load_file, load_text
from zerosum.rules.model import Rules

DEFAULTS: dict[str, Any] = {
    "start": 0,
    "totals": "shared",
    "operations": ["add"],
    "reaching": "wins",
    "overshoot": "play-on",
    "exhausted": "last-mover",
    "ban": "none",
    "swap": False,
}
KEY_OF = {"overshot": "overshoot", "last-mover": "exhausted", "closer": "exhausted", "ban": "ban"}
"""The key that each clause comes from; the others cannot be left out."""
GOAL = 'format = 1\n[goal]\n"value.plies" = { min = 2 }\n"openings.count" = { max = 9 }\n'
BASES = part(15, 500)


def _bases(folder: Path, count: int) -> Iterator[Path]:
    """Yield random rules files; each leaves out some of the keys that are at their defaults."""
    dice = random.Random(19)
    made = 0
    while made < count:
        keys = table(dice, most=5)
        whole = {"exhausted": "last-mover", "overshoot": "play-on"} | keys
        some = {key: one for key, one in whole.items() if one != DEFAULTS.get(key) or dice.random() < 0.3}
        path = folder / f"base{made}.toml"
        path.write_text("".join(f"{key} = {_toml(one)}\n" for key, one in some.items()), encoding="utf-8")
        made += 1
        yield path


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')


def _written(base: Path, goal: Goal, folder: Path) -> Iterator[tuple[str, set[str]]]:
    """Yield each rules file that a repair and a search write, with the keys that were changed on purpose."""
    rules = load_file(str(base))
    with open_store(folder) as store:
        repairs = repair(rules, goal, 1, 5, store=store, evaluate=inline)
        names = [change["key"] for one in repair_json(repairs)["found"] for change in one["changes"]]
        yield from zip(rules_files(repairs).values(), [{name, "tie"} for name in names], strict=True)
        space = folder / "space.toml"
        near = f"{rules.target - 1}..{rules.target + 1}"
        space.write_text(f'format = 1\nlike = "{base.stem}"\n[vary]\ntarget = "{near}"\n', encoding="utf-8")
        result = search(Request(read_space(str(space)), goal, count=2), store, inline)
        made = files(result).items()
        yield from ((text, {"target"}) for name, text in made if name.endswith(".toml"))
        for one in [*search_json(result)["nearest"], *search_json(result)["finds"]]:
            yield "".join(f"{key} = {_toml(value)}\n" for key, value in one["rules"].items()), {"target"}


def _wrong(base: Path, goal: Goal, folder: Path) -> list[str]:
    """Return what is wrong in what is written about one base."""
    said = set(tomllib.loads(base.read_text(encoding="utf-8")))
    wrong = []
    for text, changed in _written(base, goal, folder):
        more = set(tomllib.loads(text)) - said - changed
        if more:
            wrong.append(f"{base.name}: {sorted(more)} written out")
        game = load_text(text)
        clauses = {clause: KEY_OF[what] for what, clause in clause_of(game).items() if what in KEY_OF}
        wrong += [
            f"{base.name}: {one.words}"
            for one in audit(game).findings
            if one.severity is Severity.DEAD and clauses.get(str(one.clause)) not in {None, *said, *changed}
        ]
    return wrong


def _all_wrong(folder: Path) -> Iterator[str]:
    goal = folder / "goal.toml"
    goal.write_text(GOAL, encoding="utf-8")
    return (line for base in _bases(folder, BASES) for line in _wrong(base, read_goal(str(goal)), folder))


@pytest.mark.slow
def test_unwritten_stays_unwritten_and_is_not_blamed(tmp_path: Path) -> None:
    assert list(_all_wrong(tmp_path)) == []


@pytest.mark.slow
def test_a_default_that_is_written_out_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the check above can fail."""
    written_out: Callable[[Rules, Rules], Rules] = lambda _, game: replace(game)  # noqa: E731 - a planted lie
    for place in ("spaces", "search"):
        monkeypatch.setattr(f"zerosum.lab.{place}.kept_unwritten", written_out)
    lines = _all_wrong(tmp_path)
    assert any("written out" in line for line in lines)
    assert any("never" in line for line in lines)


def test_the_ferry_is_repaired_by_another_target(tmp_path: Path) -> None:
    """A game that was thrown away because of a clause that nobody wrote."""
    ferry = load_file("docs/variants/ferry.toml")
    with open_store(tmp_path) as store:
        repairs = repair(ferry, goal_named("open"), 1, 9, store=store, evaluate=inline)
    found = {one["rules"]["target"]: one for one in repair_json(repairs)["found"]}
    assert found[25]["cost"] == 1
    assert found[25]["changes"] == [{"key": "target", "from": 20, "to": 25}]
    assert set(found[25]["rules"]) == {"format", "id", "name", "pool", "target", "overshoot"}
    assert found[25]["metrics"]["audit"]["dead"] == 0
    assert found[25]["metrics"]["findings"]["note"] == {"dead-ending": 1}
    # Somebody who writes the clause is to blame for it.
    blamed = replace(ferry, target=25)
    assert [one.kind for one in audit(blamed).findings if one.severity is Severity.DEAD] == ["dead-ending"]
