"""Plants a key in every Python that a test starts, and in whatever that one starts: see tests/planted/plants.py."""

import os

from tests.planted.plants import VARIABLE, plant

if VARIABLE in os.environ:
    plant(os.environ[VARIABLE])
