"""Attendance that players report on their own page."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from clubs.audit.log import Actor
from errors import Refusal
from tournaments.entries.queries.entries import entry_of_person, last_published_round
from tournaments.entries.queries.player_reports import map_player_reports
from tournaments.entries.services.check_in import change_attendance, leave_out_entry, mark_present
from tournaments.entries.services.entry_actions import return_entry, withdraw_entry
from tournaments.entries.services.sign_up import sign_off_entry
from tournaments.events.services.lifecycle import check_not_ended
from tournaments.history.services.optimistic import is_done
from tournaments.models import Entry, Event


class AttendanceReport(StrEnum):
    """A player's report. It holds for both players of a pair, except that a player paired by the desk signs
    off alone."""

    HERE = "here"
    LATE = "late"
    STAYS_AWAY = "stays_away"
    MISSES = "misses"
    PLAYS = "plays"
    LEAVES = "leaves"
    STAYS = "stays"
    SIGNS_OFF = "signs_off"


_SERVICES: Mapping[AttendanceReport, tuple[Callable[..., object], Mapping[str, object]]] = {
    AttendanceReport.HERE: (mark_present, {"is_present": True}),
    AttendanceReport.LATE: (leave_out_entry, {"is_coming": True}),
    AttendanceReport.STAYS_AWAY: (leave_out_entry, {"is_coming": False}),
    AttendanceReport.MISSES: (change_attendance, {"attendance": "absent"}),
    AttendanceReport.PLAYS: (change_attendance, {"attendance": "plays"}),
    AttendanceReport.LEAVES: (withdraw_entry, {}),
    AttendanceReport.STAYS: (return_entry, {}),
    AttendanceReport.SIGNS_OFF: (sign_off_entry, {}),
}
"""What the desk would do for each report."""


def say_attendance(*, event: Event, person_id: int, report: AttendanceReport, by: Actor) -> None:
    """Apply a player's report as the desk would. Safe to repeat with the same key.

    Refuses: event_ended, not_in_an_entry, said_too_late, and what ``withdraw_entry``, ``return_entry`` and
    ``sign_off_entry`` do.
    """
    if is_done(event, by):
        return
    check_not_ended(event)
    entry = entry_of_person(event, person_id)
    if entry is None or (entry.is_waiting and report is not AttendanceReport.SIGNS_OFF):
        raise Refusal("not_in_an_entry")
    service, arguments = _SERVICES[report]
    if service is return_entry:
        _check_withdrawn_by_player(event, entry)
    if service is change_attendance:
        arguments = {**arguments, "round_number": last_published_round(event) + 1}
    if service is sign_off_entry:
        arguments = {"person_id": person_id}
    try:
        service(event_id=event.pk, number=entry.number, by=by, **arguments)
    except Refusal as refusal:
        if refusal.code == "round_is_published":
            raise Refusal("said_too_late") from None
        raise


def _check_withdrawn_by_player(event: Event, entry: Entry) -> None:
    """Check that an entry withdrew by its own report; one that the director withdrew must ask the director."""
    last_report = map_player_reports(event, [entry]).get(entry.number)
    if last_report is None or last_report.kind != "withdraw_entry":
        raise Refusal("said_too_late")
