"""Bare servers: each message is read, appended to a file, synced and sent back. `python -m benchmarks.load.peer`."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import sys
import threading
from collections.abc import Awaitable, Callable

import uvicorn
from starlette.types import Receive, Scope, Send

from benchmarks.load.sockets import Lines

Keep = Callable[[bytes], Awaitable[None]]


def main() -> None:
    """Serve on a port, keeping messages in a file.

    `websocket`: over WebSocket, a sync for each message; `sharing`: messages that wait share a sync, as moves do in
    the store; `lines`: over bare TCP, a sync for each message.
    """
    kind, port, path = sys.argv[1:]
    file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    if kind == "lines":
        asyncio.run(_serve_lines(int(port), file))
    else:
        _serve_websocket(int(port), _sharing(file) if kind == "sharing" else _alone(file))


def _write(file: int, message: bytes) -> None:
    os.write(file, message + b"\n")
    os.fsync(file)


def _alone(file: int) -> Keep:
    async def keep(message: bytes) -> None:
        _write(file, message)

    return keep


def _sharing(file: int) -> Keep:
    waiting: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()

    def work() -> None:
        while True:
            batch = [waiting.get()]
            while not waiting.empty():
                batch.append(waiting.get())
            _write(file, b"\n".join(message for message, _ in batch))
            batch[0][1].get_loop().call_soon_threadsafe(done, batch)

    def done(batch: list[tuple[bytes, asyncio.Future[None]]]) -> None:
        for _, future in batch:
            if not future.done():
                future.set_result(None)

    async def keep(message: bytes) -> None:
        future = asyncio.get_running_loop().create_future()
        waiting.put((message, future))
        await future

    threading.Thread(target=work, daemon=True).start()
    return keep


def _serve_websocket(port: int, keep: Keep) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        del scope
        await receive()
        await send({"type": "websocket.accept"})
        while (received := await receive())["type"] == "websocket.receive":
            text = received["text"]
            json.loads(text)
            await keep(text.encode())
            await send({"type": "websocket.send", "text": text})

    uvicorn.run(app, port=port, log_level="error", lifespan="off", ws_per_message_deflate=False)


async def _serve_lines(port: int, file: int) -> None:
    def line() -> Lines:
        def echo(message: bytes) -> None:
            _write(file, message)
            connection.send(message)

        connection = Lines(echo)
        return connection

    server = await asyncio.get_running_loop().create_server(line, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    main()
