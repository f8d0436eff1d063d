"""Examinations at the terminal: create or resume a run, ask, and print the report."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence
from math import inf
from typing import Any, Final

import click

from zerosum.arena.entrants.model_endpoint import KEY
from zerosum.arena.entrants.prompt import AnswerFormat, PromptStyle
from zerosum.arena.strength.decisions import level_words
from zerosum.base.english import percent
from zerosum.base.files import read_bytes, read_stream
from zerosum.base.runs import INCOMPLETE
from zerosum.base.text import printable, shorten
from zerosum.cli.parameters import print_json
from zerosum.cli.progress_line import progress_line
from zerosum.cli.terminal_text import echo, named_table, notice
from zerosum.exam import limits
from zerosum.exam.askers import NO_TOOLS, REFEREE, Asker, CommandAsker, ModelAsker
from zerosum.exam.compare import Compared, GameDifference, compared_words
from zerosum.exam.draw_items import PUBLIC, public_set
from zerosum.exam.exam_run import ExamPlan, ask_all, shown_url, start_run
from zerosum.exam.items import ItemsError, ItemSet, read_items
from zerosum.exam.score_words import prompt_words, set_words, summary_words, usage_words
from zerosum.exam.scoring import Price
from zerosum.exam.summary import ExamReport, GameScore, Summary, report_json, report_of

_WIDEST = 24
_OURS: Final = ("model", "messages", "tools", "stream", "n")
"""Settings of a request that zerosum sets itself, or that would change what an answer is."""
_NUMBERS: Final = ("temperature", "max_tokens")
_SETTING: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")


def report_lines(report: ExamReport) -> list[str]:
    """Return the report of a run as lines."""
    plan = report.run.plan
    where = f" at {printable(plan.url)}" if plan.url else ""
    switches = ", ".join(f"{name} {value}" for name, value in prompt_words(plan))
    return [
        f"The {plan.kind} {printable(plan.name)}{where}.",
        printable(set_words(report.run.set)),
        f"Asked with {switches}.",
        "",
        *summary_lines(report.summary),
        *([] if report.usage is None else ["", *usage_words(report.usage)]),
    ]


def summary_lines(summary: Summary) -> list[str]:
    """Return what replies say as lines: sentences, then a table of the games."""
    lines = summary_words(summary)
    if not summary.score.items:
        return lines
    columns = {"choices": 8, "kept": 7, "from": 7, "to": 7, "random": 8, "skill": 7, "gap": 7, "level": 9}
    return [*lines, "", *named_table(columns, map(_row, summary.games))]


def _row(one: GameScore) -> tuple[object, ...]:
    score, level = one.score, one.score.keeps.level
    shares = map(percent, (score.kept.rate, *score.interval, score.chance, score.skill))
    gap = "-" if one.gap is None else f"{100 * one.gap.difference:+.1f}"
    plays = "-" if level is None else level_words(level).removeprefix("level ").removesuffix(" play")
    return one.game, score.kept.choices, *shares, gap, plays


def load_items(where: str) -> ItemSet:
    """Return the set of items at a path, or the public one."""
    if where == PUBLIC and not os.path.lexists(where):
        with progress_line("Drawing the public set") as say:
            return public_set(say)
    return read_items(where)


def read_replies(where: str) -> tuple[bytes, str]:
    """Return what a file or standard input holds, and what errors call it."""
    if where == "-":
        source = "standard input"
        return read_stream(sys.stdin.buffer, limits.REPLIES_BYTES, source), source
    return read_bytes(where, limits.REPLIES_BYTES), printable(where)


def salt_and_seed(seed: str | None, salt_env: str | None) -> tuple[str, str | None]:
    """Return the salt, and the seed that a set may show."""
    if (seed is None) == (salt_env is None):
        raise click.UsageError("Give --seed S for a public set, or --salt-env VAR for one with a secret salt.")
    if seed is not None:
        return seed, seed
    salt = os.environ.get(salt_env or "", "")
    if len(salt) < limits.SALT:
        raise ItemsError(
            f"The salt in {printable(salt_env or '')} needs at least {limits.SALT} characters; "
            "make one with: openssl rand -hex 32"
        )
    return salt, None


def plan_and_asker(
    found: ItemSet,
    style: PromptStyle,
    *,
    model: str | None,
    url: str | None,
    program: str | None,
    key_env: str | None,
    name: str | None,
    tries: int,
    lenient: bool,
    temperature: float | None,
    max_tokens: int | None,
    max_completion_tokens: int | None,
    assigned: Sequence[str],
    tools: str,
    tool_choice: str | None,
    seconds: float,
    retries: int,
) -> tuple[ExamPlan, Asker]:
    """Return how a set is asked, and who answers."""
    settings = {
        "temperature": temperature,
        "max_tokens": max_tokens,
        "max_completion_tokens": max_completion_tokens,
        "tool_choice": _tool_choice(tool_choice, style, tools),
    }
    named = {key: value for key, value in settings.items() if value is not None}
    sent = {**named, **read_settings(assigned, (*named, *_OURS))}
    if program is not None:
        if any((model is not None, url is not None, sent, style.format is AnswerFormat.TOOL, tools != NO_TOOLS)):
            raise click.UsageError("A command takes the question alone: no --model, --url, settings or tools.")
        asker = CommandAsker(program, seconds, key_env=key_env or "", retries=retries)
        return ExamPlan(found.sha256, "command", name or asker.name, "", style, tries, lenient, seconds), asker
    if model is None or url is None:
        raise click.UsageError("Give --model NAME and --url URL, or --command CMD.")
    model_asker = ModelAsker(
        model, url, seconds, style, key_env=key_env or KEY, tools=tools, settings=sent, retries=retries
    )
    shown = tuple((key, _as_older(key, value)) for key, value in sent.items())
    return ExamPlan(
        found.sha256, "model", name or model, shown_url(url), style, tries, lenient, seconds, shown, tools
    ), model_asker


def _as_older(key: str, value: Any) -> Any:
    """Return a setting as older manifests have it, so that their runs can be resumed."""
    return float(value) if isinstance(value, int) and key in _NUMBERS else value


def _tool_choice(choice: str | None, style: PromptStyle, tools: str) -> object:
    """Return the setting that makes an endpoint call tools, None if nobody asked for it."""
    by_call = style.format is AnswerFormat.TOOL
    if choice is not None and not (by_call or (tools == REFEREE and choice != "move")):
        raise click.UsageError("--tool-choice goes with --format tool, or with --tools referee.")
    return {"type": "function", "function": {"name": "move"}} if choice == "move" else choice


def read_settings(assigned: Sequence[str], taken: Sequence[str]) -> dict[str, object]:
    """Return the settings that KEY=JSON names."""
    found: dict[str, object] = {}
    if len(assigned) > limits.SETTINGS:
        raise click.UsageError(f"--set: at most {limits.SETTINGS} settings.")
    for one in assigned:
        key, equals, text = one.partition("=")
        if not equals or not _SETTING.fullmatch(key) or len(text) > limits.SETTING_CHARACTERS:
            raise click.UsageError(f"--set takes KEY=JSON, such as --set top_p=0.9, not {shorten(one)}.")
        if key in taken or key in found:
            raise click.UsageError(f"--set {key}: it is set already, or set by zerosum itself.")
        try:
            found[key] = json.loads(text)
        except (ValueError, RecursionError):
            hint = f"; a text has quotes: --set '{key}=\"{text}\"'" if text.isidentifier() else ""
            raise click.UsageError(f"--set {key}: {shorten(text)} is not JSON{hint}.") from None
    return found


def read_price(text: str | None) -> Price | None:
    """Return the prices that a text names, of a million tokens asked and answered."""
    if text is None:
        return None
    try:
        asked, answered = (float(one) for one in text.split(","))
    except ValueError:
        asked = answered = -1.0
    if not (0 <= asked < inf and 0 <= answered < inf):
        raise click.UsageError("--price takes two numbers, such as --price 1.25,10.")
    return Price(asked, answered)


def compared_lines(found: Compared) -> list[str]:
    """Return a comparison as lines: sentences, then a table of the games."""
    names = run_names(found)
    lines = [
        f"{name} ({printable(one.run.folder.path)}): {_run_line(one)}"
        for name, one in zip(names, (found.a, found.b), strict=True)
    ]
    if found.conditions:
        apart = [f"{name} ({_setting(a)} and {_setting(b)})" for name, (a, b) in found.conditions.items()]
        lines.append(f"They differ in {', '.join(apart)}.")
    lines += ["", *compared_words(found, names)]
    if len(found.games) > 1:
        columns = {"positions": 10, "A": 7, "B": 7, "A - B": 8, "from": 8, "to": 8, "p (Holm)": 10}
        lines += ["", *named_table(columns, map(_compared_row, found.games))]
    return lines


def _setting(value: object) -> str:
    """Return what a run was asked with, as a word or as JSON."""
    said = "none" if value in (None, {}, "") else value
    return shorten(said if isinstance(said, str) else json.dumps(said))


def run_names(found: Compared) -> tuple[str, str]:
    """Return what the runs are called: by letters if they have the same name."""
    a, b = (printable(one.run.plan.name) for one in (found.a, found.b))
    return (a, b) if a != b else ("A", "B")


def _run_line(report: ExamReport) -> str:
    score, usage = report.summary.score, report.usage
    tokens = "" if usage is None or usage.tokens_per_item is None else f", {usage.tokens_per_item:,.0f} tokens an item"
    refused = f", {score.refused():,} refused" if score.refused() else ""
    return f"skill {percent(score.skill)}{tokens}{refused}"


def _compared_row(one: GameDifference) -> tuple[object, ...]:
    part = one.difference
    apart = (f"{100 * share:+.1f}" for share in (part.difference, *part.interval))
    return one.game, part.positions, percent(part.kept_a), percent(part.kept_b), *apart, f"{one.adjusted:.2g}"


def run_exam(found: ItemSet, plan: ExamPlan, asker: Asker, path: str, *, jobs: int, resume: bool, as_json: bool) -> int:
    """Ask a set, or what is missing of it, and print the report."""
    run = start_run(found, plan, path, resume=resume)

    def progress(done: int, failed: int) -> str:
        return f"{done:,} of {len(found.items):,} items" + (f", {failed:,} without an answer" if failed else "")

    try:
        with progress_line("Asking") as say:
            why = ask_all(run, asker, jobs, lambda done, failed: say(progress(done, failed)))
    except KeyboardInterrupt:
        notice("The replies so far are kept; the same command with --resume goes on.")
        raise
    if why is not None:
        notice(why)
    with progress_line("Grading"):
        report = report_of(run)
    return print_report(report, as_json=as_json, kept=path)


def print_report(report: ExamReport, *, as_json: bool, kept: str | None = None) -> int:
    """Print a report; return 3 if some item has no reply."""
    complete = report.summary.complete
    if as_json:
        print_json(report_json(report))
    else:
        lines = report_lines(report)
        if kept is not None:
            more = "a page of it: zerosum exam report" if complete else "--resume goes on; so far: zerosum exam report"
            lines += ["", f"Kept in {printable(kept)}; {more} {printable(kept)}{' --html FILE' if complete else ''}"]
        echo("\n".join(lines))
    return 0 if complete else INCOMPLETE
