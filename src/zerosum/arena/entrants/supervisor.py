"""The supervisor of a bot: a small process between zerosum and a bot that leaves nothing of the bot behind.

It runs as a separate script and imports nothing of zerosum. It starts the bot on the three standard streams that it
was given, in a new session, says on its control socket what becomes of it, and waits. When the other end of that
socket is closed, because zerosum wants the bot to end or has been killed itself, it kills the bot and everything that
the bot has started, daemons and files too: on Linux a process that loses its parent becomes a child of the supervisor.

A bot may kill or stop its supervisor, so there are two: the *keeper*, the parent of the bot, which does all this, and
the *guard*, the parent of the keeper. Each holds one end of a pipe to the other and notices when the other is gone. The
guard also ends a keeper that does not end the bot in time, because it is stopped. If both are killed at once, Linux
kills the bot. A bot in a cage (`command_line.caged`) cannot reach either, and all of it ends with the keeper.

    python -I -S supervisor.py CONTROL LOCK FOLDER MEMORY CPU COMMAND...

It answers: started PID, failed ERRNO, ended STATUS. LOCK is a descriptor that says while it is open that the folder is
in use.
"""

import contextlib
import errno
import os
import select
import shutil
import signal
import socket
import sys
import time

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_HURRY = 0.4
"""Seconds that a keeper has to end its bot before the guard ends both."""
_PATIENCE = 5.0
_PAUSE = 0.002


def set_process(option: int, value: int) -> None:
    """Set an attribute of this process, if the system is Linux."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - only there

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def bounded(memory: int, seconds: int) -> None:
    """Limit the memory and the processor time of this process, if the system can, and disable core dumps."""
    import resource  # noqa: PLC0415 - not on every system

    # Not the address space: JavaScript and Go reserve much more of it than they use.
    for kind, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CPU, seconds)):
        if most:
            hard = resource.getrlimit(kind)[1]
            least = most if hard == resource.RLIM_INFINITY else min(most, hard)
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(kind, (least, least))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def start(folder: str, memory: int, seconds: int, command: list[str]) -> int:
    """Start the bot; return its process id. Raises OSError."""
    reading, writing = os.pipe()  # closed by `exec`, so that what is read is only a failure
    pid = os.fork()
    if not pid:
        try:
            os.close(reading)
            os.setsid()
            os.chdir(folder)
            # It fires when the thread that forked ends; the keeper has only one.
            set_process(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if is_unread(writing):
                os._exit(127)  # the keeper ended before that
            with contextlib.suppress(ImportError):
                bounded(memory, seconds)
            for number in (signal.SIGPIPE, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            os.execvp(command[0], command)  # noqa: S606 - a bot is a command that the user has given
        except OSError as error:
            os.write(writing, str(error.errno).encode())
        finally:
            os._exit(127)
    os.close(writing)
    failure = os.read(reading, 16)
    os.close(reading)
    if failure:
        raise OSError(int(failure), os.strerror(int(failure)))
    return pid


def is_unread(writing: int) -> bool:
    """Whether nobody holds the other end of a pipe any more."""
    poll = select.poll()
    poll.register(writing, 0)
    return bool(poll.poll(0))


def descendants() -> list[int]:
    """Return every process below this one, parents first, as /proc lists them; none without a /proc."""
    parents: dict[int, list[int]] = {}
    with contextlib.suppress(OSError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                # The name of a program is in brackets and may hold anything.
                state, parent = file.read().rpartition(b")")[2].split()[:2]
                if state != b"Z":
                    parents.setdefault(int(parent), []).append(int(name))
    found = [os.getpid()]
    for one in found:
        found += parents.get(one, [])
    return found[1:]


def end_all(group: int) -> None:
    """Kill the bot's process group and every descendant, until there is none."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            if group:
                os.killpg(group, signal.SIGKILL)
        for pid in descendants():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(_PAUSE)


def main() -> None:
    """Keep a bot until nobody wants it any more."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    os.set_inheritable(int(sys.argv[2]), False)  # noqa: FBT003 - Python's own signature
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    set_process(_PR_SET_CHILD_SUBREAPER, 1)
    set_process(_PR_SET_DUMPABLE, 0)
    guard_end, keeper_end = socket.socketpair()
    keeper = os.fork()
    if keeper:
        keeper_end.close()
        drop_streams()
        guard(control, guard_end, keeper, sys.argv[3])
    else:
        guard_end.close()
        keep(control, keeper_end)


def guard(control: socket.socket, other: socket.socket, keeper: int, folder: str) -> None:
    """Wait until the keeper has ended, or has not although it should have; then leave nothing behind."""
    group, deadline = 0, 0.0
    while True:
        wait = max(0.0, deadline - time.monotonic()) if deadline else None
        ready, _, _ = select.select([other] if deadline else [other, control], [], [], wait)
        if control in ready and not control.recv(1024):
            deadline = time.monotonic() + _HURRY
        if other in ready:
            told = other.recv(32)
            if not told:
                break
            group = int(told)
        if deadline and not ready:
            break
    with contextlib.suppress(OSError):
        os.kill(keeper, signal.SIGKILL)
    end_all(group)
    shutil.rmtree(folder, ignore_errors=True)


def keep(control: socket.socket, other: socket.socket) -> None:
    """Start the bot, and end it when its time has come."""
    guard_pid = os.getppid()
    set_process(_PR_SET_CHILD_SUBREAPER, 1)
    folder, pid, failure = sys.argv[3], 0, 0
    try:
        pid = start(folder, int(sys.argv[4]), int(sys.argv[5]), sys.argv[6:])
    except OSError as error:
        failure = error.errno or errno.EPERM
    drop_streams()
    with contextlib.suppress(OSError):
        control.send(b"failed %d\n" % failure if failure else b"started %d\n" % pid)
        if pid:
            other.send(b"%d" % pid)
            watch(control, other, pid)
    end_all(pid)
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        os.kill(guard_pid, signal.SIGCONT)  # it may have been stopped, and has nothing left to do


def drop_streams() -> None:
    """Let go of the bot's standard streams, or its output would never end."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)


def watch(control: socket.socket, other: socket.socket, pid: int) -> None:
    """Wait until the control socket is closed or the guard is gone; say so when the bot ends."""
    waking, woken = socket.socketpair()
    for end in (waking, woken):
        end.settimeout(0)
    signal.set_wakeup_fd(woken.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    running = True
    while True:
        if running:
            found, status = os.waitpid(pid, os.WNOHANG)
            if found:
                running = False
                control.send(b"ended %d\n" % os.waitstatus_to_exitcode(status))
        ready, _, _ = select.select([control, waking, other], [], [])
        if waking in ready:
            waking.recv(1024)
        if other in ready or (control in ready and not control.recv(1024)):
            return


if __name__ == "__main__":
    main()
