"""Reasons for a rank: the comparison with its neighbours, and the figures behind it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from engine.ranking import (
    DISQUALIFIED,
    METRICS,
    NO_PLACE,
    CriterionComparison,
    MetricScope,
    Outcome,
    OutcomeKind,
    compare_values,
)
from engine.standings import AdjustmentJson, CountJson, RoundJson, StandingsRowJson

Names = Mapping[int, str]
"""Names of entries by number, as shown here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankComparison:
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
    def decisive(self) -> str:
        """Metric that decides; "" if the order of metrics has changed since."""
        return next((step.metric for step in self.steps if step.is_deciding), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEntry:
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
    opponents: tuple[NamedEntry, ...]
    partners: tuple[NamedEntry, ...]
    games: tuple[int, int] | None
    points: tuple[int, int] | None
    is_dropped: bool
    share: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankExplanation:
    """Explanation of a rank. ``tied`` are the others of this rank, ``above`` and ``below`` the nearest of
    another one. ``level`` are the matches that head to head counts, including dropped ones. ``adjusted`` are
    the director's adjustments with their reasons."""

    tied: tuple[str, ...]
    above: RankComparison | None
    below: RankComparison | None
    level: tuple[CountedRound, ...]
    breakdowns: Sequence[Mapping[str, Any]]
    stages: Sequence[Mapping[str, Any]]
    adjusted: Sequence[AdjustmentJson]

    @property
    def neighbours(self) -> list[RankComparison]:
        return [comparison for comparison in (self.above, self.below) if comparison is not None]


def list_counted_rounds(entry_count: CountJson, names: Names) -> list[CountedRound]:
    """Return the rounds of an entry, first to last."""
    return [_build_counted_round(round_data, names) for round_data in entry_count.get("rounds", ())]


def explain_rank(
    rows: Sequence[StandingsRowJson], place: int, entry_count: CountJson, names: Names, order: Sequence[str]
) -> RankExplanation:
    """Explain the rank of the row at this place in the list."""
    row = rows[place]
    above = next((other_row for other_row in reversed(rows[:place]) if other_row["rank"] != row["rank"]), None)
    below = next((other_row for other_row in rows[place + 1 :] if other_row["rank"] != row["rank"]), None)
    rounds = list_counted_rounds(entry_count, names)
    stages = [round_data.get("stage", 0) + 1 for round_data in entry_count.get("rounds", ())]
    met_rounds = {match["round"] for match in row.get("met", ())}
    rounds_by_stage = groupby(zip(stages, rounds, strict=True), key=lambda pair: pair[0])
    return RankExplanation(
        tied=tuple(
            names[other_row["entry"]] for other_row in rows if other_row["rank"] == row["rank"] and other_row is not row
        ),
        above=_compare_rows(row, above, names, order, is_ahead=False),
        below=_compare_rows(row, below, names, order, is_ahead=True),
        level=tuple(
            replace(counted_round, is_dropped=False) for counted_round in rounds if counted_round.round in met_rounds
        ),
        breakdowns=_build_breakdowns(row, entry_count, rounds),
        stages=[
            {"stage": stage, "rounds": [counted_round for _, counted_round in stage_rounds]}
            for stage, stage_rounds in rounds_by_stage
        ],
        adjusted=entry_count.get("adjusted", ()),
    )


def _compare_rows(
    row: StandingsRowJson, other_row: StandingsRowJson | None, names: Names, order: Sequence[str], *, is_ahead: bool
) -> RankComparison | None:
    if other_row is None:
        return None
    steps = compare_values(row, other_row, order)
    last_step = next((place for place, step in enumerate(steps, start=1) if step.is_deciding), len(steps))
    shown_steps = [
        step
        for step in steps[:last_step]
        if step.is_deciding or (METRICS[step.metric].scope is not MetricScope.PROGRESS and step.value != NO_PLACE)
    ]
    return RankComparison(
        names=names[other_row["entry"]],
        rank=other_row["rank"],
        is_ahead=is_ahead,
        have_met=other_row["entry"] in {match["entry"] for match in row.get("met", ())},
        steps=tuple(shown_steps),
    )


def _build_counted_round(round_data: RoundJson, names: Names) -> CountedRound:
    is_played = "kind" not in round_data
    return CountedRound(
        round=round_data["round"],
        outcome=Outcome(round_data["outcome"]),
        kind=OutcomeKind(round_data.get("kind", OutcomeKind.PLAYED)),
        opponents=_build_named_entries(round_data.get("opponents", ()), names),
        partners=_build_named_entries(round_data.get("partners", ()), names),
        games=(round_data["games"][0], round_data["games"][1]) if is_played else None,
        points=(round_data["points"][0], round_data["points"][1]) if "points" in round_data else None,
        is_dropped=round_data.get("is_dropped", False),
        share=round_data.get("share"),
    )


def _build_named_entries(entries: Iterable[int], names: Names) -> tuple[NamedEntry, ...]:
    return tuple(NamedEntry(entry=entry, names=names[entry]) for entry in entries)


def _build_breakdowns(
    row: StandingsRowJson, entry_count: CountJson, rounds: Sequence[CountedRound]
) -> list[dict[str, Any]]:
    """Return the metrics about opponents, broken down by rounds; a round without cards has no opponents."""
    rounds_by_number = {counted_round.round: counted_round for counted_round in rounds}
    return [
        {
            "metric": key,
            "value": row.get(key),
            "parts": [
                {
                    "round": number,
                    "opponents": rounds_by_number[number].opponents
                    if rounds_by_number[number].kind is OutcomeKind.PLAYED
                    else (),
                    "value": value,
                    "is_counted": bool(is_counted),
                }
                for number, value, is_counted in parts
            ],
        }
        for key, parts in entry_count.get("parts", {}).items()
        if key in row
    ]
