"""An assistant: the official client, which starts the installed command and talks to it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psutil
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import TextContent

COMMAND = os.path.join(os.path.dirname(sys.executable), "zerosum")
SUM21 = 'like = "sum31"\nid = "sum21"\nname = "Sum21"\ntarget = 21\n'
SLOW = (
    'format = 1\nid = "slow"\nname = "Slow"\npool = [-10, -6, -1, 2, 7, 8, 8]\n'
    'totals = "own"\nexhausted = "closest"\ntie = "sudden-death"\ntarget = 33\n'
)
"""Seven numbers that take seconds: totals run away from the target, and sudden death lets them."""


@dataclass(frozen=True)
class Assistant:
    """A client with its server; every call waits for its answer."""

    portal: BlockingPortal
    client: Client

    def ask(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        """Return the document that a tool answers with: the same as text and as data."""
        result = self.portal.call(self.client.call_tool, tool, arguments)
        assert not result.is_error, result
        (content,) = result.content
        assert isinstance(content, TextContent)
        document: dict[str, Any] = json.loads(content.text)
        assert document == result.structured_content
        assert document.pop("schema") == 1
        return document

    def refused(self, tool: str, /, **arguments: object) -> str:
        """Return the one line by which a tool refuses."""
        result = self.portal.call(self.client.call_tool, tool, arguments)
        assert result.is_error, result
        (content,) = result.content
        assert isinstance(content, TextContent)
        assert "\n" not in content.text
        assert len(content.text) < 500
        return content.text

    def tools(self) -> dict[str, Any]:
        return {one.name: one for one in self.portal.call(self.client.list_tools).tools}


@contextmanager
def assistant(*options: str) -> Iterator[Assistant]:
    """Give a client whose server was started with these options; afterwards no process of it is left."""
    server = stdio_client(StdioServerParameters(command=COMMAND, args=["mcp", *options]))
    with start_blocking_portal() as portal:
        with portal.wrap_async_context_manager(Client(server)) as client:
            yield Assistant(portal, client)
            servers = [one for one in psutil.Process().children() if one.cmdline()[1:] == [COMMAND, "mcp", *options]]
            assert servers
            processes = [*servers, *(child for one in servers for child in one.children(recursive=True))]
        assert not [one for one in processes if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]
