"""The database: schema, queries, upgrades, and the one thread that writes."""
