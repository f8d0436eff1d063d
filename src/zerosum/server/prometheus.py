"""Metrics for Prometheus; no label is ever a table or a person."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Metric,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics import MetricWrapperBase

disable_created_metrics()  # type: ignore[no-untyped-call]  # it has no types
registry = CollectorRegistry()
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_FEW_BUCKETS = (0.005, 0.025, 0.1, 0.5, 2.5)
"""For every route, so that a page of all figures stays short."""
_STEP_BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5)
_PIECE: Final = 50
"""Lines of a figure that are made in one step; then others get their turn."""
_HEAD: Final = 2
"""Lines that say what a figure is; only its first piece has them."""


class _InPieces(MetricWrapperBase):
    """A figure with many labels, which is collected piece by piece."""

    def collect(self) -> Iterator[Metric]:
        """Yield the figure with some of its samples, then with the next; at least once."""
        samples = iter(self._samples())
        more = True
        while more:
            piece = next(iter(self.describe()))
            piece.samples += [one._replace(name=piece.name + one.name) for one in islice(samples, _PIECE)]
            yield piece
            more = len(piece.samples) == _PIECE


class LongCounter(_InPieces, Counter):
    """A counter with many labels."""


class LongHistogram(_InPieces, Histogram):
    """A histogram with many labels."""


_requests = LongCounter("zerosum_requests", "Requests answered.", ["route", "method", "status"], registry=registry)
_seconds = LongHistogram(
    "zerosum_request_seconds", "Time to answer.", ["route"], buckets=_FEW_BUCKETS, registry=registry
)
_refusals = Counter("zerosum_refusals", "Calls refused at the door.", ["code"], registry=registry)
_commands = Counter("zerosum_commands", "Commands at tables.", ["command", "result"], registry=registry)
_command_seconds = Histogram(
    "zerosum_command_seconds", "Time until a command is on the disk.", buckets=_BUCKETS, registry=registry
)
step_seconds = Histogram(
    "zerosum_step_seconds", "Processor time of one step of a request.", buckets=_STEP_BUCKETS, registry=registry
)
live_connections = Gauge("zerosum_live_connections", "Live connections open.", registry=registry)
store_batches = Gauge("zerosum_store_batches", "Transactions written so far.", registry=registry)


def count_request(route: str, method: str, status: int, seconds: float) -> None:
    """Count an answered request."""
    _requests.labels(route, method, str(status)).inc()
    _seconds.labels(route).observe(seconds)


def count_refusal(code: str) -> None:
    """Count a call refused at the door."""
    _refusals.labels(code).inc()


def count_command(command: str, result: str, seconds: float) -> None:
    """Count a command; `result` is `done`, `repeated` or the code of a problem."""
    _command_counter(command, result).inc()
    _command_seconds.observe(seconds)


@cache
def _command_counter(command: str, result: str) -> Counter:
    """Return a counter, found once: there are few commands and few results."""
    return _commands.labels(command, result)


class _OneFigure:
    """A registry that holds one figure, or a piece of it."""

    def __init__(self, figure: Metric) -> None:
        self._figure = figure

    def collect(self) -> Iterator[Metric]:
        """Return the figure."""
        yield self._figure


def metrics_pieces() -> Iterator[bytes]:
    """Return everything in Prometheus's text format, piece by piece: all at once would keep others waiting."""
    before = ""
    for piece in registry.collect():
        text = generate_latest(_OneFigure(piece))
        yield text.split(b"\n", _HEAD)[_HEAD] if piece.name == before else text
        before = piece.name
