"""How Hypothesis runs here: a slow machine is not a failing test."""

from hypothesis import HealthCheck, settings

settings.register_profile("zerosum", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("zerosum")
