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
from engine.draws.stages import Stage, StagePlan, stage_plan
from engine.phases import phases_from_json, phases_to_json
from engine.ranking import ResultAdjustment, ranking_rules_from_json, ranking_rules_to_json
from rules import Side

from .values import ByeReason, EventRules, EventSnapshot, Orders, PlayedTable

PlainSat = list[Any]
"""A table or a bye: ``[table, [side A], [side B], slot, result]``; the result as ``result_to_json`` gives
it."""

FORFEIT, DRAWN = "forfeit", "drawn"


def snapshot_to_json(known: EventSnapshot, order: Iterable[EntryId]) -> dict[str, Any]:
    """Return the input of a draw as plain data. ``order`` are the entries drawn, best first. Of the entrants
    only unusual values are included; ``apart`` are those who share a bond other than a club, by its kind, in
    the first so many rounds or in all; ``table_count`` is included if the event has sections, and
    ``phases`` if it has any; ``earlier`` has a list of tables and byes for each round::

    {"stages": [{"format": "swiss"}], "ranking": {…}, "lot": 7, "draw_version": 2, "is_seeded": false,
     "games_to_win": 1, "sections": [], "order": [6, 3, 4], "entrants": [{"number": 3, "absent": [2]}],
     "apart": [["family", [3, 4], null]], "adjustments": [[3, "points_for", -5, 1]],
     "held": [[2, [5], [8]]], "earlier": [[[1, [3], [6], "1:", "A"], [0, [4], [], "1:", "turn"]]]}
    """
    numbers, basis = known.numbers, known.basis
    hall = {} if basis.table_count is None else {"table_count": basis.table_count}
    ordered = sorted(
        known.sat, key=lambda sat: (sat.round, not sat.b, sat.table, _numbers_of(sat.a, numbers))
    )
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
        "order": _numbers_of(order, numbers),
        "entrants": [plain for plain in map(_plain_entrant, known.entrants) if len(plain) > 1],
        "apart": _plain_bonds(known),
        "adjustments": [
            [numbers[given.entry], given.metric, given.amount, given.round]
            for given in known.adjustments
            if given.entry in numbers
        ],
        "held": [
            [table.number, _numbers_of(table.a, numbers), _numbers_of(table.b, numbers)]
            for table in known.held
        ],
        "earlier": [
            [
                [
                    sat.table,
                    _numbers_of(sat.a, numbers),
                    _numbers_of(sat.b, numbers),
                    sat.slot,
                    result_to_json(sat),
                ]
                for sat in those
            ]
            for _, those in groupby(ordered, key=lambda sat: sat.round)
        ],
    }


