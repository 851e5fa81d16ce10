"""What is ahead of a club: nights of its calendar, its own events, and those that it plays with others.

An event is on the list while everybody may read its page (``publishing.queries``), and only then.
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
from tournaments.events.queries import events_from
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.publishing.queries import public_events_of, public_shared_events

NIGHTS_AHEAD = timedelta(weeks=13)
"""So far ahead the nights of a calendar are listed; events are, however far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaLine:
    """Something on a day, or on several from that day: a night of the calendar, an event, or both once the
    night's event is made.

    ``is_put_off`` at the day from which a night was moved. So many ``more`` nights like this one follow until
    the day ``until``.
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
        """When it begins and ends, by the clock of whose club it is; None where nobody has said."""
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
        """Whether the calendar says so of the night, or the director of the event."""
        return (self.held is not None and self.held.is_cancelled) or self.is_called_off

    @property
    def is_called_off(self) -> bool:
        return self.event is not None and self.event.announcement.is_called_off

    @property
    def reason(self) -> str:
        """Why it is off, or on another day; "" where nobody has said."""
        if self.event is not None and self.is_called_off:
            return self.event.announcement.reason_off
        return "" if self.held is None else self.held.reason

    @property
    def is_off(self) -> bool:
        """Whether nothing is played on this day after all."""
        return self.is_put_off or self.is_cancelled

    @property
    def is_over(self) -> bool:
        return self.event is not None and self.event.is_over

    @property
    def is_playing(self) -> bool:
        """Whether it has begun, and does not go on another day only."""
        event = self.event
        return (
            event is not None and event.state == EventState.RUNNING and event.held_on <= today_in(event.club)
        )

    @property
    def is_plain(self) -> bool:
        """Whether it is a night as planned, of which there is nothing to tell but its pattern."""
        return self.event is None and self.held is not None and not self.held.is_changed


def agenda_of(
    club: Club, first: date, last: date, *, nights: Iterable[RecurringNight] | None = None
) -> list[AgendaLine]:
    """Everything from the day ``first``, and what goes on until then, by day and hour: nights of the calendar
    until ``last``, events however far ahead. Four queries; two where the ``nights`` are at hand."""
    nights = recurring_nights_of(club) if nights is None else nights
    held = calendar_lines(nights_between(nights, first, last), first)
    events = events_from(public_events_of(club).select_related("club", "night__club"), first)
    lines = list(_with_events(held, sorted(events, key=lambda event: event.pk)))
    lines += [AgendaLine(day=event.held_on, event=event) for event in public_shared_events(club, since=first)]
    return sorted(lines, key=_by_hour)


def agenda_ahead(
    club: Club, today: date, *, nights: Iterable[RecurringNight] | None = None
) -> list[AgendaLine]:
    """What is not over yet, from ``today``; as many queries."""
    return [line for line in agenda_of(club, today, today + NIGHTS_AHEAD, nights=nights) if not line.is_over]


def line_of_event(event: Event) -> AgendaLine:
    """The event as the calendar of its club has it. A query, or two where the club has nights."""
    day = event.held_on
    held = calendar_lines(nights_between(recurring_nights_of(event.club), day, day), day)
    return next(line for line in _with_events(held, [event]) if line.event is not None)


def calendar_revision(club: Club, today: date) -> str:
    """Another one whenever the agenda is. One query."""
    return f"calendar.{club.pk}.{public_revision_of(club.calendar_topic)}.{today:%Y%m%d}"


def fold_nights(lines: Iterable[AgendaLine]) -> list[AgendaLine]:
    """The same with one line for all the nights of a pattern that are held as planned: the next of them.
    Those that differ, and those whose event is made, stay."""
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
    """Each night with its event, if that is made; then the events that are of no night."""
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
