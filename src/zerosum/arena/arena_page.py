"""A report as one HTML page without a script: ratings, cross tables, regret by difficulty, the test, every match.

The pictures of a report: ratings with their intervals, and how a sequential test went.

The matches on the page of a report: a list that links each to its review, and the reviews.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from zerosum.arena import limits
from zerosum.arena.arena_report import ArenaReport, EntrantLine, PairingResult
from zerosum.arena.exact_expectations import question_words
from zerosum.arena.match_records import file_name
from zerosum.arena.plan import slot
from zerosum.arena.position_table import Board, Node
from zerosum.arena.strength.decisions import DIFFICULTIES
from zerosum.arena.strength.level_fit import fit_words
from zerosum.arena.strength.ratings import Rating
from zerosum.arena.strength.sprt import LEAST_PAIRS, Sprt
from zerosum.arena.tally import MatchReader, PlayedMatch
from zerosum.base.english import percent, whole
from zerosum.base.reports import box, document, label, line, table
from zerosum.coach.verdicts import keeps
from zerosum.rules.position import Position
from zerosum.solver import Solution, SolverError, Value, Verdict, solution_of

_OPEN: Final = 50
"""Pairs up to which the list is shown without being asked for."""
_VERDICTS: Final = {Verdict.WIN: "wins", Verdict.DRAW: "draws", Verdict.LOSS: "loses"}


def matches_html(report: ArenaReport) -> str:
    """Return the list of matches and their reviews; of very many matches, the first."""
    run = report.run
    reader = MatchReader(run, run.log())
    solutions = [_solution(board) for board in reader.boards]
    numbers = report.state.counted[: limits.REVIEWED // 2]
    rows, reviews = [], []
    for number, both in reader.matches(numbers):
        where = slot(run.plan, number)
        names = run.names[where.a], run.names[where.b]
        links = "".join(f"<td>{_link(one, names)}</td>" for one in both)
        meet = f'<td class="text">{escape(" against ".join(names))}</td>'
        place = f'<td class="text">{escape(f"{run.plan.games[where.game].name} from {where.position}")}</td>'
        rows.append(f'<tr><th scope="row">{number}</th>{meet}{place}{links}</tr>\n')
        board, solution = reader.boards[where.game], solutions[where.game]
        reviews += [_review(one, names, board, where.position, solution) for one in both]
    if not rows:
        return ""
    left = len(report.state.counted) - len(numbers)
    more = f'<p class="soft">{left:,} more pairs are in the log of the run.</p>' if left else ""
    heads = "".join(
        f'<th scope="col">{head}</th>' for head in ("pair", "who", "from", "first-named in seat 1", "in seat 2")
    )
    shown = " open" if len(rows) <= _OPEN else ""
    return f"""<h2>Matches</h2>
