"""What `zerosum arena` says at the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from zerosum.arena.report import Line, Pairing, Report
from zerosum.arena.standing import Standing
from zerosum.measure.ratings import mean_of
from zerosum.measure.words import fit_words, percent, whole
from zerosum.rules.text import printable

_WIDEST = 24


def report_lines(report: Report, *, lasting: bool = True) -> list[str]:
    """Return a report as lines; `lasting` is whether its run is in a folder that stays."""
    names = [printable(line.name) for line in report.entrants]
    wide = min(max(map(len, names), default=0), _WIDEST) + 2
    lines = [_head(report, lasting=lasting), ""]
    if report.pairs:
        lines += [f"{'':{wide}}{'Elo':>6}{'from':>7}{'to':>7}{'score':>8}{'kept':>8}{'matches':>9}"]
        lines += [_row(line, wide) for line in report.entrants]
        lines += ["", *(f"{printable(line.name)} plays {fit_words(line.fit)}." for line in report.entrants), ""]
    lines += [pairing_line(one) for one in report.pairings]
    lines += _faults(report.entrants)
    return [*lines, *_test(report)]


def _head(report: Report, *, lasting: bool) -> str:
    games = ", ".join(rules.name for rules in report.run.plan.games)
    pairs = f"{report.pairs:,} {'pair' if report.pairs == 1 else 'pairs'}"
    how = "--resume goes on" if lasting else "only a run with --output can go on"
    state = "" if report.complete else f"; incomplete, {how}"
    void = f", {report.standing.void:,} void" if report.standing.void else ""
    return f"{games}: {pairs}{void}, book {report.run.plan.book}, seed {printable(report.run.plan.seed)}{state}."


def _row(line: Line, wide: int) -> str:
    name = printable(line.name)
    name = name if len(name) <= _WIDEST else f"{name[: _WIDEST - 1]}~"
    rating = line.rating
    numbers = ["-"] * 3 if rating is None else [whole(one) for one in (rating.elo, rating.low, rating.high)]
    elo = "".join(f"{number:>{wide}}" for number, wide in zip(numbers, (6, 7, 7), strict=True))
    score, kept = (f"{'-' if one is None else percent(one):>8}" for one in (line.score, line.tally.share))
    return f"{name:{wide}}{elo}{score}{kept}{line.account.matches:9}"


def pairing_line(one: Pairing) -> str:
    """Return what A scored against B in a game."""
    a, b = printable(one.a), printable(one.b)
    if one.score is None and one.exact is None:
        return f"{one.game}: {a} against {b}: nothing played."
    parts = [] if one.score is None else [f"{percent(one.score)} % of the points"]
    parts += [] if one.exact is None else [f"{percent(one.exact)} % exactly"]
    return f"{one.game}: {a} against {b}: {', '.join(parts)}."


def _faults(lines: Sequence[Line]) -> list[str]:
    found = []
    for line in lines:
        account = line.account
        counts = {"illegal moves": account.illegal, "lost on time": account.time, "lost by a crash": account.crash}
        told = ", ".join(f"{count} {words}" for words, count in counts.items() if count)
        if told or line.withdrawn:
            found.append(f"{printable(line.name)}: {told}{'; withdrawn' if line.withdrawn else ''}.")
        if account.crashed:
            found.append(f"The first crash of {printable(line.name)}: {printable(account.crashed)}.")
    return found


def _test(report: Report) -> list[str]:
    test = report.sprt
    if test is None:
        return []
    said = {
        None: "not decided",
        "H0": f"H0 accepted, {test.elo0:g} Elo",
        "H1": f"H1 accepted, {test.elo1:g} Elo",
    }[test.decision]
    return [
        f"Sequential test: LLR {test.llr:.2f} ({test.lower:.2f} to {test.upper:.2f}) after {test.pairs} pairs; {said}."
    ]


def progress_words(standing: Standing, done: int, total: int, first: str) -> str:
    """Return how a run stands, in one line."""
    words = f"{done:,} of {total:,} pairs"
    if sum(standing.cells):
        words += f", {printable(first)} {percent(mean_of(standing.cells))} %"
    if standing.test is not None:
        words += f", LLR {standing.test.llr:.2f} ({standing.test.lower:.2f} to {standing.test.upper:.2f})"
    return words


def exact_lines(report: Report) -> list[str]:
    """Return the exact score of two players whose chances are known."""
    lines = []
    for one in report.pairings:
        a, b = printable(one.a), printable(one.b)
        if one.exact is None:
            lines.append(
                f"{a} against {b}: no exact score is found from this many positions; take --book start, or --play."
            )
            continue
        lines.append(f"{a} against {b} in {one.game}: {100 * one.exact:.2f} % of the points, exactly.")
        if one.needed is None:
            lines.append("They are equally strong, so no number of pairs would show who is stronger.")
        else:
            pairs = f"{one.needed:,} {'pair' if one.needed == 1 else 'pairs'}"
            lines.append(f"To see who is stronger by playing takes about {pairs}: --play --pairs {one.needed}.")
    return lines
