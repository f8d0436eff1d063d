"""A bot of Sum31 that behaves badly once, in one of many ways, and well from then on. It imports nothing of zerosum.

python bad_bot.py KIND MARK        MARK is a file; once it exists, the bot behaves
"""

import os
import signal
import subprocess
import sys
import time

KIND, MARK = sys.argv[1:3] if __name__ == "__main__" else ("", "")
EVIL = "Ev\x1b[31mil\x1b]0;pwned\x07"
FOREVER = 3600


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def raw(data: bytes) -> bool:
    """Write bytes as they are; it is true, so that `and` can follow."""
    sys.stdout.flush()
    return os.write(1, data) > 0


def hang() -> bool:
    time.sleep(FOREVER)
    return True


def until(word: str) -> None:
    """Read lines until one is `word`."""
    while sys.stdin.readline().strip() != word:
        pass


def flood(descriptor: int) -> None:
    while True:
        os.write(descriptor, b"spam and more spam\n" * 1000)


def leave_a_child(*, daemon: bool) -> None:
    """Start a copy of this process that sleeps, with our output; as a daemon, in a session of its own."""
    if os.fork() == 0:
        if daemon:
            os.setsid()
            if os.fork():
                os._exit(0)
            for descriptor in range(3):
                os.close(descriptor)
        hang()
    if not daemon:
        os._exit(7)


def eat() -> None:
    eaten = [bytearray(1 << 20)]
    while True:
        eaten.append(bytearray(1 << 24))


def stale() -> None:
    until("stop")
    time.sleep(0.2)
    say("bestmove +1")


def busy() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    until("stop")
    while True:
        pass


def closed() -> None:
    os.close(1)
    hang()


def deaf() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()


AT_GO = {
    "exits in mid-game": lambda: os._exit(3),
    "exits right after a partial line": lambda: raw(b"bestmo") and os._exit(0),
    "killed by a signal": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "late": hang,
    "answers after being declared late": stale,
    "stops reading": hang,
    "floods stdout": lambda: flood(1),
    "floods stderr": lambda: os.write(2, b"spam\n" * 10_000),
    "no newline": lambda: raw(b"bestmove +5") and hang(),
    "a 100 kB line": lambda: raw(b"info " + b"x" * 100_000 + b"\n"),
    "NUL": lambda: raw(b"bestmove +\0005\n"),
    "invalid UTF-8": lambda: raw(b"bestmove \xff\xfe\n"),
    "closes stdout": closed,
    "a child keeps stdout open": lambda: leave_a_child(daemon=False),
    "ignores SIGTERM": deaf,
    "forks a daemon": lambda: leave_a_child(daemon=True),
    "illegal number": lambda: say("bestmove +77"),
    "not a move": lambda: say("bestmove banana"),
    "bestmove alone": lambda: say("bestmove"),
    "Unicode digits": lambda: say("bestmove +\N{ARABIC-INDIC DIGIT THREE}"),
    "two bestmoves": lambda: say("bestmove +1"),
    "claims victory": lambda: say("info score win 0\nresponse p1win\nresult 1-0\ninfo I have won"),
    "eats memory": eat,
    "busy after stop": busy,
}
ANSWERS = {"illegal number", "not a move", "bestmove alone", "Unicode digits", "NUL", "invalid UTF-8"}
ANSWERS |= {"answers after being declared late"}
"""What it does instead of a move; all else goes on to a move, if it gets there."""
TWICE = {"illegal number", "not a move", "bestmove alone", "Unicode digits"}
"""What it does when it is asked again too."""


def bad(times: int = 1) -> bool:
    """Whether to behave badly now; it is noted."""
    before = os.path.getsize(MARK) if os.path.exists(MARK) else 0
    if before >= times:
        return False
    with open(MARK, "a", encoding="utf-8") as file:
        file.write("x")
    return True


def main() -> None:
    pool: list[int] = []
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "ugi":
            say(f"id name {EVIL if KIND == 'escapes in its name' else 'Bad bot'}\nugiok")
        elif word == "isready":
            say("readyok")
        elif word == "position":
            pool = [n for n in range(1, 10) if f"+{n}" not in rest]
            if KIND == "a move before go" and bad():
                say("bestmove +1")
        elif word == "go":
            if KIND in AT_GO and bad(2 if KIND in TWICE else 1):
                AT_GO[KIND]()
                if KIND in ANSWERS:
                    continue
            say(f"bestmove +{pool[1] if len(pool) > 1 else pool[0]}")
        elif word == "quit":
            return


def begin() -> None:
    """Behave badly from the first moment, where that is the kind."""
    if KIND == "exits at once" and bad():
        sys.exit(3)
    if KIND == "exits at once with a child" and bad():
        subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({FOREVER})", MARK])
        sys.exit(1)
    if KIND == "says nothing" and bad():
        for _ in sys.stdin:
            pass
    if KIND == "never reads" and bad():
        hang()


if __name__ == "__main__":
    begin()
    main()
