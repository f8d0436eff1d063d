"""The folder of a run: the plan in its normal form, a manifest, the log, and a record of every match.

The plan is written last of what is settled before the first match: a folder without one has played nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Final

from zerosum.arena import limits
from zerosum.arena.entrants.bot import shown_name
from zerosum.arena.entrants.entrant import Turn
from zerosum.arena.entrants.opening import open_entrant
from zerosum.arena.entrants.prompt import prompt
from zerosum.arena.exact_expectations import Foreseen, foresee, with_books
from zerosum.arena.plan import Contender, Plan, digest, from_normal_form, is_policy
from zerosum.base.errors import ZerosumError
from zerosum.base.files import make_folder, read_text, replace_file
from zerosum.base.progress import Progress, silent
from zerosum.base.runs import Log, RunError, has_run
from zerosum.base.text import printable, same_name
from zerosum.rules.files import write_rules
from zerosum.rules.notation import parse_position
from zerosum.version import __version__

PLAN: Final = "plan.json"
MANIFEST: Final = "manifest.json"
LOG: Final = "pairs.log"
RECORDS: Final = "records"
_LARGEST: Final = 64 << 20


@dataclass(frozen=True, slots=True)
class Run:
    """A run that is settled: what is played, what everybody is called, what is known beforehand."""

    path: str
    plan: Plan
    names: tuple[str, ...]
    foreseen: tuple[Foreseen, ...]

    def log(self) -> Log:
        """Look through the log."""
        return Log(os.path.join(self.path, LOG), "pair", limits.LINE_BYTES)


def settle(plan: Plan, path: str, progress: Progress = silent) -> Run:
    """Settle a new run in a folder, which is missing or empty."""
    plan = with_books(plan, progress)
    names = _names(plan)
    foreseen = tuple(foresee(plan, progress))
    manifest = {
        "schema": 1,
        "run": plan.key,
        "zerosum": __version__,
        "rules": {rules.id: digest(write_rules(rules)) for rules in plan.games},
        "books": {rules.id: digest("\n".join(book)) for rules, book in zip(plan.games, plan.books, strict=True)},
        "prompts": _prompts(plan),
        "names": names,
        "foreseen": [asdict(one) for one in foreseen],
    }
    try:
        make_folder(os.path.join(path, RECORDS))
        document = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        replace_file(os.path.join(path, MANIFEST), document.encode())
        replace_file(os.path.join(path, PLAN), plan.normal_form.encode())
    except OSError as error:
        raise RunError(f"{printable(path)}: cannot be written ({error.strerror}).") from None
    return Run(path, plan, names, foreseen)


def _names(plan: Plan) -> tuple[str, ...]:
    """Return what every entrant is called, all different: what the plan says, or what an outsider says itself."""
    names: list[str] = []
    for one in plan.entrants:
        name = one.name or _own_name(one, plan)
        if not one.is_policy and is_policy(name):
            name = f"{name[:30]} (outside)"  # nobody is taken for one of our players
        number = 2
        fresh = name
        while any(same_name(fresh, other) for other in names):
            fresh = f"{name[:36]} {number}"
            number += 1
        names.append(fresh)
    return tuple(names)


def _own_name(one: Contender, plan: Plan) -> str:
    if one.is_policy:
        prefix, colon, rest = one.who.partition(":")
        return shown_name(f"{prefix}{colon}{os.path.basename(rest)}")
    entrant = open_entrant(one.who)
    try:
        entrant.begin(plan.games[0])
        return shown_name(entrant.name)
    finally:
        entrant.close()


def _prompts(plan: Plan) -> dict[str, str]:
    """Return the hash of what a model would be asked at the first position of each game."""
    starts = [parse_position(book[0], rules) for rules, book in zip(plan.games, plan.books, strict=True)]
    turns = [Turn(start, (), start, plan.seconds, forfeits=plan.illegal.forfeits) for start in starts]
    return {turn.position.rules.id: digest(prompt(turn, forfeits=turn.forfeits)) for turn in turns}


def open_run(path: str) -> Run:
    """Return the run in a folder."""
    try:
        plan = from_normal_form(read_text(os.path.join(path, PLAN), _LARGEST))
        manifest = json.loads(read_text(os.path.join(path, MANIFEST), _LARGEST))
        names = tuple(map(str, manifest["names"]))
        foreseen = tuple(Foreseen(**one) for one in manifest["foreseen"])
        right = manifest["run"] == plan.key and len(names) == len(plan.entrants)
    except (ValueError, LookupError, TypeError, AttributeError):
        right = False
    except ZerosumError as error:
        raise RunError(f"{printable(path)}: not a run of the arena. {error}") from None
    if not right:
        raise RunError(f"{printable(path)}: {PLAN} or {MANIFEST} has been changed.")
    return Run(path, plan, names, foreseen)


def begun(path: str) -> bool:
    """Whether a folder has a run in it; raise where it has something else."""
    return has_run(path, PLAN, (MANIFEST, RECORDS))


def resumed(path: str, plan: Plan) -> Run:
    """Return the run in a folder, which must be of this plan."""
    run = open_run(path)
    if replace(run.plan, books=()) != replace(plan, books=()):
        raise RunError(f"{printable(path)}: is the run of another plan; give the same one, or a new folder.")
    return run


def write_records(run: Run, records: Iterable[tuple[str, str]]) -> None:
    """Write the records of matches, by name, where they are missing; they follow from the log, so none is synced."""
    folder = os.path.join(run.path, RECORDS)
    for name, text in records:
        with contextlib.suppress(FileExistsError), open(os.path.join(folder, name), "x", encoding="utf-8") as file:
            file.write(text)
