"""The rows of an event's standings, as they are stored and exported."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NotRequired, TypedDict

from engine.charts.cross_tables import TABLES
from engine.charts.shapes import BRACKETS

from .charts import Contradiction, contradictions_of
from .draws import Entrant, EntryId, PlayedPairing, ReasonCode
from .draws.stages import StagePlan, StageRound, blocks, own_input
from .ranking import (
    METRICS,
    MetricScope,
    OutcomeKind,
    RankedField,
    Result,
    Row,
    breakdown,
    decisive,
)
from .results import (
    EventSnapshot,
    counted_field,
    draw_input_of,
    first_rounds,
    rank_arrived,
    stage_standings,
)

PlainRow = dict[str, Any]
"""A row of standings, with its metrics by their keys: see ``row_to_json``."""


class PlainAdjustment(TypedDict):
    """An adjustment of an entry by the director, with its reason."""

    metric: str
    amount: int
    round: int | None
    reason: str


class GivenAdjustment(PlainAdjustment):
    """An adjustment with the number of its entry."""

    entry: int


class PlainRound(TypedDict):
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


class PlainCount(TypedDict):
    """The rounds and parts behind a row: see ``count_to_json``."""

    rounds: list[PlainRound]
    parts: dict[str, list[list[int]]]
    adjusted: NotRequired[list[PlainAdjustment]]


class PlainContradiction(TypedDict):
    """A bracket slot, or a stage, with other entries than the results say; ``table`` is null for a walkover,
    and if others qualify for a stage: then ``slot`` is the stage alone, as ``2:``::

    {"round": 2, "table": 1, "slot": "1:W2-1", "seated": [4], "expected": [1]}
    """

    round: int
    table: int | None
    slot: str
    seated: list[int]
    expected: list[int]


class PlainStandings(TypedDict):
    """The ``rows`` (``row_to_json``), the rounds behind each by ``count_key``, and the contradictions of
    brackets."""

    rows: list[PlainRow]
    counted: dict[str, PlainCount]
    contradictions: list[PlainContradiction]


BY_HAND = frozenset({ReasonCode.LOCKED.value, ReasonCode.BY_HAND.value})
"""Reasons of tables where the director has seated others than the bracket would: no contradiction."""


def standings_to_json(
    known: EventSnapshot, adjustments: Iterable[GivenAdjustment], *, by_hand: AbstractSet[str]
) -> PlainStandings:
    """Return the standings of the snapshot; tables set ``by_hand`` (their slots) contradict nothing."""
    field, numbers = counted_field(known), known.numbers
    counted = {count_key(number): count_to_json(field, entry, numbers) for entry, number in numbers.items()}
    for given in adjustments:
        if (count := counted.get(count_key(given["entry"]))) is not None:
            count.setdefault("adjusted", []).append(
                {
                    "metric": given["metric"],
                    "amount": given["amount"],
                    "round": given["round"],
                    "reason": given["reason"],
                }
            )
    found = all_contradictions(known, by_hand=by_hand)
    return {
        "rows": [row_to_json(row, numbers) for row in rank_arrived(known, field)],
        "counted": counted,
        "contradictions": [contradiction_to_json(each, numbers) for each in found],
    }


def all_contradictions(known: EventSnapshot, *, by_hand: AbstractSet[str]) -> tuple[Contradiction, ...]:
    """Return the slots of brackets, and the stages, with other entries than the results say."""
    found = contradictions_of(*seated_of(known), by_hand=by_hand) if has_charts(known.basis.plan) else ()
    return (*found, *_find_unqualified(known))


def _find_unqualified(known: EventSnapshot) -> Iterator[Contradiction]:
    """Yield the wrong entrants of each stage that has begun, in its first round. By the present results of
    earlier rounds, ``seated`` would not qualify, and ``expected`` would."""
    plan = known.basis.plan
    begun = first_rounds(plan, ((each.round, each.slot) for each in known.sat))
    for block, first in zip(blocks(plan), begun, strict=True):
        if block.start == 0 or first not in known.orders:
            continue
        before = known.until(first - 1)
        draw = draw_input_of(before, seed=known.basis.lot)
        then = stage_standings(plan, draw, {**before.orders, 0: known.orders[first]})
        now = stage_standings(plan, draw, before.orders)
        for stage in block:
            here = StageRound(stage=stage, round=1, rounds_before=first - 1)
            drawn, due = (
                [each.id for each in own_input(plan, here, draw, standings).entrants]
                for standings in (then, now)
            )
            slot = f"{stage + 1}:"
            there = {
                entry
                for sat in known.sat
                if sat.round == first and sat.slot.startswith(slot)
                for entry in (*sat.a, *sat.b)
            }
            seated = tuple(entry for entry in drawn if entry in there and entry not in due)
            expected = tuple(entry for entry in due if entry not in there and entry not in drawn)
            if seated or expected:
                yield Contradiction(round=first, table=None, slot=slot, seated=seated, expected=expected)


def has_charts(plan: StagePlan) -> bool:
    """Return whether any of the stages is drawn as a bracket or a cross table."""
    return not (BRACKETS.keys() | TABLES.keys()).isdisjoint(stage.format for stage in plan)


def seated_of(
    known: EventSnapshot,
) -> tuple[StagePlan, Sequence[Entrant], Sequence[PlayedPairing], list[list[EntryId]]]:
    """Return the plan, the entrants, the published tables, and the order of each stage when it ended."""
    plan, draw = known.basis.plan, draw_input_of(known, seed=0)
    return plan, draw.entrants, draw.history, stage_standings(plan, draw, known.orders)


def slots_by_hand(tables: Iterable[tuple[str, Iterable[Mapping[str, Any]]]]) -> set[str]:
    """Return the slots of tables (slot, reasons) that the director set."""
    return {slot for slot, reasons in tables if slot and BY_HAND & {reason["code"] for reason in reasons}}


def row_to_json(row: Row, numbers: Mapping[EntryId, int]) -> PlainRow:
    """Return a row as plain data, entries by number: the metrics of the order first, then the usual columns::

        {"rank": 1, "entry": 12, "match_wins": 5, "head_to_head": 1, "games_won": 10, "points_for": 210,
         "points_against": 85, "difference": 125, "decided_by": null}

    Where there is something to tell, with the rounds ``dropped``, what the director ``adjusted``, the matches
    that head to head looked at, from the entry's side, and that it ``plays_on``: its place in a bracket is
    the best one that it can still have::

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
        "plays_on": row.plays_on,
    }
    return {
        "rank": row.rank,
        "entry": numbers[row.entry],
        **row.values,
        "decided_by": row.decided_by,
        **{name: value for name, value in told.items() if value},
    }


