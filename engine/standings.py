"""The rows of an event's standings, as they are stored and exported."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import zip_longest
from typing import Any, NotRequired, TypedDict

from engine.charts.cross_tables import TABLES
from engine.charts.shapes import BRACKETS

from .charts import Contradiction, find_event_contradictions
from .draws import Entrant, EntryId, PlayedPairing, ReasonCode
from .draws.stages import StagePlan, StageRound, build_stage_input, list_blocks
from .ranking import (
    DISQUALIFIED,
    METRICS,
    MetricScope,
    OutcomeKind,
    RankedField,
    Result,
    Row,
    break_down_metric,
    find_deciding_metric,
    rank_field,
)
from .results import (
    EventSnapshot,
    build_counted_field,
    build_draw_input,
    filter_arrived,
    list_first_rounds,
    list_left_out_rounds,
    list_stage_standings,
    rank_sections,
)

StandingsRowJson = dict[str, Any]
"""A row of standings, with its metrics by their keys: see ``row_to_json``."""


class AdjustmentJson(TypedDict):
    """An adjustment of an entry by the director, with its reason."""

    metric: str
    amount: int
    round: int | None
    reason: str


class EntryAdjustmentJson(AdjustmentJson):
    """An adjustment with the number of its entry."""

    entry: int


class RoundJson(TypedDict):
    """A round as the rules count it for an entry; usual values are left out."""

    round: int
    outcome: str
    stage: NotRequired[int]
    opponents: NotRequired[list[int]]
    partners: NotRequired[list[int]]
    games: NotRequired[list[int]]
    points: NotRequired[list[int]]
    kind: NotRequired[str]
    share: NotRequired[int]
    is_dropped: NotRequired[bool]


class CountJson(TypedDict):
    """The rounds and parts behind a row: see ``count_to_json``."""

    rounds: list[RoundJson]
    left_out: NotRequired[list[RoundJson]]
    parts: dict[str, list[list[int]]]
    adjusted: NotRequired[list[AdjustmentJson]]


class ContradictionJson(TypedDict):
    """A bracket slot, or a stage, with other entries than the results say; ``table`` is null for a walkover,
    and if others qualify for a stage: then ``slot`` is the stage alone, as ``2:``::

    {"round": 2, "table": 1, "slot": "1:W2-1", "seated": [4], "expected": [1]}
    """

    round: int
    table: int | None
    slot: str
    seated: list[int]
    expected: list[int]


class StandingsJson(TypedDict):
    """The standings as plain data, with the contradictions of brackets.

    ``rows`` are the output of ``row_to_json``; ``counted`` has the rounds behind each row, by ``build_count_key``.
    """

    rows: list[StandingsRowJson]
    counted: dict[str, CountJson]
    contradictions: list[ContradictionJson]


MANUAL_REASONS = frozenset({ReasonCode.LOCKED.value, ReasonCode.BY_HAND.value})
"""Reasons of tables where the director has seated others than the bracket would: no contradiction."""


def standings_to_json(
    snapshot: EventSnapshot, adjustments: Iterable[EntryAdjustmentJson], *, manual_slots: AbstractSet[str]
) -> StandingsJson:
    """Return the standings of the snapshot; tables in ``manual_slots``, set by the director, contradict nothing."""
    field, numbers = build_counted_field(snapshot), snapshot.numbers
    arrived = filter_arrived(snapshot, field)
    order, rows = snapshot.basis.ranking_rules.order, rank_field(arrived)
    section_rows = {row.entry: row for found in rank_sections(snapshot, arrived).values() for row in found}
    metrics = {row.entry: (*row.order, *getattr(section_rows.get(row.entry), "order", ())) for row in rows}
    counted = {
        build_count_key(number): count_to_json(field, entry, numbers, metrics.get(entry, order))
        for entry, number in numbers.items()
    }
    for entry, results in list_left_out_rounds(snapshot.without_play_off).items():
        if results:
            counted[build_count_key(numbers[entry])]["left_out"] = [
                {**_round_to_json(result, numbers), "games": [result.games_won, result.games_lost]}
                for result in results
            ]
    for adjustment in adjustments:
        if (count := counted.get(build_count_key(adjustment["entry"]))) is not None:
            count.setdefault("adjusted", []).append(
                {
                    "metric": adjustment["metric"],
                    "amount": adjustment["amount"],
                    "round": adjustment["round"],
                    "reason": adjustment["reason"],
                }
            )
    found = find_all_contradictions(snapshot, manual_slots=manual_slots)
    return {
        "rows": [
            row_to_json(row, numbers, order)
            | ({"in_section": row_to_json(own, numbers, order)} if (own := section_rows.get(row.entry)) else {})
            for row in rows
        ],
        "counted": counted,
        "contradictions": [contradiction_to_json(each, numbers) for each in found],
    }


def find_all_contradictions(snapshot: EventSnapshot, *, manual_slots: AbstractSet[str]) -> tuple[Contradiction, ...]:
    """Return the slots of brackets, and the stages, with other entries than the results say."""
    found = (
        find_event_contradictions(*get_chart_input(snapshot), manual_slots=manual_slots)
        if has_charts(snapshot.basis.plan)
        else ()
    )
    return (*found, *_find_unqualified(snapshot))


def _find_unqualified(snapshot: EventSnapshot) -> Iterator[Contradiction]:
    """Yield the wrong entrants of each stage that has begun, in its first round. By the present results of
    earlier rounds, ``seated`` would not qualify, and ``expected`` would."""
    plan = snapshot.basis.plan
    start_rounds = list_first_rounds(plan, ((each.round, each.slot) for each in snapshot.tables))
    for block, first in zip(list_blocks(plan), start_rounds, strict=True):
        if block.start == 0 or first not in snapshot.orders:
            continue
        earlier = snapshot.truncate(first - 1)
        draw = build_draw_input(earlier, seed=snapshot.basis.lot)
        drawn_standings = list_stage_standings(plan, draw, {**earlier.orders, 0: snapshot.orders[first]})
        current_standings = list_stage_standings(plan, draw, earlier.orders)
        for stage in block:
            stage_round = StageRound(stage=stage, round=1, round_offset=first - 1)
            drawn_entries, qualified = (
                [each.id for each in build_stage_input(plan, stage_round, draw, standings).entrants]
                for standings in (drawn_standings, current_standings)
            )
            slot = f"{stage + 1}:"
            seated_entries = {
                entry
                for table in snapshot.tables
                if table.round == first and table.slot.startswith(slot)
                for entry in (*table.a, *table.b)
            }
            seated = tuple(entry for entry in drawn_entries if entry in seated_entries and entry not in qualified)
            expected = tuple(entry for entry in qualified if entry not in seated_entries and entry not in drawn_entries)
            if seated or expected:
                yield Contradiction(round=first, table=None, slot=slot, seated=seated, expected=expected)


def has_charts(plan: StagePlan) -> bool:
    """Return whether any of the stages is drawn as a bracket or a cross table."""
    return not (BRACKETS.keys() | TABLES.keys()).isdisjoint(stage.format for stage in plan)


def get_chart_input(
    snapshot: EventSnapshot,
) -> tuple[StagePlan, Sequence[Entrant], Sequence[PlayedPairing], list[list[EntryId]]]:
    """Return the plan, the entrants, the published tables, and the order of each stage when it ended."""
    plan, draw = snapshot.basis.plan, build_draw_input(snapshot, seed=0)
    return plan, draw.entrants, draw.history, list_stage_standings(plan, draw, snapshot.orders)


def list_manual_slots(tables: Iterable[tuple[str, Iterable[Mapping[str, Any]]]]) -> set[str]:
    """Return the slots of tables (slot, reasons) that the director set."""
    return {slot for slot, reasons in tables if slot and MANUAL_REASONS & {reason["code"] for reason in reasons}}


def row_to_json(row: Row, numbers: Mapping[EntryId, int], usual_order: Sequence[str]) -> StandingsRowJson:
    """Return a row as plain data, entries by number: the metrics of the order first, then the usual columns::

        {"rank": 1, "entry": 12, "match_wins": 5, "head_to_head": 1, "games_won": 10, "points_for": 210,
         "points_against": 85, "difference": 125, "decided_by": null}

    If there are any, it includes the rounds ``dropped``, the director's adjustments (``adjusted``), and the matches
    that head to head compared, from the entry's side (``met``). With ``plays_on``, its place in a bracket is the
    best one that it can still reach::

        {"dropped": [3], "adjusted": {"points_for": -10},
         "met": [{"entry": 7, "round": 2, "outcome": "won", "points": [32, 12]}]}

    ``order`` has the metrics of a phase that are not the usual ones, and ``in_section`` the row of the entry in
    its section, if that has metrics of its own.
    """
    order = [key for key in row.order if key != DISQUALIFIED]
    extras = {
        "dropped": list(row.dropped),
        "adjusted": dict(row.adjustments),
        "met": [
            {
                "entry": numbers[meeting.opponent],
                "round": meeting.result.round,
                "outcome": meeting.result.outcome.value,
                "points": [meeting.result.points_for, meeting.result.points_against],
            }
            for meeting in row.meetings
        ],
        "plays_on": row.is_still_playing,
        "order": order if order != list(usual_order) else [],
    }
    return {
        "rank": row.rank,
        "entry": numbers[row.entry],
        **row.values,
        "decided_by": row.decided_by,
        **{name: value for name, value in extras.items() if value},
    }


def build_count_key(number: int) -> str:
    """Return the key under which the count of an entry is stored. With it, a database finds one count without
    reading all."""
    return f"entry_{number}"


def count_to_json(
    field: RankedField, entry: EntryId, numbers: Mapping[EntryId, int], order: Iterable[str]
) -> CountJson:
    """Return the rounds behind a row, first to last, as the rules count them; and the parts of each metric
    of the order that looks at opponents. A part has round, value, and whether that counts::

        {"rounds": [{"round": 1, "outcome": "won", "opponents": [7], "games": [1, 0], "points": [32, 12]},
                    {"round": 2, "outcome": "lost", "kind": "absent", "is_dropped": true}],
         "parts": {"buchholz": [[1, 6, true], [2, 0, false]]}}

    ``left_out`` has the rounds of earlier stages that the stage of the entry does not carry over: they count for a
    season. A stage is said from the second on; of an average, the ``share`` of a win, in hundredths of a percent.
    """
    line = field.lines[entry]
    rounds = [_round_to_json(result, numbers) for result in line.results]
    rounds.extend({**_round_to_json(result, numbers), "is_dropped": True} for result in line.dropped)
    return {
        "rounds": sorted(rounds, key=lambda counted: counted["round"]),
        "parts": {
            key: [[part.result.round, part.value, part.is_counted] for part in break_down_metric(field, entry, key)]
            for key in order
            if METRICS[key].scope is MetricScope.OPPONENTS
        },
    }


def _round_to_json(result: Result, numbers: Mapping[EntryId, int]) -> RoundJson:
    data: RoundJson = {"round": result.round, "outcome": result.outcome.value}
    if result.stage:
        data["stage"] = result.stage
    if opponents := [numbers[entry] for entry in result.opponents if entry in numbers]:
        data["opponents"] = opponents
    if partners := [numbers[entry] for entry in result.partners if entry in numbers]:
        data["partners"] = partners
    if result.kind is OutcomeKind.PLAYED:
        data["games"] = [result.games_won, result.games_lost]
    else:
        data["kind"] = result.kind.value
    if result.share is not None:
        data["share"] = result.share
    if result.kind is OutcomeKind.PLAYED or result.points_for:
        data["points"] = [result.points_for, result.points_against]
    return data


def contradiction_to_json(contradiction: Contradiction, numbers: Mapping[EntryId, int]) -> ContradictionJson:
    """Return the contradiction in the types of JSON, with the numbers of the entries instead of their ids."""
    return {
        "round": contradiction.round,
        "table": contradiction.table,
        "slot": contradiction.slot,
        "seated": [numbers[entry] for entry in contradiction.seated],
        "expected": [numbers[entry] for entry in contradiction.expected],
    }


def rank_by_section(
    rows: Iterable[StandingsRowJson], section_by_entry: Mapping[int, str], order: Sequence[str]
) -> dict[str, list[StandingsRowJson]]:
    """Rank rows by section (number of the entry to section), each by itself: by its own metrics, or in the
    order of all.

    Entries in no section are left out.
    """
    sections = _group_rows(rows, section_by_entry)
    for name, section_rows in sections.items():
        if all("in_section" in row for row in section_rows):
            sections[name] = sorted((row["in_section"] for row in section_rows), key=lambda row: int(row["rank"]))
    return {section: _rerank_rows(section_rows, order) for section, section_rows in sections.items()}


def rank_by_group(
    rows: Iterable[StandingsRowJson], group_by_entry: Mapping[int, str], order: Sequence[str]
) -> dict[str, list[StandingsRowJson]]:
    """Rank rows by group (number of the entry to group), each by itself, in the order of all. Entries in no
    group are left out."""
    groups = _group_rows(rows, group_by_entry)
    return {name: _rerank_rows(group_rows, order) for name, group_rows in groups.items()}


def list_row_metrics(rows: Iterable[StandingsRowJson], usual_order: Sequence[str]) -> tuple[str, ...]:
    """Return the metrics by which these rows were ranked: those that are first for some, then the second…"""
    orders = dict.fromkeys(tuple(get_row_order(row, usual_order)) for row in rows) or (usual_order,)
    return tuple(dict.fromkeys(key for keys in zip_longest(*orders) for key in keys if key))


def get_row_order(row: StandingsRowJson, usual_order: Sequence[str]) -> Sequence[str]:
    """Return the metrics by which a row was ranked."""
    order: Sequence[str] = row.get("order", usual_order)
    return order


def _group_rows(
    rows: Iterable[StandingsRowJson], group_by_entry: Mapping[int, str]
) -> dict[str, list[StandingsRowJson]]:
    groups: dict[str, list[StandingsRowJson]] = defaultdict(list)
    for row in rows:
        if row["entry"] in group_by_entry:
            groups[group_by_entry[row["entry"]]].append(row)
    return groups


def _rerank_rows(rows: Sequence[StandingsRowJson], order: Sequence[str]) -> list[StandingsRowJson]:
    found: list[StandingsRowJson] = []
    for row, above in zip(rows, [None, *rows], strict=False):
        if above is None:
            found.append({**row, "rank": 1, "decided_by": None})
        elif above["rank"] == row["rank"]:
            found.append({**row, "rank": found[-1]["rank"], "decided_by": None})
        else:
            decided_by = find_deciding_metric(row, above, get_row_order(row, order))
            found.append({**row, "rank": len(found) + 1, "decided_by": decided_by})
    return found
