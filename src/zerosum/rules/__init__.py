"""What a game is: values, rules files, positions, outcomes, notation, records. No other room is needed."""
