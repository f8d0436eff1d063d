"""How long tests wait for what must happen sooner or later.

No test says how fast something is: a machine with other work is slow. `make bench` and `make reliability` measure.
"""

from typing import Final

PATIENCE: Final = 120.0
"""Seconds after which something counts as hung, however busy the machine is."""
