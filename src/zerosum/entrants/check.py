"""The compliance check: everything a match may ask of a bot, one test after the other (`bot_tests.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

from zerosum.entrants.bot_tests import TESTS, BotTest
from zerosum.entrants.launching import BOUNDS, Bounds, missing_file, split_command
from zerosum.entrants.process import EndedError, UnreadableError
from zerosum.entrants.talk import SilentError, Talk
from zerosum.entrants.trial import FailedError, Trial, games, with_last_words
from zerosum.entrants.utterances import Short
from zerosum.rules.errors import BadNameError
from zerosum.rules.model import Rules
from zerosum.rules.numbers import shorten
from zerosum.rules.text import check_name


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a test; `must` is whether a bot that fails it does not comply."""

    test: str
    must: bool
    passed: bool
    detail: str
    game: str = ""


class Check:
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

    def __iter__(self) -> Iterator[Result]:
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

    def _first_words(self) -> Iterator[Result]:
        """Yield whether it starts, whether what it says arrives at once, and whether its name can be shown."""
        trial = self._trial
        talk = Talk(trial.command, trial.bounds)
        try:
            talk.greet(trial.until(trial.bounds.start))
        except SilentError:
            flushed = _says_it_at_last(talk)
            yield Result("starts", must=True, passed=False, detail=f"no ugiok in {trial.bounds.start:g} s")
            if flushed:
                why = "ugiok came only when its input was closed: flush the output after every line"
                yield Result("flushed", must=True, passed=False, detail=why)
        except (EndedError, UnreadableError) as error:
            absent = missing_file(trial.command)
            detail = with_last_words(str(error), talk.process.complaints)
            detail = f"{error}; there is no file '{shorten(absent)}' here" if absent else detail
            yield Result("starts", must=True, passed=False, detail=detail)
        else:
            yield Result("starts", must=True, passed=True, detail="it says ugiok in time")
            yield Result("flushed", must=True, passed=True, detail="what it says arrives while its input is open")
            yield self._named(talk)
            trial.talk = talk
        finally:
            if trial.talk is not talk:
                talk.process.close()

    def _named(self, talk: Talk) -> Result:
        self.author = shorten(talk.author)
        try:
            self.name = check_name(talk.name)
        except BadNameError as error:
            return Result("name", must=True, passed=False, detail=str(error).rstrip("."))
        return Result("name", must=True, passed=True, detail=self.name)

    def _run(self, test: BotTest) -> Iterator[Result]:
        trial = self._trial
        for rules in trial.games if test.each_game else trial.games[:1]:
            game = rules.id if test.each_game else ""
            try:
                with trial.explained():
                    detail = test.run(trial, rules)
            except FailedError as error:
                yield Result(test.name, test.must, passed=False, detail=str(error), game=game)
            else:
                yield Result(test.name, test.must, passed=True, detail=detail, game=game)

    def _output(self) -> Result:
        """Return whether it wrote anything that is not protocol, in all of the tests."""
        trial, detail = self._trial, "nothing but the protocol"
        if trial.unasked:
            detail = f"{trial.unasked} bestmove that nobody asked for"
        if trial.odd:
            detail = f"not protocol: '{shorten(trial.odd[0])}'"
        return Result("output", must=True, passed=not trial.unasked and not trial.odd, detail=detail)


def _says_it_at_last(talk: Talk) -> bool:
    """Whether a silent bot says `ugiok` when its input ends, since only then its output is flushed."""
    talk.process.end_input()
    try:
        talk.await_(Short.UGI_OK, monotonic() + 1)
    except (SilentError, EndedError, UnreadableError):
        return False
    return True
