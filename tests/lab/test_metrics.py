"""Metrics: the known answers, and everything against a plain recursion over published policies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings

from tests.full import FULL
from tests.lab.plain_metrics import Plain, Remembered, plain_graph, plain_openings
from tests.strategies import tables
from zerosum.base.errors import BadValueError
from zerosum.cli.commands.figures_commands import table_of
from zerosum.lab.metrics import ALL, MATCH_FIGURES, METRICS, SCREENED, at_path, in_matches, metrics, percent, screen
from zerosum.players.odds import odds_from
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.model import Rules, rules_from_dict
from zerosum.rules.position import start_position
from zerosum.solver import SolverError, graph, solve
from zerosum.solver.fingerprint import fingerprint

COUNTDOWN, NO_MIRRORS = "docs/variants/countdown.toml", "docs/variants/duel-without-mirrors.toml"
GAMES = GAME_IDS if FULL else ("sum31",)
PLAYERS = ALL if FULL else ("random", "level:2", "level:5", "level:8", "perfect")
CLOSE = 1e-9


@cache
def measured(game: str) -> dict[str, Any]:
    return dict(metrics(load_game(game)))


def figures(document: Any, who: str) -> dict[str, Any]:
    """Return what is said of one player, in the form of the plain recursion."""
    names = ("first", "early", *MATCH_FIGURES)
    length = document["length"][who]
    return {
        **{name: document[name][who] for name in names},
        "mean": length["mean"],
        "sd": length["sd"],
        "chances": {int(n): chance for n, chance in length["chances"].items()},
        "endings": document["endings"][who],
        "refill": (document["refill"] or {}).get(who, 0),
    }


def assert_close(found: Any, plain: Any, slack: float = CLOSE) -> None:
    for name, value in found.items():
        if isinstance(value, dict):
            for key in {*value, *plain[name]}:
                assert abs(value.get(key, 0) - plain[name].get(key, 0)) <= slack, (name, key)
        else:
            assert abs(value - plain[name]) <= slack, name


@pytest.fixture(params=["plain", "fast"])
def passes(request: pytest.FixtureRequest) -> Iterator[str]:
    """Measure in plain steps, then by NumPy, whatever the size of a game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph, "NUMPY_FROM", 0 if request.param == "fast" else 1 << 60)
        yield request.param


def compare(rules: Rules, who: tuple[str, ...], *, later: bool = True) -> None:
    solution = Remembered(solve(rules))
    document = screen(rules, who)
    # Rounds that follow are known to the error that is given, once for each ply.
    slack = CLOSE if document["scope"] == "whole" else 20 * CLOSE
    for player in who:
        plain = Plain(rules, player, solution, later=later).document
        found = figures(document, player)
        if not later:
            plain |= {"first": odds_of(rules, player, player), "behind": found["behind"]}
        assert_close(found, plain, slack)
        assert document["balance"][player] == pytest.approx(1 - 2 * abs(found["first"] - 0.5), abs=CLOSE)
    counts, numbers = plain_graph(rules, solution)
    assert {**document["graph"], "longest": 0} == {**counts, "longest": 0}
    assert document["numbers"] == numbers
    assert document["openings"] == pytest.approx(plain_openings(rules, solution), abs=CLOSE)
    value = solution.value(solution.start)
    winner = {"win": 1, "loss": 2, "draw": None}[value.verdict.value]
    assert document["value"] == {"winner": winner, "plies": value.plies}


