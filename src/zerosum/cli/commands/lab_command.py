"""`zerosum lab`.

- lab (Design 7): What the lab keeps: show, check, export or forget it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Final

import click

from zerosum.base.documents import SCHEMA
from zerosum.base.english import count
from zerosum.base.files import check_new, write_new
from zerosum.base.text import printable
from zerosum.cli.lab_access import user_store
from zerosum.cli.terminal_text import echo, table
from zerosum.lab.store import Store

_TABLES: Final = {"games": ("fingerprint",), "facts": ("fingerprint", "kind", "version"), "runs": ("key",)}
"""The tables of the store, and what a row of each stands under."""
_BODY: Final = {"games": "rules", "facts": "body", "runs": "body"}


@click.command
@click.argument(
    "what", required=False, metavar="[export|check|forget]", type=click.Choice(("export", "check", "forget"))
)
@click.option("--output", metavar="FILE", help="With export: a new file instead of standard output.")
@click.option("--old", is_flag=True, help="With forget: only what an older release of the levels or formulas left.")
def lab_command(*, what: str | None, output: str | None, old: bool) -> None:
    r"""Show what the lab keeps, so that nothing is computed twice: figures of games, and searches to go on with.

    With export all of it is one JSON document; check reads every row; forget removes it.

    \b
    Examples:
      zerosum lab
      zerosum lab check
      zerosum lab export --output lab.json
      zerosum lab forget --old
    """
    for option, given, only in (("--output", output is not None, "export"), ("--old", old, "forget")):
        if given and what != only:
            raise click.UsageError(f"{option} goes with {only}.")
    if output is not None:
        check_new(output)
    with user_store() as store:
        actions: dict[str | None, Callable[[], None]] = {
            None: lambda: _show(store),
            "export": lambda: _export(store, output),
            "check": lambda: echo(f"{count(store.check(), 'row')}; all can be read."),
            "forget": lambda: echo(f"{count(store.forget(old=old), 'row')} removed."),
        }
        actions[what]()


def _show(store: Store) -> None:
    size = os.path.getsize(store.path)
    counts = store.counts()
    rows = [(kind, f"{rows:,}", f"  ({old:,} of an older release)" if old else "") for kind, rows, old in counts]
    rows += [(kind, f"{sum(1 for _ in store.rows(kind)):,}", "") for kind in ("games", "runs")]
    lines = [f"{printable(str(store.path))}, {size / 1024:,.0f} KiB", "", *table((-10, 10, 0), *rows)]
    old = sum(one.old for one in counts)
    if old:
        lines += ["", f"To remove {count(old, 'row')} that nothing reads: zerosum lab forget --old"]
    echo("\n".join(lines))


def _export(store: Store, output: str | None) -> None:
    if output is None:
        for part in _document(store):
            click.echo(part, nl=False)
        click.echo()
    else:
        write_new(output, ("".join(_document(store)) + "\n").encode())
        echo(f"{printable(output)} is written.")


def _document(store: Store) -> Iterator[str]:
    """Yield the parts of one JSON document, row by row."""
    yield f'{{"schema": {SCHEMA}'
    for kind, keys in _TABLES.items():
        yield f', "{kind}": ['
        for n, (row, body) in enumerate(store.rows(kind)):
            yield (", " if n else "") + json.dumps({**dict(zip(keys, row, strict=True)), _BODY[kind]: body})
        yield "]"
    yield "}"
