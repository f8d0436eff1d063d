"""Causes in English: at most two sentences, in which `you` made the move and `they` answer it, or both have names.

>>> from zerosum.coach.causes import why
>>> from zerosum.rules.game_files import load_game
>>> from zerosum.rules.notation import parse_position
>>> from zerosum.solver import solution_of
>>> game = load_game("sum31")
>>> position = parse_position("1,3,4,6,9 22 1", game)
>>> for move in position.legal_moves():
...     print(*words(why(position, move, solution_of(game))))
They answer +6. Every number left takes you past 31.
It leaves 25, and 6 is still there.
From here it is enough never to pass 31 nor leave the number that makes it: they run out of safe moves first.
It leaves 28, and 3 is still there.
+9 makes 31.

A law is applied to one position by its two facts, in full once a match and then short.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, NamedTuple

from zerosum.base.english import count, third
from zerosum.coach.causes import (
    NAMES,
    ByCard,
    ByLaw,
    ByRecipe,
    Cause,
    EndsMatch,
    Forced,
    Guarding,
    Leaves,
    NextNoSafeReply,
    NoCause,
    NoSafeReply,
    Settled,
    Stuck,
    Why,
)
from zerosum.coach.phrases import YOU_AND_THEY, Subject, Subjects, deed, listed, sentence, tie_goes_to
from zerosum.rules.model import Ban, Overshoot, Reaching, Rules, Tie, Totals
from zerosum.rules.moves import ADD_ONLY, Move
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position
from zerosum.solver import Fact, Law, Verdict
from zerosum.strategy.card import Rule, short

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
        if _last_is_winner(position, lost=lost):
            return f"{left} {are} left, {_parity(position)}, so {winner.does('move')} last."
        return f"{left} {are} left, {_parity(position)}, and here that loses."
    if law.fact is Fact.NONE:
        return "Whoever cannot make it loses." if law.makes else "In this game the player to move always loses."
    nth = _nth(law, position) if not lost else _other(_nth_of(position))
    if always_ties(position.rules) and nth == "first":
        return _tie(position, winner, lost=lost)
    return f"{winner.does('are')} the {nth} player, who wins by the law of this game."


def _last_is_winner(position: Position, *, lost: bool) -> bool:
    """Whether the winner takes the last number of the pool, if it comes to that."""
    mover_takes_last = len(position.pool) % 2 == 1
    return mover_takes_last is not lost and position.rules.tie is None


def _nth(law: Law, position: Position) -> str:
    return law.fact.value if law.fact in (Fact.FIRST, Fact.SECOND) else _nth_of(position)


def _nth_of(position: Position) -> str:
    return "first" if position.seat == 1 else "second"


def _other(nth: str) -> str:
    return "second" if nth == "first" else "first"


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


WORDS: Final = 32
"""The most words of a cause; the name of a person counts as one."""


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
        """What a player chooses on a turn: a number, or a move if numbers can be added or subtracted."""
        return "number" if self.lost.rules.operations == ADD_ONLY and not self.lost.swap_open else "move"


def words(why: Why, who: Subjects = YOU_AND_THEY, said: Collection[str] = ()) -> list[str]:
    """Return the cause of a move as one or two sentences; `said` are the names of causes told in full before."""
    return [sentence(text) for text in _told(why, who, said)]


def _told(why: Why, who: Subjects, said: Collection[str]) -> list[str]:
    position, move, cause = why.position, why.move, why.cause
    after = position.play_unchecked(move)
    if isinstance(cause, EndsMatch):
        return [f"{position.text_of(move)} {deed(position, move, third)}."]
    if isinstance(cause, Leaves):
        return [_leaves(after, cause.replies[0], who.they)]
    if why.verdict is Verdict.DRAW:
        return [f"After {position.text_of(move)} neither side can force an end."]
    if isinstance(cause, ByLaw):
        winner, loser = (who.you, who.they) if why.verdict is Verdict.WIN else (who.they, who.you)
        tell = law_short if why.name in said else law_words
        return tell(cause.law, after, Subjects(winner, loser))
    if why.answer is None:
        return [_lost(cause, LostPosition(after, who.you, who.they))]
    lost = after.play_unchecked(why.answer)
    answer = f"{who.they.does('answer')} {position.text_of(why.answer)}."
    return [answer, _lost(cause, LostPosition(lost, who.they, who.you))]


def _leaves(after: Position, reply: Move, they: Subject) -> str:
    """Say that a number which wins at once is still there."""
    outcome, target = after.play_unchecked(reply).outcome, after.rules.target
    if outcome is None or outcome.reason is not Reason.REACHED_TARGET:
        return f"{they.does('answer')} {after.text_of(reply)} and {deed(after, reply, they.verb)}."
    total = after.total(after.seat)
    if after.rules.totals is Totals.SHARED:
        return f"It leaves {total}, and {reply.number} is still there."
    return f"{they.does('are')} {abs(total - target)} from {target}, and {reply.number} is still there."


def _lost(cause: Cause, scene: LostPosition) -> str:
    """Say why a position is lost, in one sentence."""
    return _TELLERS[type(cause)](cause, scene)


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


_ROOM: Final = WORDS - 3
"""Words that are left if an answer is named first."""


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
    lost, winner, loser, target = *scene, scene.target
    rules = lost.rules
    never_empty = abs(lost.totals[0] + sum(lost.pool) - rules.start[0]) > abs(target - rules.start[0])
    if rules.overshoot is Overshoot.LOSES and rules.totals is Totals.SHARED and min(lost.pool) > 0 and never_empty:
        enough = f"it is enough never to pass {target} nor leave the number that makes it"
    else:
        enough = f"safe moves are enough, which neither lose at once nor let {them(loser)} win at once"
    where = "From here" if winner.name == "you" else f"For {them(winner)}"
    return f"{where} {enough}: {loser.does('run')} out of safe moves first."


def _forced(cause: Forced, scene: LostPosition) -> str:
    lost, winner, loser = scene
    number = cause.number
    if _threatens(scene, number):
        first = f"{winner.does('need')} {number}, so {loser.name} must take it"
    else:
        first = f"{loser.own} only safe number is {number}"
    refill = "the numbers are refilled and " if len(lost.pool) == 1 else ""
    then = _THEN[type(cause.then)](scene)
    return f"{first}; then {refill}{winner.does('play')} {lost.text_of(cause.answer)}, {then}."


def _threatens(scene: LostPosition, number: int) -> bool:
    """Whether the winner could make the target with this number if it were their turn."""
    lost = scene.lost
    if lost.rules.totals is not Totals.OWN or lost.rules.reaching is not Reaching.WINS or lost.rules.remembers:
        return False
    need = scene.target - lost.total(lost.seat.other)
    return any(Move(number, operation).amount == need for operation in lost.rules.operations)


_THEN: Final[dict[type[Any], Callable[[LostPosition], str]]] = {
    Stuck: lambda scene: f"and whatever {scene.loser.does('play')} then loses at once",
    Settled: lambda scene: f"and {scene.winner.does('win')} however both play on",
    ByLaw: lambda scene: f"and by the law {scene.loser.does('lose')}",
    NoSafeReply: lambda scene: f"which leaves {them(scene.loser)} no safe {scene.thing}",
    Guarding: lambda scene: f"and from then on safe moves are enough for {them(scene.winner)}",
}


def _next_no_safe_reply(cause: NextNoSafeReply, scene: LostPosition) -> str:
    thing, winner, loser = scene.thing, scene.winner, scene.loser
    then = {name for *_, name in cause.answers}
    take = "take" if thing == "number" else "make"
    whatever = f"Whatever safe {thing} {loser.does(take)}"
    if then == {NAMES[Settled]}:
        return f"{whatever}, {winner.does('have')} an answer after which {winner.does('win')} however both play on."
    nothing = f"{whatever}, {winner.name} can then leave {them(loser)} no safe {thing}"
    return f"{nothing}, or win however both play on." if NAMES[Settled] in then else f"{nothing}."


def _plan(cause: ByRecipe, scene: LostPosition) -> str:
    recipe = [short(Rule(name), scene.lost.rules) for name in ("make", "guard", *cause.rules)]
    return f"A recipe wins from here{_whose(scene)}: {', '.join(recipe)}."


def _card(cause: ByCard, scene: LostPosition) -> str:
    rules = scene.lost.rules
    if cause.card.seat is None:
        recipe = ", ".join(short(rule, rules) for rule in cause.card.rules)
        return f"A longer recipe wins from here{_whose(scene)}: {recipe}."
    won = f"{scene.winner.does('win')} from here by the card"
    if cause.rule is None:
        return f"{won}."
    return f"{won}; its rule {cause.rule + 1} chose this: {short(cause.card.rules[cause.rule], rules)}."


def _whose(scene: LostPosition) -> str:
    """Return for whom something is, unless it is for you."""
    return "" if scene.winner.name == "you" else f" for {them(scene.winner)}"


def _none(_: NoCause, __: LostPosition) -> str:
    return "There is no short reason; all lines have been checked."


_TELLERS: Final[dict[type[Any], Callable[[Any, LostPosition], str]]] = {
    Stuck: _stuck,
    Settled: settled_words,
    NoSafeReply: _no_safe_reply,
    Guarding: _guarding,
    Forced: _forced,
    NextNoSafeReply: _next_no_safe_reply,
    ByRecipe: _plan,
    ByCard: _card,
    NoCause: _none,
}
