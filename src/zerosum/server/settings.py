"""The settings of `zerosum serve`: where to listen, where to keep tables, the public addresses.

Nothing here needs the extra: the command reads its options before it loads the server.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import ClassVar, Final
from urllib.parse import SplitResult, quote, unquote, urlsplit

from zerosum.base.errors import ZerosumError
from zerosum.base.text import shorten

DEFAULT_HOST: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - only if --lan or --host asks for it
"""Every address of this machine."""
DEFAULT_PORT: Final = 8031
FILE_NAME: Final = "tables.sqlite3"
"""The file, in the user's data folder, that is used if no database is named."""

_LAST_PORT: Final = 65535
_SQLITE: Final = "sqlite:///"
_ACCEPTED: Final = "sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME"
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,30})://")
_HOST: Final = re.compile(r"[A-Za-z0-9._:%-]{1,253}")


class SettingsError(ZerosumError):
    """An option that cannot be used. The message never quotes a database URL, which may hold a password."""

    exit_code: ClassVar[int] = 2


@dataclass(frozen=True, slots=True)
class Settings:
    """One server's settings; port 0 is any free one."""

    database: str
    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    public_urls: tuple[str, ...] = ()
    behind_proxy: bool = False
    open_browser: bool = False
    trust_database: bool = False
    lan: bool = False

    def __repr__(self) -> str:
        """Leave the database out: a log of the settings must not show its password."""
        return f"Settings({self.host}:{self.port}, {self.database.partition(':')[0]})"


def sqlite_url(path: str) -> str:
    """Return the URL of a database in a file.

    >>> sqlite_url("/data/100% mine?/tables.sqlite3")
    'sqlite:////data/100%25%20mine%3F/tables.sqlite3'
    """
    return _SQLITE + quote(os.path.abspath(path), safe="/:\\")


def sqlite_file(database: str) -> str | None:
    """Return the file that a checked URL names, None if it names a server.

    >>> sqlite_file("sqlite:////data/100%25%20mine%3F/tables.sqlite3")
    '/data/100% mine?/tables.sqlite3'
    """
    return unquote(database.removeprefix(_SQLITE)) if database.startswith(_SQLITE) else None


def check_host(text: str) -> str:
    """Return a name or address to listen on, else raise."""
    if not _HOST.fullmatch(text):
        raise SettingsError(f"--host: '{shorten(text)}' is no name or address of this machine.")
    return text


def check_port(number: int) -> int:
    """Return a port to listen on, else raise."""
    if not 0 <= number <= _LAST_PORT:
        raise SettingsError(f"--port: {number} is no port; they go from 1 to {_LAST_PORT}, and 0 is any free one.")
    return number


def check_database(text: str) -> str:
    """Return a database URL that can be used, else raise."""
    scheme = _SCHEME.match(text)
    check = _CHECKS.get(scheme[1]) if scheme else None
    if check is None:
        given = f"'{scheme[1]}' is no database that can be used" if scheme else "this is no URL"
        raise SettingsError(f"--database: {given}; give {_ACCEPTED}.")
    check(text)
    return text


def _check_sqlite(text: str) -> None:
    path = sqlite_file(text)
    if path is None:
        raise SettingsError("--database: write sqlite:///PATH; an absolute PATH begins with a slash too, the fourth.")
    if path in ("", ":memory:") or path.endswith("/"):
        raise SettingsError("--database: no file is named; nothing would be kept. Give sqlite:///PATH.")
    if "?" in text:
        raise SettingsError(
            "--database: sqlite:///PATH takes nothing after a question mark; in a path write it as %3F."
        )


def _check_postgresql(text: str) -> None:
    try:
        port = urlsplit(text).port
    except ValueError:
        port = -1
    if port in (-1, 0):
        raise SettingsError(
            "--database: host and port cannot be read; give postgresql://USER:PASSWORD@HOST:PORT/NAME, "
            "and write signs such as / : @ # in a password as %2F %3A %40 %23."
        )


_CHECKS: Final = {"sqlite": _check_sqlite, "postgresql": _check_postgresql}


def check_public_url(text: str) -> str:
    """Return the origin that a public address writes, as browsers send it, else raise.

    >>> check_public_url("https://Play.Example.org:443/")
    'https://play.example.org'
    """
    parts = _split(text)
    if parts is None or parts.scheme not in _WEB_PORTS or not parts.hostname or "@" in parts.netloc:
        raise SettingsError(f"--public-url: '{shorten(text)}' is no address such as https://play.example.org.")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise SettingsError(f"--public-url: '{shorten(text)}' has a path; the page needs a whole host.")
    if not _HOST.fullmatch(parts.hostname):
        raise SettingsError(f"--public-url: write '{shorten(text)}' as browsers send it, in ASCII (xn--...).")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port not in (None, _WEB_PORTS[parts.scheme]) else "")


_WEB_PORTS: Final = {"http": 80, "https": 443}


def _split(text: str) -> SplitResult | None:
    """Split a URL; None if even its port cannot be read."""
    try:
        parts = urlsplit(text)
        readable = parts.port != 0
    except ValueError:
        return None
    return parts if readable else None
