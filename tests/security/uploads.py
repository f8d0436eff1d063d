"""Variants and records made to hurt, and every way to send them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import psutil

from tests.security.browsing import send, visitor
from tests.security.calling import Caller, Reply
from tests.server.running import Server

MEMORY = 250 * 2**20
LIKE = 'like = "sum31"\nid = "mine"\nname = "Mine"\n'
MANY = ", ".join(map(str, range(1, 65)))
FORTY = ", ".join(map(str, range(1, 41)))
VARIANTS = {
    "nested arrays": LIKE + "pool = " + "[" * 5000 + "]" * 5000,
    "open arrays": LIKE + "pool = " + "[" * 60_000,
    "nested tables": LIKE + "pool = " + "{a=" * 5000 + "1" + "}" * 5000,
    "dotted key": LIKE + "a." * 30_000 + "b = 1",
    "many dotted keys": LIKE + "".join(f"a{n}.b.c.d = 1\n" for n in range(3000)),
    "many headers": LIKE + "".join(f"[a{n}.b.c]\n" for n in range(4000)),
    "giant integer": LIKE + "target = " + "9" * 60_000,
    "giant hexadecimal": LIKE + "target = 0x" + "f" * 60_000,
    "giant float": LIKE + "target = 1e" + "9" * 4000,
    "giant pool": LIKE + "pool = [" + "1," * 32_000 + "]",
    "long string": LIKE.replace("Mine", "M" * 60_000),
    "many quotes": LIKE + 'x = """' + '"' * 60_000,
    "backslashes": LIKE + 'x = "' + "\\\\" * 30_000 + '"',
    "deep likes": 'like = "mine"\nid = "mine"\nname = "Mine"\n',
    "a path": 'like = "../../../../etc/passwd"\nid = "mine"\nname = "Mine"\n',
    "same key often": LIKE + "target = 21\n" * 5000,
    "only newlines": "\n" * 65_000,
    "dates": LIKE + "x = 9999-12-31T23:59:60.999999999Z\n" * 1500,
    "no text": "\0" * 60_000,
    "too long": LIKE + "#" * 70_000,
}
ENORMOUS = {
    "2^64 pools": f'like = "zero-sum-game"\nid = "mine"\nname = "Mine"\npool = [{MANY}]\n',
    "2^40 positions": f'like = "sum-to-zero"\nid = "mine"\nname = "Mine"\npool = [{FORTY}]\n',
    "far totals": f'like = "sum31"\nid = "mine"\nname = "Mine"\ntarget = 999999\npool = [{MANY}]\n',
}
"""Rules that make a game, but one that nobody can solve."""
RECORDS = {
    "many moves": '[Game "sum31"]\n\n' + "1. +1 " * 9000,
    "many tags": "".join(f'[Tag{n} "x"]\n' for n in range(3000)),
    "long tag": f'[Game "{"a" * 60_000}"]\n\n1. +5\n',
    "open quote": '[Game "sum31]\n' * 4000,
    "brackets": "[" * 60_000,
    "comments": '[Game "sum31"]\n\n' + "{" * 60_000,
    "giant numbers": '[Game "sum31"]\n\n1. +' + "9" * 60_000,
    "a game that is not": '[Game "nothing"]\n\n1. +5\n',
    "giant rules": f'[Game "mine"]\n[Pool "{"1 " * 20_000}"]\n\n1. +5\n',
    "no text": "\0" * 60_000,
    "too long": "x" * 70_000,
    "moves of nobody": '[Game "sum31"]\n\n' + "swap " * 12_000,
}


@contextmanager
def watched(server: Server) -> Iterator[list[int]]:
    """Note how much memory all processes of a server have together; what they share counts once."""
    seen, stop = [0], threading.Event()

    def look() -> None:
        while not stop.wait(0.05):
            sizes = []
            for process in server.processes():
                try:
                    sizes.append(process.memory_full_info().pss)
                except psutil.NoSuchProcess:
                    continue
            seen.append(sum(sizes))

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        stop.set()
        thread.join()


def uploads(ann: Caller) -> Iterator[tuple[str, Callable[[], Reply]]]:
    """Return every upload, by every way to it."""
    browser = visitor(ann.server, "Ann")
    order, analyze = partial(ann.call, "POST", "/api/v1/tables"), partial(ann.call, "POST", "/api/v1/analyze")
    form = partial(send, browser, "/tables")
    for name, text in VARIANTS.items():
        for opponent in ("perfect", "human"):
            yield name, partial(order, {"variant": text, "opponent": opponent})
        yield name, partial(analyze, {"variant": text})
        yield name, partial(form, {"game": "variant", "variant_file": text}, multipart=True)
        yield name, partial(form, {"game": "variant", "variant": text})
    for name, text in ENORMOUS.items():
        yield name, partial(order, {"variant": text, "opponent": "perfect"})
        yield name, partial(analyze, {"variant": text})
    for name, text in RECORDS.items():
        yield name, partial(order, {"record": text})
        yield name, partial(form, {"record": text}, multipart=True)
        yield name, partial(send, browser, "/review", {"record": text})
