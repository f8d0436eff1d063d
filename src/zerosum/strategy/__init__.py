"""What is the idea: the vocabulary of rules of thumb, cards made of them, their proof, their figures and their search.

A *card* is an ordered list of rules. Each rule keeps, of the moves still in, those that fit it, if any do; what is left
may be played freely. A card is *proved* when every surviving move, against every reply, always wins for its seat.

Everything is a pure function of frozen values, but for what a `Sight` remembers; none of it draws lots. Importing the
room alone loads nothing.
"""
