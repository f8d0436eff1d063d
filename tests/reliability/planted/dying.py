"""No bug, but a death: the process is killed after the second statement of a migration."""

from __future__ import annotations

import itertools
import os
import signal
from typing import Any

from alembic import op

from tests.reliability.wrapped import patch

real = op.create_table
made = itertools.count(1)


def create_table(*args: Any, **options: Any) -> Any:
    """Make a table; the second is the last thing that this process does."""
    done = real(*args, **options)
    if next(made) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return done


def plant() -> None:
    patch(op, "create_table", create_table)
