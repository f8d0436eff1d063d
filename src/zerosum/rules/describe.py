"""The rules in words, made from the values of a rules file and nothing else."""

from dataclasses import fields

from zerosum.base import limits
from zerosum.rules.model import Ban, Exhausted, InvalidMove, Overshoot, Reaching, Rules, Tie, Totals, key_text
from zerosum.rules.moves import ADD_ONLY


def describe(rules: Rules, *, lenient: bool = False, typed: bool = True) -> list[str]:
    """Return the rules as short sentences, in the order a player needs them; `lenient` as a match may be played.

    Unless moves are `typed`, it leaves out the answers at a prompt that forfeit.
    """
    return [
        _pool(rules),
        _totals(rules),
        _turn(rules),
        _reaching(rules),
        *_overshoot(rules),
        *_exhausted(rules),
        *_ban(rules),
        *_swap(rules),
        *_unknown(rules),
        *_invalid(rules, lenient=lenient, typed=typed),
    ]


def clause_of(rules: Rules) -> dict[str, str]:
    """Return the sentence of `describe` that speaks of each way a match can end, of sudden death, ban and swap.

    >>> from zerosum.rules.game_files import built_in
    >>> list(clause_of(built_in("sum31")))
    ['reached-target', 'overshot', 'last-mover']
    """
    exhausted = ("last-mover",) if rules.exhausted is Exhausted.LAST_MOVER else ("closer", "tie-rule")
    if rules.tie is Tie.SUDDEN_DEATH:
        exhausted = ("closer", "refill")
    sentences = {
        ("reached-target",): [_reaching(rules)],
        ("overshot",): _overshoot(rules),
        exhausted: _exhausted(rules),
        ("ban",): _ban(rules),
        ("swap",): _swap(rules),
    }
    return {name: said for names, lines in sentences.items() for name, said in zip(names, lines, strict=False)}


def _pool(rules: Rules) -> str:
    numbers = ", ".join(map(str, rules.pool))
    once = (
        "each can be taken once" if len(set(rules.pool)) == len(rules.pool) else "each can be taken as often as listed"
    )
    return f"The pool: {numbers}; {once}."


def _totals(rules: Rules) -> str:
    if rules.totals is Totals.SHARED:
        return f"There is one total for both players. It starts at {rules.start[0]}; the target is {rules.target}."
    first, second = rules.start
    starts = (
        f"Both start at {first}"
        if first == second
        else f"The first player's starts at {first}, the second's at {second}"
    )
    return f"Each player has a total of their own. {starts}; the target is {rules.target}."


def _turn(rules: Rules) -> str:
    how = "it is added to" if rules.operations == ADD_ONLY else "say whether it is added to or subtracted from"
    whose = "the total" if rules.totals is Totals.SHARED else "your total"
    return f"In turn, take one number that is left; {how} {whose}. Nobody may pass."


def _reaching(rules: Rules) -> str:
    whose = "the total" if rules.totals is Totals.SHARED else "their own total"
    return f"Whoever brings {whose} to exactly {rules.target} {rules.reaching.value} at once."


def _overshoot(rules: Rules) -> list[str]:
    if rules.overshoot is Overshoot.PLAY_ON:
        return []
    sides = {"below" if start > rules.target else "above" for start in rules.start}
    # The published exam quotes this sentence, so it stays as it is.
    return [f"Whoever takes the total past {rules.target} ({' or '.join(sorted(sides))} it) loses at once."]


def _exhausted(rules: Rules) -> list[str]:
    if rules.exhausted is Exhausted.LAST_MOVER:
        return ["If the pool is empty and nobody has won, whoever moved last wins."]
    closer = f"If the pool is empty and nobody has won, whoever is closer to {rules.target} wins."
    return [closer, _TIES[rules.tie], *([_LIMIT] if rules.tie is Tie.SUDDEN_DEATH else [])]


_TIES = {
    None: "",
    Tie.SECOND_MOVER: "If both are equally close, the second player wins.",
    Tie.FIRST_MOVER: "If both are equally close, the first player wins.",
    Tie.SUDDEN_DEATH: "If both are equally close, it is sudden death: the pool is refilled, totals stay, turns go on.",
}


_LIMIT = (
    f"Between computers and on a server, the referee stops the match after {limits.MATCH_PLIES} moves: "
    "whoever would win with perfect play from there wins, the second player if neither can force a win. "
    "At a terminal, a match with a person has no such limit."
)


def _ban(rules: Rules) -> list[str]:
    if rules.ban is Ban.NONE:
        return []
    return ["No move may undo the one before it exactly, unless there is no other."]


def _swap(rules: Rules) -> list[str]:
    return (
        ["As the second move of a match, 'swap' may be said instead: the players change seats."] if rules.swap else []
    )


def wordless(rules: Rules) -> list[str]:
    """Return each key that has no words here, with its value, unless that is the default."""
    defaults = {field.name: field.default for field in fields(rules)}
    return [key_text(rules, key) for key in rules.unknown if getattr(rules, key) != defaults[key]]


def _unknown(rules: Rules) -> list[str]:
    return [f"This game has another rule, which has no words yet: {text}." for text in wordless(rules)]


