"""API: entries."""

from typing import Any

from rest_framework import serializers as s

from api.commands import command
from api.fields import body, change, maybe_number, number, numbers, one_of, text, yes_no
from api.operation import Operation, ProgramCall
from api.paths import ENTRY, EVENT
from api.shapes.events import EntryOut, EventWhole
from clubs.policy import Permission
from rules import Side
from tournaments.entries.services import (
    bonds,
    check_in,
    entries,
    entry_actions,
    partners,
    starting_list,
    teams,
)
from tournaments.entries.services.check_in import ATTENDANCES
from tournaments.entries.services.starting_list import WAYS

HELP, DIRECT = Permission.HELP, Permission.DIRECT

NOTES = {
    "section": text(default=""),
    "team": text(default=""),
    "rating": maybe_number(),
    "table": maybe_number(1, 9999),
    "family": text(default=""),
    "car": text(default=""),
    "labels": text(default=""),
    "side": one_of(Side.__members__, allow_null=True, default=None),
    "is_house": yes_no(default=False),
}


def _notes_now(call: ProgramCall) -> dict[str, Any]:
    entry = entries.get_entry(call.event, call.path["number"])
    side = None if entry.side is None else Side(entry.side).name
    return {name: getattr(entry, name) for name in NOTES} | {"side": side}


OF_ENTRIES: list[Operation] = [
    command(
        f"{EVENT}/entries",
        entries.add_entry,
        DIRECT,
        gives=EntryOut,
        status=201,
        takes=body(
            "EntryIn",
            players=s.ListField(child=text(), min_length=1, max_length=2),
            is_present=yes_no(default=False),
        ),
    ),
    command(
        f"{EVENT}/entries/people",
        entries.enter_people,
        HELP,
        gives=EntryOut,
        status=201,
        takes=body("PeopleIn", people=numbers(), guest=text(default="")),
    ),
    command(
        f"{EVENT}/pairs",
        partners.pair_entries,
        DIRECT,
        gives=EntryOut,
        status=201,
        takes=body("PairIn", numbers=numbers()),
    ),
    command(ENTRY, entries.remove_entry, DIRECT, method="delete"),
    command(f"{ENTRY}/admit", entries.admit_entry, DIRECT, gives=EntryOut),
    command(
        f"{ENTRY}/presence",
        check_in.mark_present,
        HELP,
        takes=body("PresenceIn", is_present=yes_no()),
        gives=EntryOut,
    ),
    command(
        f"{ENTRY}/leave-out",
        check_in.leave_out_entry,
        DIRECT,
        takes=body("LeaveOutIn", is_coming=yes_no()),
        gives=EntryOut,
    ),
    command(
        f"{ENTRY}/attendance",
        check_in.change_attendance,
        DIRECT,
        gives=EntryOut,
        takes=body("AttendanceIn", round_number=number(1, 99), attendance=one_of(ATTENDANCES)),
    ),
    command(f"{EVENT}/leave-out-absent", check_in.leave_out_absent, DIRECT),
    command(
        f"{ENTRY}/withdraw",
        entry_actions.withdraw_entry,
        DIRECT,
        takes=body("WithdrawIn", after=maybe_number(0, 99), forfeits_table=yes_no(default=False)),
        gives=EntryOut,
    ),
    command(
        f"{ENTRY}/disqualify",
        entry_actions.disqualify_entry,
        DIRECT,
        takes=body("DisqualifyIn", disqualification=text(most=200), forfeits_table=yes_no(default=True)),
        gives=EntryOut,
    ),
    command(f"{ENTRY}/return", entry_actions.return_entry, DIRECT, gives=EntryOut),
    command(
        f"{ENTRY}/players/<int:place>",
        entry_actions.substitute_player,
        DIRECT,
        method="put",
        takes=body("SubstituteIn", name=text()),
        gives=EntryOut,
    ),
    command(
        f"{ENTRY}/players/<int:place>/name",
        entry_actions.correct_player_name,
        DIRECT,
        method="put",
        takes=body("PlayerNameIn", name=text()),
        gives=EntryOut,
    ),
    command(
        f"{ENTRY}",
        entry_actions.describe_entry,
        DIRECT,
        method="put",
        gives=EntryOut,
        takes=change("EntryNotesIn", **NOTES),
        keeps=_notes_now,
        reads=lambda call: {**call.body, "side": call.body["side"] and Side[call.body["side"]]},
    ),
    command(
        f"{ENTRY}/adjustments",
        entry_actions.adjust_entry,
        DIRECT,
        gives=EntryOut,
        status=201,
        takes=body(
            "AdjustmentIn", metric=text(most=40), amount=number(-9999, 9999), round_number=maybe_number(1, 99)
        ),
    ),
    command(
        f"{ENTRY}/adjustments/<int:adjustment_id>", entry_actions.remove_adjustment, DIRECT, method="delete"
    ),
    command(
        f"{EVENT}/apart",
        bonds.keep_apart,
        DIRECT,
        takes=body("ApartIn", text=text(most=5000), always=yes_no(), rounds=maybe_number(1, 99)),
    ),
    command(
        f"{EVENT}/order",
        starting_list.order_entries,
        DIRECT,
        takes=body("OrderIn", way=one_of(WAYS)),
        gives=EventWhole,
    ),
    command(
        f"{ENTRY}/move",
        starting_list.move_entry,
        DIRECT,
        takes=body("MoveEntryIn", is_up=yes_no()),
        gives=EventWhole,
    ),
    command(
        f"{EVENT}/teams",
        teams.set_team,
        DIRECT,
        takes=body("TeamIn", numbers=numbers(), team=text(default="")),
    ),
]
