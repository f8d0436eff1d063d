"""An exam for language models: positions to choose a move in, in words nobody has learnt by heart, scored exactly.

items (the questions), draw_items (how a set is drawn), exam_run (asking), scoring (what replies are worth), summary
(results).
"""
