"""What a question may cost (`docs/reference/limits.md` shows these numbers too)."""

from typing import Final

MEMORY: Final = 64 * 1024 * 1024
"""Bytes for solving an uploaded variant; what is estimated to need more is refused before it begins."""
ADDRESS_SPACE: Final = 1024 * 1024 * 1024
"""Bytes of address space of a worker process."""
SECONDS: Final = 10
"""Seconds for one answer."""
WAITING: Final = 32
"""Questions waiting for their turn."""
