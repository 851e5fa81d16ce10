"""Upcoming dates of a club: nights of its calendar, its own events, and those shared with other clubs.

An event is listed if and only if its page is public (``events.queries``).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta

from clubs.calendar import (
    CalendarLine,
    HeldNight,
    calendar_lines,
    nights_between,
    recurring_nights_of,
    today_in,
)
from clubs.day_words import Days
from clubs.models import Club, RecurringNight
from live.revisions import public_revision_of
from tournaments.events.queries import events_from, public_events_of, public_shared_events
from tournaments.lifecycle import EventState
from tournaments.models import Event

NIGHTS_AHEAD = timedelta(weeks=13)
"""How far ahead nights of the calendar are listed; events have no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaLine:
    """An upcoming date of one or more days: a night of the calendar, an event, or both.

    ``is_put_off`` on the day from which a night was moved. ``more`` is the number of similar nights that
    follow until the day ``until``.
    """

    day: date
    held: HeldNight | None = None
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
        return (
            event is not None and event.state == EventState.RUNNING and event.held_on <= today_in(event.club)
        )

    @property
    def is_plain(self) -> bool:
        """Whether it is a night as planned, with nothing to show but its pattern."""
        return self.event is None and self.held is not None and not self.held.is_changed


def agenda_of(
    club: Club, first: date, last: date, *, nights: Iterable[RecurringNight] | None = None
) -> list[AgendaLine]:
    """List everything from ``first`` on, and what is still in progress then, by day and time. Nights of the
    calendar are listed until ``last``, events without a limit. Four queries; two if the ``nights`` are
    given."""
    nights = recurring_nights_of(club) if nights is None else nights
    held = calendar_lines(nights_between(nights, first, last), first)
    events = events_from(public_events_of(club).select_related("club", "night__club"), first)
    lines = list(_with_events(held, sorted(events, key=lambda event: event.pk)))
    lines += [AgendaLine(day=event.held_on, event=event) for event in public_shared_events(club, since=first)]
    return sorted(lines, key=_by_hour)


def agenda_ahead(
    club: Club, today: date, *, nights: Iterable[RecurringNight] | None = None
) -> list[AgendaLine]:
    """List what is not over yet, from ``today`` on. As many queries as ``agenda_of``."""
    return [line for line in agenda_of(club, today, today + NIGHTS_AHEAD, nights=nights) if not line.is_over]


def line_of_event(event: Event) -> AgendaLine:
    """Return the event as its club's calendar lists it. One query; two if the club has nights."""
    day = event.held_on
    held = calendar_lines(nights_between(recurring_nights_of(event.club), day, day), day)
    return next(line for line in _with_events(held, [event]) if line.event is not None)


def calendar_revision(club: Club, today: date) -> str:
    """Return the revision of the calendar. One query."""
    return f"calendar.{club.pk}.{public_revision_of(club.calendar_topic)}.{today:%Y%m%d}"


def fold_nights(lines: Iterable[AgendaLine]) -> list[AgendaLine]:
    """Fold the nights of a pattern that are held as planned into one line, at the next of them. Nights that
    differ or have an event keep their lines."""
    folded: list[AgendaLine] = []
    first: dict[int, int] = {}
    for line in lines:
        place = first.get(line.held.night.pk) if line.held is not None and line.is_plain else None
        if place is not None:
            folded[place] = replace(folded[place], more=folded[place].more + 1, until=line.day)
            continue
        if line.held is not None and line.is_plain:
            first[line.held.night.pk] = len(folded)
        folded.append(line)
    return folded


def _with_events(nights: Sequence[CalendarLine], events: list[Event]) -> Iterable[AgendaLine]:
    """Yield each night with its event, if it exists, then the events without a night."""
    left = list(events)
    for line in nights:
        made = None if line.is_put_off else next((one for one in left if _is_made_of(one, line.held)), None)
        if made is not None:
            left.remove(made)
        yield AgendaLine(day=line.day, held=line.held, event=made, is_put_off=line.is_put_off)
    yield from (AgendaLine(day=event.held_on, event=event) for event in left)


def _is_made_of(event: Event, held: HeldNight) -> bool:
    return held.is_of_event(night_id=event.night_id, name=event.name) and event.held_on == held.day


def _by_hour(line: AgendaLine) -> tuple[date, time, str]:
    return line.day, line.starts_at or time.max, line.name
