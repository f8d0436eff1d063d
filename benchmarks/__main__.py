"""`python -m benchmarks`: every measurement, each in a process of its own, so that none pays for another's memory."""

import subprocess

from benchmarks.measure import PYTHON

for name in ("startup", "playouts", "solving", "growth", "fast", "coaching", "levels"):
    subprocess.run((PYTHON, "-m", f"benchmarks.{name}"), check=True)