<p>Each result leads to the review of its match.</p>
<details{shown}><summary>All matches</summary>
<div class="wide" tabindex="0" role="region" aria-label="All matches"><table><thead><tr>{heads}</tr></thead>
<tbody>
{"".join(rows)}</tbody></table></div></details>
{more}
<h2>Reviews</h2>
{"".join(reviews)}"""


def _anchor(one: PlayedMatch) -> str:
    return f"match-{one.number}-{one.first + 1}"


def _link(one: PlayedMatch, names: tuple[str, str]) -> str:
    how = f" ({one.fault})" if one.fault else ""
    return f'<a href="#{_anchor(one)}">{escape(names[one.winner])} wins{escape(how)}</a>'


def _solution(board: Board) -> Solution | None:
    try:
        return solution_of(board.rules)
    except SolverError:
        return None


def _review(one: PlayedMatch, names: tuple[str, str], board: Board, start: str, solution: Solution | None) -> str:
    seats = (one.first, 1 - one.first)
    items: list[str] = []

    def look(node: Node, n: int) -> None:
        nonlocal seats
        who, text = names[seats[node.second]], node.texts[n]
        words = _move_words(node.position, n, solution)
        if len(items) in one.instead:
            words = f"picked at random, since {who} named an illegal move. {words}"
        items.append(f"<li>{escape(who)} <strong>{escape(text)}</strong>{f': {escape(words)}' if words else ''}</li>")
        if n == node.swap:
            seats = seats[1], seats[0]

    board.walk(start, one.moves, look)
    how = "" if one.ending is None else f"at once: {one.ending.text}" if one.ending.text else "on time"
    end = f" {names[1 - one.winner]} lost {how}." if how else ""
    title = f"Pair {one.number}: {names[one.first]} in seat 1, {names[1 - one.first]} in seat 2"
    said = f"{names[one.winner]} wins.{end}"
    record = file_name(one.number, one.first)
    return (
        f'<section id="{_anchor(one)}"><h3>{escape(title)}</h3>\n<p>{escape(board.rules.name)} from {escape(start)}. '
        f'{escape(said)}</p>\n<ol class="moves">{"".join(items)}</ol>\n'
        f'<p class="soft">With reasons: <code>zerosum review records/{record}</code></p></section>\n'
    )


def _move_words(position: Position, n: int, solution: Solution | None) -> str:
    """Return what a move did, in a few words; nothing where no move could have changed the verdict."""
    if solution is None:
        return ""
    options = solution.options(position)
    move = position.legal_moves()[n]
    best = options[0].value
    made = next(option.value for option in options if option.move == move)
    if len({option.value.verdict for option in options}) == 1:
        return _value(made)
    if made.verdict is best.verdict:
        return f"{_value(made)}, as it should be"
    better = ", ".join(position.text_of(one) for one in keeps(options)[:5])
    return f"a mistake, it {_value(made)}; better: {better}"


def _value(value: Value) -> str:
    word = _VERDICTS[value.verdict]
    return word if value.plies is None else f"{word} in {value.plies}"


_WIDTH: Final = 480
_NAMES: Final = 130
_ROW: Final = 26
_POINTS: Final = 300
"""Points that a curve is drawn with, at most."""
_LETTERS: Final = 18


def ratings_picture(ratings: Sequence[Rating]) -> str:
    """Return ratings as spots on the Elo scale, each with its interval as a bar."""
    low, high = min(one.low for one in ratings), max(one.high for one in ratings)
    wide = max(high - low, 1.0)
    height = _ROW * len(ratings) + 40

    def x(elo: float) -> float:
        return _NAMES + (_WIDTH - _NAMES - 30) * (elo - low) / wide

    drawn = []
    for place, one in enumerate(ratings):
        y = _ROW * (place + 0.5) + 4
        said = f"{one.name}: {whole(one.elo)} ({whole(one.low)} to {whole(one.high)})"
        name = one.name if len(one.name) <= _LETTERS else f"{one.name[: _LETTERS - 1]}…"
        drawn += [
            label(0, y + 4, name, "start"),
            line("span", (x(one.low), y), (x(one.high), y)),
            f'<circle class="spot" cx="{x(one.elo):.1f}" cy="{y:.1f}" r="5"><title>{escape(said)}</title></circle>',
        ]
    base = height - 28
    drawn.append(line("axis", (_NAMES, base), (_WIDTH - 30, base)))
    drawn += [label(x(elo), base + 18, whole(elo)) for elo in dict.fromkeys((low, (low + high) / 2, high))]
    return box(_WIDTH, height, "Elo ratings with their 95 % intervals", drawn)


def llr_picture(curve: Sequence[float], test: Sprt) -> str:
    """Return the log-likelihood ratio after each pair, between the two bounds."""
    height, left, top, base = 260, 50, 16, 224
    low, high = min(test.lower, *curve), max(test.upper, *curve)
    wide = _WIDTH - left - 16

    def x(at: int) -> float:
        return left + wide * at / max(len(curve) - 1, 1)

    def y(value: float) -> float:
        return base - (base - top) * (value - low) / (high - low)

    step = max(1, len(curve) // _POINTS)
    places = sorted({*range(0, len(curve), step), len(curve) - 1})
    path = " ".join(f"{x(at):.1f},{y(curve[at]):.1f}" for at in places)
    drawn = [
        line("axis", (left, top), (left, base)),
        line("grid", (left, y(0)), (left + wide, y(0))),
        line("upper", (left, y(test.upper)), (left + wide, y(test.upper))),
        line("lower", (left, y(test.lower)), (left + wide, y(test.lower))),
        label(left - 6, y(test.upper) + 4, "H1", "end"),
        label(left - 6, y(test.lower) + 4, "H0", "end"),
        label(left - 6, y(0) + 4, "0", "end"),
        f'<polyline class="curve" points="{path}"/>',
        label(left, base + 20, f"pair {LEAST_PAIRS}", "start"),
        label(left + wide, base + 20, f"pair {LEAST_PAIRS + len(curve) - 1}", "end"),
    ]
    return box(_WIDTH, height, "The log-likelihood ratio after each pair", drawn)


_FAULTS: Final = ("illegal", "time", "crash")


def page(report: ArenaReport) -> str:
    """Return the page."""
    names = report.run.names
    games = ", ".join(rules.name for rules in report.run.plan.games)
    who = " against ".join(names) if len(names) == 2 else f"{len(names)} entrants"  # noqa: PLR2004 - a duel
    parts = (
        f"<p>{escape(summary(report))}</p>",
        _ratings(report),
        "".join(_cross_table(report, game.id, game.name) for game in report.run.plan.games),
        _difficulty(report.entrants),
        _test(report),
        matches_html(report),
    )
    return document(f"{who}: {games}", "\n".join(part for part in parts if part))


def summary(report: ArenaReport) -> str:
    """Return what was played, in a few sentences."""
    plan = report.run.plan
    words = [f"{report.pairs:,} pairs of matches from the book '{plan.book}', seed {plan.seed}, run {plan.key}."]
    if not report.complete:
        words.insert(0, "This run is incomplete: what follows is only what has been played so far.")
    if report.state.void:
        gone = ", ".join(line.name for line in report.entrants if line.withdrawn)
        words.append(f"{gone} was withdrawn after crashes; {report.state.void:,} pairs are void and count for nobody.")
    words.append(question_words(plan, list(report.run.expectations)))
    return " ".join(words)


def _ratings(report: ArenaReport) -> str:
    heads = ("entrant", "Elo", "interval", "score %", "matches", "kept %", "interval", "skill %", *_FAULTS)
    rows = [_rating_row(line) for line in report.entrants]
    rated = [line.rating for line in report.entrants if line.rating is not None]
    picture = ratings_picture(rated) if rated else ""
    fits = "".join(f"<li>{escape(line.name)} plays {escape(fit_words(line.fit))}.</li>" for line in report.entrants)
    note = (
        "Elo by the Bradley-Terry model, with 95 % intervals. level:5 has 0 where it takes part; else the mean is 0. "
        "Kept is the share of real choices that gave nothing away; skill is the same from random play (0) to all (100)."
    )
    return f'<h2>Ratings</h2>\n{picture}\n{table(heads, rows, "Ratings")}\n<p class="soft">{note}</p>\n<ul>{fits}</ul>'


def _rating_row(line: EntrantLine) -> list[str]:
    rating, account = line.rating, line.account
    elo = ["-", "-"] if rating is None else [whole(rating.elo), f"{whole(rating.low)} to {whole(rating.high)}"]
    sure = f"{percent(line.kept.low)} to {percent(line.kept.high)}"
    kept = [percent(line.tally.share), sure, percent(line.tally.skill)]
    counts = [str(one) for one in (account.illegal, account.time, account.crash)]
    name = f"{line.name} (withdrawn)" if line.withdrawn else line.name
    return [name, *elo, percent(line.score), str(account.matches), *kept, *counts]


def _cross_table(report: ArenaReport, game: str, title: str) -> str:
    names = [line.name for line in report.entrants]
    found = {(one.a, one.b): one for one in report.pairings if one.game == game}

    def cell(row: str, column: str) -> str:
        if (row, column) in found:
            return _cell(found[row, column], turned=False)
        return _cell(found[column, row], turned=True) if (column, row) in found else ""

    rows = [[row, *(cell(row, column) for column in names)] for row in names]
    exact = any(one.exact is not None for one in found.values())
    note = "The share of the points that the entrant of the row scored against that of the column, in per cent"
    note += "; in brackets the exact score from the same positions." if exact else "."
    return (
        f"<h2>{escape(title)}: who scored what against whom</h2>\n"
        f'{table(("against", *names), rows, title)}\n<p class="soft">{note}</p>'
    )


def _cell(one: PairingResult, *, turned: bool) -> str:
    def way(share: float | None) -> str:
        return percent(share if share is None or not turned else 1 - share)

    return way(one.score) if one.exact is None else f"{way(one.score)} ({way(one.exact)})"


def _difficulty(lines: Sequence[EntrantLine]) -> str:
    heads = ["entrant"]
    for name in DIFFICULTIES:
        heads += [f"{name}: choices", "kept %", "regret"]
    rows = []
    for entrant in lines:
        row = [entrant.name]
        for choices, kept, regret in entrant.account.by_difficulty().values():
            row += [str(choices), percent(kept / choices if choices else None), f"{regret:g}"]
        rows.append(row)
    note = (
        "Real choices by how many of the legal moves keep the best verdict: half or more (easy), a quarter or more "
        "(middling), fewer (hard). Regret is what all the moves together gave away, 1 for a win turned into a loss."
    )
    return f'<h2>Regret by difficulty</h2>\n{table(heads, rows, "Regret by difficulty")}\n<p class="soft">{note}</p>'


def _test(report: ArenaReport) -> str:
    test = report.sprt
    if test is None:
        return ""
    decided = {
        None: "It is not decided.",
        "H0": f"It accepts H0: a difference of {test.elo0:g} Elo.",
        "H1": f"It accepts H1: a difference of {test.elo1:g} Elo.",
    }
    words = (
        f"H0 says that {report.run.names[0]} is stronger by {test.elo0:g} Elo, H1 by {test.elo1:g}. "
        f"After {test.pairs:,} pairs the log-likelihood ratio is {test.llr:.2f}; "
        f"the bounds are {test.lower:.2f} and {test.upper:.2f}. {decided[test.decision]}"
    )
    picture = llr_picture(report.state.curve, test) if report.state.curve else ""
    return f"<h2>The sequential test</h2>\n<p>{escape(words)}</p>\n{picture}"
