"""One play of a game: the referee, the invalid-move policy, the series, the journal."""
