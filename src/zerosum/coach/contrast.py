"""Contrast: the smallest true fact that tells the moves that keep a win from a mistake, and the idea that has a name.

The first such fact is the refutation: what the mistake lets the other side do, which no winning move allows. If it is
too long to say, it is what the best-explained winning move does. An idea is named for a choice only if every move that
it picks keeps the win and it does not pick the mistake. All causes are such ideas, since each of them proves a win; to
stay safe is one only where every safe move wins. Where every move loses, the best trap is told from the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from zerosum.coach.causes import Why, why
from zerosum.coach.features import features_of
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Option, Solution, Verdict
from zerosum.solver.graph_passes import best_traps
from zerosum.solver.value import worth_of
from zerosum.strategy.claims import NAMES, NONE

SAFE: Final = "stay safe"
IDEAS: Final = {
    "ends": "win at once",
    "stuck": "shut the door",
    "settled": "settle it",
    "law": "the law",
    "no-safe-reply": "squeeze",
    "guarding": "outlast them",
    "forced": "force",
    "next-no-safe-reply": "squeeze in two",
    "answers": "two answers",
    "replies": "an answer to everything",
    "next-forced": "force in two",
}
"""What the idea behind a cause is called."""
LETS: Final = {
    "loses or lets them win at once": ("ends", "leaves"),
    "lets them leave you no safe number": ("stuck", "settled", "no-safe-reply"),
    "lets them do so in two": ("guarding", "forced", "next-no-safe-reply"),
    "lets them answer everything with two numbers": ("answers",),
    "with four": ("replies",),
    "lets them force, or breaks the law": ("next-forced", "law"),
}
"""What a mistake allows, by the cause of its refutation."""
BETTER: Final = "a fact of the winning moves"
AT_ONCE: Final = 2
"""Plies of a move that loses at once, or lets the other side win at once, at most."""


class Contrast(NamedTuple):
    """What tells a mistake from the moves that keep the win.

    `refutation` says what the mistake allows. `better` is the best-explained move that keeps the win; it is None where
    there is no win to keep.
    """

    refutation: Why
    better: Why | None
    idea: str | None

    @property
    def kind(self) -> str | None:
        """What kind of fact it is; None if there is none that is short."""
        lets = (kind for kind, causes in LETS.items() if self.refutation.name in causes)
        return next(lets, BETTER if self.better is not None and self.better.name != NONE else None)


def contrast(position: Position, mistake: Move, solution: Solution, better: Sequence[Move]) -> Contrast:
    """Return what tells a mistake from the better moves of a position."""
    refutation = why(position, mistake, solution)
    best = min((why(position, move, solution) for move in better), key=lambda one: NAMES.index(one.name))
    if best.verdict is not Verdict.WIN:
        return Contrast(refutation, None, None)
    safe = {step.move for step in features_of(solution).safe(position)}
    staying_safe = mistake not in safe and bool(safe) and safe <= set(better)
    return Contrast(refutation, best, SAFE if staying_safe and best.name != "ends" else IDEAS.get(best.name))


def idea_used(position: Position, move: Move, solution: Solution) -> str | None:
    """Return the name of the idea by which a move keeps a win; None if it has no short one."""
    found = why(position, move, solution)
    return IDEAS.get(found.name) if found.verdict is Verdict.WIN else None


@dataclass(frozen=True, slots=True)
class Trap:
    """The best trap of a lost position: after `move`, `winning` of their `replies` still win.

    `at_once`: one of those wins at once, as after every other move. `alike`: all moves are equally good traps;
    `longest`: no other move holds out as long.
    """

    move: Move
    winning: int
    replies: int
    at_once: bool
    alike: bool
    longest: bool

    @property
    def sets(self) -> bool:
        """Whether some reply lets the win go; a win at once is no trap, for nobody misses it."""
        return self.winning < self.replies and not self.at_once


def best_trap(position: Position, solution: Solution, options: Sequence[Option]) -> Trap:
    """Return the best trap of a position in which all options lose."""
    after = [position.play_unchecked(option.move) for option in options]
    winning = [len(solution.winning_moves(one)) for one in after]
    best = best_traps([worth_of(option.value) for option in options], winning)
    at = best[0]
    plies = [option.value.plies or 0 for option in options]
    return Trap(
        options[at].move,
        winning[at],
        len(after[at].legal_moves()),
        at_once=plies[at] <= AT_ONCE,
        alike=len(best) == len(options),
        longest=plies[at] > max((one for n, one in enumerate(plies) if n != at), default=0),
    )
