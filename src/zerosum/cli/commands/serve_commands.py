"""`zerosum serve` for people and `zerosum mcp` for assistants: each loads its room by name, when it runs.

- serve (Play 7): The page and online play.
- mcp (Measure 6): Serve an AI assistant: rules, analysis, hints and reviews as tools.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys

import click
from click.core import ParameterSource

from zerosum.base.extras import require
from zerosum.cli.parameters import whole_number
from zerosum.cli.user_data import data_folder
from zerosum.server import settings as given
from zerosum.server.settings import Settings


# click would print a surplus argument verbatim; it could be a database URL with a password.
@click.command(context_settings={"allow_extra_args": True})
@click.option("--host", metavar="HOST", default=given.DEFAULT_HOST, help="Where to listen; 0.0.0.0 is everywhere.")
@click.option(
    "--lan",
    is_flag=True,
    help="Let everybody on your network open the page: listens everywhere, and shows the address to open.",
)
@click.option("--port", metavar="PORT", type=whole_number, default=str(given.DEFAULT_PORT), help="0 is any free one.")
@click.option(
    "--database",
    metavar="URL",
    envvar="ZEROSUM_DATABASE",
    help="sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME. Can also be given in ZEROSUM_DATABASE, which other "
    f"users do not see.  [default: {given.FILE_NAME} in your data folder]",
)
@click.option(
    "--public-url",
    "public_urls",
    metavar="URL",
    multiple=True,
    help="The address people use, if it differs, such as https://play.example.org. Can be given several times.",
)
@click.option(
    "--behind-proxy",
    is_flag=True,
    help="Trust a proxy on this machine or network for the client's address and for https.",
)
@click.option(
    "--trust-database",
    is_flag=True,
    help="Start although PostgreSQL has fsync or full_page_writes off: its storage keeps every commit by other means.",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the page in a browser.")
@click.pass_context
def serve_command(
    ctx: click.Context,
    *,
    host: str,
    lan: bool,
    port: int,
    database: str | None,
    public_urls: tuple[str, ...],
    behind_proxy: bool,
    open_browser: bool,
    trust_database: bool,
) -> int:
    r"""Serve the page, to play in a browser, alone or with others, until Ctrl-C.

    \b
    Examples:
      zerosum serve --open
      zerosum serve --lan
      zerosum serve --host 0.0.0.0 --public-url http://192.168.1.20:8031
      zerosum serve --behind-proxy --public-url https://play.example.org
    """
    if ctx.args:
        raise click.UsageError("serve takes options only; something was given that belongs to none.", ctx)
    if lan and ctx.get_parameter_source("host") is not ParameterSource.DEFAULT:
        raise click.UsageError("--lan chooses the address by itself; leave --host out.", ctx)
    given.check_host(host)
    given.check_port(port)
    origins = tuple(map(given.check_public_url, public_urls))
    if database is not None:
        given.check_database(database)
    require("serve", "server")
    return _run(
        Settings(
            database or given.sqlite_url(os.path.join(data_folder(), given.FILE_NAME)),
            host=given.EVERYWHERE if lan else host,
            port=port,
            public_urls=origins,
            behind_proxy=behind_proxy,
            open_browser=open_browser,
            trust_database=trust_database,
            lan=lan,
        )
    )


def _run(settings: Settings) -> int:
    # Loading makes no garbage, and looking for it would take a sixth of the time; the server enables it again.
    gc.disable()
    status: int = importlib.import_module("zerosum.server.serve").run(settings)
    return status


@click.command
@click.option("--no-answers", is_flag=True, help="Leave out what would spoil an examination.")
def mcp_command(*, no_answers: bool) -> int:
    r"""Serve an AI assistant over standard input and output, by the Model Context Protocol, until the input ends.

    An assistant starts this command itself; docs/mcp.md shows how to plug it in. With --no-answers no tool says which
    moves are good: rules, legal moves, a random opponent and puzzles without their solutions remain.

    \b
    Examples:
      zerosum mcp
      zerosum mcp --no-answers
    """
    require("mcp", "mcp")
    if sys.stdin.isatty():
        click.echo(
            "zerosum mcp: waiting for an assistant; Ctrl-C ends it. docs/mcp.md shows how to plug it in.", err=True
        )
    status: int = importlib.import_module("zerosum.assistant.mcp_server").run(exam=no_answers)
    return status
