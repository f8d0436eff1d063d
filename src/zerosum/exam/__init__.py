"""An exam for language models: positions to choose a move in, in words nobody has learnt by heart, scored exactly.

items (what is asked), making (how a set is drawn), scoring (what replies are worth), runs (asking), reports (telling).
"""
