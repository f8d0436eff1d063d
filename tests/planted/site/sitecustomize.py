"""Plants a key in every Python that a test starts, and in whatever that one starts: see tests/planted/plants.py."""

import os

from tests.planted.plants import NONE, VARIABLE, plant

if os.environ.get(VARIABLE, NONE) != NONE:
    plant(os.environ[VARIABLE])
