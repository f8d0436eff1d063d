"""Which endings a game has, against every line of random variants; and each lemma by name."""

from __future__ import annotations

import pytest

from tests.full import FULL
from tests.lab.brute import VARIANTS, happenings, shows, small_tables
from zerosum.lab.endings import endings
from zerosum.lab.lemmas import What, lemmas, spoken_of
from zerosum.rules.describe import clause_of, describe
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import Rules, rules_from_dict
from zerosum.rules.moves import format_move

TABLES = small_tables(VARIANTS)
BATCHES = 10


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_ending_has_a_line_and_no_line_shows_a_dead_one(batch: int) -> None:
    for keys in TABLES[batch :: BATCHES if FULL else BATCHES * 10]:
        rules = rules_from_dict(keys)
        true = happenings(keys)
        for what, ending in endings(rules).items():
            if ending.reachable:
                line = [format_move(move, rules.operations) for move in ending.witness]
                assert shows(keys, line, what.value), (keys, what)
            else:
                assert what.value not in true, (keys, what)
                assert ending.reachable is False or rules.tie == "sudden-death", (keys, what)
        assert true <= {what.value for what in endings(rules)}, keys


def test_no_line_shows_what_arithmetic_calls_dead() -> None:
    for keys in TABLES[:: 1 if FULL else 4]:
        dead = {what.value for what in lemmas(rules_from_dict(keys))}
        assert not dead or dead.isdisjoint(happenings(keys)), keys


@pytest.mark.slow
def test_the_random_variants_have_everything() -> None:
    """The tests above would mean little without it: each ending both happens and is dead in some of them."""
    found = [(endings(rules_from_dict(keys)), keys) for keys in TABLES[::4]]
    for what in What:
        assert {ending[what].reachable for ending, _ in found if what in ending} >= {True, False}, what
    proved = {ending.proof.by.value for by, _ in found for ending in by.values() if ending.proof}
    assert proved == {"arithmetic", "exhaustion"}


def game(**keys: object) -> Rules:
    """Return a variant of one to five."""
    table = {"format": 1, "id": "x", "name": "X", "pool": [1, 2, 3, 4, 5], "target": 20}
    return rules_from_dict(table | {key.replace("_", "-"): value for key, value in keys.items()})


CLOSEST = {"totals": "own", "exhausted": "closest", "tie": "second-mover"}
SUDDEN = CLOSEST | {"tie": "sudden-death"}


@pytest.mark.parametrize(
    ("dead", "keys"),
    [
        ({What.LAST_MOVER: "lands"}, {"target": 15}),
        ({What.LAST_MOVER: "lands"}, {"target": 18, "start": 3}),
        ({}, {"target": 15, "operations": ["add", "subtract"]}),
        ({}, {"target": 14}),
        ({What.CLOSER: "equal"}, {**CLOSEST, "target": 8, "start": [0, 1]}),
        ({}, {**CLOSEST, "target": 8, "start": [0, 1], "operations": ["add", "subtract"]}),
        ({}, {**SUDDEN, "target": 8, "start": [0, 1]}),
        ({What.CLOSER: "equal"}, {**SUDDEN, "target": 0, "pool": [-2, -1, 1, 2]}),
        ({What.TIE: "odd"}, {**CLOSEST, "target": 4}),
        ({What.TIE: "odd"}, {**CLOSEST, "target": 4, "operations": ["add", "subtract"]}),
        ({What.REFILL: "odd"}, {**SUDDEN, "target": 4}),
        ({}, {**CLOSEST, "target": 4, "start": [0, 1]}),
        ({What.LAST_MOVER: "overshoot"}, {"target": 12, "overshoot": "loses"}),
        ({What.LAST_MOVER: "lands"}, {"target": 15, "overshoot": "loses"}),
        ({What.REACHED: "sums"}, {"target": 16, "overshoot": "loses"}),
        ({What.LAST_MOVER: "overshoot"}, {"target": 8, "overshoot": "loses", "totals": "own"}),
        ({}, {"target": 9, "overshoot": "loses", "totals": "own", "pool": [1, 2, 3, 4, 6]}),
        ({What.REACHED: "sums"}, {"target": 13, "overshoot": "loses", "totals": "own"}),
        ({What.REACHED: "divisor"}, {"pool": [2, 4, 6], "target": 7}),
        ({}, {"pool": [2, 4, 6], "target": 6}),
        ({What.BAN: "opposite"}, {"ban": "mirror", "target": 9}),
        ({What.BAN: "opposite"}, {"ban": "mirror", "target": 9, "operations": ["add", "subtract"]}),
        ({}, {"ban": "mirror", "target": 2, "pool": [1, 2, 4, -1]}),
        ({}, {"ban": "mirror", "target": 3, "pool": [1, 2, 2, 3], "operations": ["add", "subtract"]}),
    ],
)
def test_each_lemma_proves_what_it_says_and_no_more(dead: dict[What, str], keys: dict[str, object]) -> None:
    assert {what: proof.lemma for what, proof in lemmas(game(**keys)).items()} == dead


def test_own_totals_may_run_out_short_of_the_target() -> None:
    """16 can be split into 8 and 8."""
    rules = game(target=9, overshoot="loses", totals="own", pool=[1, 2, 3, 4, 6])
    assert endings(rules)[What.LAST_MOVER].reachable


def test_an_ending_that_takes_rounds_is_found() -> None:
    """Each round brings both one nearer at most."""
    rules = game(**SUDDEN, target=0, pool=[-1, 1], start=[5, -5])
    found = endings(rules)[What.REACHED]
    assert found.reachable
    assert len(found.witness) == 9


@pytest.mark.parametrize("name", GAME_IDS)
def test_every_clause_is_a_sentence_of_the_rules(name: str) -> None:
    rules = built_in(name)
    assert set(clause_of(rules).values()) <= set(describe(rules))
    assert [what.value for what in spoken_of(rules)] == [one for one in What if one in clause_of(rules)]


def test_too_many_positions_are_not_called_dead() -> None:
    found = endings(game(pool=[7] * 20 + [2, 4, 6, 8, 10], target=5, operations=["add", "subtract"]), most=50)
    assert all(ending.reachable is not False for ending in found.values())


def test_rounds_without_end_are_not_called_dead() -> None:
    """The first to be closer is never seen in these rounds; nothing is claimed of those after them."""
    rules = game(**SUDDEN, pool=[-3, -3, 3, 3], target=0, ban="mirror", start=[1, -1])
    for ending in endings(rules, most=2_000).values():
        assert ending.reachable is not False or ending.proof is not None
