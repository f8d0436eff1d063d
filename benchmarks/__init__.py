"""Measurements, printed as ratios of one run. `make bench` runs them all; none is a test."""
