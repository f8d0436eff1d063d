"""`zerosum exam`.

- exam (Measure 5): Examine a language model: positions, scored against exact play.
"""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Any, Final

import click

from zerosum.arena.entrants.model_endpoint import KEY, key_of
from zerosum.arena.entrants.prompt import AnswerFormat, PromptStyle
from zerosum.base.files import check_new, write_folder, write_new
from zerosum.base.runs import INCOMPLETE
from zerosum.base.text import printable
from zerosum.cli.exam_runs import (
    compared_lines,
    load_items,
    plan_and_asker,
    print_report,
    read_price,
    read_replies,
    run_exam,
    salt_and_seed,
    summary_lines,
)
from zerosum.cli.parameters import (
    Decorator,
    as_one,
    game_argument,
    json_option,
    named_game,
    options,
    print_answer,
    print_json,
    whole_number,
)
from zerosum.cli.progress_line import progress_line
from zerosum.cli.root_command import Group
from zerosum.cli.terminal_text import echo
from zerosum.exam import limits
from zerosum.exam.askers import CONDITIONS, NO_TOOLS
from zerosum.exam.compare import compare, compared_json
from zerosum.exam.draw_items import has_rung, make_items, prove_skins, verify
from zerosum.exam.exam_page import page
from zerosum.exam.exam_run import open_run
from zerosum.exam.export import TASK, lm_eval_files
from zerosum.exam.items import Options
from zerosum.exam.reskins import prove_skin, skin_between
from zerosum.exam.score_words import set_words
from zerosum.exam.scoring import grade_lines
from zerosum.exam.summary import report_of, set_json, summarize, summary_json
from zerosum.rules.game_files import GAME_IDS
from zerosum.rules.model import Rules
from zerosum.rules.skins import Skin

ALL: Final = "all"
_LEVELS: Final = ("random", *(f"level:{n}" for n in range(1, 10)), "perfect")


def _number(name: str, least: int, most: int, default: int, words: str) -> Decorator:
    """Return an option that takes a whole number within limits."""
    return click.option(name, metavar="N", type=click.IntRange(least, most), default=default, help=words)


items_argument: Final = click.argument("items", metavar="ITEMS")
salt_options: Final = as_one(
    "salt_and_shown",
    salt_and_seed,
    click.option("--seed", metavar="S", help="Draw from a public seed."),
    click.option("--salt-env", metavar="VAR", help="Draw from a secret salt, in this environment variable."),
)


def _style(*, legal_moves: bool, no_history: bool, no_thinking: bool, answer_format: str) -> PromptStyle:
    return PromptStyle(legal_moves, not no_history, not no_thinking, AnswerFormat(answer_format))


