"""What one answer or one match comes to in plain numbers, and what many of them add up to.

A harness of others, such as Inspect, keeps such numbers for each of its samples and asks for the figures at the end.
The figures of single positions are those of `zerosum exam score`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import fsum

from zerosum.arena.entrants.entrant import Fault
from zerosum.base.statistics import share_interval
from zerosum.exam.conversation import Conversation, added
from zerosum.exam.items import Item
from zerosum.exam.scoring import Grade, Kind

Tally = dict[str, float]
"""Numbers that can be added up; `choices` are real choices, and `kept` are those of them that kept the verdict."""


def tally_answer(item: Item, grade: Grade) -> Tally:
    """Return what a reply to an item comes to."""
    real = grade.facts.real
    kinds = {kind.value: float(grade.kind is kind) for kind in Kind if kind is not Kind.MOVE}
    counted = {"choices": float(real), "kept": float(real and grade.kept), "by_chance": grade.facts.keeping * real}
    return {**counted, "regret": grade.regret, **kinds, "reskinned": float(item.dress is not None)}


def tally_match(talk: Conversation) -> Tally:
    """Return what a match comes to."""
    marks = added(talk.marks)
    faults = [reply.fault for mark in talk.marks for reply in mark.replies]
    return {
        "won": float(talk.won is True),
        "choices": float(marks.choices),
        "kept": float(marks.kept),
        "by_chance": marks.by_chance,
        "illegal": float(faults.count(Fault.ILLEGAL)),
        "unreadable": float(faults.count(Fault.UNREADABLE)),
    }


def position_figures(tallies: Sequence[tuple[Hashable, Tally]]) -> Tally:
    """Return the figures of many replies; those of one group are not independent, such as the reskins of a position."""
    every = [tally for _, tally in tallies]
    return {
        **_share("kept", tallies, "kept", "choices"),
        **_skill(every),
        **_share("kept_original", [one for one in tallies if not one[1]["reskinned"]], "kept", "choices"),
        **_share("kept_reskin", [one for one in tallies if one[1]["reskinned"]], "kept", "choices"),
        "regret": _total(every, "regret") / len(every),
        **{key: _total(every, key) for key in ("choices", "illegal", "unreadable", "truncated")},
    }


def match_figures(tallies: Sequence[tuple[Hashable, Tally]]) -> Tally:
    """Return the figures of many matches; those of one group are not independent, such as the two of a pair."""
    every = [tally for _, tally in tallies]
    return {
        **_share("score", [(group, {**tally, "matches": 1.0}) for group, tally in tallies], "won", "matches"),
        **_share("kept", tallies, "kept", "choices"),
        **_skill(every),
        **{key: _total(every, key) for key in ("choices", "illegal", "unreadable")},
    }


def _total(tallies: Iterable[Mapping[str, float]], key: str) -> float:
    return fsum(one[key] for one in tallies)


def _share(name: str, tallies: Sequence[tuple[Hashable, Tally]], of: str, among: str) -> Tally:
    """Return a share with its 95 % interval; nothing where there is nothing to share."""
    groups: dict[Hashable, tuple[int, int]] = {}
    for group, tally in tallies:
        trials, successes = groups.get(group, (0, 0))
        groups[group] = trials + int(tally[among]), successes + int(tally[of])
    trials, successes = sum(one for one, _ in groups.values()), sum(two for _, two in groups.values())
    if not trials:
        return {}
    low, high = share_interval([*groups.values()], of)
    return {name: successes / trials, f"{name}_low": low, f"{name}_high": high}


def _skill(every: Sequence[Tally]) -> Tally:
    """Return what chance keeps, and the share kept on a scale where chance has 0 and perfect play 1."""
    choices, kept, by_chance = (_total(every, key) for key in ("choices", "kept", "by_chance"))
    return {"chance": by_chance / choices, "skill": (kept - by_chance) / (choices - by_chance)} if choices else {}
