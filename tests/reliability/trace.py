"""The system calls of a server, as strace tells them: what it wrote, what it synced, what it sent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CALLS = (
    "openat,open,creat,write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync,sync_file_range,ftruncate,truncate,"
    "fallocate,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,"
    "copy_file_range,sendfile,splice,sendto,sendmsg,mmap"
)
"""Everything by which bytes or names could reach a disk, and everything by which bytes reach a client."""
_SOCKET = r"\\x73\\x6f\\x63\\x6b\\x65\\x74\\x3a"  # socket:
_SENDS = re.compile(rf"send(?:to|msg)\(|writev?\(\d+<{_SOCKET}")
"""One event loop sends to a socket, another writes to it as to a file."""
_LINE = re.compile(r"(\d+) +(.*)")
_CALL = re.compile(r"(\w+)\((.*)", re.DOTALL)
_RESUMED = re.compile(r"<\.\.\. \w+ resumed>(.*)", re.DOTALL)
_UNFINISHED = " <unfinished ...>"
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
_PATH = re.compile(r"<((?:\\x[0-9a-f]{2})+)>")
_RETURNED = re.compile(r"\) += (-?\d+|\?)")


@dataclass(frozen=True)
class Call:
    """One call: its name, its text, and what it returned; None where it has only begun."""

    name: str
    text: str
    returned: int | None

    @property
    def sends(self) -> bool:
        """Whether bytes go to a client."""
        return _SENDS.match(f"{self.name}({self.text}") is not None

    @property
    def strings(self) -> list[bytes]:
        """Return the strings that were given, which were told whole."""
        found = _STRING.findall(self.text)
        assert not any(cut for _, cut in found), "the tracer has shortened a string"
        return [_bytes(text) for text, _ in found]

    @property
    def paths(self) -> list[str]:
        """Return the paths of the descriptors given and returned."""
        return [_bytes(text).decode(errors="replace").removesuffix(" (deleted)") for text in _PATH.findall(self.text)]

    @property
    def numbers(self) -> list[int]:
        """Return the plain numbers among what was given, in order."""
        given = _STRING.sub("", _PATH.sub("", self.text.rpartition(" = ")[0] or self.text))
        return [int(one) for one in re.findall(r"(?<=, )\d+(?=[,)])", given)]


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


def tracer(into: Path) -> tuple[str, ...]:
    """Return the command that traces another and all that it starts."""
    options = ("-f", "-y", "-xx", "-s", "16777216", "--seccomp-bpf", "-qq", "-e", "signal=none")
    return ("strace", *options, "-e", f"trace={CALLS}", "-o", str(into))


def calls(path: Path) -> Iterator[Call]:
    """Return the calls of a trace: what is sent when it begins to be sent, all else when it is done."""
    begun: dict[str, str] = {}
    with path.open() as lines:
        for line in lines:
            matched = _LINE.match(line)
            if matched is None:
                continue
            thread, text = matched[1], matched[2]
            resumed = _RESUMED.match(text)
            if resumed is not None:
                text = begun.pop(thread, "") + resumed[1]
            elif text.endswith(_UNFINISHED):
                begun[thread] = text.removesuffix(_UNFINISHED)
            call = _CALL.match(text)
            if call is not None and (thread not in begun or _SENDS.match(text)):
                yield from _told(call, resumed=resumed is not None, begun=thread in begun)


def _told(call: re.Match[str], *, resumed: bool, begun: bool) -> Iterator[Call]:
    if _SENDS.match(call[0]):
        if not resumed:
            yield Call(call[1], call[2], None)
    elif not begun:
        returned = _RETURNED.search(call[2])
        if returned is not None and returned[1] != "?":
            yield Call(call[1], call[2], int(returned[1]))
