"""Rounds in an event file: the draw, the seats, and the director's changes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from rules import Side
from scoring.file_columns import moment_to_json
from tournaments.event_files.columns import DRAW_COLUMNS, ROUND_COLUMNS
from tournaments.event_files.manual_changes import ManualChange, RoundAction, list_manual_changes
from tournaments.event_files.renumbering import (
    Numbers,
    renumber_bye,
    renumber_certificate,
    renumber_lineup,
    renumber_table,
)
from tournaments.event_files.schema import Content
from tournaments.lifecycle import RoundState
from tournaments.models import Action, Event, Round, Seating, Table
from tournaments.rounds.rulings import RulingKind

from .matches import FileMatches

IMPORT_KIND = "bring_in_event"
"""Kind of the action that has the history from another installation."""


def rounds_to_json(event: Event, numbers: Numbers, matches: FileMatches) -> list[Content]:
    rounds = list(event.rounds.order_by("number"))
    seatings_by_round = _group_seatings_by_round(event)
    tables: dict[int, list[Table]] = defaultdict(list)
    for table in Table.objects.filter(round__event=event).order_by("number"):
        tables[table.round_id].append(table)
    actions, rulings = _read_actions(event, {number: entry for entry, number in numbers.items()})
    round_rows: list[Content] = []
    for round_row in rounds:
        lineup = _build_lineup(round_row, tables[round_row.pk], seatings_by_round[round_row.pk], numbers)
        tables_by_number = {table.number: table for table in tables[round_row.pk]}
        for table_row in lineup["tables"]:
            table_of_round = tables_by_number.get(table_row["number"])
            table_row["ruling"] = None if table_of_round is None else table_of_round.ruling
            match_id = None if table_of_round is None else table_of_round.match_id
            table_row["match"] = None if match_id is None else matches[match_id][1]
        round_rows.append(
            {
                **ROUND_COLUMNS.write(round_row),
                **_build_clock(round_row),
                "draw": _build_draw(round_row, numbers),
                **lineup,
                "by_hand": [
                    _build_manual_change(table_row, numbers)
                    for table_row in list_manual_changes(actions[round_row.number])
                ],
                "rulings": rulings[round_row.number],
            }
        )
    return round_rows


def _build_clock(round_row: Round) -> Content:
    """Return the countdown of a closed round, if it had one. The clock of a round in progress is not exported."""
    if round_row.state != RoundState.CLOSED or not (round_row.clock_minutes or round_row.added_minutes):
        return {}
    return {"clock": {"minutes": round_row.clock_minutes, "added": round_row.added_minutes}}


def _build_draw(round_row: Round, numbers: Numbers) -> Content:
    draw_inputs = round_row.drawn_from
    order = [numbers[entry] for entry in round_row.order if entry in numbers]
    return {
        **DRAW_COLUMNS.write(round_row),
        "order": order if draw_inputs is None else draw_inputs["order"],
        "certificate": renumber_certificate(round_row.certificate, numbers),
    }


def _group_seatings_by_round(event: Event) -> Mapping[int, list[Seating]]:
    """Return the seats of each round."""
    seatings_by_round: dict[int, list[Seating]] = defaultdict(list)
    for seating in Seating.objects.filter(round__event=event).order_by("table", "side", "place", "pk"):
        seatings_by_round[seating.round_id].append(seating)
    return seatings_by_round


def _build_lineup(round_row: Round, tables: Iterable[Table], seatings: Iterable[Seating], numbers: Numbers) -> Content:
    if round_row.draft is not None:
        return renumber_lineup(round_row.draft, numbers)
    sides: dict[tuple[int | None, int | None], list[int]] = defaultdict(list)
    byes = []
    for seating in seatings:
        sides[seating.table_id, seating.side].append(seating.entry_id)
        if seating.table_id is None:
            byes.append({"entry": seating.entry_id, "slot": seating.slot, "reasons": seating.reasons})
    lineup = {
        "tables": [
            {
                "number": table.number,
                "slot": table.slot,
                "a": sides[table.pk, Side.A.value],
                "b": sides[table.pk, Side.B.value],
                "reasons": table.reasons,
            }
            for table in tables
        ],
        "byes": byes,
    }
    return renumber_lineup(lineup, numbers)


def _read_actions(
    event: Event, entries: Numbers
) -> tuple[Mapping[int, list[RoundAction]], Mapping[int, list[Content]]]:
    """Return from the history, by round, the changes of its line-up and the director's rulings.

    If the event was imported, its file gives those until then. ``entries`` are keys by number.
    """
    actions: dict[int, list[RoundAction]] = defaultdict(list)
    rulings: dict[int, list[Content]] = defaultdict(list)
    is_empty = Q(changes={}) | Q(changes__lineups={}, changes__rulings=[])
    history = event.actions.filter(~is_empty | Q(kind=IMPORT_KIND))
    for action in history.select_related("account").order_by("pk"):
        if action.kind == IMPORT_KIND:
            actions.clear()
            rulings.clear()
        for number, earlier_data in action.details.get("earlier", {}).items():
            actions[int(number)] += [_build_imported_action(each, entries) for each in earlier_data["by_hand"]]
            rulings[int(number)] += earlier_data["rulings"]
        line = _build_action_fields(action)
        rounds = {int(number): each for number, each in action.changes.get("lineups", {}).items()}
        if action.kind == "draw_round":
            rounds.setdefault(action.details["round"], {})
        for number, difference in rounds.items():
            is_of_draft = any(row[0] == "round" for row in action.changes["rows"])
            actions[number].append(
                RoundAction(
                    key=action.pk,
                    kind=_kind_in(number, action),
                    undoes=action.undoes_id,
                    changed=difference,
                    line={**line, "is_of_draft": is_of_draft},
                )
            )
        for number, table, before, after in action.changes.get("rulings", ()):
            if RulingKind.TIME_CALLED in (end["kind"] for end in (before, after) if end is not None):
                continue  # a mark in the log of its match
            rulings[number].append({**line, "table": table, "before": before, "after": after})
    return actions, rulings


def _kind_in(number: int, action: Action) -> str:
    """Return the kind of an action in a round: calling matches draws the next round, and changes this one."""
    is_draw = action.kind == "call_matches" and number == action.details["round"]
    return "draw_round" if is_draw else action.kind


def _build_imported_action(line: Mapping[str, Any], entries: Numbers) -> RoundAction:
    """Convert an action from another installation; whatever its kind there, it is a change by hand."""
    tables = [[end and renumber_table(end, entries) for end in ends] for ends in line["tables"]]
    byes = [[end and renumber_bye(end, entries) for end in ends] for ends in line["byes"]]
    return RoundAction(
        key=-1,
        kind=IMPORT_KIND,
        undoes=None,
        changed={
            "tables": {str((before or after)["number"]): [before, after] for before, after in tables},
            "byes": {str((before or after)["entry"]): [before, after] for before, after in byes},
        },
        line={name: value for name, value in line.items() if name not in ("tables", "byes")},
    )


def _build_action_fields(action: Action) -> Content:
    return {
        "at": moment_to_json(action.created_at),
        "by": "" if action.account is None else action.account.name,
        "origin": action.origin,
        "kind": action.kind,
        "reason": action.reason,
    }


def _build_manual_change(manual_change: ManualChange, numbers: Numbers) -> Mapping[str, Any]:
    tables = manual_change.changed.get("tables", {})
    byes = manual_change.changed.get("byes", {})
    return {
        **manual_change.line,
        "tables": [
            [None if end is None else renumber_table(end, numbers) for end in tables[key]]
            for key in sorted(tables, key=int)
        ],
        "byes": [
            [None if end is None else renumber_bye(end, numbers) for end in ends]
            for ends in sorted(byes.values(), key=lambda ends: numbers[(ends[0] or ends[1])["entry"]])
        ],
    }
