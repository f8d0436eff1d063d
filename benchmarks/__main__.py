"""`python -m benchmarks`: every measurement, one after the other."""

from benchmarks import fast, playouts, solving, startup

for measurement in (startup, playouts, solving, fast):
    measurement.main()
