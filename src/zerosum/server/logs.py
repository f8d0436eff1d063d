"""Logs: one JSON object a line on standard error. Nothing that opens a seat is ever handed to a logger."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog


class _StandardError:
    """Standard error, which may be on a full disk: a log that cannot be written stops nothing."""

    def write(self, text: str) -> int:
        """Write, if possible."""
        with suppress(OSError, ValueError):
            sys.stderr.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, if possible."""
        with suppress(OSError, ValueError):
            sys.stderr.flush()


def set_up() -> None:
    """Send our own lines and those of the libraries the same way; somebody at a terminal sees only what is wrong."""
    level = logging.WARNING if sys.stderr.isatty() else logging.INFO
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", _StandardError())),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[_only_the_event, structlog.processors.JSONRenderer()]
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)


def _only_the_event(
    logger: object,  # noqa: ARG001 - structlog's own signature
    name: str,  # noqa: ARG001 - likewise
    event: structlog.typing.EventDict,
) -> structlog.typing.EventDict:
    kept = ("event", "level", "timestamp", "exception")
    return {key: event[key] for key in kept if key in event}
