"""Is it a good game? Audit, exact metrics, search, repair, whole families of games, and the store of what is known."""
