"""The old place of `MovePolicy`, as `Guest`."""

from zerosum.players.policies import MovePolicy as Guest

__all__ = ["Guest"]
