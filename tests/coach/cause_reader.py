"""Reads the printed words of a cause back and plays them out; of the package it uses the rules alone.

It reads as widely as words can be read: "anything" is every legal reply, and a move is allowed unless words exclude it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.coach.cause_forms import DEED, FORMS, ON, WHO, M
from tests.coach.law_reader import LawReader
from tests.coach.table_reader import TableReader
from zerosum.rules.model import Seat
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.outcome import Outcome
from zerosum.rules.position import IllegalMoveError, Position

WORDS, SENTENCES, TWO = 32, 2, 2
ONE = M.replace("(", "(?:", 1)
LIST = rf"{ONE}(?:, {ONE})*(?: (?:and|or) {ONE})?"
PARTS = re.compile(rf"(?:{LIST} {DEED}|after {LIST}(?: and the refill)? (?:you|they) play {ONE})(?:, |$)")


class CauseReader(LawReader):
    """Checks what is said of one move."""

    def wrong(self, name: str, words: str) -> str:
        """Return what is wrong with a cause, nothing if it is true."""
        told = re.findall(r"\S.*?\.(?= |$)", words)
        if " ".join(told) != words or not 1 <= len(told) <= SENTENCES or len(words.split()) > WORDS:
            return "form"
        answer = re.fullmatch(rf"They answer {M}\.", told[0])
        if answer is not None and len(told) == SENTENCES:
            move = self._move(answer[1])
            if move not in self.after.legal_moves():
                return "answer"
            self.lost = self.after.play(move)
            self.winner, self.loser = "they", "you"
            then = re.sub(r"^Then (?=they (?:answer|win at once if) )", "", told[1])
            told = [then[0].upper() + then[1:]]
        if name not in ("ends", "leaves", "law", "none") and not self.plain.lost(self.lost):
            return "verdict"
        return next((text for text in told if not self._true(name, text)), "")

    def false(self, words: str) -> bool:
        """Whether the words are true of no cause."""
        return all(CauseReader(self.plain, self.position, self.move).wrong(name, words) for name in FORMS)

    def _true(self, name: str, text: str) -> bool:
        plain = re.sub(r"^(You|They|Your|Their) ", lambda begin: begin[0].lower(), text)
        for form, check in FORMS[name]:
            found = re.fullmatch(form, plain)
            if found is not None:
                try:
                    return bool(getattr(self, f"_{check}")(*found.groups())) and self._proves(name)
                except IllegalMoveError:
                    return False
        return False

    def _proves(self, name: str) -> bool:
        """Whether the cause as such holds, whatever its words; no cause of an earlier number may hold."""
        plain, lost = self.plain, self.lost
        if name in ("ends", "leaves", "law", "none"):
            return True
        tests: dict[str, Callable[[Position], bool]] = {
            "stuck": plain.stuck,
            "settled": plain.settled,
            "no-safe-reply": plain.no_safe,
            "guarding": plain.guarded,
            "forced": self._is_forced,
            "next-no-safe-reply": self._is_next,
            "answers": lambda _: True,
            "replies": lambda _: True,
            "next-forced": lambda _: True,
        }
        return tests[name](lost)

    def _is_forced(self, lost: Position) -> bool:
        return len({move.number for move, _ in self.plain.safe(lost)}) == 1

    def _is_next(self, lost: Position) -> bool:
        plain = self.plain
        for _, after in plain.safe(lost):
            if after.outcome is not None:
                return False
            leaves = (plain.stuck, plain.settled, plain.no_safe)
            if not any(any(plain.answers(after, one)) for one in leaves):
                return False
        return True

    # Sentences

    def _deed(self, before: Position, move: Move, deed: str) -> bool:
        after = before.play(move)
        return after.outcome is not None and fits(after, before.seat, after.outcome, deed)

    def _ends(self, move: str, deed: str) -> bool:
        return self.position.text_of(self.move) == move and self._deed(self.position, self.move, deed)

    def _leaves(self, total: str, number: str) -> bool:
        shared = len(self.after.totals) == 1 and self.after.totals[0] == int(total)
        return shared and self._number_wins(int(number))

    def _from(self, far: str, target: str, number: str) -> bool:
        total = self.after.total(self.after.seat)
        return abs(total - self.target) == int(far) and int(target) == self.target and self._number_wins(int(number))

    def _number_wins(self, number: int) -> bool:
        return any(
            move.number == number and self.plain.won(self.after, after) and after.total(self.after.seat) == self.target
            for move, after in self.plain.replies(self.after)
        )

    def _answers_and(self, answer: str, deed: str) -> bool:
        move = self._move(answer)
        return self.plain.won(self.after, self.after.play(move)) and self._deed(self.after, move, deed)

    def _move(self, text: str) -> Move:
        return parse_move(text, self.position.rules.operations)

    def _past(self, which: str, who: str, target: str) -> bool:
        one = len(set(self.lost.pool)) == 1
        return (which == "The only") == one and self._all_lost(who, lambda why: why == "overshot", target)

    def _all_lost(self, who: str, fits_: Callable[[str], bool], target: str | None = None) -> bool:
        who = {"them": "they"}.get(who, who)
        ends = [after.outcome for _, after in self.plain.replies(self.lost)]
        return (
            who == self.loser
            and (target is None or int(target) == self.target)
            and all(end is not None and end.winner is not self.lost.seat and fits_(end.reason.value) for end in ends)
        )

    def _lose(self, who: str, again: str, how: str) -> bool:
        forms = {
            rf"pass(?:es)? {self.target}": lambda why: why == "overshot",
            rf"make {self.target}, and that loses": lambda why: why == "reached-target",
            rf"end farther from {self.target}": lambda why: why == "closer",
            "lose at once": lambda _: True,
        }
        return who == again and any(
            re.fullmatch(form, how) is not None and self._all_lost(who, check) for form, check in forms.items()
        )

    def _lose_tie(self, who: str, seat: str) -> bool:
        return self._all_lost(who, lambda why: why == "tie-rule") and int(seat) == self.lost.seat.other.value

    def _reasons(self) -> set[str]:
        return {why for _, why in self.plain.ends(self.lost) or ()}

    def _far(self, who: str, far: str, target: str, left: str, end: str) -> bool:
        total = self.lost.total(self.lost.seat)
        sums = sum(map(abs, self.lost.pool)) == int(left) < abs(total - self.target) == int(far)
        return (
            (who, end, int(target)) == (self.loser, self.winner, self.target) and sums and self._reasons() == {"closer"}
        )

    def _nobody(self, target: str, how: str) -> bool:
        forms = {
            f"and {self.winner} end closer however both play on": {"closer"},
            f"and {self.winner} make the last move": {"last-mover"},
            f"both end equally far from it, and a tie goes to seat {self.lost.seat.other.value}": {"tie-rule"},
            f"{self.winner} end closer or equally far, and a tie goes to seat {self.lost.seat.other.value}": {
                "closer",
                "tie-rule",
            },
        }
        return int(target) == self.target and forms.get(how) == self._reasons()

    def _however(self, who: str, how: str) -> bool:
        if how == "win":
            return who == self.winner
        verb, number = how.split()
        if int(number) != self.target:
            return False
        if verb == "pass":
            return who == self.loser and self._reasons() == {"overshot"}
        wins = self.position.rules.reaching == "wins"
        return self._reasons() == {"reached-target"} and (who == self.winner) == wins

    def _no_safe(self, who: str, what: str) -> bool:
        told: set[Move] = set()
        if PARTS.sub("", what):
            return False
        for part in PARTS.finditer(what):
            moves = self._part(part[0].removesuffix(", "))
            if moves is None:
                return False
            told |= moves
        return who == self.loser and told == {move for move, _ in self.plain.replies(self.lost)}

    def _part(self, part: str) -> set[Move] | None:
        found = re.fullmatch(rf"after (.+?)( and the refill)? {WHO} play {M}", part)
        if found is not None:
            moves = set(map(self._move, re.split(r", | or ", found[1])))
            after = [self.lost.play(move) for move in moves]
            refilled = all((len(one.pool) > len(self.lost.pool)) == bool(found[2]) for one in after)
            wins = all(one.outcome is None and self.plain.won(one, one.play(self._move(found[4]))) for one in after)
            return moves if refilled and wins and found[3] == self.winner else None
        found = re.fullmatch(rf"(.+?) {DEED}", part)
        if found is None:
            return None
        moves = set(map(self._move, re.split(r", | and ", found[1])))
        lost = all(not self.plain.won(self.lost, self.lost.play(move)) for move in moves)
        return moves if lost and all(self._deed(self.lost, move, found[2]) for move in moves) else None

    def _each(self, who: str, what: str) -> bool:
        replies = self.plain.replies(self.lost)
        over = [after for _, after in replies if after.outcome is not None]
        going_on = [after for _, after in replies if after.outcome is None]
        winner = {"they": "them"}.get(self.winner, self.winner)
        made = all(any(one.play(move).total(one.seat) == self.target for move in self._wins(one)) for one in going_on)
        lets = {f"lets {winner} win at once"} | ({f"lets {winner} make {self.target}"} if made else set())
        passed = all(one.outcome is not None and one.outcome.reason.value == "overshot" for one in over)
        loses = {"loses at once"} | ({f"passes {self.target}"} if passed else set())
        forms = {f"{one} or {two}" for one in loses for two in lets} if over else lets
        return who == self.loser and what in forms

    def _wins(self, position: Position) -> list[Move]:
        return [move for move, after in self.plain.replies(position) if self.plain.won(position, after)]

    def _guarding(self, _: str, what: str, who: str) -> bool:
        loser = {"they": "them"}.get(self.loser, self.loser)
        if what == f"safe moves are enough, which neither lose at once nor let {loser} win at once":
            allowed: Callable[[Position, Position], bool] = self.plain.is_safe
        elif what == f"it is enough never to pass {self.target} nor leave the number that makes it":
            allowed = self._neither_passes_nor_leaves
        else:
            return False
        return who == self.loser and self.plain.followed(self.lost, allowed)

    def _neither_passes_nor_leaves(self, before: Position, after: Position) -> bool:
        start, total = self.position.rules.start[0], after.total(before.seat)
        passed = (total - self.target) * (start - self.target) < 0
        amounts = [sign * number for number in after.pool for sign in (1, -1)[: len(self.position.rules.operations)]]
        return not passed and (total == self.target or all(total + amount != self.target for amount in amounts))

    def _forced(self, first: str, refill: str | None, who: str, answer: str, then: str) -> bool:
        if not self._is_forced(self.lost):
            return False
        (number,) = {move.number for move, _ in self.plain.safe(self.lost)}
        need = re.fullmatch(rf"{WHO} need (-?\d+), so {WHO} must take it", first)
        only = re.fullmatch(r"(your|their) only safe number is (-?\d+)", first)
        if need is not None:
            told = need[1] == self.winner and need[3] == self.loser and self._needs(int(need[2]))
            told = told and int(need[2]) == number
        else:
            whose = {"you": "your", "they": "their"}[self.loser]
            told = only is not None and only[1] == whose and int(only[2]) == number
        left = [after.play(self._move(answer)) for _, after in self.plain.safe(self.lost)]
        refilled = [len(after.pool) > len(self.lost.pool) for _, after in self.plain.safe(self.lost)]
        holds = all(one.outcome is None and self._then(one, then) for one in left)
        return told and who == self.winner and holds and all(one == bool(refill) for one in refilled)

    def _needs(self, number: int) -> bool:
        """Whether the winner could make the target with this number, if it were their turn."""
        total = self.lost.total(self.lost.seat.other)
        amounts = (number, -number) if len(self.position.rules.operations) > 1 else (number,)
        return any(total + amount == self.target for amount in amounts)

    def _then(self, left: Position, then: str) -> bool:
        loser = {"they": "them"}.get(self.loser, self.loser)
        winner = {"they": "them"}.get(self.winner, self.winner)
        forms: dict[str, Callable[[Position], bool]] = {
            f"and whatever {self.loser} play then loses at once": self.plain.stuck,
            f"and {self.winner} win however both play on": self.plain.settled,
            f"which leaves {loser} no safe number": self.plain.no_safe,
            f"which leaves {loser} no safe move": self.plain.no_safe,
            f"and from then on safe moves are enough for {winner}": self.plain.guarded,
            f"and by the law {self.loser} lose": self.plain.lost,
        }
        return then in forms and forms[then](left)

    def _next(self, thing: str, who: str, again: str, leave: str, what: str) -> bool:
        safe = [after for _, after in self.plain.safe(self.lost)]
        nothing = [any(self.plain.answers(after, self.plain.no_safe)) for after in safe]
        settled = [any(self.plain.answers(after, self.plain.settled)) for after in safe]
        forms = {
            f"no safe {thing}": all(nothing),
            f"no safe {thing}, or win {ON}": all(one or two for one, two in zip(nothing, settled, strict=True)),
        }
        told = who == self.loser and again == self.winner and leave == {"they": "them"}.get(self.loser, self.loser)
        return told and forms.get(what, False)

    def _answered_settled(self, thing: str, who: str, again: str, last: str) -> bool:
        safe = self.plain.safe(self.lost)
        settled = all(any(self.plain.answers(after, self.plain.settled)) for _, after in safe)
        return who == self.loser and again == last == self.winner and settled and thing in ("number", "move")

    def _draw(self, move: str) -> bool:
        drawn = self.after.outcome is None and self.plain.verdict(self.after) == "draw"
        return drawn and move == self.position.text_of(self.move)

    def _none(self, replies: str) -> bool:
        count = len(self.lost.legal_moves())
        return self.plain.lost(self.lost) and count == (1 if replies == "only" else int(replies))

    # Tables of answers

    def _table(self) -> TableReader:
        return TableReader(self.plain, self.lost, self.winner, self.loser)

    def _answers(self, told: str) -> bool:
        return self._table().meets(told, self.plain.lost) and self._table().answers(told) <= TWO + ("-" in told)

    def _replies(self, told: str) -> bool:
        return self._table().meets(told, self.plain.lost) and TWO < self._table().answers(told) <= 2 * TWO

    def _answers_then(self, told: str, who: str, over: str | None) -> bool:
        return who == self.loser and self._table().meets(told, self.plain.no_safe, ends=over is not None)

    def _next_forced(self, who: str, again: str, what: str) -> bool:
        return who == self.loser and self._all_but([], again, what)

    def _next_forced_but(self, moves: str, again: str, what: str) -> bool:
        return self._all_but(list(map(self._move, moves.split(" and "))), again, what)

    def _all_but(self, but: list[Move], winner: str, what: str) -> bool:
        safe = dict(self.plain.safe(self.lost))
        loser = {"they": "them"}.get(self.loser, self.loser)
        forms = {
            f"leave {loser} one safe number": lambda one: len(self._safe_numbers(one)) == 1,
            f"threaten to make {self.target} with a number {self.loser} must take": self._must_take,
        }
        return (
            what in forms
            and winner == self.winner
            and len(but) <= TWO
            and set(but) < set(safe)
            and all(
                any(
                    forms[what](one) and self.plain.lost(one) for _, one in self.plain.replies(after) if not one.outcome
                )
                for move, after in safe.items()
                if move not in but
            )
        )

    def _in_two(self, thing: str, loser: str, winner: str, again: str) -> bool:
        told = (loser, winner) == (self.loser, self.winner) and thing == again
        return told and self._squeezed(self.lost, 2)

    def _squeezed(self, lost: Position, turns: int) -> bool:
        """Whether good answers to any so many safe moves leave no safe one."""
        return not self.plain.safe(lost) or (
            turns > 0
            and all(
                any(self._squeezed(one, turns - 1) for _, one in self.plain.replies(after) if one.outcome is None)
                for _, after in self.plain.safe(lost)
                if after.outcome is None
            )
        )

    def _safe_numbers(self, position: Position) -> set[int | str]:
        return {move.number if move.operation != "swap" else "swap" for move, _ in self.plain.safe(position)}

    def _must_take(self, position: Position) -> bool:
        """Whether all safe moves take one number, with which whoever is not to move could make the target."""
        rules, numbers = position.rules, self._safe_numbers(position)
        need = self.target - position.total(position.seat.other)
        made = {abs(need), -abs(need)} if len(rules.operations) > 1 else {need}
        own = rules.totals == "own" and rules.reaching == "wins"
        return own and len(numbers) == 1 and numbers <= made & set(position.pool)


def fits(after: Position, mover: Seat, outcome: Outcome, deed: str) -> bool:
    """Whether a match has ended in the way that is told."""
    target = str(after.rules.target)
    verb, _, rest = deed.partition(" ")
    if verb.startswith("make"):
        return rest == target and after.total(mover) == after.rules.target
    if verb.startswith("pass"):
        return rest == target and outcome.reason == "overshot" and outcome.winner is mover.other
    more = rest.removeprefix("the last number")
    if after.pool or after.rules.exhausted != "closest":
        return not after.pool and more == "" and outcome.winner is mover
    mine, theirs = (abs(after.total(seat) - after.rules.target) for seat in (mover, mover.other))
    if mine == theirs:
        return more == f", and a tie goes to seat {outcome.winner.value}"
    return more == (f", closer to {target}" if mine < theirs else f", farther from {target}")
