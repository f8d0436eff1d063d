"""The tests of the compliance check, in order. Each returns what it found; whatever a bot does wrong raises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Final

from zerosum.entrants.judging import policy_of
from zerosum.entrants.orders import At, Go, Query, Word, write_order
from zerosum.entrants.talk import Talk, rules_lines, where
from zerosum.entrants.trial import FailedError, Trial, from_the_middle, walk
from zerosum.entrants.utterances import BestMove, Chances, Complaint, Response, Short
from zerosum.rules.model import Rules, Seat
from zerosum.rules.numbers import shorten
from zerosum.rules.position import start_position

NEW_GAMES: Final = 50
_FEW: Final = 10
"""Positions of a game for tests that need not many."""
_LATE: Final = 2
"""Numbers left where a bot that has misread a position hardly finds a legal move."""
_MOVETIME: Final = 300
_LONG_LINE: Final = 4_095
"""Bytes of a line that means nothing, its end included."""


@dataclass(frozen=True, slots=True)
class BotTest:
    """A test: its name, whether a bot must pass it, whether it is made for each game, and how."""

    name: str
    run: Callable[[Trial, Rules], str]
    must: bool = True
    each_game: bool = False
    vital: bool = False
    """Whether the other tests make no sense without it."""


def _ready(trial: Trial, rules: Rules) -> str:
    """Ask for `readyok` before, between and during a search."""
    talk = trial.running(rules)
    turn = walk(rules, f"{trial.seed}/ready")
    for _ in range(2):
        talk.order(Word.READY)
        talk.await_(Short.READY_OK, trial.until(trial.bounds.start))
        talk.go(where(turn), Go(movetime=1000), trial.until(1))
    _search(trial, talk, where(turn))
    return "readyok before, between and during a search"


def _search(trial: Trial, talk: Talk, at: At) -> str:
    """Let it search without end, ask whether it is ready, stop it; return its one move."""
    talk.order(at, Go())
    talk.owed += 1
    talk.order(Word.READY)
    found: list[str] = []
    ready = False
    while not ready:
        said = talk.hear(trial.until(trial.bounds.start))
        ready = said is Short.READY_OK
        found += [said.move] if isinstance(said, BestMove) else []
    talk.order(Word.STOP)
    while not found:
        said = talk.hear(trial.until(trial.bounds.quit))
        found += [said.move] if isinstance(said, BestMove) else []
    talk.order(Word.READY)
    talk.await_(Short.READY_OK, trial.until(trial.bounds.start))
    return found[0]


def _rules(trial: Trial, rules: Rules) -> str:
    """Give it the rules; it must not complain."""
    trial.rules = None
    talk = trial.talk or trial.start()
    trial.talk = talk
    lines = rules_lines(rules)
    talk.process.say(f"rules {len(lines)}", *lines)
    talk.order(Word.NEW_GAME, Word.READY)
    while (said := talk.hear(trial.until(trial.bounds.start))) is not Short.READY_OK:
        if isinstance(said, Complaint):
            raise FailedError(f"it says: {shorten(said.text)}")
    trial.rules = rules
    return f"{len(lines)} lines"


def _legal(trial: Trial, rules: Rules) -> str:
    """Ask for moves in many positions."""
    for turn in trial.walks(rules, trial.positions, "legal"):
        trial.ask(turn)
    return f"{trial.positions} legal moves"


def _fen(trial: Trial, rules: Rules) -> str:
    """Tell positions by moves, by themselves, and by themselves with moves after them."""
    count = 0
    for turn in trial.walks(rules, 4 * _FEW, "fen"):
        if len(turn.position.pool) <= max(_LATE, len(rules.pool) // 3) or count < _FEW:
            for at in (0, len(turn.moves) // 2, len(turn.moves)):
                trial.ask(from_the_middle(turn, at))
            count += 1
    return f"{count} positions, each told in three ways"


def _movetime(trial: Trial, rules: Rules) -> str:
    for turn in trial.walks(rules, _FEW, "movetime"):
        trial.ask(turn, Go(movetime=_MOVETIME), _MOVETIME / 1000)
    return f"{_FEW} moves within {_MOVETIME} ms"


def _stop(trial: Trial, rules: Rules) -> str:
    talk = trial.running(rules)
    for turn in trial.walks(rules, _FEW, "stop"):
        trial.judge(_search(trial, talk, where(turn)), turn.position)
    return f"{_FEW} searches stopped, one move each"


def _new_games(trial: Trial, _rules: Rules) -> str:
    """Begin new games: nothing of an old one may be left."""
    for n, rules in enumerate(islice(cycle(trial.games), NEW_GAMES)):
        trial.rules = None
        trial.ask(walk(rules, f"{trial.seed}/new/{n}"))
        start = start_position(rules)
        talk = trial.running(rules)
        talk.order(Word.NEW_GAME)
        trial.asked(talk, At(), start)
    return f"{NEW_GAMES} new games"


def _survives(trial: Trial, rules: Rules) -> str:
    talk = trial.running(rules)
    turn = walk(rules, f"{trial.seed}/survives")
    at = write_order(where(turn))
    for noise in (b"joho\n", b"\n \n", b"x" * (_LONG_LINE - 1) + b"\n", b"stop\n", b"\r\n"):
        talk.process.send(noise)
        trial.ask(turn)
    talk.owed += 1
    talk.process.send(f"isready\r\n{at}\r\ngo movetime 1000\r\n".encode())
    talk.await_(Short.READY_OK, trial.until(trial.bounds.start))
    while not isinstance(said := talk.hear(trial.until(1)), BestMove):
        pass
    trial.judge(said.move, turn.position)
    return "unknown words, empty lines, 4,095 bytes, CRLF"


def _ends(trial: Trial, end: Callable[[Talk], None], *, thinking: bool = False) -> None:
    talk = trial.start()
    try:
        talk.begin(trial.games[0], trial.until(trial.bounds.start))
        if thinking:
            talk.order(At(), Go())
        end(talk)
        if not talk.process.wait(trial.until(trial.bounds.quit)):
            raise FailedError(f"it runs on after {trial.bounds.quit:g} s")
    finally:
        talk.process.close()


def _quit(trial: Trial, _rules: Rules) -> str:
    for thinking in (False, True):
        _ends(trial, lambda talk: talk.order(Word.QUIT), thinking=thinking)
    return "it ends, idle and while it thinks"


def _end_of_input(trial: Trial, _rules: Rules) -> str:
    _ends(trial, lambda talk: talk.process.end_input())
    return "it ends"


def _two_at_once(trial: Trial, _rules: Rules) -> str:
    """Let two of them play different games, with their questions interleaved."""
    pairs = list(zip(islice(cycle(trial.games), _FEW), islice(cycle(trial.games[::-1]), _FEW), strict=True))
    talks = [trial.start()]
    try:
        talks.append(trial.start())
        for n, pair in enumerate(pairs):
            turns = [walk(rules, f"{trial.seed}/two/{n}/{at}") for at, rules in enumerate(pair)]
            for talk, turn in zip(talks, turns, strict=True):
                talk.begin(turn.position.rules, trial.until(trial.bounds.start))
            for talk, turn in zip(talks, turns, strict=True):
                talk.order(where(turn), Go(movetime=1000))
                talk.owed += 1
            for talk, turn in zip(talks, turns, strict=True):
                while not isinstance(said := talk.hear(trial.until(1)), BestMove):
                    pass
                trial.judge(said.move, turn.position)
    finally:
        for talk in talks:
            talk.process.close()
    return f"{_FEW} moves of each"


def _every_go(trial: Trial, rules: Rules) -> str:
    turn = walk(rules, f"{trial.seed}/go")
    for go in (Go(clocks=(60_000, 60_000, 0, 0)), Go(depth=1), Go(nodes=100)):
        trial.ask(turn, go, trial.bounds.start)
    return "clocks, depth and nodes"


def _policy(trial: Trial, rules: Rules) -> str:
    """Ask for the chance of every move."""
    talk = trial.running(rules)
    turn = walk(rules, f"{trial.seed}/policy")
    talk.order(where(turn), Word.POLICY, Word.READY)
    found: Chances | None = None
    while (said := talk.hear(trial.until(trial.bounds.start))) is not Short.READY_OK:
        found = said if isinstance(said, Chances) else found
    if found is None:
        raise FailedError("it does not say its policy, so its strength can only be sampled")
    if policy_of(found.chances, turn.position) is None:
        raise FailedError(f"at {turn.position}: not the chances of legal moves that add up to 1")
    return "the chance of every move"


def _query(trial: Trial, rules: Rules) -> str:
    """Ask what it believes of a position."""
    talk = trial.running(rules)
    turn = walk(rules, f"{trial.seed}/query")
    truth = {"gameover": "false", "p1turn": str(turn.position.seat is Seat.FIRST).lower(), "result": "none"}
    for what, expected in truth.items():
        talk.order(where(turn), Query(what), Word.READY)
        found = ""
        while (said := talk.hear(trial.until(trial.bounds.start))) is not Short.READY_OK:
            found = said.text if isinstance(said, Response) else found
        if found != expected:
            raise FailedError(f"query {what}: '{shorten(found)}', not {expected}" if found else "it does not answer")
    return ", ".join(truth)


TESTS: Final = (
    BotTest("ready", _ready, vital=True),
    BotTest("rules", _rules, each_game=True),
    BotTest("legal moves", _legal, each_game=True),
    BotTest("fen and moves", _fen, each_game=True),
    BotTest("movetime", _movetime),
    BotTest("stop", _stop),
    BotTest("new games", _new_games),
    BotTest("survives", _survives),
    BotTest("two at once", _two_at_once),
    BotTest("quit", _quit),
    BotTest("end of input", _end_of_input),
    BotTest("every go", _every_go, must=False),
    BotTest("policy", _policy, must=False),
    BotTest("query", _query, must=False),
)
