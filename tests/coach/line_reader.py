"""Reads the sentences of a reason back and checks each by playing it out; nothing of the coach is used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from zerosum.rules.model import Seat
from zerosum.rules.moves import SWAP, Move, parse_move
from zerosum.rules.outcome import Outcome
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict

M = r"((?:[+-]-?\d+)|swap)"
LIST = r"([^;]*?)"
DEED = (
    r"(makes? -?\d+|pass(?:es)? -?\d+|takes? the last number"
    r"(?:, closer to -?\d+|, farther from -?\d+|, and a tie goes to seat [12])?)"
)
START = rf"(?:(Whatever they play,)|(After any other reply)|The only reply is {M};|After {LIST})"
Check = Callable[..., bool]
End = tuple[Position, Seat, Seat]
"""A position after the last move, who made it, and where `you` sits."""
TIED = "both end equally far from it, and a tie goes to seat"


class Reader:
    """Checks the sentences about one move."""

    def __init__(self, position: Position, move: Move, solution: Solution) -> None:
        self.position, self.move, self.solution = position, move, solution
        self.after = position.play(move)
        self.you = position.seat.other if move == SWAP else position.seat
        self.replies = set(self.after.legal_moves())
        self.told: set[Move] = set()
        self.decided = False
        self.line: list[Move] = []

    def false(self, texts: list[str]) -> list[str]:
        """Return the sentences that are not true, or not understood, or that leave something out."""
        wrong = [text for text in texts if not self._true(text)]
        if self._verdict(self.position, self.move) is Verdict.WIN and not self.decided and self.told != self.replies:
            wrong.append(f"nothing is said of {self.replies - self.told}")
        if not texts or (not self.decided and not self.told):
            wrong.append("empty")
        return wrong

    def _true(self, text: str) -> bool:
        for pattern, check in SENTENCES.items():
            found = re.fullmatch(pattern, text)
            if found is not None:
                return check(self, *found.groups())
        return False

    def _moves(self, text: str) -> tuple[list[Move], int]:
        """Return the moves of a list and how many others there are."""
        parts = re.split(r", | or ", text)
        others = re.fullmatch(r"(\d+) others", parts[-1])
        named = [self._move(part) for part in (parts[:-1] if others else parts)]
        return named, int(others[1]) if others else 0

    def _move(self, text: str) -> Move:
        return parse_move(text, self.position.rules.operations)

    def _verdict(self, position: Position, move: Move) -> Verdict:
        """Return the verdict of a move for whoever makes it."""
        after = position.play(move)
        if after.outcome is not None:
            return Verdict.WIN if after.outcome.winner is position.seat else Verdict.LOSS
        return self.solution.value(after).verdict.opposite

    def _plies(self, position: Position, move: Move) -> int | None:
        after = position.play(move)
        return 1 if after.outcome is not None else before_plies(self.solution, after)

    def _deed(self, position: Position, move: Move, deed: str) -> bool:
        """Whether a move ends the match in the way that is told."""
        after = position.play(move)
        return after.outcome is not None and self._fits(after, position.seat, after.outcome, deed)

    def _fits(self, after: Position, mover: Seat, outcome: Outcome, deed: str) -> bool:
        target = str(after.rules.target)
        verb, _, rest = deed.partition(" ")
        first = verb.removesuffix("es") if verb == "passes" else verb.removesuffix("s") if verb != "pass" else verb
        if first == "make":
            return rest == target and after.total(mover) == after.rules.target
        if first == "pass":
            return rest == target and outcome.reason == "overshot" and outcome.winner is mover.other
        if first != "take" or len(after.pool) or not rest.startswith("the last number"):
            return False
        more = rest.removeprefix("the last number")
        if after.rules.exhausted != "closest":
            return more == "" and outcome.winner is mover and outcome.reason == "last-mover"
        mine, theirs = (abs(after.total(seat) - after.rules.target) for seat in (mover, mover.other))
        if mine == theirs:
            return more == f", and a tie goes to seat {outcome.winner.value}"
        return more == (f", closer to {target}" if mine < theirs else f", farther from {target}")

    def leads(self, move: str, verb: str, plies: str) -> bool:
        verdict = {"wins": Verdict.WIN, "loses": Verdict.LOSS}[verb]
        value = self._verdict(self.position, self.move), self._plies(self.position, self.move)
        return self._move(move) == self.move and value == (verdict, int(plies))

    def ends(self, move: str, verb: str, deed: str) -> bool:
        self.decided = True
        won = self.after.outcome is not None and self.after.outcome.winner is self.position.seat
        return self._move(move) == self.move and won == (verb == "wins") and self._deed(self.position, self.move, deed)

    def draws(self, move: str) -> bool:
        self.decided = True
        return self._move(move) == self.move and self._verdict(self.position, self.move) is Verdict.DRAW

    def held(self, text: str, how: str) -> bool:
        named, others = self._moves(text)
        wanted = (Verdict.WIN,) if how == "won" else (Verdict.WIN, Verdict.DRAW)
        good = [move for move in self.position.legal_moves() if self._verdict(self.position, move) in wanted]
        return set(named) <= set(good) and len(named) + others == len(good) and self.move not in good

    def all_lose(self) -> bool:
        return all(self._verdict(self.position, move) is Verdict.LOSS for move in self.position.legal_moves())

    def no_other(self) -> bool:
        return self.position.legal_moves() == (self.move,)

    def answer(self, move: str, deed: str | None) -> bool:
        self.decided = True
        self.line = [self._move(move)]
        if deed is not None:
            return self._deed(self.after, self.line[0], deed)
        return self._verdict(self.after, self.line[0]) is Verdict.WIN

    def best_play(self, then: str, line: str, who: str | None, deed: str | None, more: str | None) -> bool:
        """Each move must be as good as any, for whoever makes it; the winner hurries and the loser delays."""
        at, mover, before = self.after, "they", self.after
        moves = [*self.line, *map(self._move, line.split())]
        for move in moves:
            best = self.solution.value(at)
            if (self._verdict(at, move), self._plies(at, move)) != (best.verdict, best.plies):
                return False
            before, at = at, at.play(move)
            mover = "you" if mover == "they" else "they"
        if more is not None:
            value = self.solution.value(at)
            return then == "begins" and value.plies == int(more) and (mover == "they") == (value.verdict is Verdict.WIN)
        last = "you" if mover == "they" else "they"
        return then == "is" and who == last and self._deed(before, moves[-1], deed or "")

    def settled(self, nobody: str | None, who: str | None, how: str) -> bool:
        """Play everything out: all ends are yours, and as told."""
        self.decided = True
        return all(self._as_settled(end, nobody, who, how) for end in self._all_ends(self.after, self.you))

    def _all_ends(self, start: Position, you: Seat) -> Iterator[End]:
        seen, todo = set(), [(start, you)]
        while todo:
            position, seat = todo.pop()
            for move in position.legal_moves():
                after, now = position.play(move), seat.other if move == SWAP else seat
                if after.outcome is not None:
                    yield after, position.seat, now
                elif (after.key, now) not in seen:
                    seen.add((after.key, now))
                    todo.append((after, now))

    def _as_settled(self, ended: End, nobody: str | None, who: str | None, how: str) -> bool:
        end, mover, you = ended
        outcome, target = end.outcome, end.rules.target
        assert outcome is not None
        if outcome.winner is not you or (nobody and (int(nobody) != target or end.total(mover) == target)):
            return False
        maker = "you" if mover is you else "they"
        if how == "make the last move":
            return maker == "you" and outcome.reason == "last-mover"
        if how.startswith("end closer or equally far"):
            tied = outcome.reason == "tie-rule" and how.endswith(f"seat {outcome.winner.value}")
            return outcome.reason == "closer" or tied
        if how.startswith("end closer"):
            return outcome.reason == "closer"
        if how.startswith("both end equally far"):
            return outcome.reason == "tie-rule" and how.endswith(f"seat {outcome.winner.value}")
        return how == "win" or (who == maker and self._fits(end, mover, outcome, how))

    def too_far(self, far: str, target: str, left: str) -> bool:
        """Whether they are so far from the target that no numbers left bring them nearer than you."""
        distance = abs(self.after.total(self.after.seat) - self.after.rules.target)
        figures = (distance, self.after.rules.target, sum(map(abs, self.after.pool)))
        told = int(far), int(target), int(left)
        return told == figures and figures[2] < distance and self.settled(None, "you", "end closer")

    def none_wins(self, other: str | None, number: str, defence: str | None, answer: str | None) -> bool:
        left = self.replies - self.told
        fits = bool(other) == bool(self.told) and len(left) == int(number)
        self.told |= left
        self.decided |= defence is None
        if any(self._verdict(self.after, reply) is Verdict.WIN for reply in left):
            return False
        if defence is None or answer is None:
            return fits
        first, second = self._move(defence), self._move(answer)
        longest = max(self._plies(self.after, reply) or 0 for reply in self.replies)
        best = first in left and self._plies(self.after, first) == longest
        return fits and best and self._verdict(self.after.play(first), second) is Verdict.WIN

    def every_reply(self, how: str) -> bool:
        self.told |= self.replies
        return all(self._one_move(reply, "make" if how.startswith("makes") else "win") for reply in self.replies)

    def _one_move(self, reply: Move, how: str) -> bool:
        """Whether after a reply there is a move that wins at once; to `make`, one that lands on the target."""
        at = self.after.play(reply)
        after = [at.play(move) for move in at.legal_moves()]
        won = [one for one in after if one.outcome is not None and one.outcome.winner is at.seat]
        return any(how == "win" or one.total(at.seat) == at.rules.target for one in won)

    def _which(self, every: str | None, other: str | None, only: str | None, named: str | None) -> list[Move] | None:
        """Return the replies that a sentence is about, None if they are not what it says."""
        if every or only:
            right = not self.told and (not only or [self._move(only)] == list(self.replies))
            found = list(self.replies) if right else None
        elif other:
            found = list(self.replies - self.told) if self.told else None
        else:
            moves, others = self._moves(named or "")
            found = moves if others == 0 and set(moves) <= self.replies else None
        self.told |= set(found or [])
        return found

    def play_on(self, *groups: str | None) -> bool:
        replies, move = self._which(*groups[:4]), self._move(groups[4] or "")
        return bool(replies) and all(
            self._verdict(self.after.play(reply), move) is Verdict.WIN for reply in replies or []
        )

    def total(self, *groups: str | None) -> bool:
        replies, total = self._which(*groups[:4]), int(groups[4] or "")
        return bool(replies) and all(
            any(
                at.play(move).totals == (total,) and self._verdict(at, move) is Verdict.WIN for move in at.legal_moves()
            )
            for at in map(self.after.play, replies or [])
        )

    def answered(self, *groups: str | None) -> bool:
        replies, move = self._which(*groups[:4]), self._move(groups[4] or "")
        afters = [self.after.play(reply) for reply in replies or []]
        return bool(afters) and all(
            self._deed(at, move, groups[5] or "") and self._verdict(at, move) is Verdict.WIN for at in afters
        )

    def at_once(self, *groups: str | None) -> bool:
        replies, how = self._which(*groups[:4]), "win" if groups[4] == "win" else "make"
        right = how == "win" or groups[4] == f"make {self.position.rules.target}"
        return right and bool(replies) and all(self._one_move(reply, how) for reply in replies or [])

    def they_end(self, *groups: str | None) -> bool:
        replies, deed = self._which(*groups[:4]), groups[4]
        return bool(replies) and all(
            self._verdict(self.after, reply) is Verdict.LOSS
            and self.after.play(reply).outcome is not None
            and (deed == "lose at once" or self._deed(self.after, reply, deed or ""))
            for reply in replies or []
        )


def before_plies(solution: Solution, after: Position) -> int | None:
    """Return the plies of a move that leads to a position."""
    plies = solution.value(after).plies
    return None if plies is None else plies + 1


SENTENCES: dict[str, Check] = {
    rf"{M} (wins|loses) within (\d+) moves, counting both sides\.": Reader.leads,
    rf"{M} (wins|loses) at once: it {DEED}\.": Reader.ends,
    rf"After {M} neither side can force an end\.": Reader.draws,
    rf"{LIST} would (?:have|not have) (won|lost)\.": Reader.held,
    r"Every move loses here\.": Reader.all_lose,
    r"There is no other move\.": Reader.no_other,
    rf"They answer {M}(?: and {DEED})?\.": Reader.answer,
    rf"Best play then (is|begins) (.+), and (?:(you|they) {DEED}|they win (\d+) moves? later)\.": Reader.best_play,
    rf"(?:However both play on, )(nobody)?(you|they) ({DEED[1:-1]}|win)\.": Reader.settled,
    r"Nobody can make (-?\d+) any more, and (you) (make the last move|end closer however both play on)\.": (
        Reader.settled
    ),
    r"Nobody can make (-?\d+) any more; (you) (end closer or equally far, and a tie goes to seat [12])\.": (
        Reader.settled
    ),
    r"They are (\d+) from (-?\d+) and the numbers left make only (\d+); you end closer however both play on\.": (
        Reader.too_far
    ),
    rf"Nobody can make (-?\d+) any more; ()({TIED} [12])\.": Reader.settled,
    rf"None of their (other )?(\d+) repl(?:y|ies) wins(?:; the longest defence is {M}, you answer {M})?\.": (
        Reader.none_wins
    ),
    r"Every reply leaves you a move that (makes -?\d+|wins at once)\.": Reader.every_reply,
    rf"{START} you play {M} and still win\.": Reader.play_on,
    rf"{START} you can make the total (-?\d+) and still win\.": Reader.total,
    rf"{START} you play {M} and {DEED}\.": Reader.answered,
    rf"{START} you (make -?\d+|win) at once\.": Reader.at_once,
    rf"{START} they (lose at once|{DEED[1:-1]})\.": Reader.they_end,
}
