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
ANSWER_BYTES: Final = 16 * 1024 * 1024
"""The longest answer of a worker; the review of the longest match is a tenth of that."""
WORKER_START_SECONDS: Final = 30
"""Seconds for a worker to start, on a busy machine."""
ANSWER_PATIENCE_SECONDS: Final = 10
"""Nobody waits longer for a worker than twice the time of one answer, and these seconds."""
TURN_SECONDS: Final = 0.5
"""Seconds of a worker that count as one more turn of whoever asked, when callers take turns."""