def _invalid(rules: Rules, *, lenient: bool, typed: bool) -> list[str]:
    both = rules.operations != ADD_ONLY
    if rules.invalid_move is not InvalidMove.FORFEIT:
        return ["An invalid number is asked for again."]
    if not typed and lenient:
        return ["A move that is not allowed costs nothing: choose another."]
    if not typed:
        return ["A move that is not allowed forfeits the match; the page asks before it plays one."]
    if lenient:
        return [f"An invalid number{' or operation' if both else ''} is asked for again (--lenient)."]
    lines = [f"An invalid number{' or operation' if both else ''} forfeits the match."]
    lines.append(
        f"An invalid number is a whole number, of at most {limits.VALUE:,} either way, that is not available; "
        "other text is asked for again."
    )
    if both:
        lines.append(
            "An invalid operation is any answer at that question but +, -, and every beginning of add, plus, subtract "
            "or minus, in small or capital letters; an empty answer is one too."
        )
    lines.append(
        "Commands, their short forms (q, ?, h, exit) and misspellings of them by one letter or two neighbours swapped "
        "never forfeit."
    )
    return lines


def idea(rules: Rules) -> str:
    """Return the game in a few words, short enough for one line of a menu."""
    whose = "with the shared total" if rules.totals is Totals.SHARED else "with your own total"
    how = "" if rules.operations == ADD_ONLY else ", adding or subtracting"
    if _close_but_off(rules):
        return f"End closest to {rules.target} {whose}, but not on it{how}"
    goal = "Reach" if rules.reaching is Reaching.WINS else "Avoid"
    past = "; past it you lose" if rules.overshoot is Overshoot.LOSES else ""
    return f"{goal} {rules.target} {whose}{how}{past}"


def _close_but_off(rules: Rules) -> bool:
    """Whether a match is won by ending close to the target, and lost by landing on it."""
    close = rules.exhausted is Exhausted.CLOSEST and rules.overshoot is Overshoot.PLAY_ON
    return close and rules.reaching is Reaching.LOSES


def goal_line(rules: Rules) -> str:
    """Return what to do, in words that a child understands, without a full stop.

    >>> from zerosum.rules.game_files import built_in
    >>> goal_line(built_in("sum-to-zero")), goal_line(built_in("sum31"))
    ('Bring the total back to 0, or take the last number', 'Land on 31 exactly; past it you lose')
    """
    target, past = rules.target, rules.overshoot is Overshoot.LOSES
    if _close_but_off(rules):
        return f"End closer to {target} than they do; land on it and you lose"
    if rules.reaching is Reaching.LOSES:
        return (
            f"Stay off {target}: on it or past it you lose" if past else f"Stay off {target}: land on it and you lose"
        )
    if past:
        return f"Land on {target} exactly; past it you lose"
    whose = "the total" if rules.totals is Totals.SHARED else "your total"
    back = "back " if set(rules.start) == {target} else ""
    last = "take the last number" if rules.exhausted is Exhausted.LAST_MOVER else "end closer to it"
    return f"Bring {whose} {back}to {target}, or {last}"


def in_one_sentence(rules: Rules) -> str:
    """Return all that a player must know of the rules to choose a move, in one sentence.

    >>> from zerosum.rules.game_files import built_in
    >>> print(in_one_sentence(built_in("sum31")))
    Take turns to take a number and add it to the total: whoever makes 31 wins, whoever passes it loses.
    """
    target, whose = rules.target, "the total" if rules.totals is Totals.SHARED else "your own total"
    how = f"add it to {whose}" if rules.operations == ADD_ONLY else f"add it to or subtract it from {whose}"
    passing = rules.overshoot is Overshoot.LOSES
    if rules.reaching is Reaching.LOSES:
        clauses = [f"whoever makes {target}{' or passes it' if passing else ''} loses"]
    else:
        clauses = [f"whoever makes {target} wins", *(["whoever passes it loses"] if passing else [])]
    if rules.exhausted is Exhausted.LAST_MOVER and not _always_passed(rules):
        clauses.append("and if the numbers run out, whoever moved last wins")
    elif rules.exhausted is Exhausted.CLOSEST:
        clauses.append(f"and if the numbers run out, whoever is closer to {target} wins{_TIED[rules.tie]}")
    if rules.ban is not Ban.NONE:
        clauses.append("and no move may undo the one before it exactly, unless there is no other")
    return f"Take turns to take a number and {how}: {', '.join(clauses)}."


_TIED = {
    None: "",
    Tie.SECOND_MOVER: ", the second player if both are equally close",
    Tie.FIRST_MOVER: ", the first player if both are equally close",
    Tie.SUDDEN_DEATH: "; if both are equally close, the numbers come back",
}


def _always_passed(rules: Rules) -> bool:
    """Whether one total that only grows must pass the target, which loses, before the numbers run out."""
    grows = rules.totals is Totals.SHARED and rules.operations == ADD_ONLY and min(rules.pool) > 0
    return (
        grows
        and rules.overshoot is Overshoot.LOSES
        and rules.start[0] < rules.target < rules.start[0] + sum(rules.pool)
    )


def first_step(rules: Rules) -> str:
    """Return what somebody does who has never played: what is picked, and what it moves."""
    whose = "the total" if rules.totals is Totals.SHARED else "your total"
    return f"Pick a number; it moves {whose}"


def warning(rules: Rules) -> str:
    """Return what a player should know before the first move, if anything."""
    return "an invalid move forfeits" if rules.invalid_move is InvalidMove.FORFEIT else ""
