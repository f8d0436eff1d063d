"""What a door said, compared with brute force: each check yields what was said and what is true, if they differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from math import isclose
from typing import Any

from tests.planted.brute import Brute, Worth
from zerosum.players.levels import STRENGTHS
from zerosum.rules.model import Seat
from zerosum.rules.position import Position

Wrong = Iterator[str]
CLOSE = 1e-9
PLAYERS = ("random", "level:5")
"""The players whose figures are compared."""
TRAPPERS = {who for who, level in STRENGTHS.items() if level.traps}
"""Players who count the opponent's winning replies: what that means is open where a turn has two moves."""


def same(what: str, said: Any, true: Any, close: float = CLOSE) -> Wrong:
    """Yield a difference of two values, or of two tables of numbers."""
    if isinstance(said, Mapping) and isinstance(true, Mapping):
        for key in sorted({*said, *true}):
            yield from same(f"{what}.{key}", said.get(key, 0.0), true.get(key, 0.0), close)
    elif isinstance(said, float) or isinstance(true, float):
        if said is None or true is None or not isclose(said, true, rel_tol=close, abs_tol=close):
            yield f"{what}: said {said}, true {true}"
    elif said != true:
        yield f"{what}: said {said}, true {true}"


def _worth(document: Mapping[str, Any]) -> Worth:
    return Worth(document["verdict"], document["plies"])


def options(brute: Brute, position: Position, said: list[dict[str, Any]]) -> Wrong:
    """Check the value of every move."""
    yield from same("options", {one["move"]: _worth(one) for one in said}, brute.options(position))


def solution(brute: Brute, said: Mapping[str, Any]) -> Wrong:
    """Check what `solve` says."""
    value = brute.value(brute.start)
    winner = None if value.plies is None else brute.start.seat.value
    if value.verdict == "loss":
        winner = brute.start.seat.other.value
    yield from same("winner", said["winner"], winner)
    yield from same("plies", said["plies"], value.plies)
    yield from same("positions", said["positions"], brute.size)
    yield from same("winning openings", sorted(said["winning_openings"]), sorted(brute.winning(brute.start)))
    yield from options(brute, brute.start, said["openings"])
    if said["law"] is not None:
        yield from law(brute, said["law"]["id"])


def law(brute: Brute, name: str) -> Wrong:
    """Check a law with every position; its name says when whoever is to move wins."""
    parts = name.split("-or-")
    for position in brute.positions.values():
        left = len(position.pool)
        facts = {
            "make": brute.makes(position),
            "odd": left % 2 == 1,
            "even": left % 2 == 0,
            "first": position.seat is Seat.FIRST,
            "second": position.seat is Seat.SECOND,
            "never": False,
        }
        wins = any(facts[part] for part in parts)
        if wins != (brute.value(position).verdict == "win"):
            yield f"law {name}: not so in {position}"
            return


def analysis(brute: Brute, position: Position, said: Mapping[str, Any]) -> Wrong:
    """Check what `analyze` says, with its causes if there are any."""
    yield from same("position", said["position"], str(position))
    yield from same("to move", said["to_move"], position.seat.value)
    yield from same("value", _worth(said), brute.value(position))
    yield from options(brute, position, said["options"])
    for one in said["options"]:
        if "cause" in one:
            yield from cause(brute, position, one)


def cause(brute: Brute, position: Position, said: Mapping[str, Any]) -> Wrong:
    """Check the cause of a move, as far as it can be played out."""
    name, words = said["cause"], said["words"]
    after = position.play(said["move"])
    about = f"{position} {said['move']}: {name}: {words}"
    if (after.outcome is not None) != (name == "ends"):
        yield about
    if after.outcome is not None:
        made = re.search(r"makes (-?\d+)\.", words)
        if made and (after.outcome.reason.value != "reached-target" or int(made[1]) != brute.rules.target):
            yield about
        return
    lost = after
    if said.get("answer") is not None:
        if said["answer"] not in brute.winning(after):
            yield about
            return
        lost = after.play(said["answer"])
    told = re.search(r"(?:leaves (-?\d+), and|and) (-?\d+) is still there", words)
    if told:
        numbers = {
            move.number for move, _ in brute.steps[after.key] if after.text_of(move) in brute.wins_at_once(after)
        }
        if int(told[2]) not in numbers or (told[1] and int(told[1]) != after.total(after.seat)):
            yield about
    elif name == "law":
        return
    elif name in _PROVED and (lost.outcome is not None or not _PROVED[name](brute, lost)):
        yield about