style_options: Final = as_one(
    "style",
    _style,
    click.option("--legal-moves", is_flag=True, help="List the legal moves in the question."),
    click.option("--no-history", is_flag=True, help="Leave out the moves so far."),
    click.option("--no-thinking", is_flag=True, help="Ask for the answer and nothing else."),
    click.option(
        "--format",
        "answer_format",
        type=click.Choice([one.value for one in AnswerFormat]),
        default="line",
        help="How the answer is written.",
    ),
)
lenient_option: Final = click.option(
    "--lenient", is_flag=True, help="If no clear answer is given, take the last move that is named."
)
against_option: Final = click.option(
    "--against",
    type=click.Choice(_LEVELS),
    metavar="LEVEL",
    default="level:5",
    help="The opponent of practical regret.",
)
run_options: Final = options(
    _number("--tries", 1, limits.TRIES, 1, "Times to ask if the reply is no legal move."),
    lenient_option,
    click.option("--temperature", metavar="T", type=click.FloatRange(0, 2), help="Sent to the endpoint."),
    click.option("--max-tokens", metavar="N", type=click.IntRange(1, 1_000_000), help="Sent to the endpoint."),
    click.option(
        "--max-completion-tokens",
        metavar="N",
        type=click.IntRange(1, 10_000_000),
        help="Sent to the endpoint; models that think take it in place of --max-tokens.",
    ),
    click.option(
        "--set",
        "assigned",
        metavar="KEY=JSON",
        multiple=True,
        help="Any other setting for the endpoint, such as 'reasoning_effort=\"high\"'; may be repeated.",
    ),
    click.option(
        "--tools",
        type=click.Choice(CONDITIONS),
        default=NO_TOOLS,
        help="Let the model call a referee who says nothing about good moves.",
    ),
    click.option(
        "--tool-choice",
        type=click.Choice(("auto", "required", "move")),
        help="Sent to the endpoint; move makes it call the function of --format tool.",
    ),
    click.option(
        "--seconds", metavar="S", type=click.FloatRange(0.1, limits.SECONDS), default=120.0, help="Time for a reply."
    ),
    _number("--retries", 1, limits.RETRIES, 6, "Times to ask if no answer comes, with growing pauses."),
    _number("--jobs", 1, limits.JOBS, 1, "Items asked at the same time."),
)
make_options: Final = options(
    click.option("--games", metavar="IDS", default=ALL, help="Games or rules files, with commas between them."),
    _number("--count", 1, limits.COUNT, 40, "Positions of each game."),
    _number("--fresh", 0, limits.FRESH, 3, "Fresh variants that share the positions with each game."),
    _number("--reskin", 0, limits.RESKINS, 3, "Reskins of each position, beside the position as it is."),
    click.option(
        "--difficulty",
        metavar="N",
        type=click.IntRange(1, 4),
        help="Only choices that take a search of 1-2 (1), 3-4 (2), 5-6 (3) or more plies (4).  [default: all kinds]",
    ),
)
who_options: Final = options(
    click.option("--model", metavar="NAME", help="The model, as its endpoint calls it."),
    click.option("--url", metavar="URL", help="An endpoint that speaks OpenAI's chat completions."),
    click.option("--key-env", metavar="VAR", help=f"The variable that holds the key.  [default: {KEY}]"),
    click.option("--key-file", metavar="FILE", help="The file whose first line is the key."),
    click.option("--command", "program", metavar="CMD", help="A command: question on standard input, reply on output."),
    click.option("--name", metavar="NAME", help="What the report calls it.  [default: the model or the program]"),
    click.option("--output", "--out", "output", metavar="RUN", required=True, help="The folder that keeps the run."),
    click.option("--resume", is_flag=True, help="Ask what is missing in RUN."),
)


@click.group("exam", cls=Group)
def exam_command() -> None:
    r"""Examine a language model: positions to choose a move in, scored against exact play.

    ITEMS is a file that `exam make` has written, or the word public. docs/exam.md shows how it is used.

    \b
    Examples:
      zerosum exam make --seed 1 --output items.jsonl
      zerosum exam run public --model NAME --url http://127.0.0.1:8000/v1 --output run
      zerosum exam report run --html report.html
    """


