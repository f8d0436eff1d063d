"""Tests with Stable-Baselines3, which run in an environment of their own: `make learn-test`."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Forgive torch and TensorBoard what we cannot mend."""
    config.addinivalue_line("filterwarnings", "ignore::DeprecationWarning")
    config.addinivalue_line("filterwarnings", "ignore::FutureWarning")