def test_known_answers() -> None:
    sum31 = measured("sum31")
    known = {
        ("sum31", "random"): (59 / 126, 827 / 126, 490 / 827, 177 / 827, 52 / 21),
        ("sum31", "level:5"): (0.41551616, 6.73868055, 0.51137885, 0.18179808, 1.25720690),
        (COUNTDOWN, "level:5"): (0.5420304321, 8.6592205235, 0.6150546646, 0.1825583336, 2.3829421704),
        (NO_MIRRORS, "level:2"): (0.7802949539, 6.2645371438, 0.3706276736),
    }
    for (game, who), answers in known.items():
        found = figures(measured(game), who)
        given_places = 11 if who == "random" else 8 if game == "sum31" else 10
        for name, answer in zip(("first", "mean", "density", "only", "changes"), answers, strict=False):
            assert round(found[name] - answer, given_places) == 0, (game, who, name)
    behind = {("sum31", "random"): 0.44161628, ("sum31", "level:5"): 0.28126799, (COUNTDOWN, "level:5"): 0.3493545497}
    for (game, who), answer in behind.items():
        assert abs(measured(game)["behind"][who] - answer) < 1e-8
    assert sum31["graph"] == {"positions": 420, "mover_wins": 300, "real": 287, "only": 134, "longest": 8}


def test_random_play_in_fractions() -> None:
    plain = Plain(load_game("sum31"), "random").document
    assert (plain["first"], plain["mean"]) == (Fraction(59, 126), Fraction(827, 126))
    assert (plain["density"], plain["only"]) == (Fraction(490, 827), Fraction(177, 827))
    assert plain["changes"] == Fraction(52, 21)
    found = figures(measured("sum31"), "random")
    assert_close(found, plain, 1e-12)


@pytest.mark.usefixtures("passes")
@pytest.mark.parametrize("game", GAMES)
def test_the_games_agree_with_a_plain_recursion(game: str) -> None:
    # The later rounds of this one take hours in plain steps; those of small variants are compared below.
    compare(load_game(game), PLAYERS, later=game != "zero-sum-game")


@pytest.mark.slow
@pytest.mark.usefixtures("passes")
@settings(max_examples=200 if FULL else 25, derandomize=True, suppress_health_check=list(HealthCheck))
@given(tables(max_pool=5 if FULL else 4))
def test_random_variants_agree_with_a_plain_recursion(table: dict[str, Any]) -> None:
    rules = rules_from_dict(table)
    refused = refusal(lambda: odds_from(start_position(rules), [("random", "random")]))
    if refused:
        # Where the pool is refilled and something is remembered, nobody knows exact chances, and we say so.
        assert refusal(lambda: screen(rules)) or screen(rules)["scope"] == "whole"
    else:
        compare(rules, PLAYERS if FULL else ("random", "level:5", "level:8"))


def refusal(ask: Callable[[], object]) -> str:
    """Return why the solver refuses, nothing where it does not."""
    try:
        ask()
    except SolverError as error:
        return str(error)
    return ""


@pytest.mark.slow
def test_scores_against_perfect_play_and_the_player_below() -> None:
    for game in ("sum31", COUNTDOWN):
        rules, found = load_game(game), measured(game)
        below = dict(zip(ALL[1:], ALL, strict=False))
        pairings = [(who, "perfect") for who in ALL] + [(who, below[who]) for who in below]
        odds = odds_from(start_position(rules), pairings).first_wins
        for who in ALL:
            assert found["first"][who] == pytest.approx(odds_of(rules, who, who), abs=CLOSE)
            score = (odds[who, "perfect"] + 1 - odds["perfect", who]) / 2
            assert found["perfect"][who] == pytest.approx(score, abs=CLOSE)
        steps = {who: (odds[who, low] + 1 - odds[low, who]) / 2 for who, low in below.items()}
        assert found["step"] == pytest.approx({"random": None, **steps}, abs=CLOSE)
        depth = sum(step >= 0.55 for who, step in steps.items() if who != "perfect")
        reach = next((n for n in range(1, 10) if found["perfect"][f"level:{n}"] >= 0.25), None)
        assert found["skill"] == {"depth": depth, "reach": reach}
        fair = min(found["balance"][who] for who in ALL[:7])
        assert found["fairness"] == fair


def odds_of(rules: Rules, one: str, two: str) -> float:
    return odds_from(start_position(rules), [(one, two)]).first_wins[one, two]


