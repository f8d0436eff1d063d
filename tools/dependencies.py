"""What zerosum needs at run time: every package with its version, its licence and who asks for it.

    uv run --no-project --with pip --with packaging python tools/dependencies.py

asks the index about all pins and writes `dependencies.json` anew; `make pins` does it. The page of the documentation
and the list that each release carries (CycloneDX) are made from that file, without a network.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
import uuid
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.tables import table  # noqa: E402 - after the path is set

KEPT: Final = ROOT / "tools" / "dependencies.json"
SETS: Final = {"": "play.txt", "server": "serve.txt", "inspect": "inspect.txt", "sb3": "learn.in"}
"""The pins of an extra; those of all others are in `test.txt`."""
_SPACE: Final = uuid.UUID("6f1d2c0a-5d0b-4b53-9a35-6a7f2d1f5a10")


@dataclass(frozen=True)
class Dependency:
    """A package that is installed with zerosum or with one of its extras."""

    name: str
    version: str
    licence: str
    spdx: bool
    """Whether the licence is an SPDX expression; otherwise it is the name that the package gives."""
    extras: tuple[str, ...]
    """The extras that bring it; an empty name is zerosum itself."""
    requires: tuple[str, ...]

    @property
    def ref(self) -> str:
        """What a bill of materials calls it."""
        return f"pkg:pypi/{self.name}@{self.version}"


def project() -> dict[str, Any]:
    """Return what `pyproject.toml` says of the package."""
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def direct() -> dict[str, list[str]]:
    """Return what zerosum itself (the empty name) and each extra ask for."""
    return {"": project()["dependencies"], **project()["optional-dependencies"]}


def read() -> list[Dependency]:
    """Return the dependencies that were looked up last."""
    rows = json.loads(KEPT.read_text(encoding="utf-8"))
    return [Dependency(**{**one, "extras": tuple(one["extras"]), "requires": tuple(one["requires"])}) for one in rows]


def look_up() -> list[Dependency]:
    """Ask the index about every pin, and return what each extra brings on Linux."""
    from packaging.utils import canonicalize_name  # noqa: PLC0415 - only whoever changes the pins needs it

    found: dict[tuple[str, str], Dependency] = {}
    reports = {name: _report(name) for name in {*SETS.values(), "test.txt"}}
    for extra, asked in direct().items():
        packages = {str(canonicalize_name(one["name"])): one for one in reports[SETS.get(extra, "test.txt")]}
        for name in sorted(_closure(asked, packages)):
            metadata = packages[name]
            key = (name, metadata["version"])
            if key in found:
                found[key] = replace(found[key], extras=(*found[key].extras, extra))
                continue
            licence, spdx = _licence(metadata)
            requires = tuple(sorted(_closure(metadata.get("requires_dist", []), packages, deep=False)))
            found[key] = Dependency(name, metadata["version"], licence, spdx, (extra,), requires)
    return [found[key] for key in sorted(found)]


def _report(name: str) -> list[dict[str, Any]]:
    """Return the metadata of every package of a set, without installing any."""
    alone = [] if name.endswith(".in") else ["--no-deps"]
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        words = ["install", "--dry-run", "--ignore-installed", "--quiet", *alone, "--report", file.name]
        pins = ["--requirement", str(ROOT / "requirements" / name)]
        subprocess.run([sys.executable, "-m", "pip", *words, *pins], check=True)
        found = [one["metadata"] for one in json.load(file)["install"]]
    # Torch says for which machine it was built, too.
    return [{**one, "version": one["version"].partition("+")[0]} for one in found]


def _closure(asked: list[str], packages: dict[str, dict[str, Any]], *, deep: bool = True) -> set[str]:
    """Return the packages that some requirements bring, with all that those bring in turn unless told otherwise."""
    from packaging.requirements import Requirement  # noqa: PLC0415 - see above
    from packaging.utils import canonicalize_name  # noqa: PLC0415 - see above

    found: set[str] = set()
    waiting = [(Requirement(one), "") for one in asked]
    seen = set()
    while waiting:
        one, extra = waiting.pop()
        name = canonicalize_name(one.name)
        wanted = one.marker is None or one.marker.evaluate({"extra": extra})
        if not wanted or name not in packages or (name, *sorted(one.extras)) in seen:
            continue
        seen.add((name, *sorted(one.extras)))
        found.add(name)
        if deep:
            for text in packages[name].get("requires_dist", []):
                waiting += [(Requirement(text), extra) for extra in ("", *one.extras)]
    return found


def _licence(metadata: dict[str, Any]) -> tuple[str, bool]:
    """Return the licence of a package, and whether it is an SPDX expression."""
    if metadata.get("license_expression"):
        return metadata["license_expression"], True
    named = [one.rpartition(" :: ")[2] for one in metadata.get("classifier", []) if one.startswith("License :: ")]
    named = [one for one in named if one != "OSI Approved"]
    first = (metadata.get("license") or "").strip().partition("\n")[0]
    return " and ".join(named) or first or "not said", False


def dependencies() -> str:
    """Return the table of all dependencies."""
    rows = [
        (one.name, one.version, one.licence, ", ".join(f"`{extra}`" if extra else "zerosum" for extra in one.extras))
        for one in read()
    ]
    return table(("package", "version", "licence", "needed by"), rows)


def bill(version: str, epoch: int) -> dict[str, Any]:
    """Return the dependencies of a release as CycloneDX has them; the same version and time give the same bytes."""
    needed = read()
    refs = {(one.name, extra): one.ref for one in needed for extra in one.extras}
    own = f"pkg:pypi/zerosum@{version}"
    licence = {"expression": project()["license"]}
    brought = {one.ref: sorted({refs[name, one.extras[0]] for name in one.requires}) for one in needed}
    # What an extra of a package brings, such as psycopg-binary, belongs to zerosum, which asks for that extra.
    asked = {one.ref for one in needed}.difference(*brought.values())
    asked |= {refs[re.split(r"[^\w.-]", text)[0], extra] for extra, texts in direct().items() for text in texts}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(_SPACE, f'{version} {epoch}')}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch, UTC).isoformat().replace("+00:00", "Z"),
            "component": {**_component("application", own, "zerosum", version), "licenses": [licence]},
        },
        "components": [
            {
                **_component("library", one.ref, one.name, one.version),
                "scope": "required" if "" in one.extras else "optional",
                "licenses": [{"expression": one.licence} if one.spdx else {"license": {"name": one.licence}}],
                "properties": [{"name": "zerosum:extra", "value": extra or "none"} for extra in one.extras],
            }
            for one in needed
        ],
        "dependencies": [
            {"ref": own, "dependsOn": sorted(asked)},
            *({"ref": ref, "dependsOn": below} for ref, below in sorted(brought.items())),
        ],
    }


def _component(kind: str, ref: str, name: str, version: str) -> dict[str, object]:
    return {"type": kind, "bom-ref": ref, "name": name, "version": version, "purl": ref}


def write() -> None:
    """Look everything up and keep it."""
    KEPT.write_text(json.dumps([asdict(one) for one in look_up()], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
