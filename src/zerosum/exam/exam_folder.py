"""The folder of a run: the items, a manifest that says how they were asked, and the log of the replies.

The manifest is written last of what is settled before the first question: a folder without one has asked nothing. No
key is ever in it, nor the arguments of a command.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlsplit

from zerosum.arena.entrants.prompt import STYLE, Format, Style
from zerosum.base.errors import ZerosumError
from zerosum.base.files import make_folder, read_text, replace_file
from zerosum.base.runs import Log, RunError, has_run
from zerosum.base.text import printable
from zerosum.exam import limits
from zerosum.exam.items import ItemSet, read_items
from zerosum.version import __version__

ITEMS: Final = "items.jsonl"
MANIFEST: Final = "manifest.json"
LOG: Final = "replies.log"
_LARGEST: Final = 1 << 20
_KEY: Final = 32
# A character takes at most 6 bytes in JSON: \uXXXX, twice for those beyond the first 65,536.
_LINE_BYTES: Final = 12 * limits.REPLY_CHARACTERS * limits.TRIES + 4096


@dataclass(frozen=True, slots=True)
class Plan:
    """How a set is asked: everything that changes what is measured."""

    items: str
    """The SHA-256 of the set."""
    kind: str
    """`model` or `command`."""
    name: str
    url: str = ""
    """Of a model; without what may be a secret."""
    style: Style = STYLE
    tries: int = 1
    lenient: bool = False
    seconds: float = 120.0
    settings: tuple[tuple[str, float], ...] = ()
    """What is sent with every question, such as `temperature`."""

    @property
    def document(self) -> dict[str, Any]:
        """The plan as JSON."""
        return {
            **asdict(self),
            "style": {**asdict(self.style), "format": self.style.format.value},
            "settings": dict(self.settings),
        }

    @property
    def measured(self) -> dict[str, Any]:
        """What makes it another run; where a model is reached and how long one waits for it does not."""
        return {key: value for key, value in self.document.items() if key not in {"url", "seconds"}}

    @property
    def key(self) -> str:
        """What the run is known by."""
        return sha256(json.dumps(self.measured, sort_keys=True).encode()).hexdigest()[:_KEY]


def plan_of(found: Mapping[str, Any]) -> Plan:
    """Return the plan that a manifest holds."""
    style = Style(**{**found["style"], "format": Format(found["style"]["format"])})
    return Plan(**{**found, "style": style, "settings": tuple(found["settings"].items())})


def shown_url(url: str) -> str:
    """Return an address without its query and without a name or a password."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"


@dataclass(frozen=True, slots=True)
class Run:
    """A run that is settled."""

    path: str
    plan: Plan
    set: ItemSet

    def log(self) -> Log:
        """Look through the log of replies."""
        return Log(os.path.join(self.path, LOG), "item", _LINE_BYTES)


def settle(found: ItemSet, plan: Plan, path: str) -> Run:
    """Settle a new run in a folder, which is missing or empty."""
    manifest = {"schema": 1, "run": plan.key, "zerosum": __version__, "plan": plan.document}
    try:
        make_folder(path)
        replace_file(os.path.join(path, ITEMS), found.data)
        document = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        replace_file(os.path.join(path, MANIFEST), document.encode())
    except OSError as error:
        raise RunError(f"{printable(path)}: cannot be written ({error.strerror}).") from None
    return Run(path, plan, found)


def open_run(path: str) -> Run:
    """Return the run in a folder."""
    try:
        manifest = json.loads(read_text(os.path.join(path, MANIFEST), _LARGEST))
        plan = plan_of(manifest["plan"])
        right = manifest["run"] == plan.key
    except (ValueError, LookupError, TypeError, AttributeError):
        right = False
    except ZerosumError as error:
        raise RunError(f"{printable(path)}: not a run of an exam. {error}") from None
    if not right:
        raise RunError(f"{printable(path)}: {MANIFEST} has been changed.")
    found = read_items(os.path.join(path, ITEMS))
    if found.sha256 != plan.items:
        raise RunError(f"{printable(path)}: {ITEMS} has been changed.")
    return Run(path, plan, found)


def begun(path: str) -> bool:
    """Whether a folder has a run in it; raise where it has something else."""
    return has_run(path, MANIFEST, (ITEMS,))


def resumed(path: str, plan: Plan) -> Run:
    """Return the run in a folder, which must be of this plan."""
    run = open_run(path)
    if run.plan.key != plan.key:
        theirs, ours = run.plan.measured, plan.measured
        other = ", ".join(key for key in ours if ours[key] != theirs[key])
        raise RunError(f"{printable(path)}: is a run with other {other}; give the same options, or a new folder.")
    return run
