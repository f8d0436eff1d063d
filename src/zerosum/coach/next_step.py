"""What to do after a match: a harder level, a lesson, an easier level, the next game. Terminal and page share it.

Two wins in a row against a level lead to the next level. The first win against level 5 leads to the next game. After a
loss there is a lesson on the idea that cost most, and after three losses in a row an easier level.

A door keeps, for each finished match of a person against a computer, one `MatchResult`: the terminal reads them from
the saved matches, a page can keep them in a cookie. After a match it calls `next_steps` with all of them, the latest
last, and offers what it returns in that order, the first as its first button; `label` is the text of the button,
`reason` the sentence beside it. On Home, `fitting_match` names the game and the level to offer.

>>> lost = MatchResult("sum31", "level:2", won=False)
>>> [step.label for step in next_steps([lost] * 3, LessonIdea("guard", "stay safe"))]
['An easier one: level 1', 'Lesson: stay safe']
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile
from typing import Final, NamedTuple

from zerosum.players.levels import STRENGTHS, sight_words, spoken_level
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import Seat

FIRST_GAME: Final = "sum31"
"""What a newcomer is offered. A plan matters in it, and its rules fit one sentence. From the newcomer's seat, which
perfect play wins, random moves beat the first opponent about every second time, and taking always the largest or always
the smallest number does not help against a good one: `tests/coach/test_first_game.py` computes all of this."""
FIRST_SEAT: Final[Seat] = Seat.SECOND
"""The newcomer's seat: the computer moves first."""
FIRST_OPPONENT: Final = "level:1"
"""The weakest computer that looks ahead at all."""
WINS: Final = 2
"""Wins in a row against a level that lead to the next one."""
LOSSES: Final = 3
"""Losses in a row against a level that lead to the one below."""
MASTERED: Final = "level:5"
"""Whoever beats this level, or a stronger one, has beaten a game."""
NEW_GAME: Final = "level:3"
"""The level at which a game begins for somebody who has beaten another game."""
_LADDER: Final = tuple(STRENGTHS)
_EASIEST: Final = _LADDER.index("level:1")


class MatchResult(NamedTuple):
    """A finished match of a person against a computer."""

    game: str
    opponent: str
    """The computer, as `--vs` writes it."""
    won: bool


class LessonIdea(NamedTuple):
    """A step of a course, as `zerosum learn --idea` names it, and what it is called; empty is the step that is due."""

    idea: str = ""
    title: str = "the next idea"


class StepKind(Enum):
    """What a next step is."""

    LEVEL = "level"
    GAME = "game"
    EASIER = "easier"
    LESSON = "lesson"


@dataclass(frozen=True, slots=True)
class NextStep:
    """One offer: a match of `game` against `opponent`, or the lesson on `idea` (empty: the next one)."""

    kind: StepKind
    game: str
    opponent: str
    idea: str
    label: str
    """What a button says."""
    reason: str
    """Why it is offered, or what the opponent can see: one sentence."""


def next_steps(played: Sequence[MatchResult], lesson: LessonIdea | None = None) -> tuple[NextStep, ...]:
    """Return what to offer after the last of some matches, the best first; none after a first win or a mixed row.

    `lesson` is what to learn after a match that was lost: the idea that cost most (`ideas.costly_idea`), else
    `LessonIdea()`, which is the next step of the course; None if the game has no course.
    """
    if not played:
        return ()
    last = played[-1]
    row = _row(played)
    if not last.won:
        easier = _at(last, -1) if row >= LOSSES else None
        steps = [] if easier is None else [_level(StepKind.EASIER, last.game, easier, row)]
        return (*steps, *([] if lesson is None else [_lesson(last.game, lesson)]))
    harder = _at(last, 1) if row >= WINS else None
    steps = [] if harder is None else [_level(StepKind.LEVEL, last.game, harder, row)]
    following = _next_game(played) if beats(last) else None
    if following is not None:
        steps.insert(len(steps) if _has_beaten(played[:-1], last.game) else 0, _other_game(last.game, following))
    return tuple(steps)


def fitting_match(played: Sequence[MatchResult]) -> tuple[str, str]:
    """Return the game and the opponent that fit somebody who has played these matches, the latest last."""
    against_levels = [one for one in played if one.opponent in STRENGTHS and one.game in GAME_IDS]
    if not against_levels:
        return FIRST_GAME, FIRST_OPPONENT
    for step in next_steps(against_levels):
        if step.kind is not StepKind.LESSON:
            return step.game, step.opponent
    return against_levels[-1].game, against_levels[-1].opponent


def fitting_level(played: Sequence[MatchResult], game: str) -> str:
    """Return the opponent that fits somebody in one game."""
    here = [one for one in played if one.game == game and one.opponent in STRENGTHS]
    if not here:
        return NEW_GAME if any(map(beats, played)) else FIRST_OPPONENT
    steps = (step.opponent for step in next_steps(here) if step.kind in (StepKind.LEVEL, StepKind.EASIER))
    return next(steps, here[-1].opponent)


def _row(played: Sequence[MatchResult]) -> int:
    """Return how many of the latest matches, of the same game and against the same opponent, ended as the last did."""
    last = played[-1]
    same_game = [one for one in reversed(played) if one.game == last.game]
    return sum(1 for _ in takewhile(lambda one: one == last, same_game))


def _at(last: MatchResult, step: int) -> str | None:
    """Return the level one above or below an opponent; None if there is none."""
    if last.opponent not in STRENGTHS:
        return None
    at = _LADDER.index(last.opponent) + step
    return _LADDER[at] if _EASIEST <= at < len(_LADDER) else None


def beats(one: MatchResult) -> bool:
    """Whether a match is a win that beats its game."""
    strong = _LADDER[_LADDER.index(MASTERED) :]
    return one.won and one.opponent in strong


def _has_beaten(played: Iterable[MatchResult], game: str) -> bool:
    return any(one.game == game and beats(one) for one in played)


def _next_game(played: Sequence[MatchResult]) -> str | None:
    """Return the next game of the list that is not beaten yet; None if all are."""
    game = played[-1].game
    at = GAME_IDS.index(game) + 1 if game in GAME_IDS else 0
    return next((one for one in (*GAME_IDS[at:], *GAME_IDS[:at]) if not _has_beaten(played, one)), None)


def _level(kind: StepKind, game: str, opponent: str, row: int) -> NextStep:
    deed, label = ("won", "Next") if kind is StepKind.LEVEL else ("lost", "An easier one")
    times = "twice" if row == WINS else f"{row} times"
    reason = f"You have {deed} {times} in a row. {_capital(opponent)} {sight_words(opponent)}."
    return NextStep(kind, game, opponent, "", f"{label}: {spoken_level(opponent)}", reason)


def _other_game(beaten: str, game: str) -> NextStep:
    name = built_in(beaten).name if beaten in GAME_IDS else "this game"
    reason = (
        f"You have beaten {name} at {spoken_level(MASTERED)} or above. {_capital(NEW_GAME)} {sight_words(NEW_GAME)}."
    )
    return NextStep(StepKind.GAME, game, NEW_GAME, "", f"Next game: {built_in(game).name}", reason)


def _lesson(game: str, lesson: LessonIdea) -> NextStep:
    reason = "It is the idea that cost you most." if lesson.idea else "One idea, with exercises."
    return NextStep(StepKind.LESSON, game, "", lesson.idea, f"Lesson: {lesson.title}", reason)


def _capital(opponent: str) -> str:
    name = spoken_level(opponent)
    return f"{name[0].upper()}{name[1:]}"
