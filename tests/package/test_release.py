"""A release: its version, its list of dependencies, and the tool that builds and tries it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.dependencies import SETS, bill, direct, read
from tools.release import SMOKE
from zerosum.version import __version__

ROOT = Path(__file__).resolve().parents[2]
UNLISTED = "not said"


def pins(extra: str) -> set[tuple[str, str]]:
    """Return the packages that an extra is tested with, each with its version; another Python may have another one."""
    text = (ROOT / "requirements" / SETS.get(extra, "test.txt")).read_text(encoding="utf-8")
    return set(re.findall(r"^([\w.-]+)(?:\[.*\])?==([^\s;]+)", text, re.MULTILINE))


def test_the_version_is_the_same_wherever_it_is_written() -> None:
    changelog, citation = ((ROOT / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "CITATION.cff"))
    assert re.findall(r"^## \[(\d.*?)\] - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE)[0] == __version__
    assert f'version: "{__version__}"' in citation
    assert f"| {__version__.split('.')[0]}.x, the newest | yes |" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_the_listed_dependencies_are_the_pinned_ones() -> None:
    """Otherwise run `make pins`."""
    for extra, texts in direct().items():
        listed = {(one.name, one.version) for one in read() if extra in one.extras}
        pinned = pins(extra)
        if SETS.get(extra) == "learn.in":  # which pins only what it names
            listed = {one for one in listed if one[0] in dict(pinned)}
        assert listed <= pinned
        assert {re.split(r"[^\w.-]", text)[0] for text in texts} <= set(dict(listed))


def test_every_licence_is_known_but_those_that_packages_do_not_say() -> None:
    assert [one.name for one in read() if one.licence == UNLISTED] == ["agent-client-protocol"]
    assert all(one.licence and "\n" not in one.licence for one in read())


def test_the_bill_of_materials_is_whole_and_repeatable() -> None:
    one = bill(__version__, 1_700_000_000)
    assert json.dumps(one) == json.dumps(bill(__version__, 1_700_000_000))
    refs = [component["bom-ref"] for component in one["components"]]
    assert len(set(refs)) == len(refs) > 100
    own, *others = one["dependencies"]
    assert [other["ref"] for other in others] == sorted(refs)
    reached, waiting = set(), {own["ref"]}
    below = {each["ref"]: set(each["dependsOn"]) for each in one["dependencies"]}
    while waiting:
        reached |= waiting
        waiting = set().union(*(below[ref] for ref in waiting)) - reached
    assert reached == {own["ref"], *refs}
    required = {component["name"] for component in one["components"] if component["scope"] == "required"}
    assert required == {"click", "jinja2", "markupsafe", "platformdirs"}


def test_every_extra_is_tried() -> None:
    assert set(SMOKE) == set(direct())


@pytest.mark.full
def test_a_release_is_made_and_tried(tmp_path: Path) -> None:
    """Of a repository of its own, so that this checkout may have changes."""
    copy = tmp_path / "copy"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(copy)], check=True)
    validator = tmp_path / "validator"
    subprocess.run([sys.executable, "-m", "venv", validator], check=True)
    pip = [str(validator / "bin" / "pip"), "install", "--quiet", "--no-deps", "--require-hashes"]
    subprocess.run([*pip, "--requirement", str(ROOT / "requirements" / "release.txt")], check=True)
    words = [sys.executable, f"{copy}/tools/release.py", "--validator", f"{validator}/bin/python"]
    tried = ["--python", f"{sys.version_info.major}.{sys.version_info.minor}", "--extra", "", "--extra", "server"]
    said = subprocess.check_output([*words, *tried], text=True)
    assert "have the same bytes when built again" in said
    assert "zerosum alone plays" in said
    assert "zerosum[server] plays" in said
    assert len((copy / "dist" / "SHA256SUMS").read_text().splitlines()) == 3
