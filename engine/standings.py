"""The rows of an event's standings, as they are kept and exported."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from engine.charts.cross_tables import TABLES
from engine.charts.shapes import BRACKETS
from engine.draws.stages import StagePlan

from .charts import Contradiction, contradictions_of
from .draws import Entrant, EntryId, PlayedPairing, ReasonCode
from .ranking import (
    METRICS,
    MetricScope,
    OutcomeKind,
    RankedField,
    Result,
    Row,
    breakdown,
    decisive,
    rank_field,
)
from .results import EventSnapshot, counted_field, draw_input_of, stage_standings

PlainRow = dict[str, Any]
PlainCount = dict[str, Any]

ADJUSTED = ("metric", "amount", "round", "reason")
"""What is told of what the director adjusts, beside the entry."""

BY_HAND = frozenset({ReasonCode.LOCKED.value, ReasonCode.BY_HAND.value})
"""Where the director has seated others than the bracket would: that contradicts nothing."""


def plain_standings(
    known: EventSnapshot, adjustments: Iterable[Mapping[str, Any]], *, by_hand: AbstractSet[str]
) -> dict[str, Any]:
    """The ``rows`` (``plain_row``), what each is made of (``counted``, by ``count_key``), with what the
    director adjusted and why, and the ``contradictions``, which tables set ``by_hand`` (their slots) are not.

    ``adjustments`` have the number of their ``entry``, and what is in ``ADJUSTED``.
    """
    field, numbers = counted_field(known), known.numbers
    adjusted: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for given in adjustments:
        adjusted[given["entry"]].append({name: given[name] for name in ADJUSTED})
    found = contradictions_of(*seated_of(known), by_hand=by_hand) if has_charts(known.basis.plan) else ()
    return {
        "rows": [plain_row(row, numbers) for row in rank_field(field)],
        "counted": {
            count_key(number): plain_count(field, entry, numbers)
            | ({"adjusted": adjusted[number]} if number in adjusted else {})
            for entry, number in numbers.items()
        },
        "contradictions": [plain_contradiction(each, numbers) for each in found],
    }


def has_charts(plan: StagePlan) -> bool:
    """Whether any of the stages is drawn as a bracket or a cross table."""
    return not (BRACKETS.keys() | TABLES.keys()).isdisjoint(stage.format for stage in plan)


def seated_of(
    known: EventSnapshot,
) -> tuple[StagePlan, Sequence[Entrant], Sequence[PlayedPairing], list[list[EntryId]]]:
    """The plan, who takes part, what was published, and for each stage its order when it ended."""
    plan, draw = known.basis.plan, draw_input_of(known, seed=0)
    return plan, draw.entrants, draw.history, stage_standings(plan, draw, known.orders)


def slots_by_hand(tables: Iterable[tuple[str, Iterable[Mapping[str, Any]]]]) -> set[str]:
    """Of tables (slot, reasons) the slots of those that the director set."""
    return {slot for slot, reasons in tables if slot and BY_HAND & {reason["code"] for reason in reasons}}


def plain_row(row: Row, numbers: Mapping[EntryId, int]) -> PlainRow:
    """A row as plain data, entries by number: the metrics of the order first, then the usual columns::

        {"rank": 1, "entry": 12, "match_wins": 5, "head_to_head": 1, "games_won": 10, "points_for": 210,
         "points_against": 85, "difference": 125, "decided_by": null}

    Where there is something to tell, with the rounds ``dropped``, what the director ``adjusted``, and the
    matches that head to head looked at, from the entry's side::

        {"dropped": [3], "adjusted": {"points_for": -10},
         "met": [{"entry": 7, "round": 2, "outcome": "won", "points": [32, 12]}]}
    """
    told = {
        "dropped": list(row.dropped),
        "adjusted": dict(row.adjusted),
        "met": [
            {
                "entry": numbers[meeting.opponent],
                "round": meeting.result.round,
                "outcome": meeting.result.outcome.value,
                "points": [meeting.result.points_for, meeting.result.points_against],
            }
            for meeting in row.meetings
        ],
    }
    return {
        "rank": row.rank,
        "entry": numbers[row.entry],
        **row.values,
        "decided_by": row.decided_by,
        **{name: value for name, value in told.items() if value},
    }


def count_key(number: int) -> str:
    """Under what the count of an entry is kept, so that a database finds the one without reading all."""
    return f"entry_{number}"


def plain_count(field: RankedField, entry: EntryId, numbers: Mapping[EntryId, int]) -> PlainCount:
    """What a row is made of: the rounds of the entry, first to last, as the rules count them, and of each
    metric that looks at opponents what every round adds: round, value, and whether that counts::

        {"rounds": [{"round": 1, "outcome": "won", "opponents": [7], "games": [1, 0], "points": [32, 12]},
                    {"round": 2, "outcome": "lost", "kind": "missed", "is_dropped": true}],
         "parts": {"buchholz": [[1, 6, true], [2, 0, false]]}}

    A stage is said from the second on.
    """
    line = field.lines[entry]
    rounds = [_plain_round(result, numbers) for result in line.results]
    rounds += [{**_plain_round(result, numbers), "is_dropped": True} for result in line.dropped]
    return {
        "rounds": sorted(rounds, key=lambda counted: int(counted["round"])),
        "parts": {
            key: [[part.result.round, part.value, part.is_counted] for part in breakdown(field, entry, key)]
            for key in field.rules.order
            if METRICS[key].scope is MetricScope.OPPONENTS
        },
    }


def _plain_round(result: Result, numbers: Mapping[EntryId, int]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "stage": result.stage,
        "opponents": [numbers[entry] for entry in result.opponents if entry in numbers],
        "partners": [numbers[entry] for entry in result.partners if entry in numbers],
    }
    plain = {"round": result.round, "outcome": result.outcome.value}
    if result.kind is OutcomeKind.PLAYED:
        told["games"] = [result.games_won, result.games_lost]
        told["points"] = [result.points_for, result.points_against]
    else:
        told["kind"] = result.kind.value
        told["points"] = [result.points_for, result.points_against] if result.points_for else []
    return plain | {name: value for name, value in told.items() if value}


def plain_contradiction(found: Contradiction, numbers: Mapping[EntryId, int]) -> dict[str, Any]:
    """``{"round": 2, "table": 1, "slot": "1:W2-1", "seated": [4], "expected": [1]}``; table null: a
    walkover."""
    return {
        "round": found.round,
        "table": found.table,
        "slot": found.slot,
        "seated": [numbers[entry] for entry in found.seated],
        "expected": [numbers[entry] for entry in found.expected],
    }


def within(
    rows: Iterable[PlainRow], section_of: Mapping[int, str], order: Sequence[str]
) -> dict[str, list[PlainRow]]:
    """Kept rows by section (number of the entry to section), each ranked by itself, in the order of all.

    Who is in no section is left out.
    """
    sections: dict[str, list[PlainRow]] = defaultdict(list)
    for row in rows:
        if row["entry"] in section_of:
            sections[section_of[row["entry"]]].append(row)
    return {section: _ranked_again(those, order) for section, those in sections.items()}


def _ranked_again(rows: Sequence[PlainRow], order: Sequence[str]) -> list[PlainRow]:
    found: list[PlainRow] = []
    for row, above in zip(rows, [None, *rows], strict=False):
        if above is None:
            found.append({**row, "rank": 1, "decided_by": None})
        elif above["rank"] == row["rank"]:
            found.append({**row, "rank": found[-1]["rank"], "decided_by": None})
        else:
            found.append({**row, "rank": len(found) + 1, "decided_by": decisive(row, above, order)})
    return found
