"""What a running server holds in memory: tables, seats, computer turns, live connections."""