def _stuck(brute: Brute, lost: Position) -> bool:
    return set(brute.options(lost).values()) == {Worth("loss", 1)}


def _no_safe_reply(brute: Brute, lost: Position) -> bool:
    return all(
        after.outcome.winner is not lost.seat if after.outcome is not None else bool(brute.wins_at_once(after))
        for _, after in brute.steps[lost.key]
    )


def _settled(brute: Brute, lost: Position) -> bool:
    seen, waiting = {lost.key}, [lost]
    for position in waiting:
        for _, after in brute.steps[position.key]:
            if after.outcome is not None:
                if after.outcome.winner is lost.seat:
                    return False
            elif after.key not in seen:
                seen.add(after.key)
                waiting.append(after)
    return True


def _guarding(brute: Brute, lost: Position) -> bool:
    """Whether any safe moves of the other side win."""
    seen, waiting = {lost.key}, [lost]
    for position in waiting:
        steps = [after for _, after in brute.steps[position.key]]
        if position.seat is not lost.seat:
            wins = [after for after in steps if after.outcome is not None and after.outcome.winner is position.seat]
            safe = [after for after in steps if after.outcome is None and not brute.wins_at_once(after)]
            steps = wins or safe
            if not steps:
                return False
        for after in steps:
            if after.outcome is not None:
                if after.outcome.winner is lost.seat:
                    return False
            elif after.key not in seen:
                seen.add(after.key)
                waiting.append(after)
    return True


_PROVED = {
    "stuck": _stuck,
    "no-safe-reply": _no_safe_reply,
    "settled": _settled,
    "guarding": _guarding,
}


def known(brute: Brute, *players: str) -> bool:
    """Whether it is plain what these players do."""
    return brute.alternates or not TRAPPERS.intersection(players)


def first_wins(brute: Brute, one: str, two: str) -> float | None:
    """Return how often seat 1 wins; None if that is not plain."""
    return brute.first_wins(brute.level(one), brute.level(two)) if known(brute, one, two) else None


def chance(what: str, brute: Brute, said: float, one: str, two: str) -> Wrong:
    """Check how often seat 1 wins."""
    true = first_wins(brute, one, two)
    if true is not None:
        yield from same(f"{what} {one} - {two}", said, true)


def ladder(brute: Brute, said: Mapping[str, Any]) -> Wrong:
    """Check what `levels --full` says: some of the pairings."""
    players = said["matrix"]["players"]
    yield from same("players", players, list(STRENGTHS))
    for one, two in (("random", "random"), ("level:2", "level:5"), ("level:6", "random"), ("level:8", "perfect")):
        row = said["matrix"]["first_wins"][players.index(one)]
        yield from chance("chance", brute, row[players.index(two)], one, two)
    rung = said["levels"][4]
    yield from chance("level 5 first", brute, rung["perfect"]["as_first"], "level:5", "perfect")
    yield from chance("level 5 second", brute, 1 - rung["below"]["as_second"], "level:4", "level:5")


def metrics(brute: Brute, said: Mapping[str, Any]) -> Wrong:
    """Check the figures of a document that are plain to compute; a document may have only some of them."""
    for figure, check in _FIGURES.items():
        if said.get(figure) is not None:
            yield from check(brute, said[figure])
    if brute.order is not None:
        yield from _courses(brute, said)


def _openings(brute: Brute, said: Mapping[str, Any]) -> Wrong:
    yield from same("openings.count", said["count"], len(brute.options(brute.start)))
    yield from same("openings.winning", said["winning"], len(brute.winning(brute.start)))


def _first(brute: Brute, said: Mapping[str, Any]) -> Wrong:
    for who in PLAYERS:
        if who in said:
            yield from chance("first", brute, said[who], who, who)


def _step(brute: Brute, said: Mapping[str, Any]) -> Wrong:
    as_first, as_second = (first_wins(brute, *both) for both in (("level:5", "level:4"), ("level:4", "level:5")))
    if as_first is not None and as_second is not None:
        yield from same("step.level:5", said["level:5"], (as_first + 1 - as_second) / 2)


def _graph(brute: Brute, said: Mapping[str, Any]) -> Wrong:
    yield from same("graph", {key: value for key, value in said.items() if key != "longest"}, brute.graph)


_FIGURES: dict[str, Callable[[Brute, Any], Wrong]] = {
    "value": lambda brute, said: same("value.plies", said["plies"], brute.value(brute.start).plies),
    "openings": _openings,
    "first": _first,
    "step": _step,
    "graph": _graph,
    "numbers": lambda brute, said: same("numbers", said, brute.numbers),
}