def snapshot_from_json(plain: Mapping[str, Any], orders: Orders) -> EventSnapshot:
    """Return the snapshot of the entries drawn, with their numbers as ids; ``orders`` as an ``EventSnapshot``
    has them.

    Refuses: what ``stage_plan`` and ``ranking_rules_from_json`` refuse.
    """
    told = {entrant["number"]: entrant for entrant in plain["entrants"]}
    bonds = _stored_bonds(plain.get("apart", ()))
    return EventSnapshot(
        basis=EventRules(
            plan=stage_plan(plain["stages"]),
            rules=ranking_rules_from_json(plain["ranking"]),
            lot=plain["lot"],
            version=plain.get("draw_version", 1),
            is_seeded=plain["is_seeded"],
            games_to_win=plain["games_to_win"],
            phases=phases_from_json(plain.get("phases")),
            sections=tuple(plain["sections"]),
            table_count=plain.get("table_count"),
        ),
        entrants=tuple(
            _with_bonds(entrant_from_json({"number": number} | told.get(number, {})), bonds[number])
            for number in sorted(plain["order"])
        ),
        sat=tuple(
            _stored_sat(number, sat)
            for number, those in enumerate(plain["earlier"], start=1)
            for sat in those
        ),
        adjustments=tuple(
            ResultAdjustment(entry=EntryId(entry), metric=metric, amount=amount, round=number)
            for entry, metric, amount, number in plain["adjustments"]
        ),
        orders=orders,
        held=tuple(LockedTable(number=number, a=_ids(a), b=_ids(b)) for number, a, b in plain["held"]),
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


def result_to_json(sat: PlayedTable) -> str | None:
    """Return a result as text: ``A`` or ``B`` won, ``drawn``, ``forfeit A``, ``forfeit`` of both; None while
    undecided. For a bye: its reason."""
    if not sat.b:
        return sat.sat_out.value
    if sat.outcome is None:
        return None
    winner = sat.outcome["winner"]
    if sat.is_forfeit:
        return FORFEIT if winner is None else f"{FORFEIT} {winner}"
    return DRAWN if winner is None else str(winner)


def _stored_sat(number: int, plain: PlainSat) -> PlayedTable:
    table, a, b, slot, result = plain
    if not b:
        return PlayedTable(round=number, a=_ids(a), slot=slot, sat_out=ByeReason(result))
    outcome = None
    if result is not None:
        kind, _, winner = result.rpartition(" ") if result != FORFEIT else (FORFEIT, "", DRAWN)
        outcome = {"kind": kind, "winner": None if winner == DRAWN else winner}
    return PlayedTable(round=number, a=_ids(a), b=_ids(b), table=table, slot=slot, outcome=outcome)


def entrant_from_json(plain: Mapping[str, Any]) -> Entrant:
    """Return the entrant of an entry in a file, its number for an id; missing values are as usual."""
    return Entrant(
        id=EntryId(plain["number"]),
        number=plain["number"],
        bonds=frozenset({Bond("club", plain["team"])} if plain.get("team") else ()),
        section=plain.get("section") or None,
        table=plain.get("table"),
        side=Side[plain["side"]] if plain.get("side") else None,
        arrives=plain.get("arrives", 1),
        leaves_after=plain.get("leaves_after"),
        absent=frozenset(plain.get("absent", ())),
        excused=frozenset(plain.get("excused", ())),
        withdrawn=frozenset(plain.get("withdrawn", ())),
        byes_asked=frozenset(plain.get("byes_asked", ())),
        is_disqualified=bool(plain.get("disqualification")),
        is_house=plain.get("is_house", False),
    )


def _plain_entrant(entrant: Entrant) -> dict[str, Any]:
    told = {
        "team": next((bond.name for bond in entrant.bonds if bond.kind == "club"), ""),
        "section": entrant.section,
        "table": entrant.table,
        "side": None if entrant.side is None else entrant.side.name,
        "arrives": entrant.arrives if entrant.arrives != 1 else None,
        "absent": sorted(entrant.absent),
        "excused": sorted(entrant.excused),
        "withdrawn": sorted(entrant.withdrawn),
        "byes_asked": sorted(entrant.byes_asked),
        "disqualification": entrant.is_disqualified,
        "is_house": entrant.is_house,
    }
    plain = {"number": entrant.number} | {name: value for name, value in told.items() if value}
    return plain if entrant.leaves_after is None else plain | {"leaves_after": entrant.leaves_after}


def _plain_bonds(known: EventSnapshot) -> list[list[Any]]:
    """Return the groups that share a bond other than a club, without their names, which are not needed
    later."""
    shared: defaultdict[Bond, list[int]] = defaultdict(list)
    for entrant in known.entrants:
        for bond in entrant.bonds:
            if bond.kind != "club":
                shared[bond].append(entrant.number)
    groups = [[bond.kind, sorted(those), bond.rounds] for bond, those in shared.items() if len(those) > 1]
    return sorted(groups, key=lambda group: (group[0], group[1], group[2] or 0))


def _stored_bonds(plain: Iterable[Sequence[Any]]) -> Mapping[int, set[Bond]]:
    bonds: defaultdict[int, set[Bond]] = defaultdict(set)
    for place, (kind, numbers, rounds) in enumerate(plain):
        for number in numbers:
            bonds[number].add(Bond(kind, str(place), rounds))
    return bonds


def _with_bonds(entrant: Entrant, bonds: Iterable[Bond]) -> Entrant:
    return replace(entrant, bonds=entrant.bonds.union(bonds))


def _numbers_of(entries: Iterable[EntryId], numbers: Mapping[EntryId, int]) -> list[int]:
    return [numbers[entry] for entry in entries]


def _ids(numbers: Sequence[int]) -> Partners:
    return tuple(EntryId(number) for number in numbers)
