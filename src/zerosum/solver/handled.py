"""The old name of `zerosum.solver.supports`."""

from zerosum.solver.supports import MOVE_CODES, UnknownKeyError, refuse_unknown, unknown_key, without_swap

__all__ = ["MOVE_CODES", "UnknownKeyError", "refuse_unknown", "unknown_key", "without_swap"]
