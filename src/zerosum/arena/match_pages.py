"""The matches on the page of a report: a list that links each to its review, and the reviews."""

from __future__ import annotations

from html import escape
from typing import Final

from zerosum.arena import limits
from zerosum.arena.arena_report import Report
from zerosum.arena.match_records import file_name
from zerosum.arena.position_table import Board, Node
from zerosum.arena.schedule import slot
from zerosum.arena.tally import Reader, Sides
from zerosum.coach.analysis import keeps
from zerosum.rules.position import Position
from zerosum.solver import Solution, SolverError, Value, Verdict, solution_of

_OPEN: Final = 50
"""Pairs up to which the list is shown without being asked for."""
_VERDICTS: Final = {Verdict.WIN: "wins", Verdict.DRAW: "draws", Verdict.LOSS: "loses"}


def matches_html(report: Report) -> str:
    """Return the list of matches and their reviews; of very many matches, the first."""
    run = report.run
    reader = Reader(run, run.log())
    solutions = [_solution(board) for board in reader.boards]
    numbers = report.standing.counted[: limits.REVIEWED // 2]
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
    left = len(report.standing.counted) - len(numbers)
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


def _anchor(one: Sides) -> str:
    return f"match-{one.number}-{one.first + 1}"


def _link(one: Sides, names: tuple[str, str]) -> str:
    how = f" ({one.fault})" if one.fault else ""
    return f'<a href="#{_anchor(one)}">{escape(names[one.winner])} wins{escape(how)}</a>'


def _solution(board: Board) -> Solution | None:
    try:
        return solution_of(board.rules)
    except SolverError:
        return None


def _review(one: Sides, names: tuple[str, str], board: Board, start: str, solution: Solution | None) -> str:
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
