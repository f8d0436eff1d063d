"""Questions about games that take a while: functions from JSON to JSON, called by name in a worker or a browser."""
