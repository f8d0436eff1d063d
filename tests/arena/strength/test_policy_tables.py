"""Policy tables: what they say, and every way in which a file can be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.players.test_odds import TINY, VARIANTS
from zerosum.arena.strength.best_response import exploitability
from zerosum.arena.strength.named_policies import PolicyError, document_of, policy_of
from zerosum.arena.strength.policy_report import scores_of
from zerosum.base.files import UnreadableFileError
from zerosum.players import PLAYERS, UnknownPlayerError
from zerosum.rules.model import Rules
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, start_position
from zerosum.solver import solution_of

RULES = Rules(id="two", name="Two", pool=(1, 2, 3), target=4)
START = "1,2,3 0 1"


def every_position(rules: Rules) -> list[Position]:
    found = {start_position(rules).key: start_position(rules)}
    ahead = list(found.values())
    while ahead:
        position = ahead.pop()
        for move in position.legal_moves():
            after = position.play(move)
            if after.outcome is None and after.key not in found:
                found[after.key] = after
                ahead.append(after)
    return list(found.values())


def written(rules: Rules, who: str) -> dict[str, Any]:
    """Return a built-in strength as a table of every position."""
    policy = policy_of(who, rules).guest
    return {
        "schema": 1,
        "game": rules.id,
        "policy": {
            str(position): {
                position.text_of(move): chance
                for move, chance in zip(position.legal_moves(), policy.chances(position), strict=True)
                if chance
            }
            for position in every_position(rules)
        },
    }


def file_of(folder: Path, document: object) -> str:
    path = folder / "policy.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return f"policy:{path}"


@pytest.mark.parametrize("name", ["swap", "ban", "ban and swap", "sides, own", "misere"])
@pytest.mark.parametrize("who", ["level:4", "perfect"])
def test_a_level_written_down_scores_as_the_level(tmp_path: Path, name: str, who: str) -> None:
    rules = VARIANTS[name]
    table = policy_of(file_of(tmp_path, written(rules, who)), rules)
    assert exploitability(table.guest, rules).value == pytest.approx(
        exploitability(policy_of(who, rules).guest, rules).value, abs=1e-12
    )
    ours = scores_of(table, start_position(rules)).against
    theirs = scores_of(policy_of(who, rules), start_position(rules)).against
    for one, other in zip(ours, theirs, strict=True):
        assert (one.as_first, one.as_second) == pytest.approx((other.as_first, other.as_second), abs=1e-12)


@pytest.mark.parametrize("name", ["swap", "ban", "ban and swap", "sides, own", "misere"])
@pytest.mark.parametrize("who", ["level:4", "random", "perfect"])
def test_a_player_is_written_down_where_it_can_be_and_nowhere_else(tmp_path: Path, name: str, who: str) -> None:
    """What `document_of` writes is part of the table of every position, is enough, and cannot do without any of it."""
    rules = VARIANTS[name]
    # The text of a position with a swap names the move before, which no rule asks for: positions have several texts.
    everywhere = {parse_position(text, rules).key: chances for text, chances in written(rules, who)["policy"].items()}
    document = document_of(PLAYERS.find(who).make(rules, solution_of), rules)
    for text, chances in document["policy"].items():
        assert chances == pytest.approx(everywhere[parse_position(text, rules).key])
    policy_of(file_of(tmp_path, document), rules)
    for position in document["policy"]:
        left = {key: value for key, value in document["policy"].items() if key != position}
        with pytest.raises(PolicyError, match=r"is missing, and the player can meet it"):
            policy_of(file_of(tmp_path, {**document, "policy": left}), rules)


def test_a_player_of_sudden_death_is_not_written_down() -> None:
    with pytest.raises(PolicyError, match="no end of positions"):
        document_of(lambda position: position.legal_moves(), TINY)


def test_positions_that_the_player_cannot_meet_may_be_left_out(tmp_path: Path) -> None:
    """It opens with 3, so what follows other openings of its own need not be there; what follows others' must."""
    document = written(RULES, "level:3")
    document["policy"][START] = {"+3": 1.0}
    whole = policy_of(file_of(tmp_path, document), RULES)
    score = scores_of(whole, start_position(RULES)).against
    for position in ("1 5 1", "3 3 1"):
        left = {key: value for key, value in document["policy"].items() if key != position}
        if position == "1 5 1":
            with pytest.raises(PolicyError, match=r"position '1 5 1' is missing, and the player can meet it"):
                policy_of(file_of(tmp_path, {**document, "policy": left}), RULES)
        else:
            assert (
                scores_of(
                    policy_of(file_of(tmp_path, {**document, "policy": left}), RULES), start_position(RULES)
                ).against
                == score
            )


