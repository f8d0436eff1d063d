"""Metrics for Prometheus; no label is ever a table or a person."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest

disable_created_metrics()  # type: ignore[no-untyped-call]  # it has no types
registry = CollectorRegistry()
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_FEW_BUCKETS = (0.005, 0.025, 0.1, 0.5, 2.5)
"""For every route, so that a page of all figures stays short."""

_requests = Counter("zerosum_requests", "Requests answered.", ["route", "method", "status"], registry=registry)
_seconds = Histogram("zerosum_request_seconds", "Time to answer.", ["route"], buckets=_FEW_BUCKETS, registry=registry)
_refusals = Counter("zerosum_refusals", "Calls refused at the door.", ["code"], registry=registry)
_commands = Counter("zerosum_commands", "Commands at tables.", ["command", "result"], registry=registry)
_command_seconds = Histogram(
    "zerosum_command_seconds", "Time until a command is on the disk.", buckets=_BUCKETS, registry=registry
)
_charged = Counter("zerosum_charged", "What addresses were charged, by the budget.", ["budget"], registry=registry)
live_connections = Gauge("zerosum_live_connections", "Live connections open.", registry=registry)
store_batches = Gauge("zerosum_store_batches", "Transactions written so far.", registry=registry)


def count_request(route: str, method: str, status: int, seconds: float) -> None:
    """Count an answered request."""
    _requests.labels(route, method, str(status)).inc()
    _seconds.labels(route).observe(seconds)


def count_charge(budget: str, cost: float) -> None:
    """Count what an address was charged."""
    _charged.labels(budget).inc(cost)


def count_refusal(code: str) -> None:
    """Count a call refused at the door."""
    _refusals.labels(code).inc()


def count_command(command: str, result: str, seconds: float) -> None:
    """Count a command; `result` is `done`, `repeated` or the code of a problem."""
    _commands.labels(command, result).inc()
    _command_seconds.observe(seconds)


def metrics_text() -> bytes:
    """Return everything in Prometheus's text format."""
    return generate_latest(registry)
