"""Rules files and records that mean harm, and what each is refused with."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def _write(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(100 * 1024 * 1024)


def _numbers(path: Path) -> None:
    with path.open("w") as file:
        file.write("pool = [" + "1," * 10**7 + "]\n")


LIKE = 'like = "sum31"\n'
TAGS = '[Game "x"]\n[Format "1"]\n[Name "x"]\n[Target "1"]\n'
HOSTILE: dict[str, tuple[Callable[[Path], object], str]] = {
    "nested arrays": (_write("pool = " + "[" * 5000 + "]" * 5000), "nested too deeply"),
    "nested tables": (_write("a = " + "{a = " * 5000), "nested too deeply"),
    "dotted key": (_write(".".join("a" * 32_000) + " = 1"), "more than 200 dots"),
    "dotted key with a quoted part": (_write('"=".' + ".".join("a" * 32_000) + " = 1"), "more than 200 dots"),
    "many dotted keys": (_write("".join(f"k{n}{'.a' * 199} = 1\n" for n in range(160))), "unknown key"),
    "dotted table": (_write("[" + ".".join("a" * 32_000) + "]"), "more than 200 dots"),
    "giant integer": (_write("target = " + "9" * 60_000), "too large"),
    "giant hexadecimal integer": (_write(LIKE + "target = 0x" + "f" * 60_000), "target: must be a whole number"),
    "many large integers": (_write(LIKE + "pool = [" + ("9" * 4_000 + ",") * 16 + "]"), "of the list, "),
    "ten million numbers": (_numbers, "larger than 64 KiB"),
    "sparse file of 100 MB": (_sparse, "larger than 64 KiB"),
    "pool of 64 KiB": (_write(LIKE + "pool = [" + "1," * 32_000 + "]"), "pool: must be a list of 1 to 64"),
    "many examples": (_write(LIKE + "[[examples]]\n" * 5_000), "examples: there are 5000; at most 32"),
    "an example of many moves": (_write(LIKE + '[[examples]]\nname="x"\nmoves="' + "1 " * 30_000 + '"'), "at most 200"),
    "an example in tables": (_write(LIKE + "[[examples.examples]]\n" * 2_000), "examples: must be tables"),
    "named pipe": (os.mkfifo, "not a regular file"),
    "directory": (Path.mkdir, "not a regular file"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "not a regular file"),
    "binary": (lambda path: path.write_bytes(bytes(range(256)) * 100), "not UTF-8"),
    "nothing": (_write(""), "missing"),
    "NUL": (_write("\0" * 1000), "not valid TOML"),
    "one long key": (_write("a" * 60_000 + " = 1"), "unknown key"),
    "one long line": (_write("x" * 65_000), "not valid TOML"),
}
HOSTILE_RECORDS: dict[str, tuple[str, str]] = {
    "escaped quotes": ('[Game "sum31"]\n\n' + '\\"' * 32_000, "Move 1"),
    "zeros and a letter": ('[Game "sum31"]\n\n' + "0" * 65_000 + "x", "Move 1"),
    "digits": ('[Game "sum31"]\n\n' + "9" * 65_000, "too large"),
    "zeros in a tag": (TAGS + '[Pool "' + "0" * 65_000 + 'x"]\n', "of the list, "),
    "tags": ("".join(f'[T{n} "x"]\n' for n in range(5_000)), "which game"),
    "open tag": ('[Game "' + '\\"' * 32_000, "not a tag"),
    "endings": ('[Game "sum31"]\n\n' + 'forfeit:1:"' * 5_000, "Move 1"),
    "numbers of moves": ('[Game "sum31"]\n\n' + "1." * 32_000, "Move 1"),
}
