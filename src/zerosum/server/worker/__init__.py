"""A process that answers questions about games, one JSON line each: its loop, its table of jobs, its client."""
