"""The command before there is a server: options that cannot be used, and an extra that is not installed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.cli.command import TIMEOUT, Zerosum
from zerosum.base.extras import PACKAGES
from zerosum.server.settings import (
    Settings,
    SettingsError,
    check_database,
    check_public_url,
    sqlite_file,
    sqlite_url,
)

ROOT = Path(__file__).resolve().parents[2]
SECRET = "hunter2"  # noqa: S105 - it is there to be looked for in what is printed

WITHOUT = """
import json, sys
sys.modules[sys.argv[1]] = None  # importing it is now an ImportError
from zerosum.cli import main
sys.argv = ["zerosum", "serve", *json.loads(sys.argv[2])]
main()
"""


def without(package: str, *args: str) -> subprocess.CompletedProcess[str]:
    """Run the command where a package is not installed."""
    run = [sys.executable, "-c", WITHOUT, package, json.dumps(args)]
    return subprocess.run(run, capture_output=True, text=True, timeout=TIMEOUT, check=False)


@pytest.mark.parametrize("package", PACKAGES["server"])
def test_without_the_extra_one_line_names_it(package: str, home: Path) -> None:
    done = without(package)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == 'zerosum: serve needs the extra "server": pip install "zerosum[server]"\n'
    assert not home.exists()


def test_the_packages_are_those_of_the_extra() -> None:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extra = table["project"]["optional-dependencies"]["server"]
    # What only some systems have, a marker after a semicolon, is not needed to serve.
    names = (re.split(r"[\[<>=]", line)[0] for line in extra if ";" not in line)
    assert sorted(name.replace("-", "_") for name in names) == sorted(PACKAGES["server"])


@pytest.mark.parametrize("package", ["fastapi", "sqlalchemy"])
def test_help_needs_no_extra(package: str) -> None:
    done = without(package, "--help")
    assert done.returncode == 0
    assert "--public-url" in done.stdout


BAD_DATABASES = [
    f"mysql://ann:{SECRET}@host/x",
    f"postgres://ann:{SECRET}@host/x",
    f"postgresql+psycopg://ann:{SECRET}@host/x",
    f"POSTGRESQL://ann:{SECRET}@host/x",
    f"ann:{SECRET}@host/x",
    f"{SECRET}",
    "",
    "sqlite:",
    "sqlite://tables.sqlite3",
    "sqlite:///",
    "sqlite:///:memory:",
    "sqlite:///folder/",
    f"sqlite:///x?key={SECRET}",
    f"postgresql://ann:{SECRET}/x@host/name",
    f"postgresql://ann:{SECRET}@host:70000/name",
    f"postgresql://ann:{SECRET}@host:port/name",
    f"postgresql://ann:{SECRET}@[::1/name",
]


@pytest.mark.parametrize("url", BAD_DATABASES)
def test_a_bad_database_is_a_usage_error_that_shows_no_password(zerosum: Zerosum, home: Path, url: str) -> None:
    ran = zerosum("serve", "--database", url)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("zerosum: --database: ")
    assert ran.err.count("\n") == 1
    assert SECRET not in ran.err
    assert not home.exists()


def test_an_unknown_scheme_is_told_what_is_accepted(zerosum: Zerosum) -> None:
    ran = zerosum("serve", "--database", f"mysql://ann:{SECRET}@host/x")
    for part in ("'mysql'", "sqlite:///PATH", "postgresql://"):
        assert part in ran.err


def test_the_database_is_also_read_from_the_environment(zerosum: Zerosum) -> None:
    ran = zerosum("serve", env={"ZEROSUM_DATABASE": f"mysql://ann:{SECRET}@host/x"})
    assert ran.status == 2
    assert "'mysql'" in ran.err
    assert SECRET not in ran.err


MISPLACED = [[f"postgresql://ann:{SECRET}@host/x"], ["--databse", f"postgresql://ann:{SECRET}@host/x"]]


@pytest.mark.parametrize("args", MISPLACED)
def test_a_misplaced_database_shows_no_password(zerosum: Zerosum, args: list[str]) -> None:
    ran = zerosum("serve", *args)
    assert (ran.status, ran.out) == (2, "")
    assert SECRET not in ran.err


BAD_OPTIONS = [
    ["--port", "65536"],
    ["--port", "-1"],
    ["--port", "1_0"],
    ["--port", "٣"],
    ["--port", "5.0"],
    ["--port", ""],
    ["--host", ""],
    ["--host", "a b"],
    ["--host", "a\x1b[31mb"],
    ["--public-url", "play.example.org"],
    ["--public-url", "ftp://play.example.org"],
    ["--public-url", "https://"],
    ["--public-url", "https://ann:pw@play.example.org"],
    ["--public-url", "https://play.example.org/games"],
    ["--public-url", "https://play.example.org?x=1"],
    ["--public-url", "https://play.example.org:x"],
    ["--public-url", "https://spiel.exämple"],
    ["--public-url", "https://a\x1b]0;b"],
]


@pytest.mark.parametrize("args", BAD_OPTIONS)
def test_options_that_cannot_be_used(zerosum: Zerosum, home: Path, args: list[str]) -> None:
    ran = zerosum("serve", *args)
    assert (ran.status, ran.out) == (2, "")
    assert args[0] in ran.err
    assert all(character.isprintable() for character in ran.err.replace("\n", ""))
    assert not home.exists()


@pytest.mark.parametrize(
    ("given", "origin"),
    [
        ("https://play.example.org", "https://play.example.org"),
        ("HTTPS://Play.Example.org/", "https://play.example.org"),
        ("https://play.example.org:443", "https://play.example.org"),
        ("http://play.example.org:443", "http://play.example.org:443"),
        ("http://192.168.1.20:8031", "http://192.168.1.20:8031"),
        ("http://[::1]:8031", "http://[::1]:8031"),
    ],
)
def test_public_addresses_become_origins(given: str, origin: str) -> None:
    assert check_public_url(given) == origin


@pytest.mark.parametrize("name", ["tables.sqlite3", "100% mine?", "a#b", "a b/ä", "%3F"])
def test_any_path_survives_its_url(tmp_path: Path, name: str) -> None:
    path = str(tmp_path / name)
    assert sqlite_file(check_database(sqlite_url(path))) == path


@pytest.mark.parametrize("url", ["postgresql://ann:a%2Fb@host:5432/x", "postgresql:///x?host=/run", "sqlite:///x.db"])
def test_good_databases(url: str) -> None:
    assert check_database(url) == url


def test_settings_do_not_show_the_password() -> None:
    settings = Settings(f"postgresql://ann:{SECRET}@host/x")
    assert SECRET not in f"{settings} {settings!r}"


def test_an_error_is_a_usage_error() -> None:
    assert SettingsError.exit_code == 2
