"""The old name of `zerosum.players.sudden_death`."""

from zerosum.players.sudden_death import ERROR, Chain

__all__ = ["ERROR", "Chain"]
