"""The input of a draw as JSON data: results, attendance, stages and rules may be corrected after a draw, and
the draw can still be made again.

Entries are given by their numbers, earlier tables by their entries and results, which is all that a draw
looks at.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from itertools import groupby
from typing import Any

from engine.draws import Bond, Entrant, EntryId, LockedTable, Partners
from engine.draws.stages import Stage, StagePlan, parse_stage_plan
from engine.phases import phases_from_json, phases_to_json
from engine.ranking import ResultAdjustment, ranking_rules_from_json, ranking_rules_to_json
from rules import Side

from .values import ByeReason, EventRules, EventSnapshot, Orders, PlayedTable

PlayedTableJson = list[Any]
"""A table or a bye: ``[table, [side A], [side B], slot, result]``; the result as ``result_to_json`` gives
it."""

FORFEIT, DRAWN = "forfeit", "drawn"


def snapshot_to_json(snapshot: EventSnapshot, order: Iterable[EntryId]) -> dict[str, Any]:
    """Return the input of a draw as plain data. ``order`` are the entries drawn, best first. Of the entrants
    only unusual values are included; ``apart`` are those who share a bond other than a club, by its kind, in
    the first so many rounds or in all; ``table_count`` is included if the event has sections, and
    ``phases`` if it has any; ``earlier`` has a list of tables and byes for each round::

    {"stages": [{"format": "swiss"}], "ranking": {…}, "lot": 7, "draw_version": 2, "is_seeded": false,
     "games_to_win": 1, "sections": [], "order": [6, 3, 4], "entrants": [{"number": 3, "absent": [2]}],
     "apart": [["family", [3, 4], null]], "adjustments": [[3, "points_for", -5, 1]],
     "held": [[2, [5], [8]]], "earlier": [[[1, [3], [6], "1:", "A"], [0, [4], [], "1:", "turn"]]]}
    """
    numbers, basis = snapshot.numbers, snapshot.basis
    hall = {} if basis.table_count is None else {"table_count": basis.table_count}
    ordered = sorted(snapshot.tables, key=lambda sat: (sat.round, not sat.b, sat.table, _list_numbers(sat.a, numbers)))
    return {
        "stages": stages_to_json(basis.plan),
        "ranking": ranking_rules_to_json(basis.rules),
        "lot": basis.lot,
        "draw_version": basis.version,
        "is_seeded": basis.is_seeded,
        "games_to_win": basis.games_to_win,
        **({"phases": phases_to_json(basis.phases)} if basis.phases else {}),
        "sections": [dict(section) for section in basis.sections],
        **hall,
        "order": _list_numbers(order, numbers),
        "entrants": [data for data in map(_entrant_to_json, snapshot.entrants) if len(data) > 1],
        "apart": _bonds_to_json(snapshot),
        "adjustments": [
            [numbers[adjustment.entry], adjustment.metric, adjustment.amount, adjustment.round]
            for adjustment in snapshot.adjustments
            if adjustment.entry in numbers
        ],
        "held": [
            [table.number, _list_numbers(table.a, numbers), _list_numbers(table.b, numbers)]
            for table in snapshot.locked_tables
        ],
        "earlier": [
            [
                [
                    played.table,
                    _list_numbers(played.a, numbers),
                    _list_numbers(played.b, numbers),
                    played.slot,
                    result_to_json(played),
                ]
                for played in round_tables
            ]
            for _, round_tables in groupby(ordered, key=lambda sat: sat.round)
        ],
    }


def snapshot_from_json(data: Mapping[str, Any], orders: Orders) -> EventSnapshot:
    """Return the snapshot of the entries drawn, with their numbers as ids; ``orders`` as an ``EventSnapshot``
    has them.

    Refuses: what ``parse_stage_plan`` and ``ranking_rules_from_json`` refuse.
    """
    entrants_by_number = {entrant["number"]: entrant for entrant in data["entrants"]}
    bonds = _parse_bonds(data.get("apart", ()))
    return EventSnapshot(
        basis=EventRules(
            plan=parse_stage_plan(data["stages"]),
            rules=ranking_rules_from_json(data["ranking"]),
            lot=data["lot"],
            version=data.get("draw_version", 1),
            is_seeded=data["is_seeded"],
            games_to_win=data["games_to_win"],
            phases=phases_from_json(data.get("phases")),
            sections=tuple(data["sections"]),
            table_count=data.get("table_count"),
        ),
        entrants=tuple(
            _add_bonds(entrant_from_json({"number": number} | entrants_by_number.get(number, {})), bonds[number])
            for number in sorted(data["order"])
        ),
        tables=tuple(
            _parse_played_table(number, played)
            for number, round_tables in enumerate(data["earlier"], start=1)
            for played in round_tables
        ),
        adjustments=tuple(
            ResultAdjustment(entry=EntryId(entry), metric=metric, amount=amount, round=number)
            for entry, metric, amount, number in data["adjustments"]
        ),
        orders=orders,
        locked_tables=tuple(
            LockedTable(number=number, a=_to_entry_ids(a), b=_to_entry_ids(b)) for number, a, b in data["held"]
        ),
    )


def stages_to_json(plan: StagePlan) -> list[dict[str, Any]]:
    """Return the format of each stage, and its values that differ from the usual."""
    usual = Stage(format="")
    return [
        {
            field.name: getattr(stage, field.name)
            for field in fields(stage)
            if getattr(stage, field.name) != getattr(usual, field.name)
        }
        for stage in plan
    ]


def result_to_json(table: PlayedTable) -> str | None:
    """Return a result as text: ``A`` or ``B`` won, ``drawn``, ``forfeit A``, ``forfeit`` of both; None while
    undecided. For a bye: its reason."""
    if not table.b:
        return table.bye_reason.value
    if table.outcome is None:
        return None
    winner = table.outcome["winner"]
    if table.is_forfeit:
        return FORFEIT if winner is None else f"{FORFEIT} {winner}"
    return DRAWN if winner is None else str(winner)


def _parse_played_table(number: int, data: PlayedTableJson) -> PlayedTable:
    table, a, b, slot, result = data
    if not b:
        return PlayedTable(round=number, a=_to_entry_ids(a), slot=slot, bye_reason=ByeReason(result))
    outcome = None
    if result is not None:
        kind, _, winner = result.rpartition(" ") if result != FORFEIT else (FORFEIT, "", DRAWN)
        outcome = {"kind": kind, "winner": None if winner == DRAWN else winner}
    return PlayedTable(round=number, a=_to_entry_ids(a), b=_to_entry_ids(b), table=table, slot=slot, outcome=outcome)


def entrant_from_json(data: Mapping[str, Any]) -> Entrant:
    """Return the entrant of an entry in a file, its number for an id; missing values are as usual."""
    return Entrant(
        id=EntryId(data["number"]),
        number=data["number"],
        bonds=frozenset({Bond("club", data["team"])} if data.get("team") else ()),
        section=data.get("section") or None,
        table=data.get("table"),
        side=Side[data["side"]] if data.get("side") else None,
        arrives=data.get("arrives", 1),
        leaves_after=data.get("leaves_after"),
        absent=frozenset(data.get("absent", ())),
        excused=frozenset(data.get("excused", ())),
        withdrawn=frozenset(data.get("withdrawn", ())),
        requested_byes=frozenset(data.get("byes_asked", ())),
        is_disqualified=bool(data.get("disqualification")),
        is_house=data.get("is_house", False),
    )


def _entrant_to_json(entrant: Entrant) -> dict[str, Any]:
    values = {
        "team": next((bond.name for bond in entrant.bonds if bond.kind == "club"), ""),
        "section": entrant.section,
        "table": entrant.table,
        "side": None if entrant.side is None else entrant.side.name,
        "arrives": entrant.arrives if entrant.arrives != 1 else None,
        "absent": sorted(entrant.absent),
        "excused": sorted(entrant.excused),
        "withdrawn": sorted(entrant.withdrawn),
        "byes_asked": sorted(entrant.requested_byes),
        "disqualification": entrant.is_disqualified,
        "is_house": entrant.is_house,
    }
    data = {"number": entrant.number} | {name: value for name, value in values.items() if value}
    return data if entrant.leaves_after is None else data | {"leaves_after": entrant.leaves_after}


def _bonds_to_json(snapshot: EventSnapshot) -> list[list[Any]]:
    """Return the groups that share a bond other than a club, without their names, which are not needed
    later."""
    shared: defaultdict[Bond, list[int]] = defaultdict(list)
    for entrant in snapshot.entrants:
        for bond in entrant.bonds:
            if bond.kind != "club":
                shared[bond].append(entrant.number)
    groups = [[bond.kind, sorted(members), bond.rounds] for bond, members in shared.items() if len(members) > 1]
    return sorted(groups, key=lambda group: (group[0], group[1], group[2] or 0))


def _parse_bonds(data: Iterable[Sequence[Any]]) -> Mapping[int, set[Bond]]:
    bonds: defaultdict[int, set[Bond]] = defaultdict(set)
    for place, (kind, numbers, rounds) in enumerate(data):
        for number in numbers:
            bonds[number].add(Bond(kind, str(place), rounds))
    return bonds


def _add_bonds(entrant: Entrant, bonds: Iterable[Bond]) -> Entrant:
    return replace(entrant, bonds=entrant.bonds.union(bonds))


def _list_numbers(entries: Iterable[EntryId], numbers: Mapping[EntryId, int]) -> list[int]:
    return [numbers[entry] for entry in entries]


def _to_entry_ids(numbers: Sequence[int]) -> Partners:
    return tuple(EntryId(number) for number in numbers)
