"""API: entries."""

from functools import partial
from typing import Any

from rest_framework import serializers as s

from api.commands import direct_command, help_command
from api.fields import (
    boolean_field,
    change_body,
    choice_field,
    integer_field,
    integer_list_field,
    optional_integer_field,
    request_body,
    text_field,
)
from api.operation import ApiCall, Operation
from api.paths import ENTRY, EVENT
from api.shapes.events import EntryOut, EventWhole
from rules import Side
from tournaments.entries.services import bonds, check_in, entries, entry_actions, sign_up, starting_list, teams
from tournaments.entries.services.check_in import ATTENDANCES
from tournaments.entries.services.starting_list import WAYS

NOTES = {
    "section": text_field(default=""),
    "team": text_field(default=""),
    "rating": optional_integer_field(),
    "table": optional_integer_field(1, 9999),
    "family": text_field(default=""),
    "car": text_field(default=""),
    "labels": text_field(default=""),
    "side": choice_field(Side.__members__, allow_null=True, default=None),
    "is_house": boolean_field(default=False),
}


def _with_side(call: ApiCall) -> dict[str, Any]:
    return {**call.body, "side": call.body["side"] and Side[call.body["side"]]}


def _read_current_notes(call: ApiCall) -> dict[str, Any]:
    entry = entries.get_entry(call.event, call.path["number"])
    side = None if entry.side is None else Side(entry.side).name
    return {name: getattr(entry, name) for name in NOTES} | {"side": side}


entry_command = partial(direct_command, response_shape=EntryOut)
"""Operation of a director whose response is the entry."""

ENTRY_OPERATIONS: list[Operation] = [
    entry_command(
        f"{EVENT}/entries",
        entries.add_entry,
        request_body(
            "EntryIn",
            players=s.ListField(child=text_field(), min_length=1, max_length=2),
            is_present=boolean_field(default=False),
            **NOTES,
        ),
        status=201,
        read_body=_with_side,
    ),
    help_command(
        f"{EVENT}/entries/people",
        entries.enter_people,
        request_body("PeopleIn", people=integer_list_field(), guest=text_field(default="")),
        response_shape=EntryOut,
        status=201,
    ),
    entry_command(
        f"{EVENT}/pairs",
        sign_up.pair_entries,
        request_body("PairIn", numbers=integer_list_field()),
        status=201,
        resource_path=f"{EVENT}/entries",
    ),
    direct_command(ENTRY, entries.remove_entry, method="delete"),
    entry_command(f"{ENTRY}/admit", entries.admit_entry),
    help_command(
        f"{ENTRY}/presence",
        check_in.mark_present,
        request_body("PresenceIn", is_present=boolean_field()),
        response_shape=EntryOut,
    ),
    entry_command(
        f"{ENTRY}/leave-out", check_in.leave_out_entry, request_body("LeaveOutIn", is_coming=boolean_field())
    ),
    entry_command(
        f"{ENTRY}/attendance",
        check_in.change_attendance,
        request_body("AttendanceIn", round_number=integer_field(1, 99), attendance=choice_field(ATTENDANCES)),
    ),
    direct_command(f"{EVENT}/leave-out-absent", check_in.leave_out_absent),
    entry_command(
        f"{ENTRY}/withdraw",
        entry_actions.withdraw_entry,
        request_body("WithdrawIn", after=optional_integer_field(0, 99), forfeits_table=boolean_field(default=False)),
    ),
    entry_command(
        f"{ENTRY}/disqualify",
        entry_actions.disqualify_entry,
        request_body(
            "DisqualifyIn", disqualification=text_field(max_length=200), forfeits_table=boolean_field(default=True)
        ),
    ),
    entry_command(f"{ENTRY}/return", entry_actions.return_entry),
    entry_command(
        f"{ENTRY}/players/<int:place>",
        entry_actions.substitute_player,
        request_body("SubstituteIn", name=text_field()),
        method="put",
    ),
    entry_command(
        f"{ENTRY}/players/<int:place>/name",
        entry_actions.correct_player_name,
        request_body("PlayerNameIn", name=text_field()),
        method="put",
    ),
    entry_command(
        f"{ENTRY}",
        entry_actions.describe_entry,
        change_body("EntryNotesIn", **NOTES),
        method="put",
        read_current=_read_current_notes,
        read_body=_with_side,
    ),
    entry_command(
        f"{ENTRY}/adjustments",
        entry_actions.adjust_entry,
        request_body(
            "AdjustmentIn",
            metric=text_field(max_length=40),
            amount=integer_field(-9999, 9999),
            round_number=optional_integer_field(1, 99),
        ),
        status=201,
    ),
    direct_command(f"{ENTRY}/adjustments/<int:adjustment_id>", entry_actions.remove_adjustment, method="delete"),
    direct_command(
        f"{EVENT}/apart",
        bonds.keep_apart,
        request_body(
            "ApartIn", text=text_field(max_length=5000), always=boolean_field(), rounds=optional_integer_field(1, 99)
        ),
    ),
    direct_command(
        f"{EVENT}/order",
        starting_list.order_entries,
        request_body("OrderIn", way=choice_field(WAYS)),
        resource_path=f"{EVENT}/entries",
        response_shape=EventWhole,
    ),
    direct_command(
        f"{ENTRY}/move",
        starting_list.move_entry,
        request_body("MoveEntryIn", is_up=boolean_field()),
        response_shape=EventWhole,
    ),
    direct_command(
        f"{EVENT}/teams",
        teams.set_team,
        request_body("TeamIn", numbers=integer_list_field(), team=text_field(default="")),
        resource_path=f"{EVENT}/entries",
    ),
]
