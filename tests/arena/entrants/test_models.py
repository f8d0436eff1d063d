"""Models and commands as entrants: what is asked, what is sent, what is tried again, and what is kept secret."""

from __future__ import annotations

import socket
import sys
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.entrants.fake_endpoint import Fake, Scripted, endpoint
from zerosum.arena.entrants.command_line import BadCommandError
from zerosum.arena.entrants.entrant import Entrant, Fault, Turn, decide
from zerosum.arena.entrants.limits import TRIES
from zerosum.arena.entrants.model_endpoint import Endpoint, NoAnswerError, key_of
from zerosum.arena.entrants.open_entrant import CommandEntrant, ModelEntrant, open_entrant
from zerosum.arena.entrants.prompt import AnswerFormat, PromptStyle, prompt
from zerosum.base.errors import ZerosumError
from zerosum.rules.game_files import built_in, load_text
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, start_position

SUM31 = built_in("sum31")
START = start_position(SUM31)
LONG = 60.0
SECRET = "sk-very-secret-1234"  # noqa: S105 - it opens nothing


def turn(position: Position = START, *moves: str, seconds: float = LONG) -> Turn:
    """Return a turn after these moves."""
    start, played = position, []
    for text in moves:
        played.append(next(move for move in position.legal_moves() if position.text_of(move) == text))
        position = position.play(text)
    return Turn(start, tuple(played), position, seconds)


class TestPrompt:
    def test_what_it_says(self) -> None:
        text = prompt(turn(START, "+5", "+6"))
        for part in (
            "You are playing Sum31",
            "in seat 1",
            "Whoever brings the total to exactly 31 wins",
            "Moves so far: seat 1 played +5; seat 2 played +6.",
            "Numbers left: 1, 2, 3, 4, 7, 8, 9.",
            "Total: 11.",
            "A move that is not legal costs you a try.",
            "End with a line `MOVE: x`",
        ):
            assert part in text, part
        assert "Legal moves" not in text
        assert "An invalid number" not in text

    def test_its_switches(self) -> None:
        at = turn(START, "+5")
        text = prompt(at, PromptStyle(legal_moves=True, history=False, thinking=False, format=AnswerFormat.JSON))
        assert "Legal moves: +1, +2, +3, +4, +6, +7, +8, +9." in text
        assert "Moves so far" not in text
        assert text.endswith('Answer with a JSON object `{"move": "x"}`, where x is your move, and nothing else.\n')

    def test_own_totals_and_a_forfeit(self) -> None:
        duel, sequence = (start_position(built_in(game)) for game in ("zero-sum-duel", "sequence-zero"))
        assert "You lose at once if your move is not legal." in prompt(turn(duel))
        assert "-5 subtracts 5" in prompt(turn(duel))
        assert "Your total: 0. The other player's total: 5." in prompt(turn(sequence, "+5"))

    def test_a_swap_is_offered_and_told(self) -> None:
        start = start_position(load_text('like = "sum31"\nid = "s"\nname = "S"\nswap = true'))
        assert "Write swap to change seats." in prompt(turn(start, "+5"))
        assert "seat 2 swapped seats" in prompt(turn(start, "+5", "swap"))
        assert "Write swap" not in prompt(turn(start, "+5", "swap"))


@pytest.fixture
def script() -> list[Scripted]:
    return []