def test_numpy_and_plain_steps_give_equal_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in ("sum31", "zero-sum-duel", COUNTDOWN):
        monkeypatch.setattr(graph, "NUMPY_FROM", 1 << 60)
        plain = screen(load_game(game))
        monkeypatch.setattr(graph, "NUMPY_FROM", 0)
        fast = screen(load_game(game))
        assert flat(fast) == pytest.approx(flat(plain), abs=2e-12)


def test_a_metric_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One entry gives a metric its figure in both passes, its place in every document and its row."""
    for table in (METRICS, MATCH_FIGURES):
        for key in ("planted", "squared"):
            monkeypatch.setitem(cast("dict[str, Any]", table), key, None)
    in_matches("planted", "what a slip is worth", "Planted", lambda ply: ply.slip * (1 - ply.won))
    in_matches("squared", "slips, squared", "Squared", lambda ply: ply.slip**2, share=False)
    rules = load_game("sum31")
    monkeypatch.setattr(graph, "NUMPY_FROM", 1 << 60)
    plain = metrics(rules)
    monkeypatch.setattr(graph, "NUMPY_FROM", 0)
    fast = metrics(rules)
    for key in ("planted", "squared"):
        assert plain[key] == pytest.approx(fast[key], abs=2e-12)
        assert 0 < plain[key]["level:2"] != plain["changes"]["level:2"]
    lines = table_of(["Sum31"], [plain], ["random"], 80)
    assert f"{'Planted':<27}{percent(plain['planted']['random']):>7}" in lines
    assert f"{'Squared':<27}{plain['squared']['random']:>7.2f}" in lines


def flat(value: Any, path: str = "") -> dict[str, Any]:
    """Return a document as one dictionary of paths."""
    if isinstance(value, list):
        value = dict(enumerate(value))
    if not isinstance(value, dict):
        return {path: value}
    return {at: one for key, part in value.items() for at, one in flat(part, f"{path}.{key}").items()}


def test_twins_have_the_same_figures_to_the_last_place() -> None:
    sum31 = load_game("sum31")
    minus = replace(sum31, id="minus", pool=tuple(-n for n in sum31.pool), target=-31)
    assert fingerprint(minus) == fingerprint(sum31)
    one, two = screen(sum31), screen(minus)
    numbers = [{**entry, "number": -entry["number"]} for entry in two["numbers"]]
    assert one["numbers"] == numbers[::-1]
    assert {**two, "game": "sum31", "numbers": one["numbers"]} == one


def test_screening_gives_the_same_figures_as_all_metrics() -> None:
    few, every = screen(load_game("sum31")), measured("sum31")
    for name, value in few.items():
        if isinstance(value, dict) and "random" in value:
            assert value == {who: every[name][who] for who in SCREENED}
        else:
            assert value == every[name]


def test_sudden_death_counts_the_first_round() -> None:
    table = {"format": 1, "id": "v", "name": "V", "pool": [1, 2, -1, -2], "target": 0, "start": 3, "totals": "own"}
    rules = rules_from_dict(table | {"exhausted": "closest", "tie": "sudden-death"})
    found = metrics(rules)
    assert (found["scope"], found["error"], found["graph"]["longest"]) == ("first-round", CLOSE, None)
    assert found["refill"] is not None
    for who in ALL:
        assert sum(found["endings"][who].values()) + found["refill"][who] == pytest.approx(1, abs=CLOSE)
        assert found["first"][who] == pytest.approx(odds_of(rules, who, who), abs=2 * CLOSE)


def test_a_path_leads_to_a_figure_or_to_a_clear_error() -> None:
    found = measured("sum31")
    assert at_path(found, "value.plies") == 7
    assert at_path(found, "length.level:5.mean") == found["length"]["level:5"]["mean"]
    for path in ("nothing", "first.level:10", "fairness.x", ""):
        with pytest.raises(BadValueError, match="There is no metric"):
            at_path(found, path)


@pytest.mark.slow
def test_a_game_that_is_too_large_is_refused() -> None:
    large = Rules(id="large", name="Large", pool=tuple(range(1, 22)), target=200)
    with pytest.raises(SolverError, match="positions"):
        metrics(large)
