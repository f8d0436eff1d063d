"""What is the idea: the vocabulary of rules of thumb, cards made of them, their proof, their figures and their search.

A *card* is an ordered list of rules. Each rule keeps, of the moves still in, those that fit it, if any do; what is left
may be played freely. A card is *proved* when every surviving move, against every reply, always wins for its seat.

The interface, each name in the module that has it:

| module | name | gives |
|---|---|---|
| `card` | `Rule.read("squeeze-in-two@5")` | a rule: a word, an argument, the most numbers left; `str` writes it |
| | `rule.words(rules)` | the rule as a sentence for a game |
| | `Card(seat, rules, exceptions, for_other)` | a card; `card.prefix(n)` is the card of its first n rules |
| | `survivors(card, position, sight)` | the moves that a card leaves in a position |
| `vocabulary` | `VOCABULARY` | every word: how it ranks moves, its words, its cost in steps of the head |
| | `distance`, `threatens` | how far a seat is from the target; whether the number it needs is left |
| `lookahead` | `Sight(rules)` | what is seen a few plies ahead, remembered: make one for a game and pass it on |
| | `sight.wins`, `safe`, `squeezed`, `shut`, … | whether the player to move can win at once, and so on |
| `card_proof` | `prove(card, rules, sight)` | a `CardProof`: proved or not, positions, and where it fails |
| `card_figures` | `kept(card, solution, sight)` | the real choices in which every survivor keeps the best verdict |
| | `against(card, sight)` | the exact scores of a card against every level, from both seats |
| `card_files` | `bundled_card(rules)` | the card that comes with a game and its figures; None for a variant |
| `card_search` | `search(solution, sight, limit)` | the best card found for a variant |
| `card_report` | `report_of(solution)` | all of the above about a game's card |
| `card_player` | `card_of(rules, solved)` | the card of the player `card`; importing the module registers it |

Everything is a pure function of frozen values, but for what a `Sight` remembers; none of it draws lots. Importing the
room alone loads nothing.
"""
