"""Thinking in processes of their own: right answers, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, cast

import pytest

from tests.server.worker.asking import AT, HOSTILE, RULES, SLOW, SUM31, code_of, positions_of, think
from zerosum.base.documents import to_json
from zerosum.coach.analysis import AnalysisDocument, OptionDocument, SolutionDocument
from zerosum.coach.hints import and_then, hint, hint_sentences
from zerosum.coach.lines import lines_of, lines_words, reason
from zerosum.coach.puzzle_state import played_out, puzzle_hints
from zerosum.coach.puzzles import PuzzleDocument, some_puzzles
from zerosum.coach.review import review
from zerosum.coach.review_page import chart
from zerosum.coach.review_words import ReviewDocument, Speakers, accuracy
from zerosum.jobs import game_jobs, job_table
from zerosum.match.match import Match, read_match
from zerosum.match.setup import Person, Setup
from zerosum.players import choose
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Rules, RulesDict, rules_from_dict, rules_to_dict
from zerosum.rules.notation import parse_position
from zerosum.rules.position import start_position
from zerosum.server.worker import worker_process
from zerosum.server.worker.client import WorkerClient, WorkerError
from zerosum.solver import solution_of, solve
from zerosum.tables.problems import PROBLEMS

DOCS = Path(__file__).parents[3] / "docs"
RECORDS = sorted((DOCS / "matches").glob("*.txt"))


def plain(value: object) -> Any:
    """Return a value as JSON gives it back."""
    return json.loads(json.dumps(value))


class TestRightAnswers:
    @pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.id)
    def test_about_positions(self, rules: Rules) -> None:
        solution, table = solution_of(rules), rules_to_dict(rules)

        async def talk(client: WorkerClient) -> None:
            for position in positions_of(rules):
                at, move = str(position), position.legal_moves()[-1]
                options = [to_json(OptionDocument.of(position, one)) for one in solution.options(position)]
                assert await client.ask(game_jobs.values, table, at) == options
                assert await client.ask(game_jobs.values, table, at) == options, "remembered"
                for step in (1, 2, 3, 4):
                    said = hint_sentences(hint(position, solution, step), position)
                    assert await client.ask(game_jobs.hint, table, at, step) == said
                why = await client.ask(game_jobs.reason, table, at, position.text_of(move))
                assert why["words"] == reason(position, move, solution)
                assert why["then"] == list(and_then(position, move, solution))
                assert why["more"] == lines_words(lines_of(position, move, solution))
                for who in ("random", "level:3", "perfect"):
                    chosen = position.text_of(choose(who, position, at))
                    assert await client.ask(game_jobs.choose, table, who, at, at) == chosen
                after = position.play(move)
                said_of = to_json(AnalysisDocument.of(solution, after, [position.text_of(move)]))
                assert await client.ask(game_jobs.analyze, table, at, [position.text_of(move)]) == said_of

        think(talk)

    @pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.id)
    def test_about_games(self, rules: Rules) -> None:
        solution, table = solution_of(rules), rules_to_dict(rules)

        async def talk(client: WorkerClient) -> None:
            await client.ask(game_jobs.check, table)
            known = await client.ask(game_jobs.knowledge, table)
            seconds = known["seconds"]
            assert known.items() >= (to_json(SolutionDocument.of(solution)) | {"seconds": seconds}).items()
            assert seconds > 0
            position = solution.start
            for text in known["best_play"]:
                position = position.play(next(m for m in position.legal_moves() if position.text_of(m) == text))
            assert position.outcome is not None
            assert len(known["best_play"]) == known["plies"]
            assert len(known["words"]) == 4
            winner = "first" if known["winner"] == 1 else "second"
            assert f"the {winner} player wins, in {known['plies']} move" in known["words"][0]
            puzzles = [to_json(PuzzleDocument.of(one)) for one in some_puzzles(solution, 3, "seed")]
            assert await client.ask(game_jobs.puzzles, table, "seed", 3) == plain(puzzles)
            puzzle = puzzles[0]["position"]
            at = parse_position(puzzle, rules)
            assert await client.ask(game_jobs.puzzle_hints, table, puzzle) == puzzle_hints(at, solution)
            why, line = played_out(at, at.legal_moves()[0], solution)
            told = {"why": why, "line": [at.text_of(move) for move in line]}
            assert await client.ask(game_jobs.played_out, table, puzzle, told["line"][0]) == told

        think(talk)

    def test_about_matches(self) -> None:
        async def talk(client: WorkerClient) -> None:
            for path in RECORDS:
                text = path.read_text(encoding="utf-8")
                match = read_match(text)
                found = review(match, solution_of(match.setup.rules))
                said = await client.ask(game_jobs.review, text)
                assert said["json"] == to_json(ReviewDocument.of(found))
                assert (said["chart"], said["opens_at"]) == (chart(found, Speakers.of(match)), found.opens_at)
                assert said["accuracy"] == [list(accuracy(found, person)) for person in Person]

        think(talk)

    def test_about_the_longest_match_there_can_be(self) -> None:
        table = rules_to_dict(built_in("zero-sum-game")) | {"pool": [1, -1], "start": [3, -3], "reaching": "loses"}
        match = Match.begin(Setup(rules=rules_from_dict(table), names=("W" * 40, "M" * 40)))
        solution = solution_of(match.setup.rules)
        while match.outcome is None:
            match = match.after(solution.options(match.position)[0].move)

        async def talk(client: WorkerClient) -> None:
            assert len((await client.ask(game_jobs.review, match.record()))["json"]["moves"]) == 600

        think(talk)

    def test_a_changed_answer_does_not_change_the_next(self) -> None:
        async def talk(client: WorkerClient) -> None:
            first = await client.ask(game_jobs.values, SUM31, AT)
            first.clear()
            assert await client.ask(game_jobs.values, SUM31, AT)

        think(talk)


class TestRefusals:
    def test_what_cannot_be_answered_is_a_problem_and_the_next_question_is_answered(self) -> None:
        async def talk(client: WorkerClient) -> None:
            asked: dict[str, list[Coroutine[None, None, Any]]] = {
                "bad-rules": [
                    client.ask(game_jobs.check, {**SUM31, "pool": [0]}),
                    client.ask(game_jobs.check, {}),
                    client.ask(game_jobs.values, {**SUM31, "target": 10**400}, AT),
                ],
                "bad-position": [
                    client.ask(game_jobs.values, SUM31, "nonsense"),
                    client.ask(game_jobs.values, SUM31, "1,2,3,4,7 27 1"),
                    client.ask(game_jobs.values, SUM31, "1,2,3,4,7,8 31 1"),
                    client.ask(game_jobs.hint, SUM31, "- 45 2", 1),
                    client.ask(game_jobs.choose, SUM31, "perfect", "", ""),
                ],
                "unreadable-move": [client.ask(game_jobs.reason, SUM31, AT, "\ud800")],
                "illegal-move": [
                    client.ask(game_jobs.reason, SUM31, AT, "+5"),
                    client.ask(game_jobs.analyze, SUM31, "", ["+5", "+5"]),
                ],
                "bad-field": [
                    client.ask(game_jobs.choose, SUM31, "human", AT, ""),
                    client.ask(game_jobs.puzzles, SUM31, "", 10**9),
                ],
                "bad-record": [
                    client.ask(game_jobs.review, "1. +5"),
                    client.ask(game_jobs.review, '[Game "sum31"]\n\n1. +5 +5'),
                ],
                "too-large": [
                    client.ask(game_jobs.check, HOSTILE),
                    client.ask(game_jobs.knowledge, HOSTILE),
                    client.ask(game_jobs.puzzles, HOSTILE, "", 1),
                    client.ask(game_jobs.choose, HOSTILE, "level:1", str(start_position(rules_from_dict(HOSTILE))), ""),
                ],
                "internal": [client.ask(game_jobs.values, SUM31, cast("str", None))],
            }
            for code, questions in asked.items():
                for question in questions:
                    assert await code_of(question) == code
                assert await client.ask(game_jobs.values, SUM31, AT)

        think(talk)

    def test_a_variant_has_less_memory_than_a_terminal_has(self) -> None:
        pool = {"pool": list(range(16, 26)), "operations": ["add", "subtract"]}
        table: RulesDict = {**SLOW, **pool, "tie": "second-mover"}
        solve(rules_from_dict(table))

        async def talk(client: WorkerClient) -> None:
            with pytest.raises(WorkerError, match=r"; 64 MiB are allowed\. Use a smaller pool"):
                await client.ask(game_jobs.check, table)

        think(talk)

    def test_random_play_needs_no_solution(self) -> None:
        start = start_position(rules_from_dict(HOSTILE))

        async def talk(client: WorkerClient) -> None:
            move = await client.ask(game_jobs.choose, HOSTILE, "random", str(start), "seed")
            assert move in map(start.text_of, start.legal_moves())

        think(talk)

    def test_lines_that_are_no_questions_are_answered(self) -> None:
        for line in (b"", b"[]", b"{}", b'{"id": 1, "job": "no"}', b"\xff", b"[" * 100_000, b'{"id": 1, "job": []}'):
            found = json.loads(worker_process.answer(line))
            assert found["problem"]["code"] == "internal"
            assert "Traceback" in found["trace"]

    def test_every_code_is_known(self) -> None:
        assert {*job_table._CODES.values(), "too-large", "bad-field", "bad-request", "internal"} <= set(PROBLEMS)

    def test_memory_that_runs_out_is_a_problem_once_other_games_are_forgotten(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game_jobs.solved.cache_clear()
        question = json.dumps({"id": 1, "job": "check", "rules": SUM31}).encode()
        tried: list[int] = []

        def out_of_memory(*_: object) -> None:
            tried.append(game_jobs.solved.cache_info().currsize)
            raise MemoryError

        game_jobs.solved(built_in("zero-sum-duel"))
        monkeypatch.setattr(game_jobs, "solve", out_of_memory)
        assert json.loads(worker_process.answer(question))["problem"]["code"] == "too-large"
        assert tried == [1, 0]
        monkeypatch.undo()
        assert json.loads(worker_process.answer(question)) == {"id": 1, "answer": None}
        game_jobs.solved.cache_clear()
