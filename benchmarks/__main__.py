"""`python -m benchmarks`: every measurement, one after the other."""

from benchmarks import playouts, solving, startup

for measurement in (startup, playouts, solving):
    measurement.main()