@pytest.fixture
def fake(script: list[Scripted], monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    """Return an endpoint that goes through a script."""
    monkeypatch.setenv("ZEROSUM_MODEL_KEY", SECRET)
    with endpoint(lambda _request: script.pop(0)) as one:
        yield one


def model(fake: Fake, pauses: list[float] | None = None) -> ModelEntrant:
    sleep = (pauses if pauses is not None else []).append
    return ModelEntrant(f"tiny@{fake.url}", endpoint=Endpoint("tiny", fake.url, sleep=sleep))


def test_a_move(fake: Fake, script: list[Scripted]) -> None:
    script += [Scripted("I think.\nMOVE: +5")]
    decision = decide(model(fake), turn())
    assert decision.move == Move(5)
    (request,) = fake.requests
    assert (request["path"], request["model"]) == ("/v1/chat/completions", "tiny")
    assert request["headers"]["Authorization"] == f"Bearer {SECRET}"
    assert request["messages"] == [{"role": "user", "content": prompt(turn())}]


def test_an_illegal_move_is_told_and_asked_again(fake: Fake, script: list[Scripted]) -> None:
    script += [Scripted("MOVE: +77"), Scripted("MOVE: +7")]
    decision = decide(model(fake), turn())
    assert (decision.move, decision.illegal) == (Move(7), 1)
    roles = [(one["role"], one["content"]) for one in fake.requests[1]["messages"][1:]]
    assert roles[0] == ("assistant", "MOVE: +77")
    assert roles[1][1].startswith("+77 is not a legal move: ")


@pytest.mark.parametrize(
    ("scripted", "fault", "detail"),
    [
        (Scripted("no idea"), Fault.UNREADABLE, "its reply names no single move"),
        (Scripted("MOVE: +5 or +6"), Fault.UNREADABLE, "its reply names no single move"),
        (Scripted("Let me think", finish="length"), Fault.UNREADABLE, "its reply was cut off"),
        (Scripted("MOVE: +77"), Fault.ILLEGAL, "+77 is not allowed: that number is not available"),
    ],
)
def test_a_reply_without_a_legal_move(
    scripted: Scripted, fault: Fault, detail: str, fake: Fake, script: list[Scripted]
) -> None:
    script += [scripted]
    reply = model(fake).choose(turn())
    assert (reply.move, reply.fault, reply.detail) == (None, fault, detail)


def test_what_goes_wrong_on_the_way_is_tried_again_and_is_no_move(fake: Fake, script: list[Scripted]) -> None:
    wrong = [
        Scripted(status=429, retry_after="7"),
        Scripted(status=503),
        Scripted(drop=True),
        Scripted(body=b"<html>"),
        Scripted(body=b'{"choices": []}'),
    ]
    script += [*wrong, Scripted("MOVE: +5")]
    pauses: list[float] = []
    decision = decide(model(fake, pauses), turn())
    assert (decision.move, decision.illegal, len(decision.replies)) == (Move(5), 0, 1)
    assert pauses == [7.0, 1.0, 2.0, 4.0, 8.0]


def test_an_endpoint_that_never_answers(fake: Fake, script: list[Scripted]) -> None:
    script += [Scripted(status=500)] * 6
    with pytest.raises(NoAnswerError, match=r"tiny gave no answer in 6 tries: status 500\.") as error:
        model(fake).choose(turn())
    assert error.value.exit_code == 3


def test_a_time_out_is_tried_again(fake: Fake, script: list[Scripted]) -> None:
    later = threading.Event()
    # On a busy machine an answer at once may be late too.
    script += [Scripted("MOVE: +1", wait=later), *[Scripted("MOVE: +5")] * (TRIES - 1)]
    one = model(fake)
    try:
        reply = one.choose(turn(seconds=0.2))
    finally:
        later.set()  # else the endpoint would never end
    assert reply.move == Move(5)
    assert one._endpoint.retries >= 1


@pytest.mark.parametrize("status", [301, 400, 401, 404])
def test_a_refusal_is_not_tried_again(status: int, fake: Fake, script: list[Scripted]) -> None:
    script += [Scripted(status=status, body=SECRET.encode())]
    with pytest.raises(NoAnswerError, match=f"refuses to answer: status {status}") as error:
        model(fake).choose(turn())
    assert SECRET not in str(error.value)


def test_a_key_that_cannot_be_sent_is_in_no_error(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROSUM_MODEL_KEY", f"{SECRET}\nX-Evil: 1")
    with pytest.raises(BadCommandError, match="The key in ZEROSUM_MODEL_KEY has characters that no key has") as error:
        model(fake).choose(turn())
    assert SECRET not in "".join(traceback.format_exception(error.value))
    assert fake.requests == []


def test_the_key_is_in_no_error_of_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROSUM_MODEL_KEY", SECRET)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # it does not listen
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        with pytest.raises(NoAnswerError, match=r"connection failed \(ConnectionRefusedError\)") as error:
            ModelEntrant(f"tiny@{address}", endpoint=Endpoint("tiny", address, sleep=lambda _: None)).choose(turn())
    assert SECRET not in "".join(traceback.format_exception(error.value))


@pytest.mark.parametrize(
    "name",
    [
        *("x", "x@", "@http://h", "x@ftp://h/v1", "x@http://user:pw@h/v1", "x@http://"),
        "x@http://[h",
        "x@http://h:99999",
    ],
)
def test_what_is_no_model(name: str) -> None:
    with pytest.raises(BadCommandError, match="A model has a name and an http or https address") as refused:
        ModelEntrant(name)
    assert "pw" not in str(refused.value)


class TestCommand:
    def command(self, tmp_path: Path, code: str) -> CommandEntrant:
        script = tmp_path / "reply.py"
        script.write_text(f"import sys\nasked = sys.stdin.read()\n{code}\n")
        return CommandEntrant(f"{sys.executable} -I -S {script}")

    def test_a_move(self, tmp_path: Path) -> None:
        one = self.command(tmp_path, "print('thinking' * 2000)\nprint('MOVE: +9' if 'Sum31' in asked else 'what?')")
        assert decide(one, turn()).move == Move(9)

    def test_it_is_told_of_an_illegal_move(self, tmp_path: Path) -> None:
        one = self.command(tmp_path, "print('MOVE: +3' if '+77 is not a legal move' in asked else 'MOVE: +77')")
        assert decide(one, turn()).move == Move(3)

    @pytest.mark.parametrize(
        ("code", "fault"),
        [
            ("sys.exit(2)", Fault.CRASH),
            ("print('MOVE: +5'); sys.exit(2)", Fault.CRASH),
            ("print('hm')", Fault.UNREADABLE),
            ("sys.stdout.buffer.write(b'MOVE: \\xff')\nprint()", Fault.UNREADABLE),
            ("print('x' * 2_000_000)", Fault.UNREADABLE),
        ],
    )
    def test_what_is_no_move(self, code: str, fault: Fault, tmp_path: Path) -> None:
        assert self.command(tmp_path, code).choose(turn()).fault is fault

    def test_one_that_hangs(self, tmp_path: Path) -> None:
        assert self.command(tmp_path, "__import__('time').sleep(3600)").choose(turn(seconds=0.3)).fault is Fault.TIME


@pytest.mark.parametrize(
    ("name", "who", "shown"),
    [
        ("level:5", "level:5", "Level 5"),
        ("random", "random", "Random"),
        ("bot:sh -c true", "bot", "Bot"),
        ("model:a@b@http://127.0.0.1:9/v1", "model", "a@b"),
        ("command:sh -c true", "command", "sh"),
    ],
)
def test_an_entrant_from_its_name(name: str, who: str, shown: str) -> None:
    one: Entrant = open_entrant(name)
    assert (one.who, one.name) == (who, shown)
    one.close()


def test_a_key_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first line; the variable comes first, and without either there is none."""
    path = tmp_path / "key"
    path.write_text(f"  {SECRET} \nanother line\n")
    monkeypatch.delenv("ZEROSUM_MODEL_KEY", raising=False)
    monkeypatch.delenv("ZEROSUM_MODEL_KEY_FILE", raising=False)
    assert not key_of("ZEROSUM_MODEL_KEY")
    monkeypatch.setenv("ZEROSUM_MODEL_KEY_FILE", str(path))
    assert key_of("ZEROSUM_MODEL_KEY") == SECRET
    monkeypatch.setenv("ZEROSUM_MODEL_KEY", "of the variable")
    assert key_of("ZEROSUM_MODEL_KEY") == "of the variable"
    monkeypatch.delenv("ZEROSUM_MODEL_KEY")
    path.write_text("x" * 5_000)
    with pytest.raises(ZerosumError, match="key"):
        key_of("ZEROSUM_MODEL_KEY")
