"""`python -m benchmarks`: every measurement, one after the other."""

from benchmarks import coaching, fast, levels, playouts, solving, startup

for measurement in (startup, playouts, solving, fast, coaching, levels):
    measurement.main()
