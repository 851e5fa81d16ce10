"""Reasons for a rank: the comparison with its neighbours, and the figures behind it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from engine.ranking import (
    DISQUALIFIED,
    METRICS,
    NO_PLACE,
    CriterionComparison,
    MetricScope,
    Outcome,
    OutcomeKind,
    compare,
)
from engine.standings import PlainAdjustment, PlainCount, PlainRound, PlainRow

Names = Mapping[int, str]
"""Names of entries by number, as shown here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """Comparison with the nearest row above or below of another rank, metric by metric, down to the one that
    decides. ``have_met`` if head to head includes a match between the two, which it never does across
    pools."""

    names: str
    rank: int
    is_ahead: bool
    have_met: bool
    steps: tuple[CriterionComparison, ...]

    @property
    def figures(self) -> tuple[CriterionComparison, ...]:
        """Comparisons with a figure that people know: not the number of a stage counted from the last."""
        return tuple(step for step in self.steps if step.metric not in {"stage", DISQUALIFIED})

    @property
    def equal(self) -> tuple[str, ...]:
        """Metrics on which they are equal."""
        return tuple(step.metric for step in self.steps if not step.decided)

    @property
    def decisive(self) -> str:
        """Metric that decides; "" if the order of metrics has changed since."""
        return next((step.metric for step in self.steps if step.decided), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """Another entry in the list, by number, with its name as shown here."""

    entry: int
    names: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedRound:
    """A round of an entry, from its side. ``games`` and ``points`` are its own and its opponents'; None
    without cards. ``share`` is the part of a win that it counts for, in hundredths of a percent, if that is
    an average."""

    round: int
    outcome: Outcome
    kind: OutcomeKind
    opponents: tuple[Other, ...]
    partners: tuple[Other, ...]
    games: tuple[int, int] | None
    points: tuple[int, int] | None
    is_dropped: bool
    share: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRounds:
    """Rounds of one stage (from 1)."""

    stage: int
    rounds: tuple[CountedRound, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentsPart:
    """Share of one round in a metric about opponents; a round without cards has no opponents."""

    round: int
    opponents: tuple[Other, ...]
    value: int
    is_counted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown:
    """A metric about opponents, broken down by rounds."""

    metric: str
    value: int | None
    parts: tuple[OpponentsPart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankExplanation:
    """Explanation of a rank. ``tied`` are the others of this rank, ``above`` and ``below`` the nearest of
    another one. ``level`` are the matches that head to head counts, including dropped ones. ``adjusted`` are
    the director's adjustments with their reasons."""

    tied: tuple[str, ...]
    above: Against | None
    below: Against | None
    level: tuple[CountedRound, ...]
    breakdowns: tuple[Breakdown, ...]
    stages: tuple[StageRounds, ...]
    adjusted: Sequence[PlainAdjustment]

    @property
    def neighbours(self) -> list[Against]:
        return [one for one in (self.above, self.below) if one is not None]


def rounds_of_count(counted: PlainCount, names: Names) -> list[CountedRound]:
    """Return the rounds of an entry, first to last."""
    return [_round(plain, names) for plain in counted.get("rounds", ())]


def why_of(
    rows: Sequence[PlainRow], place: int, counted: PlainCount, names: Names, order: Sequence[str]
) -> RankExplanation:
    """Explain the rank of the row at this place in the list."""
    row = rows[place]
    above = next((other for other in reversed(rows[:place]) if other["rank"] != row["rank"]), None)
    below = next((other for other in rows[place + 1 :] if other["rank"] != row["rank"]), None)
    rounds = rounds_of_count(counted, names)
    stages = [plain.get("stage", 0) + 1 for plain in counted.get("rounds", ())]
    met = {match["round"] for match in row.get("met", ())}
    by_stage = groupby(zip(stages, rounds, strict=True), key=lambda pair: pair[0])
    return RankExplanation(
        tied=tuple(
            names[other["entry"]] for other in rows if other["rank"] == row["rank"] and other is not row
        ),
        above=_against(row, above, names, order, is_ahead=False),
        below=_against(row, below, names, order, is_ahead=True),
        level=tuple(replace(each, is_dropped=False) for each in rounds if each.round in met),
        breakdowns=tuple(_breakdowns(row, counted, rounds)),
        stages=tuple(
            StageRounds(stage=stage, rounds=tuple(each for _, each in those)) for stage, those in by_stage
        ),
        adjusted=counted.get("adjusted", ()),
    )


def _against(
    row: PlainRow, other: PlainRow | None, names: Names, order: Sequence[str], *, is_ahead: bool
) -> Against | None:
    if other is None:
        return None
    steps = compare(row, other, order)
    asked = next((place for place, step in enumerate(steps, start=1) if step.decided), len(steps))
    told = [
        step
        for step in steps[:asked]
        if step.decided or (METRICS[step.metric].scope is not MetricScope.REACHED and step.value != NO_PLACE)
    ]
    return Against(
        names=names[other["entry"]],
        rank=other["rank"],
        is_ahead=is_ahead,
        have_met=other["entry"] in {match["entry"] for match in row.get("met", ())},
        steps=tuple(told),
    )


def _round(plain: PlainRound, names: Names) -> CountedRound:
    is_played = "kind" not in plain
    return CountedRound(
        round=plain["round"],
        outcome=Outcome(plain["outcome"]),
        kind=OutcomeKind(plain.get("kind", OutcomeKind.PLAYED)),
        opponents=_others(plain.get("opponents", ()), names),
        partners=_others(plain.get("partners", ()), names),
        games=(plain["games"][0], plain["games"][1]) if is_played else None,
        points=(plain["points"][0], plain["points"][1]) if "points" in plain else None,
        is_dropped=plain.get("is_dropped", False),
        share=plain.get("share"),
    )


def _others(entries: Iterable[int], names: Names) -> tuple[Other, ...]:
    return tuple(Other(entry=entry, names=names[entry]) for entry in entries)


def _breakdowns(row: PlainRow, counted: PlainCount, rounds: Sequence[CountedRound]) -> list[Breakdown]:
    played = {each.round: each for each in rounds}
    return [
        Breakdown(
            metric=key,
            value=row.get(key),
            parts=tuple(
                OpponentsPart(
                    round=number,
                    opponents=played[number].opponents if played[number].kind is OutcomeKind.PLAYED else (),
                    value=value,
                    is_counted=bool(is_counted),
                )
                for number, value, is_counted in parts
            ),
        )
        for key, parts in counted.get("parts", {}).items()
    ]
