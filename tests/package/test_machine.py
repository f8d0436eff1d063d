"""What the tests need from the machine is installed where that is possible, and asked for where it is not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "machine.sh"
NOTHING = "exit 0"
INSTALLS = r"""
echo "$@" >> {folder}/calls
case "$*" in *install*)
    for name in chromium-headless-shell strace curl bwrap; do
        printf '#!/bin/sh\n' > {folder}/$name
        chmod +x {folder}/$name
    done
esac
"""


class Machine:
    """A machine that has nothing but the commands it is given."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def has(self, name: str, script: str = NOTHING) -> None:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{script.replace('{folder}', str(self.folder))}\n")
        path.chmod(0o755)

    def run(self) -> subprocess.CompletedProcess[str]:
        env = {"PATH": str(self.folder)}
        return subprocess.run(["/bin/sh", SCRIPT], env=env, capture_output=True, text=True, check=False)

    @property
    def calls(self) -> list[str]:
        path = self.folder / "calls"
        return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("browser", ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"])
def test_where_all_is_there_nothing_happens(machine: Machine, browser: str) -> None:
    for name in (browser, "strace", "curl", "bwrap"):
        machine.has(name)
    machine.has("apt-get", INSTALLS)
    machine.has("id", "echo 0")
    done = machine.run()
    assert (done.returncode, done.stdout, done.stderr, machine.calls) == (0, "", "", [])


def test_root_installs_what_is_missing_after_an_update(machine: Machine) -> None:
    machine.has("chromium")
    machine.has("curl")
    machine.has("bwrap")
    machine.has("apt-get", INSTALLS)
    machine.has("id", "echo 0")
    done = machine.run()
    assert (done.returncode, done.stdout, done.stderr) == (0, "Installing strace for the tests (once)...\n", "")
    assert machine.calls == ["-qq update", "-qq install --yes --no-install-recommends strace"]


LACKING = {
    "no apt-get": [("id", "echo 0")],
    "not root": [("id", "echo 1000"), ("apt-get", INSTALLS)],
    "an installation without effect": [("id", "echo 0"), ("apt-get", NOTHING)],
}


@pytest.mark.parametrize("case", LACKING)
def test_elsewhere_one_line_says_what_to_install(machine: Machine, case: str) -> None:
    for name, script in LACKING[case]:
        machine.has(name, script)
    done = machine.run()
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "apt install chromium-headless-shell strace curl bubblewrap" in done.stderr
    assert machine.calls == []


def test_what_apt_get_says_is_shown_where_it_fails(machine: Machine) -> None:
    machine.has("id", "echo 0")
    machine.has("apt-get", "echo 'E: no network' >&2; exit 100")
    done = machine.run()
    assert done.returncode == 1
    assert "E: no network" in done.stderr