def count_key(number: int) -> str:
    """Return the key under which the count of an entry is stored. With it, a database finds one count without
    reading all."""
    return f"entry_{number}"


def count_to_json(field: RankedField, entry: EntryId, numbers: Mapping[EntryId, int]) -> PlainCount:
    """Return the rounds behind a row, first to last, as the rules count them; and the parts of each metric
    that looks at opponents. A part has round, value, and whether that counts::

        {"rounds": [{"round": 1, "outcome": "won", "opponents": [7], "games": [1, 0], "points": [32, 12]},
                    {"round": 2, "outcome": "lost", "kind": "absent", "is_dropped": true}],
         "parts": {"buchholz": [[1, 6, true], [2, 0, false]]}}

    A stage is said from the second on; of an average, the ``share`` of a win, in hundredths of a percent.
    """
    line = field.lines[entry]
    rounds = [_plain_round(result, numbers) for result in line.results]
    rounds.extend({**_plain_round(result, numbers), "is_dropped": True} for result in line.dropped)
    return {
        "rounds": sorted(rounds, key=lambda counted: counted["round"]),
        "parts": {
            key: [[part.result.round, part.value, part.is_counted] for part in breakdown(field, entry, key)]
            for key in field.rules.order
            if METRICS[key].scope is MetricScope.OPPONENTS
        },
    }


def _plain_round(result: Result, numbers: Mapping[EntryId, int]) -> PlainRound:
    plain: PlainRound = {"round": result.round, "outcome": result.outcome.value}
    if result.stage:
        plain["stage"] = result.stage
    if opponents := [numbers[entry] for entry in result.opponents if entry in numbers]:
        plain["opponents"] = opponents
    if partners := [numbers[entry] for entry in result.partners if entry in numbers]:
        plain["partners"] = partners
    if result.kind is OutcomeKind.PLAYED:
        plain["games"] = [result.games_won, result.games_lost]
    else:
        plain["kind"] = result.kind.value
    if result.share is not None:
        plain["share"] = result.share
    if result.kind is OutcomeKind.PLAYED or result.points_for:
        plain["points"] = [result.points_for, result.points_against]
    return plain


def contradiction_to_json(found: Contradiction, numbers: Mapping[EntryId, int]) -> PlainContradiction:
    """Return the contradiction in the types of JSON, with the numbers of the entries instead of their ids."""
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
    """Rank rows by section (number of the entry to section), each by itself, in the order of all.

    Entries in no section are left out.
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
