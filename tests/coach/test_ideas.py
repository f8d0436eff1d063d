"""The idea that coach and review name: of the card where it decides, of the cause elsewhere."""

from __future__ import annotations

from tests import naive
from tests.coach.truth import naive_game
from tests.strategy import plain
from zerosum.coach.causes import why
from zerosum.coach.ideas import idea_held, idea_used
from zerosum.rules.game_files import built_in, load_text
from zerosum.rules.moves import parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.solver import Verdict, solution_of

SUM31 = built_in("sum31")
CARD = {
    "make": "make 31",
    "guard": "guard",
    "shut-in-two": "shut the door in two",
    "smallest": "take the smallest",
}
"""The card, and what its rules are called; the last serves the second player alone."""
OF_CAUSES = {"guard", "shut the door", "squeeze", "safe moves", "force", "squeeze in two", None}

AT_ONCE = 2
"""Plies of a move that loses at once or leaves a win at once, at most."""


def deciding(position: Position, table: plain.Table, winning: set[str]) -> tuple[str, list[str]] | None:
    """Return the name of the first rule with which only winning moves survive, and these moves."""
    state = naive.State(position.pool, position.totals, position.seat.value)
    rules = list(CARD)[: 4 if position.seat == 2 else 3]
    for count in range(1, len(rules) + 1):
        left = plain.survivors(table, rules[:count], state)
        if set(left) <= winning:
            return CARD[rules[count - 1]], list(left)
    return None


def test_it_is_the_first_rule_of_the_card_that_leaves_only_winning_moves() -> None:
    solution, table = solution_of(SUM31), plain.Table(naive_game(SUM31)[0], SUM31.target)
    met: set[str | None] = set()
    for position, value in solution.everything():
        options = solution.options(position)
        better = [one.move for one in options if one.value.verdict is Verdict.WIN]
        if value.verdict is not Verdict.WIN or len(better) == len(options):
            continue
        by_card = deciding(position, table, {position.text_of(move) for move in better})
        for one in options:
            if one.move in better:
                name = idea_used(position, one.move, solution)
                decides = by_card is not None and position.text_of(one.move) in by_card[1]
            else:
                name = idea_held(why(position, one.move, solution), better, solution)
                if options[0].value.plies != 1 and (one.value.plies or 0) <= AT_ONCE:
                    assert name == "guard"
                    continue
                decides = by_card is not None
            assert name == by_card[0] if by_card and decides else name in OF_CAUSES, (str(position), one.move, name)
            met.add(name)
    assert set(CARD.values()) < met


def test_a_variant_has_the_ideas_of_causes() -> None:
    rules = load_text('like = "sum31"\nid = "thirty"\nname = "Thirty"\ntarget = 30')
    solution = solution_of(rules)
    position = parse_position("2,3,4,6,9 21 1", rules)
    assert idea_used(position, parse_move("+9", rules.operations), solution) == "win at once"
    lost = why(position, parse_move("+6", rules.operations), solution)
    assert idea_held(lost, [parse_move("+9", rules.operations)], solution) == "win at once"
