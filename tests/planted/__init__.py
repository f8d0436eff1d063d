"""Keys that only the reader, `Rules` and `Position` know, and every door asked about games that use one.

`python -m tests.planted odd-doubles metrics audit` shows what these doors say; without doors, all of them.
"""
