"""What a model understands: exact marks for single positions and for whole matches."""
