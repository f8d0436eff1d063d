"""Who is stronger: pairs of matches between players, kept in a folder, counted and reported.

Nothing here samples what arithmetic can tell; `docs/arena.md` shows how it is used.
"""
