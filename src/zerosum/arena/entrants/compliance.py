"""The compliance check: everything that a match may ask of a bot, one test after the other.

Each test returns what it found, or raises if the bot did something wrong. After a test that broke the conversation,
the bot is started again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import cycle, islice
from random import Random
from time import monotonic
from typing import Final

from zerosum.arena.entrants import protocol
from zerosum.arena.entrants.bot import BotSession, SilentError, position_order, rules_lines
from zerosum.arena.entrants.bot_process import EndedError, UnreadableError
from zerosum.arena.entrants.command_line import BOUNDS, Bounds, missing_file, split_command
from zerosum.arena.entrants.entrant import Turn, chances_from_bot, judge_text
from zerosum.base.errors import BadNameError
from zerosum.base.text import check_player_name, shorten
from zerosum.rules.game_files import RULEBOOK_IDS, built_in, load_text
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, start_position

MOVE_SECONDS: Final = 1.0
_LONGEST: Final = 40
"""Plies of a walk, at most: a match of sudden death need not end."""
_REPEATS: Final = 'name = "Own totals, repeats"\npool = [-3, -3, 1, 1, 2, 2, 4]\nstart = [3, -5]\n'
_VARIANTS: Final = (
    'like = "zero-sum-duel"\nid = "check-ban"\nname = "With a ban"\nban = "mirror"\n',
    'like = "sum31"\nid = "check-swap"\nname = "With a swap"\nswap = true\n',
    f'like = "sequence-zero"\nid = "check-repeats"\n{_REPEATS}',
)


def with_last_words(why: str, last: str) -> str:
    """Return how a bot ended, and the last line of its standard error if it wrote there."""
    return f"{why}; it said: {last}" if last else why


class FailedError(Exception):
    """A test that a bot has not passed, and why."""


@cache
def games() -> tuple[Rules, ...]:
    """Return what a bot is tried in: the five rulebooks, and variants with a ban, a swap, own totals and repeats."""
    return (*map(built_in, RULEBOOK_IDS), *map(load_text, _VARIANTS))


def walk(rules: Rules, seed: str, seconds: float = MOVE_SECONDS) -> Turn:
    """Return a position that moves at random lead to, with these moves; it is not over."""
    chance = Random(seed)
    start = start_position(rules)
    moves: list[Move] = []
    positions = [start]
    while len(moves) < _LONGEST and (legal := positions[-1].legal_moves()):
        moves.append(chance.choice(legal))
        positions.append(positions[-1].play_unchecked(moves[-1]))
    last = len(moves) - (positions[-1].outcome is not None)
    at = chance.randint(0, last)
    return Turn(start, tuple(moves[:at]), positions[at], seconds)


def from_the_middle(turn: Turn, at: int) -> Turn:
    """Return the same turn, described from the position after its first `at` moves."""
    start = turn.start
    for move in turn.moves[:at]:
        start = start.play_unchecked(move)
    return replace(turn, start=start, moves=turn.moves[at:])


@dataclass
class Trial:
    """What is known of a bot so far, and how it is spoken to."""

    command: Sequence[str]
    games: Sequence[Rules]
    positions: int
    bounds: Bounds
    seed: str
    talk: BotSession | None = None
    rules: Rules | None = None
    unasked: int = 0
    odd: tuple[str, ...] = ()

    def start(self) -> BotSession:
        """Start a new bot for a test, and greet it."""
        talk = BotSession(self.command, self.bounds)
        try:
            talk.greet(self.until(self.bounds.start))
        except BaseException:
            talk.process.close()
            raise
        return talk

    def until(self, seconds: float) -> float:
        """Return when so many seconds are over, with the margin."""
        return monotonic() + seconds + self.bounds.margin

    def running(self, rules: Rules) -> BotSession:
        """Return the bot, ready for a game."""
        if self.talk is None:
            self.talk, self.rules = self.start(), None
        if self.rules != rules:
            self.talk.begin(rules, self.until(self.bounds.start))
            self.rules = rules
        return self.talk

    @contextlib.contextmanager
    def explained(self) -> Iterator[None]:
        """Turn whatever goes wrong with a bot into the failure of a test, and give that bot up."""
        try:
            yield
        except SilentError:
            self.drop()
            raise FailedError("no answer in time") from None
        except (EndedError, UnreadableError) as error:
            last = self.talk.process.complaints if self.talk is not None else ""
            self.drop()
            raise FailedError(with_last_words(str(error), last)) from None

    def drop(self) -> None:
        """End the bot that was spoken to; what it said that it should not have is remembered."""
        if self.talk is not None:
            self.unasked += self.talk.unasked
            self.odd += tuple(self.talk.odd)
            self.talk.process.close()
            self.talk = None

    def ask(self, turn: Turn, go: protocol.Go | None = None, seconds: float | None = None) -> None:
        """Ask for a move; anything but a legal one fails."""
        self.asked(self.running(turn.position.rules), position_order(turn), turn.position, go, seconds)

    def asked(
        self,
        talk: BotSession,
        at: protocol.SetPosition,
        position: Position,
        go: protocol.Go | None = None,
        seconds: float | None = None,
    ) -> None:
        """Ask a bot for a move; anything but a legal one fails."""
        go = go or protocol.Go(movetime=round(MOVE_SECONDS * 1000))
        best, _, _ = talk.go(at, go, self.until(MOVE_SECONDS if seconds is None else seconds))
        self.judge(best.move, position)

    def best_move(self, talk: BotSession, seconds: float = MOVE_SECONDS) -> str:
        """Wait for the move of a bot that was asked for one."""
        while not isinstance(said := talk.hear(self.until(seconds)), protocol.BestMove):
            pass
        return said.move

    def judge(self, text: str, position: Position) -> None:
        """Fail if a text is not a legal move."""
        reply = judge_text(text, position, 0.0)
        if reply.move is None:
            raise FailedError(f"{position.rules.id}, at {position}: {reply.detail}")

    def walks(self, rules: Rules, count: int, what: str) -> Iterator[Turn]:
        """Yield seeded positions of a game."""
        return (walk(rules, f"{self.seed}/{what}/{rules.id}/{n}") for n in range(count))


NEW_GAMES: Final = 50
_FEW: Final = 10
_LATE: Final = 2
"""Numbers left at which a bot that has misread the position rarely finds a legal move."""
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
        talk.answers(trial.until(trial.bounds.start))
        talk.go(position_order(turn), protocol.Go(movetime=1000), trial.until(1))
    _search(trial, talk, position_order(turn))
    return "readyok before, between and during a search"


def _search(trial: Trial, talk: BotSession, at: protocol.SetPosition) -> str:
    """Let it search without end, ask whether it is ready, stop it; return its one move."""
    talk.owed += 1
    said = talk.answers(trial.until(trial.bounds.start), at, protocol.Go())
    found = [message.move for message in said if isinstance(message, protocol.BestMove)]
    talk.order(protocol.SimpleOrder.STOP)
    found = found or [trial.best_move(talk, trial.bounds.quit)]
    talk.answers(trial.until(trial.bounds.start))
    return found[0]


def _rules(trial: Trial, rules: Rules) -> str:
    """Give it the rules; it must not complain."""
    trial.rules = None
    talk = trial.talk or trial.start()
    trial.talk = talk
    lines = rules_lines(rules)
    talk.process.say(f"rules {len(lines)}", *lines)
    for said in talk.answers(trial.until(trial.bounds.start), protocol.SimpleOrder.NEW_GAME):
        if isinstance(said, protocol.ErrorMessage):
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
    return f"{count} positions, each sent in three ways"


def _movetime(trial: Trial, rules: Rules) -> str:
    for turn in trial.walks(rules, _FEW, "movetime"):
        trial.ask(turn, protocol.Go(movetime=_MOVETIME), _MOVETIME / 1000)
    return f"{_FEW} moves within {_MOVETIME} ms"


def _stop(trial: Trial, rules: Rules) -> str:
    talk = trial.running(rules)
    for turn in trial.walks(rules, _FEW, "stop"):
        trial.judge(_search(trial, talk, position_order(turn)), turn.position)
    return f"{_FEW} searches stopped, one move each"


def _new_games(trial: Trial, _rules: Rules) -> str:
    """Begin new games: nothing of an old one may be left."""
    for n, rules in enumerate(islice(cycle(trial.games), NEW_GAMES)):
        trial.rules = None
        trial.ask(walk(rules, f"{trial.seed}/new/{n}"))
        start = start_position(rules)
        talk = trial.running(rules)
        talk.order(protocol.SimpleOrder.NEW_GAME)
        trial.asked(talk, protocol.SetPosition(), start)
    return f"{NEW_GAMES} new games"


def _survives(trial: Trial, rules: Rules) -> str:
    talk = trial.running(rules)
    turn = walk(rules, f"{trial.seed}/survives")
    at = protocol.write_order(position_order(turn))
    for noise in (b"joho\n", b"\n \n", b"x" * (_LONG_LINE - 1) + b"\n", b"stop\n", b"\r\n"):
        talk.process.send(noise)
        trial.ask(turn)
    talk.owed += 1
    talk.process.send(f"isready\r\n{at}\r\ngo movetime 1000\r\n".encode())
    talk.hear_until(protocol.SimpleMessage.READY_OK, trial.until(trial.bounds.start))
    trial.judge(trial.best_move(talk), turn.position)
    return "unknown words, empty lines, 4,095 bytes, CRLF"


def _ends(trial: Trial, end: Callable[[BotSession], None], *, thinking: bool = False) -> None:
    talk = trial.start()
    try:
        talk.begin(trial.games[0], trial.until(trial.bounds.start))
        if thinking:
            talk.order(protocol.SetPosition(), protocol.Go())
        end(talk)
        if not talk.process.wait(trial.until(trial.bounds.quit)):
            raise FailedError(f"it runs on after {trial.bounds.quit:g} s")
    finally:
        talk.process.close()


def _quit(trial: Trial, _rules: Rules) -> str:
    for thinking in (False, True):
        _ends(trial, lambda talk: talk.order(protocol.SimpleOrder.QUIT), thinking=thinking)
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
                talk.order(position_order(turn), protocol.Go(movetime=1000))
                talk.owed += 1
            for talk, turn in zip(talks, turns, strict=True):
                trial.judge(trial.best_move(talk), turn.position)
    finally:
        for talk in talks:
            talk.process.close()
    return f"{_FEW} moves of each"


def _every_go(trial: Trial, rules: Rules) -> str:
    turn = walk(rules, f"{trial.seed}/go")
    for go in (protocol.Go(clocks=(60_000, 60_000, 0, 0)), protocol.Go(depth=1), protocol.Go(nodes=100)):
        trial.ask(turn, go, trial.bounds.start)
    return "clocks, depth and nodes"


def _policy(trial: Trial, rules: Rules) -> str:
    """Ask for the chance of every move."""
    talk = trial.running(rules)
    turn = walk(rules, f"{trial.seed}/policy")
    said = talk.answers(trial.until(trial.bounds.start), position_order(turn), protocol.SimpleOrder.POLICY)
    found = [message.chances for message in said if isinstance(message, protocol.Chances)]
    if not found:
        raise FailedError("it does not say its policy, so its strength can only be sampled")
    if chances_from_bot(found[-1], turn.position) is None:
        raise FailedError(f"at {turn.position}: not the chances of legal moves that add up to 1")
    return "the chance of every move"


def _query(trial: Trial, rules: Rules) -> str:
    """Ask what it believes of a position."""
    talk = trial.running(rules)
    turn = walk(rules, f"{trial.seed}/query")
    truth = {"gameover": "false", "p1turn": str(turn.position.seat is Seat.FIRST).lower(), "result": "none"}
    for what, expected in truth.items():
        said = talk.answers(trial.until(trial.bounds.start), position_order(turn), protocol.Query(what))
        found = [message.text for message in said if isinstance(message, protocol.Response)]
        if found[-1:] != [expected]:
            told = found and found[-1]
            raise FailedError(f"query {what}: '{shorten(told)}', not {expected}" if told else "it does not answer")
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


@dataclass(frozen=True, slots=True)
class BotTestResult:
    """The result of a test; `must` is whether a bot that fails it does not comply."""

    test: str
    must: bool
    passed: bool
    detail: str
    game: str = ""


class ComplianceCheck:
    """A check of one bot: run through its results, then look at its name."""

    def __init__(
        self,
        command: str,
        rules: Sequence[Rules] = (),
        *,
        positions: int = 200,
        bounds: Bounds = BOUNDS,
        seed: str = "1",
    ) -> None:
        self._trial = Trial(split_command(command), rules or games(), positions, bounds, seed)
        self.name = ""
        self.author = ""
        self.cage: str | None = None
        """What the bot was caged by, `none` without a cage; None if it was not started."""

    def __iter__(self) -> Iterator[BotTestResult]:
        """Yield the results of all tests; one that does not start or is never ready gets no more of them."""
        try:
            first = [*self._first_words()]
            yield from first
            if not first[0].passed:
                return
            for test in TESTS:
                for result in self._run(test):
                    yield result
                    if test.vital and not result.passed:
                        return
            self._trial.drop()
            yield self._output()
        finally:
            self._trial.drop()

    def _first_words(self) -> Iterator[BotTestResult]:
        """Yield whether it starts, whether what it says arrives at once, and whether its name can be shown."""
        trial = self._trial
        talk = BotSession(trial.command, trial.bounds)
        try:
            talk.greet(trial.until(trial.bounds.start))
        except SilentError:
            flushed = _says_it_at_last(talk)
            yield _required("starts", f"no ugiok in {trial.bounds.start:g} s", passed=False)
            if flushed:
                why = "ugiok came only when its input was closed: flush the output after every line"
                yield _required("flushed", why, passed=False)
        except (EndedError, UnreadableError) as error:
            absent = missing_file(trial.command)
            detail = with_last_words(str(error), talk.process.complaints)
            detail = f"{error}; there is no file '{shorten(absent)}' here" if absent else detail
            yield _required("starts", detail, passed=False)
        else:
            yield _required("starts", "it says ugiok in time")
            yield _required("flushed", "what it says arrives while its input is open")
            yield self._named(talk)
            trial.talk = talk
        finally:
            self.cage = talk.process.cage
            if trial.talk is not talk:
                talk.process.close()

    def _named(self, talk: BotSession) -> BotTestResult:
        self.author = shorten(talk.author)
        try:
            self.name = check_player_name(talk.name)
        except BadNameError as error:
            return _required("name", str(error).rstrip("."), passed=False)
        return _required("name", self.name)

    def _run(self, test: BotTest) -> Iterator[BotTestResult]:
        trial = self._trial
        for rules in trial.games if test.each_game else trial.games[:1]:
            game = rules.id if test.each_game else ""
            try:
                with trial.explained():
                    detail, passed = test.run(trial, rules), True
            except FailedError as error:
                detail, passed = str(error), False
            yield BotTestResult(test.name, test.must, passed, detail, game)

    def _output(self) -> BotTestResult:
        """Return whether it wrote anything that is not protocol, in all of the tests."""
        trial, detail = self._trial, "nothing but the protocol"
        if trial.unasked:
            detail = f"{trial.unasked} bestmove that nobody asked for"
        if trial.odd:
            detail = f"not protocol: '{shorten(trial.odd[0])}'"
        return _required("output", detail, passed=not trial.unasked and not trial.odd)


def _required(test: str, detail: str, *, passed: bool = True) -> BotTestResult:
    return BotTestResult(test, must=True, passed=passed, detail=detail)


def _says_it_at_last(talk: BotSession) -> bool:
    """Whether a silent bot says `ugiok` when its input ends, since only then its output is flushed."""
    talk.process.end_input()
    try:
        talk.hear_until(protocol.SimpleMessage.UGI_OK, monotonic() + 1)
    except (SilentError, EndedError, UnreadableError):
        return False
    return True
