"""Reads what the coach, a review and a puzzle say back, and asks the rules whether it is true of the board it is about.

Reasons are read by `CauseReader`; here is what stands around them. Of the package it uses rules and matches alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.coach.cause_forms import FORMS, M
from tests.coach.cause_reader import CauseReader
from tests.coach.plain_features import Plain
from tests.coach.table_reader import TableReader
from zerosum.match.match import Match
from zerosum.rules.moves import Move
from zerosum.rules.position import Position

IDEA = r"[a-z ]+"
OWN = {
    rf"{M} lets the (win|better result) go(?: \(the idea: {IDEA}\))?(?:; type undo to take it back)?": "lets_go",
    rf"{M} keeps the win(?:; the idea is: {IDEA}|: {IDEA} again)": "keeps",
    rf"{M} would have won at once; {M} still wins": "still_wins",
    rf"{M} would have won at once": "at_once",
    rf"{M} would have won; (.+)": "would_have_won",
}
PAST = {
    rf"{M} let the (win|better result) go(?: \(the idea: {IDEA}\))?": "lets_go",
    rf"{M} kept the win; the idea was: {IDEA}": "keeps",
    rf"{M} would have won at once": "at_once",
}
THEIRS = {
    r"They missed it: you can win again": "missed",
    r"They let the win go: you can win now": "gave",
    r"They threaten to make (-?\d+) with (-?\d+)": "threaten",
    r"They have left you no safe move": "no_safe",
    r"Every move loses against perfect play": "all_lose",
    rf"{M} is the best trap: (only )?(\d+) of their (\d+) repl(?:y|ies) wins?": "trap",
}


class CommentReader:
    """Checks what is said in one match, as it stands."""

    def __init__(self, plain: Plain, match: Match) -> None:
        self.plain, self.match = plain, match

    def wrong(self, told: list[str], forms: dict[str, str], ply: int) -> str:
        """Return the first sentence that is false of the move `moves[ply]`, or of the board; else nothing."""
        return next((one for one in told if not self._true(one.removesuffix("."), forms, ply)), "")

    def _true(self, text: str, forms: dict[str, str], ply: int) -> bool:
        for form, check in forms.items():
            found = re.fullmatch(form, text)
            if found is not None:
                return bool(getattr(self, f"_{check}")(ply, *found.groups()))
        return forms is OWN and self._reason(ply, text)

    def _before(self, ply: int) -> tuple[Position, Move]:
        return self.match.positions[ply], self.match.moves[ply]

    # Of the reader's own move

    def _lets_go(self, ply: int, move: str, result: str) -> bool:
        before, made = self._before(ply)
        good = set(self.plain.keeps(before))
        return before.text_of(made) == move and result == "win" and bool(good) and made not in good

    def _keeps(self, ply: int, move: str) -> bool:
        before, made = self._before(ply)
        good = set(self.plain.keeps(before))
        real = len(good) < len(before.legal_moves())
        return before.text_of(made) == move and made in good and real and not self.plain.can_win_now(before)

    def _at_once(self, ply: int, best: str) -> bool:
        before, made = self._before(ply)
        wins = [before.text_of(move) for move, after in self.plain.replies(before) if self.plain.won(before, after)]
        return best in wins and before.text_of(made) not in wins

    def _still_wins(self, ply: int, best: str, move: str) -> bool:
        before, made = self._before(ply)
        return self._at_once(ply, best) and before.text_of(made) == move and made in self.plain.keeps(before)

    def _would_have_won(self, ply: int, move: str, why: str) -> bool:
        before, _ = self._before(ply)
        named = next(one for one in before.legal_moves() if before.text_of(one) == move)
        return named in self.plain.keeps(before) and self._explains(before, named, why)

    def _reason(self, ply: int, text: str) -> bool:
        return self._explains(*self._before(ply), text)

    def _explains(self, before: Position, move: Move, text: str) -> bool:
        """Whether one or two sentences, which are joined here, are a true reason of a move."""
        return any(
            name != "none" and CauseReader(self.plain, before, move).wrong(name, words) == ""
            for words in _parted(text)
            for name in FORMS
        )

    # Of the opponent's move and the board

    def _turned(self, ply: int) -> bool:
        before, made = self._before(ply)
        after = self.match.positions[ply + 1]
        return bool(set(self.plain.keeps(before)) - {made}) and self.plain.verdict(after) == "win"

    def _missed(self, ply: int) -> bool:
        return self._turned(ply) and ply > 0 and self._lets_go(ply - 1, self._text(ply - 1), "win")

    def _gave(self, ply: int) -> bool:
        return self._turned(ply) and not self._missed(ply)

    def _text(self, ply: int) -> str:
        before, made = self._before(ply)
        return before.text_of(made)

    def _threaten(self, _: int, target: str, number: str) -> bool:
        at = self.match.position
        total, signs = at.total(at.seat.other), (1, -1)[: len(at.rules.operations)]
        makes = any(total + sign * int(number) == at.rules.target for sign in signs)
        return makes and int(number) in at.pool and int(target) == at.rules.target

    def _no_safe(self, _: int) -> bool:
        return self.plain.no_safe(self.match.position)

    def _all_lose(self, _: int) -> bool:
        return not any(self.plain.keeps(self.match.position))

    def _trap(self, ply: int, move: str, only: str | None, winning: str, replies: str) -> bool:
        at, told = self.match.position, (int(winning), int(replies))
        few = told[0] <= told[1] / 2
        return self._all_lose(ply) and best_trap(self.plain, at, move) == told and bool(only) == few


def best_trap(plain: Plain, at: Position, move: str) -> tuple[int, int] | None:
    """Return how many replies to a trap win, of how many; None if it lets them win at once, or another leaves fewer."""
    safe = {at.text_of(one): after for one, after in plain.safe(at) if after.outcome is None}
    wins = {text: len(list(plain.keeps(after))) for text, after in safe.items()}
    if move not in safe or wins[move] > min(wins.values()):
        return None
    return wins[move], len(safe[move].legal_moves())


def _parted(text: str) -> Iterator[str]:
    """Yield a comment as the one or two sentences of a reason that it may have been."""
    yield f"{text}."
    answer = re.fullmatch(rf"They can answer {M}; (?:then )?(.+)", text)
    if answer is not None:
        yield f"They answer {answer[1]}. {answer[2][0].upper()}{answer[2][1:]}."
    for at in re.finditer("; ", text):
        yield f"{text[: at.start()]}. {text[at.end()].upper()}{text[at.end() + 1 :]}."


def same_story(plain: Plain, position: Position, words: list[str], line: list[Move]) -> str:
    """Return the sentence under an answer that speaks of other moves than the line drawn below it; else nothing."""
    after = position.play(line[0])
    lost, winner, rest = after, "you", line[1:]
    for text in words:
        answer = re.fullmatch(rf"They answer {M}\.", text)
        if answer is not None:
            if lost.text_of(rest[0]) != answer[1]:
                return text
            lost, winner, rest = lost.play(rest[0]), "they", rest[1:]
        elif not _followed(plain, lost, winner, text.removesuffix("."), rest):
            return text
    return ""


def _followed(plain: Plain, lost: Position, winner: str, text: str, rest: list[Move]) -> bool:
    """Whether the moves after a lost position are those that a sentence speaks of."""
    still = re.fullmatch(r".+ (-?\d+) is still there", text)
    if still is not None:
        return rest[0].number == int(still[1]) and plain.won(lost, lost.play(rest[0]))
    ends = re.fullmatch(rf"They answer {M} and .+", text)
    if ends is not None:
        return lost.text_of(rest[0]) == ends[1]
    return len(rest) == 1 or not rest or _answered(plain, lost, winner, text, rest)


FORCED = re.compile(rf".*?(-?\d+)(?:, so \S+ must take it)?; then (?:the numbers are refilled and )?\S+ play {M}, .+")
NAMED = re.compile(rf"after ((?:{M}(?:, | or )?)+)(?: and the refill)? (?:you|they) play {M}")


def _answered(plain: Plain, lost: Position, winner: str, text: str, rest: list[Move]) -> bool:
    """Whether a reply is answered as a sentence says."""
    reply, answer, after = rest[0], lost.text_of(rest[1]), lost.play(rest[0])
    before, _, _ = text.partition(": then ")
    table = TableReader(plain, lost, winner, "they" if winner == "you" else "you").read(before)
    if table is not None:
        if table.win_first and plain.can_win_now(after):
            return plain.won(after, after.play(rest[1]))
        taken = table.number is not None and reply.number == table.number
        return answer == table.cases.get(lost.text_of(reply), table.taken if taken else table.usual)
    forced = FORCED.fullmatch(text)
    if forced is not None:
        return reply.number == int(forced[1]) and answer == forced[2]
    for replies, *_, then in NAMED.findall(text):
        if lost.text_of(reply) in re.split(r", | or ", replies.strip()):
            return bool(answer == then)
    return not re.match(r"(Whatever|After every) safe", text) or plain.is_safe(lost, after)
