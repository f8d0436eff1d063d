"""The results of an exam: the grades of all items, added up for the whole set, by game, by source and by skin.

The report of a run follows from its folder alone and is the same bytes every time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Final

from zerosum.arena.strength.decisions import DIFFICULTIES, NOWHERE, Decision, KeptLevel, difficulty, place_of
from zerosum.base.documents import OMITTED, inline, key, member, member_as, to_json
from zerosum.base.statistics import Interval, PairedGap, at_least, gap_of, grouped, holm, share_interval
from zerosum.exam.exam_run import ExamRun, read_replies
from zerosum.exam.items import DEPTHS, RUNGS, Item, ItemsError, ItemSet, Source, rung_of
from zerosum.exam.scoring import (
    OPPONENT,
    AnsweredItem,
    Facts,
    Grade,
    GradeKind,
    Price,
    RunUsage,
    grade,
    regret_against,
    usage_of,
)
from zerosum.solver import Verdict

PLIES: Final = {"1-2": range(1, 3), "3-4": range(3, 5), "5-6": range(5, 7), "7+": range(7, 1_000)}
"""Choices by the plies that perfect play lasts; a draw has none."""
LEFT: Final = {"2-4": range(2, 5), "5-7": range(5, 8), "8+": range(8, 1_000)}
BANDS: Final = {"1-3": range(1, 4), "4-6": range(4, 7), "7-10": range(7, 11)}
"""Only moves by the level from which on they are found at least half the time; 10 is beyond all levels."""
_RUNGS: Final = {
    rung: f"{depths[0]}-{depths[-1]}" if rung < max(RUNGS) else f"{depths[0]}+" for rung, depths in RUNGS.items()
}


@dataclass(frozen=True, slots=True)
class Share:
    """Some choices, and how many of them were kept or found."""

    choices: int
    kept: int

    @property
    @member
    def rate(self) -> float | None:
        """The share; None of nothing."""
        return self.kept / self.choices if self.choices else None


@dataclass(frozen=True, slots=True)
class WonToLost:
    """Legal moves in won positions, and how many of them turned the win into a loss."""

    won: int
    lost: int

    @property
    @member
    def rate(self) -> float | None:
        """The share; None of nothing."""
        return self.lost / self.won if self.won else None


@dataclass(frozen=True, slots=True)
class ExamScore:
    """Some answers, added up. Shares of nothing are None."""

    items: int = field(metadata=key("answered"))
    """Items that were answered, well or badly."""
    kept: Share = field(metadata=OMITTED)
    """Real choices, and how many kept the best verdict; a reply without a legal move keeps nothing."""
    interval: Interval = field(metadata=OMITTED)
    by_chance: float = field(metadata=OMITTED)
    """How many of the real choices random play keeps, on average."""
    first_try: Share = field(metadata=OMITTED)
    """The same, if the first reply were the last."""
    regret: float = field(metadata=OMITTED)
    """What all replies together gave away."""
    won_to_lost: WonToLost
    by_difficulty: Mapping[str, Share]
    only: Mapping[str, Share] = field(metadata=key("only_move"))
    """Real choices with a single right move, by `BANDS`."""
    by_depth: Mapping[str, Share]
    """Real choices by the depth of the search that keeps them: the rungs of the ladder."""
    by_plies: Mapping[str, Share]
    by_numbers_left: Mapping[str, Share]
    search: Mapping[str, float | None] = field(metadata=key("kept_by_search"))
    """The share of the same choices that a search of each depth keeps, exactly."""
    plies_lost: int
    practical: float = field(metadata=OMITTED)
    """What legal moves gave away against one opponent, all together."""
    practical_items: int = field(metadata=key("practical_choices"))
    kinds: Mapping[GradeKind, int] = field(metadata=OMITTED)
    double: int
    """Of the unreadable replies, those whose answer names different moves."""
    keeps: KeptLevel = field(metadata=inline())
    decisions: int
    """Items that were answered by a legal move."""
    p_value: float = field(metadata=key("random_p"))
    """The exact chance that random play keeps at least as many."""

    @property
    @member
    def choices(self) -> int:
        """How many of the items are real choices."""
        return self.kept.choices

    @member_as("kept")
    def kept_rate(self) -> float | None:
        """Return the share of real choices kept."""
        return self.kept.rate

    @member
    def kept_low(self) -> float:
        """Return the lower end of the 95 % interval of that share."""
        return self.interval.low

    @member
    def kept_high(self) -> float:
        """Return the upper end of the 95 % interval of that share."""
        return self.interval.high

    @member_as("first_try")
    def first_try_rate(self) -> float | None:
        """Return the share kept at the first try."""
        return self.first_try.rate

    @member_as("regret")
    def mean_regret(self) -> float | None:
        """Return what a reply gave away, on average."""
        return self.regret / self.items if self.items else None

    @property
    @member
    def practical_regret(self) -> float | None:
        """What a legal move gave away against one opponent, on average."""
        return self.practical / self.practical_items if self.practical_items else None

    @member
    def illegal(self) -> int:
        """Return how many replies named an illegal move."""
        return self.kinds[GradeKind.ILLEGAL]

    @member
    def unreadable(self) -> int:
        """Return how many replies named no single move."""
        return self.kinds[GradeKind.UNREADABLE]

    @member
    def truncated(self) -> int:
        """Return how many replies were cut off before they named a move."""
        return self.kinds[GradeKind.TRUNCATED]

    @member
    def refused(self) -> int:
        """Return how many replies refused to answer."""
        return self.kinds[GradeKind.REFUSED]

    @property
    @member
    def chance(self) -> float | None:
        """The share that random play keeps of the same choices, exactly."""
        return self.by_chance / self.kept.choices if self.kept.choices else None

    @property
    @member
    def skill(self) -> float | None:
        """The share kept on a scale where random play has 0 and perfect play 1."""
        rate = self.kept.rate
        return None if rate is None else self._as_skill(rate)

    @property
    @member
    def skill_low(self) -> float | None:
        """The lower end of its 95 % interval: that of the share kept, on the scale of skill."""
        return self._as_skill(self.interval.low) if self.kept.choices else None

    @property
    @member
    def skill_high(self) -> float | None:
        """The upper end of its 95 % interval."""
        return self._as_skill(self.interval.high) if self.kept.choices else None

    def _as_skill(self, rate: float) -> float:
        chance = self.by_chance / self.kept.choices
        return (rate - chance) / (1 - chance)


@dataclass(frozen=True, slots=True)
class GameScore:
    """One game of the set; p-values are adjusted for the number of games, and so is the interval of the skin gap."""

    game: str
    score: ExamScore = field(metadata=inline())
    gap: PairedGap | None = field(metadata=key("skin_gap"))
    better_than_random: float = field(metadata=key("random_p_holm"))
    gap_p_value: float | None = field(metadata=key("skin_gap_p_holm"))


HEADLINE: Final = "skill"
"""The number to quote: what was kept of all real choices, from 0 for random play to 1 for perfect play."""


@dataclass(frozen=True, slots=True)
class Headline:
    """The one number to quote, by its name, with its 95 % interval."""

    name: str
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """All replies to a set of items, added up."""

    total: int = field(metadata=key("items"))
    """Items in the set."""
    score: ExamScore = field(metadata=inline())
    games: tuple[GameScore, ...]
    by_source: Mapping[str, ExamScore]
    by_skin: Mapping[str, ExamScore]
    gap: PairedGap | None = field(metadata=key("skin_gap"))
    """What was kept of positions as they are, less what was kept of their reskins."""
    against: str
    """The opponent of practical regret."""

    @property
    @member
    def headline(self) -> Headline:
        """The one number to quote."""
        return Headline(HEADLINE, self.score.skill, self.score.skill_low, self.score.skill_high)

    @property
    @member
    def complete(self) -> bool:
        """Whether every item was answered."""
        return self.score.items == self.total


def summarize(items: Sequence[Item], grades: Iterable[Grade], against: str = OPPONENT) -> Summary:
    """Add up grades. Several of one item are tries, of which only the last may be a legal move."""
    answers = _answers(items, grades)
    names = dict.fromkeys(item.game for item in items)
    games = [(name, [answer for answer in answers if answer.item.game == name]) for name in names]
    scores = [score_answers(own, against) for _, own in games]
    gaps = [skin_gap(own) for _, own in games]
    better = holm([score.p_value for score in scores])
    apart = iter(holm([gap.p_value for gap in gaps if gap is not None]))
    adjusted = [None if gap is None else next(apart) for gap in gaps]
    return Summary(
        total=len(items),
        score=score_answers(answers, against),
        games=tuple(map(GameScore, names, scores, map(_among, gaps, adjusted), better, adjusted)),
        by_source=_split(answers, lambda one: one.item.source.value, [one.value for one in Source], against),
        by_skin=_split(
            answers, lambda one: "reskin" if one.item.dress else "original", ("original", "reskin"), against
        ),
        gap=skin_gap(answers),
        against=against,
    )


def _among(gap: PairedGap | None, adjusted: float | None) -> PairedGap | None:
    """Return a gap with the interval that fits its adjusted p-value."""
    return gap if gap is None or adjusted is None else gap.among(adjusted)


def _answers(items: Sequence[Item], grades: Iterable[Grade]) -> list[AnsweredItem]:
    tries: dict[str, list[Grade]] = {}
    for one in grades:
        own = tries.setdefault(one.id, [])
        if own and own[-1].kind is GradeKind.MOVE:
            raise ItemsError(f"Item {one.id} was answered twice; it is asked again only after no legal move.")
        own.append(one)
    return [AnsweredItem(item, tuple(tries[item.id])) for item in items if item.id in tries]


def _split(
    answers: Sequence[AnsweredItem], part_of: Callable[[AnsweredItem], str], names: Sequence[str], against: str
) -> dict[str, ExamScore]:
    parts = {name: [answer for answer in answers if part_of(answer) == name] for name in names}
    return {name: score_answers(part, against) for name, part in parts.items() if part}


def skin_gap(answers: Sequence[AnsweredItem]) -> PairedGap | None:
    """Return what was kept of positions as they are, less what was kept of the same in other skins."""
    plain: dict[tuple[str, int], bool] = {}
    dressed: dict[tuple[str, int], list[bool]] = {}
    for answer in answers:
        if answer.last.facts.real and answer.item.dress is None:
            plain[answer.position] = answer.last.kept
        elif answer.last.facts.real:
            dressed.setdefault(answer.position, []).append(answer.last.kept)
    return gap_of((kept, dressed.get(place, [])) for place, kept in plain.items())


def score_answers(answers: Sequence[AnsweredItem], against: str = OPPONENT) -> ExamScore:
    """Return answers added up."""
    real = [answer for answer in answers if answer.last.facts.real]
    facts = [answer.last.facts for answer in real]
    decisions = [answer.last.decision for answer in answers if answer.last.decision is not None]
    chances = [fact.keeping for fact in facts]
    practicals = _practicals(answers, against)
    kept = sum(answer.last.kept for answer in real)
    interval = share_interval(grouped((answer.position, 1, answer.last.kept) for answer in real), "kept")
    return ExamScore(
        items=len(answers),
        kept=Share(len(real), kept),
        interval=interval,
        by_chance=fsum(chances),
        first_try=Share(len(real), sum(answer.grades[0].kept for answer in real)),
        regret=fsum(answer.last.regret for answer in answers),
        won_to_lost=_won_to_lost(decisions),
        by_difficulty=_shares(real, DIFFICULTIES, lambda facts: difficulty(facts.keeping)),
        only=_shares(real, BANDS, lambda facts: _band(facts.level, BANDS) if facts.only else None),
        by_depth=_shares(real, _RUNGS.values(), lambda facts: _RUNGS[rung_of(facts.depth)]),
        by_plies=_shares(real, PLIES, lambda facts: _band(facts.best.plies, PLIES)),
        by_numbers_left=_shares(real, LEFT, lambda facts: _band(facts.left, LEFT)),
        search=_kept_by_search(facts),
        plies_lost=sum(decision.plies_lost for decision in decisions),
        practical=fsum(practicals),
        practical_items=len(practicals),
        kinds={**dict.fromkeys(GradeKind, 0), **Counter(answer.last.kind for answer in answers)},
        double=sum(answer.last.double for answer in answers),
        keeps=_level(real, kept, interval),
        decisions=len(decisions),
        p_value=at_least(kept, chances),
    )


def _won_to_lost(decisions: Sequence[Decision]) -> WonToLost:
    won = [decision.made.verdict for decision in decisions if decision.best.verdict is Verdict.WIN]
    return WonToLost(len(won), won.count(Verdict.LOSS))


def _practicals(answers: Sequence[AnsweredItem], against: str) -> list[float]:
    """Return what legal moves gave away against one opponent, where that is known."""
    made = ((answer.item.position, answer.last.made) for answer in answers if answer.last.decision is not None)
    lost = (regret_against(position, move, against) for position, move in made if move is not None)
    return [regret for regret in lost if regret is not None]


def _kept_by_search(facts: Sequence[Facts]) -> dict[str, float | None]:
    return {
        str(depth): fsum(fact.by_search[at] for fact in facts) / len(facts) if facts else None
        for at, depth in enumerate(DEPTHS)
    }


def _shares(
    real: Sequence[AnsweredItem], names: Iterable[str], part_of: Callable[[Facts], str | None]
) -> dict[str, Share]:
    """Return what was kept of each part of the real choices."""
    parts: dict[str, list[bool]] = {name: [] for name in names}
    for one in real:
        parts.get(part_of(one.last.facts) or "", []).append(one.last.kept)
    return {name: Share(len(kept), sum(kept)) for name, kept in parts.items()}


def _band(value: int | None, bands: Mapping[str, range]) -> str | None:
    return next((name for name, band in bands.items() if value in band), None)


def _level(real: Sequence[AnsweredItem], kept: int, interval: Interval) -> KeptLevel:
    """Return the level that keeps as much of the same real choices."""
    if not real:
        return KeptLevel(*NOWHERE)
    by_strength = [fsum(chances) / len(real) for chances in zip(*(one.last.facts.kept_by for one in real), strict=True)]
    return KeptLevel(*place_of(by_strength, kept / len(real), interval))


@dataclass(frozen=True, slots=True)
class ExamReport:
    """The report of a run."""

    run: ExamRun
    summary: Summary
    rows: tuple[AnsweredItem, ...]
    usage: RunUsage | None
    """What the replies took; None if nothing is known of it."""


def report_of(run: ExamRun, against: str = OPPONENT, price: Price | None = None) -> ExamReport:
    """Return the report of a run, with its cost if a price is given."""
    rows = [
        AnsweredItem(item, tuple(grade(item, reply, lenient=run.plan.lenient) for reply in replies), tuple(replies))
        for item, replies in read_replies(run, run.folder.log())
    ]
    summary = summarize(run.set.items, (one for row in rows for one in row.grades), against)
    return ExamReport(run, summary, tuple(rows), usage_of(rows, price))


def set_json(items: ItemSet) -> dict[str, object]:
    """Return how a set of items was drawn, as JSON."""
    options = items.options
    drawn = {name: getattr(options, name) for name in ("seed", "count", "fresh", "reskin", "difficulty", "format")}
    return {"sha256": items.sha256, "games": [rules.id for rules in options.games], **drawn}


def summary_json(summary: Summary, items: ItemSet) -> dict[str, object]:
    """Return what replies to a set of items add up to, as JSON; `docs/reference/json.md` says what each key means."""
    return {"set": set_json(items), **to_json(summary)}


def report_json(report: ExamReport) -> dict[str, object]:
    """Return the report of a run as JSON."""
    plan = report.run.plan.document
    return {
        "run": report.run.plan.key,
        "who": {name: plan[name] for name in ("kind", "name", "url")},
        "prompt": plan["style"],
        **{name: plan[name] for name in ("tries", "lenient", "seconds", "settings", "tools")},
        **summary_json(report.summary, report.run.set),
        "usage": to_json(report.usage),
    }