def changed(**changes: object) -> dict[str, Any]:
    return {**written(RULES, "random"), **changes}


def at_start(moves: object) -> dict[str, Any]:
    document = written(RULES, "random")
    return {**document, "policy": {**document["policy"], START: moves}}


WRONG = {
    "[]": "an object with the keys",
    '{"schema": 1}': "an object with the keys",
    "not json": "not JSON",
    '{"schema": 1, "schema": 1, "game": "two", "policy": {}}': "'schema' is given twice",
    "[" * 100_000: "nested too deeply",
    json.dumps(changed(schema=2)): "schema: this release reads 1, not 2",
    json.dumps(changed(schema=True)): "schema: this release reads 1, not True",
    json.dumps(changed(game="sum31")): "game: it is for 'sum31', not for 'two'",
    json.dumps(changed(policy=[])): "policy: expected an object that maps positions to moves",
    json.dumps(changed(policy={})): "position '1,2,3 0 1' is missing",
    json.dumps(changed(more=1)): "and no others",
    json.dumps(changed(policy={"nonsense": {}})): "position 'nonsense': .*write POOL TOTALS SEAT",
    json.dumps(changed(policy={"1,2 4 2": {"+1": 1}})): "the match is over there|4",
    json.dumps(at_start({})): "position '1,2,3 0 1': expected an object that maps moves to chances",
    json.dumps(at_start([1])): "expected an object that maps moves to chances",
    json.dumps(at_start({"+9": 1})): r"\+9 is not allowed: that number is not available",
    json.dumps(at_start({"x": 1})): "'x' is not a whole number",
    json.dumps(at_start({"+1": "1"})): r"the chance of \+1 is a number from 0 to 1, not '1'",
    json.dumps(at_start({"+1": True})): "is a number from 0 to 1, not True",
    json.dumps(at_start({"+1": -0.5, "+2": 1.5})): r"the chance of \+1 is a number from 0 to 1, not -0.5",
    json.dumps(at_start({"+1": 0.5})): "the chances sum to 0.5, not to 1",
    json.dumps(at_start({"+1": 0.5, "1": 0.5})): "1 is a move that is given twice",
    json.dumps(at_start({"+1": 1}))[:-2] + ', "3,2,1 0 1": {"+1": 1}}}': "position '3,2,1 0 1': it is given twice",
    json.dumps(at_start({"+1": 1})).replace('"+1": 1}', '"+1": NaN}', 1): "NaN is not a chance",
}


@pytest.mark.parametrize("text", WRONG, ids=[f"{n}" for n in range(len(WRONG))])
def test_a_wrong_file_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(PolicyError, match=WRONG[text]) as caught:
        policy_of(file_of(tmp_path, text), RULES)
    assert str(caught.value).startswith(f"{tmp_path}/policy.json: ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < len(str(tmp_path)) + 220


def test_no_table_names_every_position_of_sudden_death(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="no end of positions"):
        policy_of(file_of(tmp_path, "{}"), TINY)


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="needs the path of a file"):
        policy_of("policy:", RULES)
    with pytest.raises(UnreadableFileError, match="No such file"):
        policy_of(f"policy:{tmp_path}/none.json", RULES)


@pytest.mark.parametrize(("who", "hint"), [("level:10", "level:1"), ("perfec", "perfect"), ("zzz", "policy:FILE")])
def test_an_unknown_policy_is_told_what_there_is(who: str, hint: str) -> None:
    with pytest.raises(UnknownPlayerError, match=hint):
        policy_of(who, RULES)
