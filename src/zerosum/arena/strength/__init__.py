"""How good is a choice: exact scores, best responses, regret, level fit, books, ratings and tests between players.

Nothing here plays a match or starts a process; `docs/measure.md` says what each number means.
"""
