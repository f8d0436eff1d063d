"""HTTP: the API, live connections, authentication and rate limits."""
