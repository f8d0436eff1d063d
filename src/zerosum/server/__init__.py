"""Online tables: HTTP, live connections, seats, the database. Needs the extra `server`, except for `worker`."""
