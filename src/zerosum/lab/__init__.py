"""Is it a good game? Exact metrics, audits, searches and maps of games, and what was found, kept."""
