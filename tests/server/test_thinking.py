"""Thinking in processes of their own: right answers, hostile games, time, death, and a loop that never waits."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar, cast

import pytest

from zerosum.coach.documents import option_json, position_json, puzzle_json, review_json, solution_json
from zerosum.coach.hints import hint, hint_sentences
from zerosum.coach.puzzles import some_puzzles
from zerosum.coach.reasons import reason
from zerosum.coach.review import review
from zerosum.coach.words import sentences
from zerosum.match.match import Match, read_match
from zerosum.match.setup import Setup
from zerosum.players import COMPUTERS, choose
from zerosum.rules.files import GAME_IDS, built_in, load_file
from zerosum.rules.model import Rules
from zerosum.rules.position import Position, start_position
from zerosum.rules.schema import Table, rules_of, table_of
from zerosum.server import jobs, thinker
from zerosum.server.problems import PROBLEMS, Problem
from zerosum.server.thinking import Thinking
from zerosum.solver import solution_of, solve
from zerosum.web.review import pieces

DOCS = Path(__file__).parents[2] / "docs"
RULES = [*map(built_in, GAME_IDS), *(load_file(str(path)) for path in sorted((DOCS / "variants").glob("*.toml")))]
RECORDS = sorted((DOCS / "matches").glob("*.txt"))
SUM31 = table_of(built_in("sum31"))
AT = "1,2,3,4,7 28 1"
HOSTILE: Table = {"format": 1, "id": "hostile", "name": "Hostile", "pool": list(range(1, 41)), "target": 400}
_RUNNING_AWAY: Table = {"totals": "own", "exhausted": "closest", "tie": "sudden-death", "target": 33}
SLOW: Table = {"format": 1, "id": "slow", "name": "Slow", "pool": [-10, -6, -1, 2, 7, 8, 8], **_RUNNING_AWAY}
"""Seven numbers that take seconds: totals run away from the target, and sudden death lets them."""
T = TypeVar("T")


def think(talk: Callable[[Thinking], Awaitable[T]], *, seconds: float = 60, waiting: int = 32) -> T:
    """Return what comes of talking to a new `Thinking`; afterwards none of its processes is left."""

    async def run() -> T:
        thinking = Thinking(seconds=seconds, waiting=waiting)
        try:
            return await talk(thinking)
        finally:
            pids = [lane.pid for lane in thinking.lanes.values()]
            await thinking.close()
            assert not [pid for pid in pids if pid is not None and alive(pid)]

    return asyncio.run(run())


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def code_of(asking: Coroutine[None, None, Any]) -> str:
    with pytest.raises(Problem) as caught:
        await asking
    assert caught.value.detail
    assert "--memory" not in caught.value.detail
    return caught.value.code


def positions_of(rules: Rules, matches: int = 2) -> Iterator[Position]:
    chance = random.Random(rules.id)
    for _ in range(matches):
        position = solution_of(rules).start
        while position.outcome is None:
            yield position
            position = position.play(chance.choice(position.legal_moves()))


def plain(value: object) -> Any:
    """Return a value as JSON gives it back."""
    return json.loads(json.dumps(value))


class TestRightAnswers:
    @pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.id)
    def test_about_positions(self, rules: Rules) -> None:
        solution, table = solution_of(rules), table_of(rules)

        async def talk(thinking: Thinking) -> None:
            for position in positions_of(rules):
                at, move = str(position), position.legal_moves()[-1]
                options = [option_json(position, one) for one in solution.options(position)]
                assert await thinking.values(table, at) == options
                assert await thinking.values(table, at) == options, "remembered"
                for step in (1, 2, 3):
                    said = hint_sentences(hint(position, solution, step), position)
                    assert await thinking.hint(table, at, step) == said
                why = sentences(reason(position, move, solution), position)
                assert await thinking.reason(table, at, position.text_of(move)) == why
                for who in ("random", "level:3", "perfect"):
                    chosen = position.text_of(choose(who, position, at))
                    assert await thinking.choose(table, who, at, at) == chosen
                after = position.play(move)
                said_of = plain(position_json(solution, after, [position.text_of(move)]))
                assert await thinking.analyze(table, at, [position.text_of(move)]) == said_of

        think(talk)

    @pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.id)
    def test_about_games(self, rules: Rules) -> None:
        solution, table = solution_of(rules), table_of(rules)

        async def talk(thinking: Thinking) -> None:
            await thinking.check(table)
            known = await thinking.knowledge(table)
            seconds = known["seconds"]
            assert known.items() >= plain(solution_json(solution) | {"seconds": seconds}).items()
            assert seconds > 0
            position = solution.start
            for text in known["best_play"]:
                position = position.play(next(m for m in position.legal_moves() if position.text_of(m) == text))
            assert position.outcome is not None
            assert len(known["best_play"]) == known["plies"]
            assert len(known["words"]) == 4
            winner = "first" if known["winner"] == 1 else "second"
            assert f"the {winner} player wins, in {known['plies']} move" in known["words"][0]
            puzzles = [puzzle_json(one) for one in some_puzzles(solution, 3, "seed")]
            assert await thinking.puzzles(table, "seed", 3) == plain(puzzles)

        think(talk)

    def test_about_matches(self) -> None:
        async def talk(thinking: Thinking) -> None:
            for path in RECORDS:
                text = path.read_text(encoding="utf-8")
                match = read_match(text)
                found = review(match, solution_of(match.setup.rules))
                said = await thinking.review(text)
                assert said == {"json": plain(review_json(found)), "pieces": plain(asdict(pieces(found)))}

        think(talk)

    def test_about_the_longest_match_there_can_be(self) -> None:
        table = table_of(built_in("zero-sum-game")) | {"pool": [1, -1], "start": [3, -3], "reaching": "loses"}
        match = Match.begin(Setup(rules=rules_of(table), names=("W" * 40, "M" * 40)))
        solution = solution_of(match.setup.rules)
        while match.outcome is None:
            match = match.after(solution.options(match.position)[0].move)

        async def talk(thinking: Thinking) -> None:
            assert len((await thinking.review(match.record()))["json"]["moves"]) == 600

        think(talk)

    def test_a_changed_answer_does_not_change_the_next(self) -> None:
        async def talk(thinking: Thinking) -> None:
            first = await thinking.values(SUM31, AT)
            first.clear()
            assert await thinking.values(SUM31, AT)

        think(talk)


class TestRefusals:
    def test_what_cannot_be_answered_is_a_problem_and_the_next_question_is_answered(self) -> None:
        async def talk(thinking: Thinking) -> None:
            asked: dict[str, list[Coroutine[None, None, Any]]] = {
                "bad-rules": [
                    thinking.check({**SUM31, "pool": [0]}),
                    thinking.check({}),
                    thinking.values({**SUM31, "target": 10**400}, AT),
                ],
                "bad-position": [
                    thinking.values(SUM31, "nonsense"),
                    thinking.values(SUM31, "1,2,3,4,7 27 1"),
                    thinking.values(SUM31, "1,2,3,4,7,8 31 1"),
                    thinking.hint(SUM31, "- 45 2", 1),
                    thinking.choose(SUM31, "perfect", "", ""),
                ],
                "unreadable-move": [thinking.reason(SUM31, AT, "\ud800")],
                "illegal-move": [thinking.reason(SUM31, AT, "+5"), thinking.analyze(SUM31, "", ["+5", "+5"])],
                "bad-field": [thinking.choose(SUM31, "human", AT, ""), thinking.puzzles(SUM31, "", 10**9)],
                "bad-record": [thinking.review("1. +5"), thinking.review('[Game "sum31"]\n\n1. +5 +5')],
                "too-large": [
                    thinking.check(HOSTILE),
                    thinking.knowledge(HOSTILE),
                    thinking.puzzles(HOSTILE, "", 1),
                    thinking.choose(HOSTILE, "level:1", str(start_position(rules_of(HOSTILE))), ""),
                ],
                "internal": [thinking.values(SUM31, cast("str", None))],
            }
            for code, questions in asked.items():
                for question in questions:
                    assert await code_of(question) == code
                assert await thinking.values(SUM31, AT)

        think(talk)

    def test_a_variant_has_less_memory_than_a_terminal_has(self) -> None:
        pool = {"pool": list(range(16, 26)), "operations": ["add", "subtract"]}
        table: Table = {**SLOW, **pool, "tie": "second-mover"}
        solve(rules_of(table))

        async def talk(thinking: Thinking) -> None:
            with pytest.raises(Problem, match=r"too-large: .* and 64\.0 MiB are allowed\. Use a smaller pool"):
                await thinking.check(table)

        think(talk)

    def test_random_play_needs_no_solution(self) -> None:
        start = start_position(rules_of(HOSTILE))

        async def talk(thinking: Thinking) -> None:
            move = await thinking.choose(HOSTILE, "random", str(start), "seed")
            assert move in map(start.text_of, start.legal_moves())

        think(talk)

    def test_lines_that_are_no_questions_are_answered(self) -> None:
        for line in (b"", b"[]", b"{}", b'{"id": 1, "job": "no"}', b"\xff", b"[" * 100_000, b'{"id": 1, "job": []}'):
            found = json.loads(thinker.answer(line))
            assert found["problem"]["code"] == "internal"
            assert "Traceback" in found["trace"]

    def test_every_code_is_known(self) -> None:
        assert {*jobs._CODES.values(), "too-large", "bad-field", "bad-request", "internal"} <= set(PROBLEMS)

    def test_memory_that_runs_out_is_a_problem_once_other_games_are_forgotten(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        jobs.solved.cache_clear()
        question = json.dumps({"id": 1, "job": "check", "rules": SUM31}).encode()
        tried: list[int] = []

        def out_of_memory(*_: object) -> None:
            tried.append(jobs.solved.cache_info().currsize)
            raise MemoryError

        jobs.solved(built_in("zero-sum-duel"))
        monkeypatch.setattr(jobs, "solve", out_of_memory)
        assert json.loads(thinker.answer(question))["problem"]["code"] == "too-large"
        assert tried == [1, 0]
        monkeypatch.undo()
        assert json.loads(thinker.answer(question)) == {"id": 1, "answer": None}
        jobs.solved.cache_clear()


class TestTime:
    def test_a_hostile_game_is_refused_quickly_and_the_games_do_not_wait(self) -> None:
        async def talk(thinking: Thinking) -> None:
            await thinking.values(SUM31, AT)
            await thinking.check(table_of(RULES[-1]))
            began = monotonic()
            refused = asyncio.create_task(code_of(thinking.check(HOSTILE)))
            assert await refused == "too-large"
            assert monotonic() - began < 5

        think(talk)

    def test_the_games_are_answered_while_a_variant_is_thought_about(self) -> None:
        async def talk(thinking: Thinking) -> None:
            slow = asyncio.create_task(thinking.check(SLOW))
            answered = 0
            for position in positions_of(built_in("sequence-zero")):
                await thinking.values(table_of(position.rules), str(position))
                answered += not slow.done()
            assert answered > 5
            await slow

        think(talk)

    def test_the_loop_never_waits(self) -> None:
        async def talk(thinking: Thinking) -> list[float]:
            slow = asyncio.create_task(thinking.knowledge(SLOW))
            gaps, last = [], monotonic()
            while not slow.done():
                await asyncio.sleep(0.005)
                gaps.append(monotonic() - last)
                last = monotonic()
            await slow
            return gaps

        gaps = think(talk)
        assert len(gaps) > 50
        assert max(gaps) < 0.5

    def test_a_job_over_its_time_is_ended_and_the_next_is_answered(self) -> None:
        async def talk(thinking: Thinking) -> None:
            variant = table_of(RULES[-1])
            await thinking.check(variant)
            before = thinking.lanes["variants"].pid
            began = monotonic()
            assert await code_of(thinking.check(SLOW)) == "thinking-too-long"
            assert 1 <= monotonic() - began < 10
            assert before is not None
            assert not alive(before)
            assert (await thinking.knowledge(variant))["words"]
            assert thinking.lanes["variants"].pid not in (None, before)

        think(talk, seconds=1)

    def test_more_than_may_wait_are_turned_away_and_the_games_are_not(self) -> None:
        async def talk(thinking: Thinking) -> None:
            slow = []
            for n in range(3):
                slow.append(asyncio.create_task(thinking.check({**SLOW, "name": f"Slow {n}"})))
                await asyncio.sleep(0.1)
            assert thinking.lanes["variants"].waiting == 2
            assert await code_of(thinking.check(HOSTILE)) == "busy"
            assert await thinking.values(SUM31, AT)
            await thinking.close()
            told = await asyncio.gather(*slow, return_exceptions=True)
            assert [one.code for one in told if isinstance(one, Problem)] == ["stopping"] * 3
            assert await code_of(thinking.check(SUM31)) == "stopping"

        think(talk, waiting=2)

    def test_a_burst_about_the_games_is_answered(self) -> None:
        async def talk(thinking: Thinking) -> None:
            asked = [thinking.choose(SUM31, COMPUTERS[n % len(COMPUTERS)], AT, str(n)) for n in range(300)]
            moves = await asyncio.gather(*asked)
            assert set(moves) <= {"+1", "+2", "+3", "+4", "+7"}

        think(talk)

    def test_who_goes_away_takes_nobody_along(self) -> None:
        async def talk(thinking: Thinking) -> None:
            slow = asyncio.create_task(thinking.check(SLOW))
            gone = asyncio.create_task(thinking.check(HOSTILE))
            await asyncio.sleep(0.3)
            slow.cancel()
            gone.cancel()
            told = await asyncio.gather(slow, gone, return_exceptions=True)
            assert all(isinstance(one, asyncio.CancelledError) for one in told)
            assert await code_of(thinking.knowledge(HOSTILE)) == "too-large"

        think(talk)


class TestDeath:
    def test_a_killed_process_is_begun_anew(self) -> None:
        async def talk(thinking: Thinking) -> None:
            position = None
            for position in positions_of(built_in("sum31"), 1):
                assert await thinking.values(SUM31, str(position))
                pid = thinking.lanes["games"].pid
                assert pid is not None
                os.kill(pid, signal.SIGKILL)
            assert position is not None
            assert (await thinking.knowledge(SUM31))["winner"] == 2

        think(talk)

    def test_a_process_killed_in_the_middle_of_a_thought_is_asked_again(self) -> None:
        async def talk(thinking: Thinking) -> None:
            asked = asyncio.create_task(thinking.knowledge(SLOW))
            while (pid := thinking.lanes["variants"].pid) is None:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.7)
            assert not asked.done()
            os.kill(pid, signal.SIGKILL)
            assert (await asked)["game"] == "slow"
            assert thinking.lanes["variants"].pid not in (None, pid)

        think(talk)

    def test_a_question_that_kills_twice_is_given_up(self) -> None:
        async def talk(thinking: Thinking) -> None:
            lane = thinking.lanes["variants"]
            asked = asyncio.create_task(code_of(thinking.check(SLOW)))
            killed: set[int] = set()
            while not asked.done():
                await asyncio.sleep(0.01)
                if lane.pid is not None and lane.pid not in killed:
                    killed.add(lane.pid)
                    os.kill(lane.pid, signal.SIGKILL)
            assert await asked == "busy"
            assert len(killed) == 2
            assert (await thinking.knowledge(table_of(RULES[-1])))["words"]

        think(talk)

    def test_who_is_not_ended_by_others_ends_itself(self) -> None:
        question = json.dumps({"id": 1, "job": "check", "rules": SLOW}) + "\n"
        arguments = [str(0.5 - thinker._GRACE), "0"]
        with subprocess.Popen(
            [sys.executable, "-m", "zerosum.server.thinker", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stdout.readline() == thinker.READY
            process.stdin.write(question.encode())
            process.stdin.flush()
            assert process.wait(20) == -signal.SIGALRM

    def test_a_process_without_anybody_to_ask_ends(self) -> None:
        command = [sys.executable, "-m", "zerosum.server.thinker", "10", "0"]
        done = subprocess.run(command, input=b"", capture_output=True, timeout=30, check=True)
        assert (done.stdout, done.stderr) == (thinker.READY, b"")


def test_a_process_that_thinks_is_small_and_its_memory_bounded() -> None:
    code = """
import resource, sys
import zerosum.server.thinker as thinker
thinker._bound_memory()
print(resource.getrlimit(resource.RLIMIT_AS)[0], *sorted(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30)
    bound, *modules = done.stdout.split()
    assert int(bound) <= 1 << 30
    heavy = ("fastapi", "pydantic", "sqlalchemy", "structlog", "jinja2", "numpy", "click", "asyncio")
    assert [name for name in modules if name.split(".")[0] in heavy] == []
