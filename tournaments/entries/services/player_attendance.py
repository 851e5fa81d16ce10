"""Attendance reported by players themselves, through the services that the desk uses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from clubs.audit.log import Actor
from errors import Refusal
from tournaments.entries.queries.entries import entry_of_person, last_published_round
from tournaments.entries.queries.player_reports import map_player_reports
from tournaments.history.services.optimistic import is_done
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event

from .check_in import change_attendance, leave_out_entry, mark_present
from .entry_actions import return_entry, withdraw_entry
from .sign_up import sign_off_entry


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


def say_attendance(*, event: Event, person_id: int, report: AttendanceReport, by: Actor) -> None:
    """Apply a player's report as the desk would. Safe to repeat with the same key.

    Refuses: event_ended, not_in_an_entry, said_too_late, and what ``withdraw_entry``, ``return_entry`` and
    ``sign_off_entry`` do.
    """
    if is_done(event, by):
        return
    if event.state == EventState.ENDED:
        raise Refusal("event_ended")
    entry = entry_of_person(event, person_id)
    if entry is None or (entry.is_waiting and report is not AttendanceReport.SIGNS_OFF):
        raise Refusal("not_in_an_entry")
    try:
        _SERVICES[report](_ReportContext(event=event, entry=entry, person_id=person_id, by=by))
    except Refusal as refusal:
        if refusal.code == "round_is_published":
            raise Refusal("said_too_late") from None
        raise


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReportContext:
    """A report by a player about their own entry."""

    event: Event
    entry: Entry
    person_id: int
    by: Actor

    def call_service(self, service: Callable[..., object], **arguments: object) -> None:
        """Call the service for the entry."""
        service(event_id=self.event.pk, number=self.entry.number, by=self.by, **arguments)


def _change_next_round(report_context: _ReportContext, *, attendance: str) -> None:
    next_round = last_published_round(report_context.event) + 1
    report_context.call_service(change_attendance, round_number=next_round, attendance=attendance)


def _return_to_event(report_context: _ReportContext) -> None:
    """Return an entry that withdrew by its own report; one that the director withdrew must ask the
    director."""
    last_report = map_player_reports(report_context.event, [report_context.entry]).get(report_context.entry.number)
    if last_report is None or last_report.kind != "withdraw_entry":
        raise Refusal("said_too_late")
    report_context.call_service(return_entry)


_SERVICES: Mapping[AttendanceReport, Callable[[_ReportContext], object]] = {
    AttendanceReport.HERE: lambda saying: saying.call_service(mark_present, is_present=True),
    AttendanceReport.LATE: lambda saying: saying.call_service(leave_out_entry, is_coming=True),
    AttendanceReport.STAYS_AWAY: lambda saying: saying.call_service(leave_out_entry, is_coming=False),
    AttendanceReport.MISSES: lambda saying: _change_next_round(saying, attendance="absent"),
    AttendanceReport.PLAYS: lambda saying: _change_next_round(saying, attendance="plays"),
    AttendanceReport.LEAVES: lambda saying: saying.call_service(withdraw_entry),
    AttendanceReport.STAYS: _return_to_event,
    AttendanceReport.SIGNS_OFF: lambda saying: saying.call_service(sign_off_entry, person_id=saying.person_id),
}
