"""Claims in English: one sentence about a position that is lost, in which `you` and `they`, or two names, win and lose.

Every sentence means what the claim means, read as widely as it can be; tests read it back and follow it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from zerosum.base.english import count, seat_name, third
from zerosum.rules.model import Ban, Reaching, Rules, Tie
from zerosum.rules.moves import ADD_ONLY, Move
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position
from zerosum.solver import Fact, Law, Verdict
from zerosum.strategy.answer_tables import AnswerTable
from zerosum.strategy.claims import (
    Answers,
    ByLaw,
    Claim,
    Forced,
    Guarding,
    InTwo,
    NextForced,
    NextNoSafeReply,
    NoCause,
    NoSafeReply,
    Settled,
    Stuck,
)
from zerosum.strategy.lookahead import threat
from zerosum.strategy.phrases import Subject, Subjects, deed, listed, literal, thing, tie_goes_to

WORDS: Final = 32
"""The most words of a reason; the name of a person counts as one."""
_ROOM: Final = WORDS - 3
"""Words that are left if an answer is named first."""


class LostPosition(NamedTuple):
    """The position that is lost, who wins it, and who loses it and is to move."""

    lost: Position
    winner: Subject
    loser: Subject

    @property
    def target(self) -> int:
        """The target of the game."""
        return self.lost.rules.target

    @property
    def thing(self) -> str:
        """What a player chooses on a turn."""
        return "move" if self.lost.swap_open else thing(self.lost.rules)


def lost_words(claim: Claim, scene: LostPosition) -> str:
    """Return why a position is lost, in one sentence."""
    return TELLERS[type(claim)](claim, scene)


def them(speaker: Subject) -> str:
    """Return a person as the object of a sentence."""
    return "them" if speaker.name == "they" else speaker.name


def _stuck(cause: Stuck, scene: LostPosition) -> str:
    lost, loser, target = scene.lost, scene.loser, scene.target
    numbers = lost.rules.operations == ADD_ONLY and lost.rules.ban is Ban.NONE
    if cause.reasons == (Reason.OVERSHOT,) and numbers:
        which = "The only" if len(set(lost.pool)) == 1 else "Every"
        return f"{which} number left takes {them(loser)} past {target}."
    return f"Whatever {loser.does('play')}, {_how_lost(cause.reasons, scene)}."


def _how_lost(reasons: Sequence[Reason], scene: LostPosition) -> str:
    """Return how a move of the loser loses at once."""
    loser, target = scene.loser, scene.target
    ways: dict[tuple[Reason, ...], str] = {
        (Reason.OVERSHOT,): f"{loser.does('pass')} {target}",
        (Reason.REACHED_TARGET,): f"{loser.does('make')} {target}, and that loses",
        (Reason.CLOSER,): f"{loser.does('end')} farther from {target}",
        (Reason.TIE_RULE,): f"the match is a tie, which goes to {tie_goes_to(scene.lost)}",
    }
    return ways.get(tuple(reasons), f"{loser.does('lose')} at once")


def settled_words(cause: Settled, scene: LostPosition) -> str:
    """Say why a position is lost however both play on."""
    lost, winner, loser, target = *scene, scene.target
    reasons, nobody = set(cause.reasons), f"Nobody can make {target} any more"
    if reasons == {Reason.CLOSER}:
        far, left = abs(lost.total(lost.seat) - target), sum(map(abs, lost.pool))
        if left < far:
            away = f"{loser.does('are')} {far} from {target} and the numbers left make only {left}"
            return f"{away}; {winner.does('end')} closer however both play on."
        return f"{nobody}, and {winner.does('end')} closer however both play on."
    if reasons == {Reason.LAST_MOVER}:
        return f"{nobody}, and {winner.does('make')} the last move."
    if reasons == {Reason.TIE_RULE}:
        return f"{nobody}; both end equally far from it, and a tie goes to {tie_goes_to(lost)}."
    if reasons == {Reason.CLOSER, Reason.TIE_RULE}:
        return f"{nobody}; {winner.does('end')} closer or equally far, and a tie goes to {tie_goes_to(lost)}."
    if reasons == {Reason.OVERSHOT}:
        return f"However both play on, {loser.does('pass')} {target}."
    if reasons == {Reason.REACHED_TARGET}:
        maker = winner if lost.rules.reaching is Reaching.WINS else loser
        return f"However both play on, {maker.does('make')} {target}."
    return f"However both play on, {winner.does('win')}."


def _no_safe_reply(cause: NoSafeReply, scene: LostPosition) -> str:
    start = f"{scene.loser.does('have')} no safe {scene.thing}:"
    parts = [*_lost_at_once(cause.lost, scene), *_answered(cause.answered, scene)]
    full = f"{start} {', '.join(parts)}."
    return full if len(full.split()) <= _ROOM else f"{start} {_each(cause, scene)}."


def _lost_at_once(moves: Sequence[Move], scene: LostPosition) -> list[str]:
    """Return what becomes of moves that lose at once, those with one reason together."""
    groups: dict[str, list[Move]] = {}
    for move in moves:
        one = deed(scene.lost, move, lambda verb: verb)
        groups.setdefault(one, []).append(move)
    return [
        f"{listed(scene.lost, group, word='and')} {deed(scene.lost, group[0], str if len(group) > 1 else third)}"
        for group in groups.values()
    ]


def _answered(answered: Sequence[tuple[Move, Move]], scene: LostPosition) -> list[str]:
    """Return the answers that win at once, those to several moves together."""
    groups: dict[tuple[Move, bool], list[Move]] = {}
    for reply, answer in answered:
        refilled = len(scene.lost.play_unchecked(reply).pool) > len(scene.lost.pool)
        groups.setdefault((answer, refilled), []).append(reply)
    return [
        f"after {listed(scene.lost, replies)}{' and the refill' if refilled else ''} "
        f"{scene.winner.does('play')} {scene.lost.text_of(answer)}"
        for (answer, refilled), replies in groups.items()
    ]


def _each(cause: NoSafeReply, scene: LostPosition) -> str:
    """Return what becomes of each move, without naming any."""
    lost, winner, target = scene.lost, them(scene.winner), scene.target
    ends = [(lost, move) for move in cause.lost]
    ends += [(lost.play_unchecked(reply), answer) for reply, answer in cause.answered]
    reasons = [end.outcome.reason for at, move in ends if (end := at.play_unchecked(move)).outcome is not None]
    passed, made = set(reasons[: len(cause.lost)]), set(reasons[len(cause.lost) :])
    wins = f"lets {winner} make {target}" if made == {Reason.REACHED_TARGET} else f"lets {winner} win at once"
    if not passed:
        return f"each {wins}"
    return f"each {f'passes {target}' if passed == {Reason.OVERSHOT} else 'loses at once'} or {wins}"


def _guarding(_: Guarding, scene: LostPosition) -> str:
    lost, winner, loser = scene
    if literal(lost.rules):
        enough = f"it is enough never to pass {scene.target} nor leave the number that makes it"
    else:
        enough = f"safe moves are enough, which neither lose at once nor let {them(loser)} win at once"
    where = "From here" if winner.name == "you" else f"For {them(winner)}"
    return f"{where} {enough}: {loser.does('run')} out of safe moves first."


def _forced(cause: Forced, scene: LostPosition) -> str:
    lost, winner, loser = scene
    number = cause.number
    if threat(lost) == number:
        first = f"{winner.does('need')} {number}, so {loser.name} must take it"
    else:
        first = f"{loser.own} only safe number is {number}"
    refill = "the numbers are refilled and " if len(lost.pool) == 1 else ""
    then = _THEN[type(cause.then)](scene)
    return f"{first}; then {refill}{winner.does('play')} {lost.text_of(cause.answer)}, {then}."


_THEN: Final[dict[type[Any], Callable[[LostPosition], str]]] = {
    Stuck: lambda scene: f"and whatever {scene.loser.does('play')} then loses at once",
    Settled: lambda scene: f"and {scene.winner.does('win')} however both play on",
    ByLaw: lambda scene: f"and by the law {scene.loser.does('lose')}",
    NoSafeReply: lambda scene: f"which leaves {them(scene.loser)} no safe {scene.thing}",
    Guarding: lambda scene: f"and from then on safe moves are enough for {them(scene.winner)}",
}


def _next_no_safe_reply(cause: NextNoSafeReply, scene: LostPosition) -> str:
    winner, loser, settled = scene.winner, scene.loser, cause.settled
    nothing = f"no safe {scene.thing}"
    if cause.table is not None:
        lost = f"lost or {loser.verb('have')} " if cause.over else ""
        then = f"{loser.does('have')} {lost}{nothing}"
        return f"{followed(cause.table, scene)}: then {then}."
    whatever = f"Whatever safe {scene.thing} {loser.does(_take(scene))}"
    if all(settled):
        return f"{whatever}, {winner.does('have')} an answer after which {winner.does('win')} however both play on."
    can = f"{whatever}, {winner.name} can then leave {them(loser)} {nothing}"
    return f"{can}, or win however both play on." if any(settled) else f"{can}."


def _take(scene: LostPosition) -> str:
    return "take" if scene.thing == "number" else "make"


def _answers(cause: Answers, scene: LostPosition) -> str:
    return f"{followed(cause.table, scene)}."


def followed(table: AnswerTable, scene: LostPosition) -> str:
    """Return how a table is followed, as the beginning of a sentence."""
    winner, answer = scene.winner, scene.lost.text_of
    does = "answer" if winner.name == "you" else winner.does("answer")
    usual = answer(table.usual)
    if table.cases:
        told = _by_case(table, scene, does)
    elif table.form == "d":
        told = f"{does} with {usual}"
    else:
        told = f"{does} anything with {usual}"
    if table.if_taken is not None:
        other = answer(table.if_taken)
        then = f"{other} wins at once" if table.form == "b" else f"with {other}"
        told = f"{told}; if {scene.loser.does('take')} {table.usual.number}, {then}"
    if table.win_first:
        first = "win" if winner.name == "you" else winner.does("win")
        told = f"{first} at once if {winner.name} can; otherwise {told}"
    return told[0].upper() + told[1:] if winner.name in {"you", "they"} else told


_FEW: Final = 2


def _by_case(table: AnswerTable, scene: LostPosition, does: str) -> str:
    """Return the cases of a table and its usual answer; each in its own part if some case lists many replies."""
    lost = scene.lost
    cases = [
        f"{listed(lost, case.replies, len(case.replies))} with {lost.text_of(case.answer)}" for case in table.cases
    ]
    if table.form == "f":
        return f"{does} anything with {lost.text_of(table.usual)}, {', '.join(cases)}"
    between = "; " if any(len(case.replies) > _FEW for case in table.cases) else ", "
    return f"{does} {between.join([*cases, f'anything else with {lost.text_of(table.usual)}'])}"


def _next_forced(cause: NextForced, scene: LostPosition) -> str:
    winner, loser = scene.winner, scene.loser
    if cause.but:
        after = f"After every safe {scene.thing} but {listed(scene.lost, cause.but, word='and')}"
    else:
        after = f"Whatever safe {scene.thing} {loser.does(_take(scene))}"
    if cause.threat:
        return f"{after}, {winner.name} can then threaten to make {scene.target} with a number {loser.name} must take."
    return f"{after}, {winner.name} can then leave {them(loser)} one safe number."


def _in_two(_: InTwo, scene: LostPosition) -> str:
    winner, loser, safe = scene.winner, scene.loser, f"safe {scene.thing}"
    can = f"{winner.name} can leave {them(loser)} no {safe} after the second"
    return f"Whatever two {safe}s {loser.does(_take(scene))}, {can}."


def _none(cause: NoCause, _: LostPosition) -> str:
    replies = count(cause.replies, "reply", "replies")
    checked = f"all {replies} have been" if cause.replies > 1 else "the only reply has been"
    return f"There is no short reason: {checked} checked."


TELLERS: Final[dict[type[Any], Callable[[Any, LostPosition], str]]] = {
    Stuck: _stuck,
    Settled: settled_words,
    NoSafeReply: _no_safe_reply,
    Guarding: _guarding,
    Forced: _forced,
    NextNoSafeReply: _next_no_safe_reply,
    Answers: _answers,
    NextForced: _next_forced,
    InTwo: _in_two,
    NoCause: _none,
}
"""What says each claim about a lost position."""


# A law, applied to one position by its two facts: in full once a match, and then short

_COUNTED: Final = {Fact.ODD: "an odd count", Fact.EVEN: "an even count"}


def law_words(law: Law, position: Position, who: Subjects) -> list[str]:
    """Return why a law decides a position: that its loser cannot make the target now, and the law's fact.

    `you` is the winner and `they` the loser, whichever of them is to move.
    """
    lost = law.verdict(position) is Verdict.LOSS
    facts = [_cannot_make(law, position, who.they)] if lost and law.makes else []
    return [*facts, _fact(law, position, who.you, lost=lost)]


def law_short(law: Law, position: Position, who: Subjects) -> list[str]:
    """Return the same in a few words, for somebody who has been told in full."""
    lost = law.verdict(position) is Verdict.LOSS
    left = count(len(position.pool), "number")
    if law.fact in _COUNTED:
        return [f"Out of reach again, with {left} left." if lost else f"{left} left again, {_parity(position)}."]
    return ["Out of reach again."] if lost else [f"{who.you.does('are')} still the {_nth(law, position)} player."]


def _parity(position: Position) -> str:
    return _COUNTED[Fact.ODD if len(position.pool) % 2 else Fact.EVEN]


def _cannot_make(law: Law, position: Position, loser: Subject) -> str:
    """Return that the side to move cannot make the target now, and why not."""
    need = law.target - position.total(position.seat)
    numbers = (need,) if position.rules.operations == ADD_ONLY else (abs(need), -abs(need))
    cannot = f"{loser.name} cannot make {law.target} now"
    if any(number in position.pool for number in numbers):
        return f"{cannot}."
    gone = next((number for number in numbers if number in position.rules.pool), None)
    if gone is not None:
        return f"{cannot} ({gone} is gone)."
    return f"{cannot} ({loser.does('need')} {need})." if need else f"{cannot} (every number leads away from it)."


def _fact(law: Law, position: Position, winner: Subject, *, lost: bool) -> str:
    if law.fact in _COUNTED:
        left = count(len(position.pool), "number")
        are = "is" if len(position.pool) == 1 else "are"
        mover_takes_last = len(position.pool) % 2 == 1
        if mover_takes_last is not lost and position.rules.tie is None:
            return f"{left} {are} left, {_parity(position)}, so {winner.does('move')} last."
        return f"{left} {are} left, {_parity(position)}, and here that loses."
    if law.fact is Fact.NONE:
        return "Whoever cannot make it loses." if law.makes else "In this game the player to move always loses."
    nth = _nth(law, position) if not lost else seat_name(position.seat.other)
    if always_ties(position.rules) and nth == "first":
        return _tie(position, winner, lost=lost)
    return f"{winner.does('are')} the {nth} player, who wins by the law of this game."


def _nth(law: Law, position: Position) -> str:
    return law.fact.value if law.fact in (Fact.FIRST, Fact.SECOND) else seat_name(position.seat)


def always_ties(rules: Rules) -> bool:
    """Whether the totals cancel whenever the numbers run out, and the first player then begins the new round."""
    cancels = rules.operations == ADD_ONLY and sum(rules.pool) == 0 and sum(rules.start) == 2 * rules.target
    return rules.tie is Tie.SUDDEN_DEATH and cancels and len(rules.pool) % 2 == 0


def _tie(position: Position, winner: Subject, *, lost: bool) -> str:
    """Return that the round ends in a tie and the winner begins the next; far from the target, what to do first."""
    rules = position.rules
    far, reach = abs(position.totals[0] - rules.target), max(map(abs, rules.pool))
    tie = f"the round is a tie and {winner.does('begin')} the next"
    if far <= reach:
        return f"If nobody makes {rules.target}, {tie}."
    if lost and winner.name == "you":
        return f"Without a {rules.target} {tie}: get back within {reach} of {rules.target} first."
    return f"Without a {rules.target} {tie}, after getting back within {reach} of {rules.target}."
