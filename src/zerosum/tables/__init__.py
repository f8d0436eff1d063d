"""What happens at a table or in a classroom: a list of events, what may be added to it, and who sees what of it."""