def _courses(brute: Brute, said: Mapping[str, Any]) -> Wrong:
    for who in PLAYERS:
        if who not in said.get("length", {}):
            continue
        course = brute.course(brute.level(who))
        yield from same(f"length.{who}", said["length"][who]["mean"], course["mean"])
        yield from same(f"length.{who}.chances", said["length"][who]["chances"], course["chances"])
        for figure in ("early", "density", "only", "changes", "endings"):
            if figure in said:
                yield from same(f"{figure}.{who}", said[figure][who], course[figure])


def audit(brute: Brute, said: Mapping[str, Any]) -> Wrong:
    """Check the endings and the findings of an audit."""
    for what, ending in said["endings"].items():
        if what != "refill" and ending["reachable"] is not None:
            yield from same(f"ending {what}", ending["reachable"], what in brute.reasons)
    for finding in said["findings"]:
        yield from audited(brute, finding)


def audited(brute: Brute, finding: Mapping[str, Any]) -> Wrong:
    """Check one finding."""
    words, proof, kind = finding["words"], finding["proof"], finding["kind"]
    if proof is not None and proof["by"] == "arithmetic":
        yield f"{kind}: proved by arithmetic that does not know the key: {proof['words']}"
    if proof is not None and proof["by"] == "exhaustion" and proof["positions"] not in {None, brute.size}:
        yield f"{kind}: looked at {proof['positions']} positions, there are {brute.size}: {words}"
    if kind == "same-as":
        yield f"same-as: {words}"
    told = re.search(r"(at random|level (\d)) the (first|second) player wins (\d+)%", words)
    if told:
        who = "random" if told[2] is None else f"level:{told[2]}"
        true = first_wins(brute, who, who)
        true = true if told[3] == "first" or true is None else 1 - true
        if true is not None and abs(100 * true - int(told[4])) > 0.5 + CLOSE:
            yield f"{kind}: {words} true {true:.1%}"
    numbers = {one["number"]: one for one in brute.numbers}
    for form, figure in ((r"Taking (.*) never wins", "wins"), (r"Taking (.*) is never the only", "needed")):
        never = re.search(form, words)
        if never and any(numbers[int(number)][figure] for number in re.findall(r"-?\d+", never[1])):
            yield f"{kind}: {words}"
    openings = re.search(r"(Every|None) (?:one )?of the (\d+) openings wins", words)
    if openings:
        wins = len(brute.winning(brute.start))
        yield from same(f"{kind}: {words}", int(openings[2]) if openings[1] == "Every" else 0, wins)
    plies = re.search(r"With perfect play a match (?:is over after|takes) (\d+)", words)
    if plies:
        yield from same(words, int(plies[1]), brute.value(brute.start).plies)


def puzzles(brute: Brute, said: list[dict[str, Any]]) -> Wrong:
    """Check positions with something to find."""
    for one in said:
        position = brute.find(one["position"])
        if position is None:
            yield f"puzzle {one['position']}: play does not reach it"
            continue
        yield from same(f"solutions of {position}", sorted(one["solutions"]), sorted(brute.winning(position)))
        yield from same(f"plies of {position}", one["plies"], brute.value(position).plies)


def lessons(brute: Brute, said: Mapping[str, Any]) -> Wrong:
    """Check the exercises of a course."""
    for step in said["steps"]:
        for one in step["exercises"]:
            position = brute.find(one["position"])
            if position is None:
                yield f"exercise {one['position']}: play does not reach it"
                continue
            yield from same(f"solutions of {position}", sorted(one["solutions"]), sorted(brute.winning(position)))


def review(brute: Brute, moves: list[str], said: Mapping[str, Any]) -> Wrong:
    """Check each move of a match against the truth."""
    position = brute.start
    for text, one in zip(moves, said["moves"], strict=True):
        found = brute.options(position)
        yield from same(f"move {one['n']} seat", one["seat"], position.seat.value)
        yield from same(f"move {one['n']} before", one["verdict"], brute.value(position).verdict)
        yield from same(f"move {one['n']} after", one["after"], found[text].verdict)
        blunder = found[text].verdict != brute.value(position).verdict
        yield from same(f"move {one['n']} blunder", one["blunder"], blunder)
        if blunder:
            better = [move for move, worth in found.items() if worth.verdict == brute.value(position).verdict]
            yield from same(f"move {one['n']} better", sorted(one["better"]), sorted(better))
        position = position.play(text)
