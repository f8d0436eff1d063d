"""The cage of a bot on Linux: it sees no process but its own, and cannot read the file that holds a key.

Without one, a bot can read the environment of its user's shell in /proc, signal every process of the user, and debug
them. Files and the network stay as they are. A cage is made of namespaces; if the system does not let us make them, of
bubblewrap, which it may let. The supervisor loads this file, so it imports nothing of zerosum.

The keeper enters a new process namespace, so its children are inside, and it sees and ends them from outside. The first
is the *init*, whose end is the end of all. Each other child closes the cage behind itself before it becomes the bot.
"""

import contextlib
import ctypes
import functools
import os
import signal
import sys
from collections.abc import Callable

NAMESPACES = "namespaces"
BUBBLEWRAP = "bubblewrap"
NONE = "none"

_CLONE_NEWNS = 0x00020000
_CLONE_NEWIPC = 0x08000000
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWPID = 0x20000000
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_BIND, _MS_REC, _MS_PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
_PR_SET_DUMPABLE = 4
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38


def choose() -> str:
    """Return the first kind of cage that works here. That takes a few milliseconds, so its answer is worth keeping."""
    if sys.platform == "linux":
        if _namespaces_work():
            return NAMESPACES
        if _bubblewrap_works():
            return BUBBLEWRAP
    return NONE


def prepare(kind: str, hidden: str, command: list[str]) -> tuple[list[str], Callable[[], None]]:
    """Return what to run so that a command is in a cage of some kind, and what its process calls just before that."""
    if kind == NAMESPACES:
        _enter()
        _start_init()
        return command, functools.partial(_close_behind, hidden)
    if kind == BUBBLEWRAP:
        return [*_bubblewrap(hidden), *command], lambda: None
    return command, lambda: None


def _enter() -> None:
    """Put every further child of this process into a new process namespace."""
    uid, gid = os.getuid(), os.getgid()
    _call("unshare", _CLONE_NEWUSER | _CLONE_NEWPID | _CLONE_NEWIPC)
    # Only the owner of these files may write them, and that is root unless this process is dumpable.
    _call("prctl", _PR_SET_DUMPABLE, 1, 0, 0, 0)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    _call("prctl", _PR_SET_DUMPABLE, 0, 0, 0, 0)


def _start_init() -> None:
    """Start the first process of the namespace: it reaps orphans until this process ends, and all end with it."""
    reading, _writing = os.pipe()  # the end for writing is left to be closed when this process ends
    if os.fork():
        os.close(reading)
        return
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so Linux reaps them
        os.dup2(reading, 0)
        os.closerange(1, os.sysconf("SC_OPEN_MAX"))  # that end, the streams of the bot and the control socket
        os.read(0, 1)
    finally:
        os._exit(0)


def _close_behind(hidden: str) -> None:
    """Hide all other processes from this one and from the program that it becomes, and a file; give up all rights."""
    _call("unshare", _CLONE_NEWNS)
    _call("mount", None, b"/", None, _MS_REC | _MS_PRIVATE, None)
    for place in _process_lists():
        _call("mount", b"proc", place, b"proc", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, None)
    if os.path.isfile(hidden):
        _call("mount", b"/dev/null", os.fsencode(hidden), None, _MS_BIND, None)
    _call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    # Otherwise root has every right again once it runs a program, and uncovers the old /proc.
    for capability in range(_last_capability() + 1):
        _call("prctl", _PR_CAPBSET_DROP, capability, 0, 0, 0)


def _last_capability() -> int:
    with open("/proc/sys/kernel/cap_last_cap", encoding="ascii") as file:
        return int(file.read())


def _process_lists() -> list[bytes]:
    """Return where this process can reach a /proc: there may be others, such as that of a chroot."""
    places = []
    with open("/proc/self/mountinfo", "rb") as file:
        for line in file:
            words = line.split()
            if words[3] == b"/" and words[words.index(b"-") + 1] == b"proc":
                place = words[4].decode("unicode_escape").encode("latin-1")
                if os.access(place, os.F_OK):
                    places.append(place)
    return list(dict.fromkeys(places))


def _bubblewrap(hidden: str) -> list[str]:
    """Return what comes before a command so that bubblewrap cages it.

    A signal that ends the bot is then its exit status, plus 128, as in a shell.
    """
    cage = ["bwrap", "--unshare-user-try", "--unshare-pid", "--unshare-ipc", "--die-with-parent"]
    cage += ["--cap-drop", "ALL", "--dev-bind", "/", "/"]
    for place in _process_lists():
        cage += ["--proc", os.fsdecode(place)]
    if os.path.isfile(hidden):
        cage += ["--dev-bind", os.devnull, hidden]
    return [*cage, "--"]


def _bubblewrap_works() -> bool:
    """Whether there is a bubblewrap that can cage a program."""

    def try_it() -> None:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        os.execvp("bwrap", [*_bubblewrap(""), "true"])  # noqa: S606, S607 - a tool of the user's system

    return _succeeds(try_it)


def _namespaces_work() -> bool:
    """Whether this system lets us make namespaces and a /proc for them: tried by a child, as it cannot be undone."""

    def try_it() -> None:
        _enter()
        if not _succeeds(lambda: _close_behind("")):
            os._exit(1)

    return _succeeds(try_it)


def _succeeds(act: Callable[[], None]) -> bool:
    """Whether a child of this process can do something."""
    pid = os.fork()
    if not pid:
        with contextlib.suppress(BaseException):
            act()
            os._exit(0)
        os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


@functools.cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments: bytes | int | None) -> None:
    """Call a function of the C library; raises OSError if it fails."""
    numbers = [ctypes.c_ulong(one) if isinstance(one, int) else one for one in arguments]
    if getattr(_library(), name)(*numbers) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
