"""Who is stronger: pairs of matches between players, kept in a folder, counted and reported.

Where arithmetic gives the exact answer, nothing is sampled. `docs/arena.md` shows how to use it.
"""