@exam_command.command("make", short_help="Draw a set of items.")
@make_options
@salt_options
@click.option("--output", "--out", "output", metavar="ITEMS", required=True, help="A new file.")
@json_option
def make_command(
    *,
    games: str,
    count: int,
    fresh: int,
    reskin: int,
    difficulty: int | None,
    salt_and_shown: tuple[str, str | None],
    output: str,
    as_json: bool,
) -> None:
    r"""Draw positions, fresh variants and reskins, and write the questions to ITEMS. It holds no answers.

    The same seed gives the same file. With a secret salt, publish the SHA-256, then results, then the salt.

    \b
    Examples:
      zerosum exam make --seed 1 --output items.jsonl
      zerosum exam make --games sum31,zero-sum-duel --count 20 --reskin 1 --seed 1 --output items.jsonl
      zerosum exam make --difficulty 4 --seed 1 --output hard.jsonl
      zerosum exam make --salt-env EXAM_SALT --output items.jsonl --json
    """
    salt, shown = salt_and_shown
    check_new(output)
    names = GAME_IDS if games == ALL else [one.strip() for one in games.split(",")]
    rules = tuple(map(named_game, names))
    if games == ALL and difficulty is not None:
        rules = tuple(one for one in rules if has_rung(one, difficulty, -(-count // (fresh + 1))))
    options = Options(rules, count, fresh, reskin, shown, difficulty)
    with progress_line("Drawing") as say:
        found = make_items(options, salt, say)
    write_new(output, found.data)
    print_answer(
        as_json,
        lambda: {"items": len(found.items), **set_json(found)},
        lambda: [f"{set_words(found)}\nSHA-256 {found.sha256}"],
    )


@exam_command.command("verify", short_help="Check that a set was drawn from its seed or salt.")
@items_argument
@salt_options
@click.option("--prove", is_flag=True, help="Also prove that every reskin is the same game; it may take minutes.")
@json_option
def verify_command(*, items: str, salt_and_shown: tuple[str, str | None], prove: bool, as_json: bool) -> None:
    r"""Draw a set again and compare every byte. The exit status is 1 if one differs.

    A salt that was a secret and is published now may be given with --seed.

    \b
    Examples:
      zerosum exam verify items.jsonl --seed 1
      zerosum exam verify items.jsonl --salt-env EXAM_SALT --prove
    """
    with progress_line("Drawing again") as say:
        found = verify(items, salt_and_shown[0], say)
    proved = None
    if prove:
        with progress_line("Comparing") as say:
            proved = prove_skins(found, say)
    if as_json:
        print_json({"verified": True, "sha256": found.sha256, "proved": None if proved is None else asdict(proved)})
        return
    echo(f"The set was drawn from this salt.\nSHA-256 {found.sha256}")
    if proved is not None:
        echo(f"{proved.skins:,} reskins are the same games: {proved.positions:,} positions compared.")
        if proved.endless:
            echo(f"{proved.endless:,} more are of games with sudden death, which cannot be walked through.")


@exam_command.command("run", short_help="Ask a model, or a command.")
@items_argument
@who_options
@style_options
@run_options
@json_option
def run_command(
    *,
    items: str,
    model: str | None,
    url: str | None,
    key_env: str | None,
    key_file: str | None,
    program: str | None,
    output: str,
    resume: bool,
    style: PromptStyle,
    jobs: int,
    as_json: bool,
    **asked: Any,
) -> int:
    r"""Ask every item of ITEMS, keep the replies in the folder RUN, and say what they are worth.

    The key of an endpoint comes from the environment or a file and is written nowhere. A request that fails is
    repeated and is no answer; if answers stay away, the run is incomplete and the exit status is 3.

    \b
    Examples:
      zerosum exam run public --model mine --url http://127.0.0.1:8000/v1 --output run
      zerosum exam run items.jsonl --model gpt --url https://api.example/v1 --key-env KEY --jobs 8 --output run --resume
      zerosum exam run items.jsonl --model mine --url http://127.0.0.1:8000/v1 --tools referee --output with-tools
      zerosum exam run items.jsonl --command "./answer.sh" --output run --json
    """
    if key_env is not None and not os.environ.get(key_env):
        raise click.UsageError(f"The environment variable {key_env} of --key-env is not set.")
    if key_file is not None:
        if key_env is not None:
            raise click.UsageError("Give --key-env or --key-file, not both.")
        os.environ.pop(KEY, None)
        os.environ[f"{KEY}_FILE"] = key_file
        if not key_of(KEY):
            raise click.UsageError(f"{key_file} of --key-file has no key in its first line.")
    found = load_items(items)
    plan, asker = plan_and_asker(found, style, model=model, url=url, program=program, key_env=key_env, **asked)
    return run_exam(found, plan, asker, output, jobs=jobs, resume=resume, as_json=as_json)


@exam_command.command("score", short_help="What replies from elsewhere are worth.")
@items_argument
@click.argument("replies", metavar="REPLIES")
@lenient_option
@against_option
@json_option
def score_command(*, items: str, replies: str, lenient: bool, against: str, as_json: bool) -> int:
    r"""Score replies to ITEMS: lines of JSON with "id" and "reply", from anything. REPLIES may be - for standard input.

    The exit status is 3 if some item has no reply.

    \b
    Examples:
      zerosum exam score items.jsonl replies.jsonl
      zerosum exam score public replies.jsonl --json
    """
    found = load_items(items)
    data, source = read_replies(replies)
    with progress_line("Grading"):
        summary = summarize(found.items, grade_lines(found, data, source, lenient=lenient), against)
    print_answer(as_json, lambda: summary_json(summary, found), lambda: summary_lines(summary))
    return 0 if summary.complete else INCOMPLETE


@exam_command.command("report", short_help="What a run says, also as a page.")
@click.argument("folder", metavar="RUN")
@click.option("--html", metavar="FILE", help="Write a page to a new file.")
@against_option
@click.option("--price", metavar="IN,OUT", help="What a million tokens cost, asked and answered: adds the cost.")
@json_option
def report_command(*, folder: str, html: str | None, against: str, price: str | None, as_json: bool) -> int:
    r"""Show what the run in the folder RUN says. The exit status is 3 if it is incomplete.

    \b
    Examples:
      zerosum exam report run
      zerosum exam report run --html report.html
      zerosum exam report run --price 1.25,10 --json
    """
    if html is not None:
        check_new(html)
    with progress_line("Grading"):
        report = report_of(open_run(folder), against, read_price(price))
        if html is not None:
            write_new(html, page(report).encode())
    return print_report(report, as_json=as_json)


@exam_command.command("compare", short_help="Two runs of the same items: is one better?")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@json_option
def compare_command(*, first: str, second: str, as_json: bool) -> None:
    r"""Compare the runs in the folders A and B, which asked the same items, position by position.

    The interval comes from resampling positions; over several games, Holm's method makes it stricter. If nothing is
    clear, it says how many items more would decide.

    \b
    Examples:
      zerosum exam compare small large
      zerosum exam compare without-tools with-tools --json
    """
    with progress_line("Grading"):
        found = compare(report_of(open_run(first)), report_of(open_run(second)))
    print_answer(as_json, lambda: compared_json(found), lambda: compared_lines(found))


@exam_command.command("prove-skin", short_help="Prove that a reskin is the same game.")
@game_argument
@click.option("--k", metavar="K", help="The factor of all numbers, such as -7.")
@click.option("--shift", metavar="N", default="0", help="What is added to start and target.")
@click.option("--with", "other", metavar="FILE", help="Another game, in place of --k.")
@json_option
def prove_command(*, game: Rules, k: str | None, shift: str, other: str | None, as_json: bool) -> int:
    r"""Walk GAME and its reskin in step, and compare every position. The exit status is 1 if one differs.

    \b
    Examples:
      zerosum exam prove-skin sum31 --k -7 --shift 100
      zerosum exam prove-skin sum31 --with ./mine.toml --json
    """
    if (k is None) == (other is None):
        raise click.UsageError("Give --k K with --shift N, or --with FILE.")
    if other is not None:
        there = named_game(other)
        skin = skin_between(game, there)
    else:
        skin = Skin(whole_number(k or ""), whole_number(shift))
        there = skin.rules(game, "reskin", f"{game.name}, reskinned"[:80])
    with progress_line("Comparing") as say:
        proof = prove_skin(game, there, skin, say)
    if as_json:
        document = {"game": game.id, "k": skin.k, "shift": skin.shift, "proved": proof.proved}
        print_json({**document, "positions": proof.positions, "difference": proof.difference})
    elif proof.proved:
        echo(f"Proved: numbers times {skin.k}, totals shifted by {skin.shift}; {proof.positions:,} positions alike.")
    else:
        echo(f"Not the same game: {proof.difference}.")
    return 0 if proof.proved else 1


@exam_command.command("export", short_help="A set as a task for another harness.")
@items_argument
@click.option("--to", "harness", type=click.Choice(("lm-eval",)), required=True, help="The harness.")
@click.option("--output", "--out", "output", metavar="FOLDER", required=True, help="A new folder.")
@style_options
def export_command(*, items: str, harness: str, output: str, style: PromptStyle) -> None:
    r"""Write the real choices of ITEMS as a task for lm-eval. The answers are in the folder.

    \b
    Examples:
      zerosum exam export items.jsonl --to lm-eval --output task
      zerosum exam export public --to lm-eval --output task --legal-moves
    """
    if style.format is AnswerFormat.TOOL:
        raise click.UsageError(f"{harness} offers no tools; take --format line or json.")
    with progress_line("Reading the items") as say:
        files = lm_eval_files(load_items(items), style, say)
    write_folder(output, files, f"{TASK}.yaml", "")
    echo(f"{', '.join(files)} are in {printable(output)}.")
