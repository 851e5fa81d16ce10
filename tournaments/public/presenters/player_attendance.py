"""A player's attendance, as they or the desk reported it, and what they can report now."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from clubs.calendar import get_club_today
from clubs.models import Person
from clubs.name_formats import join_names
from tournaments.entries.queries.entries import entry_of_person, last_published_round, map_entry_numbers
from tournaments.entries.queries.player_reports import map_player_reports
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event
from tournaments.public.queries.player_page import select_player_nights
from tournaments.public.services import AttendanceReport
from tournaments.standings.presenters import get_public_snapshot

MAX_NIGHTS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNight:
    """A night, and the person's ``rank`` among ``total``; None for a person in no entry, such as a
    substitute."""

    event: Event
    rank: int | None
    total: int


class AttendanceStatus(StrEnum):
    """Status of an entry for the next draw."""

    WAITING = "waits"
    SEEKING_PARTNER = "looks"
    EXPECTED = "expected"
    PRESENT = "here"
    AWAITED = "awaited"
    ABSENT = "misses"
    LEFT = "leaves"


def build_player_attendance(event: Event, person_id: int) -> dict[str, Any] | None:
    """Return the person's attendance, the names of a pair, to both of whom it applies, and the possible reports.

    None if the event is over or they are in no entry. Three queries.
    """
    if event.state == EventState.ENDED:
        return None
    entry = entry_of_person(event, person_id)
    if entry is None:
        return None
    last_round = last_published_round(event)
    status = _get_status(entry, last_round)
    return {
        "standing": status,
        "names": join_names([player.name for player in entry.players]) if len(entry.players) > 1 else "",
        "words": _list_reports(event, entry, last_round, status),
        "can_leave": event.state == EventState.RUNNING and last_round > 0 and status in _DRAWN_STATUSES,
        "can_cancel": _can_cancel(event, entry),
    }


_DRAWN_STATUSES = frozenset(AttendanceStatus) - {
    AttendanceStatus.LEFT,
    AttendanceStatus.WAITING,
    AttendanceStatus.SEEKING_PARTNER,
}


def _can_cancel(event: Event, entry: Entry) -> bool:
    return event.is_sign_off_open and entry.signed_up_at is not None


def _get_status(entry: Entry, last_round: int) -> AttendanceStatus:
    if entry.looks_for_partner:
        return AttendanceStatus.SEEKING_PARTNER
    if entry.is_waiting:
        return AttendanceStatus.WAITING
    if entry.has_left(last_round + 1):
        return AttendanceStatus.LEFT
    if entry.is_awaited:
        return AttendanceStatus.AWAITED
    if last_round and last_round + 1 in entry.absent:
        return AttendanceStatus.ABSENT
    return AttendanceStatus.EXPECTED if entry.present_at is None else AttendanceStatus.PRESENT


def _list_reports(
    event: Event, entry: Entry, last_round: int, status: AttendanceStatus
) -> tuple[AttendanceReport, ...]:
    if status in (AttendanceStatus.WAITING, AttendanceStatus.SEEKING_PARTNER):
        return ()
    if status is AttendanceStatus.LEFT:
        last_report = map_player_reports(event, [entry]).get(entry.number)
        return (AttendanceReport.STAYS,) if last_report is not None and last_report.kind == "withdraw_entry" else ()
    if status is AttendanceStatus.ABSENT:
        return (AttendanceReport.PLAYS,)
    is_later_day = event.state == EventState.PREPARING and event.held_on > get_club_today(event.club)
    presence_reports = () if is_later_day or status is AttendanceStatus.PRESENT else (AttendanceReport.HERE,)
    if last_round == 0:
        return (
            *presence_reports,
            AttendanceReport.LATE,
            *(() if _can_cancel(event, entry) else (AttendanceReport.STAYS_AWAY,)),
        )
    return presence_reports if status is AttendanceStatus.AWAITED else (*presence_reports, AttendanceReport.MISSES)


def list_player_nights(event: Event, person: Person) -> list[PlayerNight]:
    """List the person's last nights with the club, newest first, this event among them; of each only what is
    released. Two queries, and one for each night."""
    nights = select_player_nights(event, person)[:MAX_NIGHTS]
    entries = map_entry_numbers(person.pk, [night.pk for night in nights])
    return [_build_night(night, entries.get(night.pk)) for night in nights]


def _build_night(night: Event, entry: int | None) -> PlayerNight:
    rows = get_public_snapshot(night).rows if entry is not None else ()
    rank = next((row["rank"] for row in rows if row["entry"] == entry), None)
    return PlayerNight(event=night, rank=rank, total=len(rows))
