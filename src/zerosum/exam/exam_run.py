"""A run of an exam: its folder, asking the items that are missing, and reading the replies back.

The folder has the items, a manifest that says how they are asked, and the log of the replies. The manifest is written
last: a folder without one has asked nothing. Neither a key nor the arguments of a command are ever written to it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from threading import Event
from typing import Any, Final
from urllib.parse import urlsplit

from zerosum.arena.entrants.model_endpoint import ModelReply, NoAnswerError, Usage
from zerosum.arena.entrants.prompt import DEFAULT_STYLE, AnswerFormat, PromptStyle
from zerosum.base.documents import to_json
from zerosum.base.files import read_bytes
from zerosum.base.runs import MANIFEST, RunError, RunFolder, RunKind, RunLog, RunLogWriter, RunThreads, manifest_text
from zerosum.base.text import printable
from zerosum.exam import limits
from zerosum.exam.askers import CONDITIONS, NO_TOOLS, Asker, replies_to
from zerosum.exam.items import Item, ItemSet, read_items
from zerosum.version import __version__

ITEMS: Final = "items.jsonl"
_KEY: Final = 32
_MOST: Final = 1e15
"""No figure of a reply is as large."""
# A character takes at most 6 bytes in JSON: \uXXXX, twice for those beyond the first 65,536.
_LINE_BYTES: Final = 12 * limits.REPLY_CHARACTERS * limits.TRIES + 4096
_KIND: Final = RunKind("an exam", (ITEMS, MANIFEST), "replies.log", "item", _LINE_BYTES)

Watch = Callable[[int, int], None]
"""Called with how many items have been answered, and how many could not be."""


@dataclass(frozen=True, slots=True)
class ExamPlan:
    """How a set is asked: everything that changes the result."""

    items: str
    """The SHA-256 of the set."""
    kind: str
    """`model` or `command`."""
    name: str
    url: str = ""
    """The address of a model, without anything that may be a secret."""
    style: PromptStyle = DEFAULT_STYLE
    tries: int = 1
    lenient: bool = False
    seconds: float = 120.0
    settings: tuple[tuple[str, Any], ...] = ()
    """Settings that are sent with every question, such as `temperature`, and their values as JSON."""
    tools: str = NO_TOOLS
    """Which tools the model has: one of `CONDITIONS`."""

    @property
    def document(self) -> dict[str, Any]:
        """The plan as JSON."""
        return {**to_json(self), "settings": dict(self.settings)}

    @property
    def measured(self) -> dict[str, Any]:
        """What makes two runs different; the address of the model and the time-out do not."""
        without = {"url", "seconds", *(("tools",) if self.tools == NO_TOOLS else ())}  # older runs had no tools
        return {key: value for key, value in self.document.items() if key not in without}

    @property
    def key(self) -> str:
        """The hash by which the run is known."""
        return sha256(json.dumps(self.measured, sort_keys=True).encode()).hexdigest()[:_KEY]


def plan_of(found: Mapping[str, Any]) -> ExamPlan:
    """Return the plan in a manifest."""
    style = PromptStyle(**{**found["style"], "format": AnswerFormat(found["style"]["format"])})
    if found.get("tools", NO_TOOLS) not in CONDITIONS:
        raise ValueError("no such tools")
    return ExamPlan(**{**found, "style": style, "settings": tuple(found["settings"].items())})


def shown_url(url: str) -> str:
    """Return an address without its query and without a name or a password."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"


@dataclass(frozen=True, slots=True)
class ExamRun:
    """A run whose folder is written."""

    folder: RunFolder
    plan: ExamPlan
    set: ItemSet


def start_run(items: ItemSet, plan: ExamPlan, path: str, *, resume: bool = False) -> ExamRun:
    """Return a new run of a plan, or with `resume` the run in the folder, which must be of this plan."""
    return RunFolder(path, _KIND).resume_or_create(
        lambda: _resume_run(items, plan, path), lambda: create_run(items, plan, path), resume=resume
    )


def create_run(items: ItemSet, plan: ExamPlan, path: str) -> ExamRun:
    """Create a run in a folder that is missing or empty."""
    manifest = {"schema": 1, "run": plan.key, "zerosum": __version__, "plan": plan.document}
    folder = RunFolder(path, _KIND)
    folder.create({ITEMS: items.data.decode(), MANIFEST: manifest_text(manifest)})
    return ExamRun(folder, plan, items)


def open_run(path: str) -> ExamRun:
    """Return the run in a folder."""
    folder = RunFolder(path, _KIND)
    plan = _plan_in(folder)
    items = read_items(os.path.join(path, ITEMS))
    if items.sha256 != plan.items:
        raise folder.changed(ITEMS)
    return ExamRun(folder, plan, items)


