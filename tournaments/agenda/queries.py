"""Upcoming dates of a club: nights of its calendar, its own events, and those shared with other clubs.

An event is listed if and only if its page is public (``events.queries``).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta

from clubs.calendar import (
    CalendarLine,
    NightOccurrence,
    build_calendar_lines,
    get_club_today,
    list_occurrences,
    list_recurring_nights,
)
from clubs.date_formats import Days
from clubs.models import Club, RecurringNight
from live.revisions import get_public_revision
from tournaments.events.queries import get_public_club_events, list_events_from, public_shared_events
from tournaments.lifecycle import EventState
from tournaments.models import Event

CALENDAR_HORIZON = timedelta(weeks=13)
"""How far ahead nights of the calendar are listed; events have no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaLine:
    """An upcoming date of one or more days: a night of the calendar, an event, or both.

    ``is_put_off`` on the day from which a night was moved. ``more`` is the number of similar nights that
    follow until the day ``until``.
    """

    day: date
    held: NightOccurrence | None = None
    event: Event | None = None
    is_put_off: bool = False
    more: int = 0
    until: date | None = None

    @property
    def days(self) -> Days:
        return (self.day, self.day) if self.event is None or self.is_put_off else self.event.days

    @property
    def name(self) -> str:
        if self.event is not None:
            return self.event.name
        return "" if self.held is None else self.held.night.name

    @property
    def hours(self) -> tuple[time | None, time | None]:
        """Start and end in the time zone of the organizing club; None if not given."""
        if self.event is not None:
            return self.event.hours
        return (None, None) if self.held is None else (self.held.night.starts_at, self.held.night.ends_at)

    @property
    def starts_at(self) -> time | None:
        return self.hours[0]

    @property
    def place(self) -> str:
        if self.event is not None:
            return self.event.place
        return "" if self.held is None else self.held.night.hall

    @property
    def is_cancelled(self) -> bool:
        """Whether the night is cancelled in the calendar, or the event by its director."""
        return (self.held is not None and self.held.is_cancelled) or self.is_called_off

    @property
    def is_called_off(self) -> bool:
        return self.event is not None and self.event.announcement.is_called_off

    @property
    def reason(self) -> str:
        """Reason why it is cancelled or moved; "" if not given."""
        if self.event is not None and self.is_called_off:
            return self.event.announcement.reason_off
        return "" if self.held is None else self.held.reason

    @property
    def is_off(self) -> bool:
        """Whether nothing is played on this day, although it was planned."""
        return self.is_put_off or self.is_cancelled

    @property
    def is_over(self) -> bool:
        return self.event is not None and self.event.is_over

    @property
    def is_playing(self) -> bool:
        """Whether it has begun, and is not merely continued on a later day."""
        event = self.event
        return event is not None and event.state == EventState.RUNNING and event.held_on <= get_club_today(event.club)

    @property
    def is_regular_night(self) -> bool:
        """Whether it is a night as planned, with nothing to show but its pattern."""
        return self.event is None and self.held is not None and not self.held.is_changed


def list_agenda(
    club: Club, start: date, end: date, *, nights: Iterable[RecurringNight] | None = None
) -> list[AgendaLine]:
    """List everything from ``start`` on, and the events still in progress then, by day and time. Nights of the
    calendar are listed until ``end``, events without a limit. Four queries; two if the ``nights`` are
    given."""
    nights = list_recurring_nights(club) if nights is None else nights
    night_lines = build_calendar_lines(list_occurrences(nights, start, end), start)
    events = list_events_from(get_public_club_events(club).select_related("club", "night__club"), start)
    lines = list(_merge_events(night_lines, sorted(events, key=lambda event: event.pk)))
    lines += [AgendaLine(day=event.held_on, event=event) for event in public_shared_events(club, first_day=start)]
    return sorted(lines, key=_sort_key)


def list_upcoming(club: Club, today: date, *, nights: Iterable[RecurringNight] | None = None) -> list[AgendaLine]:
    """List the agenda from ``today`` on, without what is over. As many queries as ``list_agenda``."""
    return [line for line in list_agenda(club, today, today + CALENDAR_HORIZON, nights=nights) if not line.is_over]


def get_event_line(event: Event) -> AgendaLine:
    """Return the event as its club's calendar lists it. One query; two if the club has nights."""
    day = event.held_on
    night_lines = build_calendar_lines(list_occurrences(list_recurring_nights(event.club), day, day), day)
    return next(line for line in _merge_events(night_lines, [event]) if line.event is not None)


def get_calendar_revision(club: Club, today: date) -> str:
    """Return the revision of the calendar. One query."""
    return f"calendar.{club.pk}.{get_public_revision(club.calendar_topic)}.{today:%Y%m%d}"


def merge_repeated_nights(lines: Iterable[AgendaLine]) -> list[AgendaLine]:
    """Fold the nights of a pattern that are held as planned into one line, at the next of them. Nights that
    differ or have an event keep their lines."""
    folded: list[AgendaLine] = []
    positions: dict[int, int] = {}
    for line in lines:
        place = positions.get(line.held.night.pk) if line.held is not None and line.is_regular_night else None
        if place is not None:
            folded[place] = replace(folded[place], more=folded[place].more + 1, until=line.day)
            continue
        if line.held is not None and line.is_regular_night:
            positions[line.held.night.pk] = len(folded)
        folded.append(line)
    return folded


def _merge_events(nights: Sequence[CalendarLine], events: list[Event]) -> Iterable[AgendaLine]:
    """Yield each night with its event, if it exists, then the events without a night."""
    unmatched = list(events)
    for line in nights:
        matching = (
            None
            if line.is_put_off
            else next((candidate for candidate in unmatched if _matches_night(candidate, line.held)), None)
        )
        if matching is not None:
            unmatched.remove(matching)
        yield AgendaLine(day=line.day, held=line.held, event=matching, is_put_off=line.is_put_off)
    yield from (AgendaLine(day=event.held_on, event=event) for event in unmatched)


def _matches_night(event: Event, night: NightOccurrence) -> bool:
    return night.is_for_event(night_id=event.night_id, name=event.name) and event.held_on == night.day


def _sort_key(line: AgendaLine) -> tuple[date, time, str]:
    return line.day, line.starts_at or time.max, line.name
