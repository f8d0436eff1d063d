"""What is kept: the database, written by one thread."""