def _plan_in(folder: RunFolder) -> ExamPlan:
    with folder.reading(MANIFEST):
        manifest = json.loads(folder.read(MANIFEST))
        plan = plan_of(manifest["plan"])
        whole = manifest["run"] == plan.key
    if not whole:
        raise folder.changed(MANIFEST)
    return plan


def _resume_run(items: ItemSet, plan: ExamPlan, path: str) -> ExamRun:
    """Return the run in a folder; its items are those that the caller has read, so they are not read again."""
    folder = RunFolder(path, _KIND)
    there = _plan_in(folder)
    if there.key != plan.key:
        ours, theirs = plan.measured, there.measured
        other = ", ".join(key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key))
        raise RunError(f"{printable(path)}: is a run with other {other}; give the same options, or a new folder.")
    if read_bytes(os.path.join(path, ITEMS), limits.SET_BYTES) != items.data:
        raise folder.changed(ITEMS)
    return ExamRun(folder, there, items)


def ask_all(run: ExamRun, asker: Asker, jobs: int = 1, watch: Watch = lambda _done, _failed: None) -> str | None:
    """Ask the items that are missing in the log; return why some still are, None if all are answered.

    An item without an answer is left for the next time. A few of them in a row end the run, and so does the first one
    while the log is empty.
    """
    log, plan = run.folder.log(), run.plan

    def line(place: int) -> str:
        item = run.set.items[place - 1]
        replies = replies_to(item, asker, plan.style, plan.tries, lenient=plan.lenient, tools=plan.tools)
        return json.dumps({"n": place, "id": item.id, "replies": [*map(_logged, replies)]})

    def worker(_stop: Event) -> nullcontext[Callable[[int], str]]:
        return nullcontext(line)

    with closing(RunLogWriter(log)) as writer:
        threads = RunThreads(log.missing(len(run.set.items)), jobs, worker)
        try:
            why = _write_replies(threads, writer, watch)
        finally:
            late = threads.close()
        # A thread that was waiting when the run was stopped may have got its answer.
        writer.append(late)
        return why


def _write_replies(threads: RunThreads, writer: RunLogWriter, watch: Watch) -> str | None:
    """Write replies as they come; return why some did not."""
    log = writer.log
    why: str | None = None
    failed = in_a_row = 0
    for place, line in threads:
        if isinstance(line, str):
            writer.append([(place, line)])
            in_a_row = 0
        elif isinstance(line, NoAnswerError):
            failed, in_a_row, why = failed + 1, in_a_row + 1, str(line)
        else:
            raise line
        watch(len(log.at), failed)
        if in_a_row >= (limits.FAILURES if log.at else 1):
            break
    return why


def read_replies(run: ExamRun, log: RunLog) -> list[tuple[Item, list[ModelReply]]]:
    """Return the items that were answered, with their replies, in the order of the set."""
    items = run.set.items
    answered: list[tuple[Item, list[ModelReply]]] = []
    for line in log.read(sorted(log.at)):
        place = line["n"]
        if not 1 <= place <= len(items) or line.get("id") != items[place - 1].id:
            raise RunError(f"Item {place} of the log belongs to another set.")
        answered.append((items[place - 1], _replies(line.get("replies"), place)))
    return answered


def _logged(reply: ModelReply) -> dict[str, Any]:
    """Return a reply as the log keeps it; what an endpoint does not say is left out."""
    said = {
        name: value
        for name, value in asdict(reply.usage).items()
        if value not in (None, "") and (name, value) != ("calls", 0)
    }
    flags = {"refused": True} if reply.refused else {}
    return {"reply": reply.text, "truncated": reply.cut, **flags, **said}


def _replies(found: Any, place: int) -> list[ModelReply]:
    """Return the replies of a line; each is checked, since anybody may have written the log."""
    try:
        replies = [_reply(one) for one in found]
    except (LookupError, TypeError, ValueError, AttributeError):
        replies = []
    if not replies:
        raise RunError(f"Item {place} of the log cannot be read.")
    return replies


def _reply(found: Any) -> ModelReply:
    text, cut, refused = found["reply"], found["truncated"], found.get("refused", False)
    if type(text) is not str or type(cut) is not bool or type(refused) is not bool:
        raise ValueError("a reply is a text with flags")
    figures: dict[str, Any] = {field.name: found[field.name] for field in fields(Usage) if field.name in found}
    for name, value in figures.items():
        kind: Any = {"seconds": float, "finish": str, "model": str}.get(name, int)
        if type(value) is not kind or (kind is not str and not 0 <= value < _MOST):
            raise ValueError("a figure of another type")
    return ModelReply(text, cut, refused, Usage(**figures))
