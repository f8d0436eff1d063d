"""A task of ours run by Inspect, and what its log says."""

from __future__ import annotations

from typing import Any

from inspect_ai import eval as run
from inspect_ai.log import EvalLog
from inspect_ai.model import Model


def evaluated(task: str, model: str | Model, options: dict[str, Any]) -> EvalLog:
    """Return the log of a run that went well."""
    (log,) = run(task, model=model, task_args=options, display="none", log_level="error")
    assert log.status == "success", log.error
    return log


def figures(log: EvalLog) -> dict[str, float]:
    """Return the figures of the only scorer."""
    assert log.results is not None
    (score,) = log.results.scores
    return {name: one.value for name, one in score.metrics.items()}
