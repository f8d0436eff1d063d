"""A process that answers questions about games aside, one line each: its loop, its jobs, its queue, its client."""
