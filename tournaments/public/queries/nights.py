"""Queries about a club's evenings: tonight's, the last one, and its people."""

import datetime
from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from clubs.models import Club
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event

WEEKS_BACK = datetime.timedelta(weeks=5)
"""How far back the last evening of the same weekday counts as the last time, whatever was played since."""


RECENT = 60
"""How many of the last evenings show the club's current games and people."""


def events_of(club: Club) -> QuerySet[Event]:
    """Select the evenings and tournaments of the club, newest first, without those put away."""
    return club.events.filter(is_put_away=False).select_related("terms")


def recent_events(club: Club) -> list[Event]:
    """List the last evenings of the club. One query."""
    return list(events_of(club)[:RECENT])


def tonights(events: Iterable[Event], today: datetime.date) -> list[Event]:
    """Select today's events that have not ended, and yesterday's that go on after midnight."""
    yesterday = today - datetime.timedelta(days=1)
    return [
        event
        for event in events
        if (event.held_on <= today <= event.last_day and event.state != EventState.ENDED)
        or (event.last_day == yesterday and event.state == EventState.RUNNING)
    ]


def is_past(event: Event, today: datetime.date) -> bool:
    """Return whether the evening has ended and the day after it is over: from then on only directors open
    it."""
    return event.state == EventState.ENDED and event.last_day < today - datetime.timedelta(days=1)


def last_time(events: Iterable[Event], today: datetime.date, *, entry_size: int = 0) -> Event | None:
    """Return the last evening before today that was started. If there was one of the same weekday in the last
    weeks, return that one: a club that plays on Tuesdays and Thursdays finds Tuesday's people on Tuesday.
    With ``entry_size``, only evenings with entries of that size count."""
    earlier = [each for each in events if each.held_on < today and each.state != EventState.PREPARING]
    if entry_size:
        earlier = [event for event in earlier if event.entry_size == entry_size]
    earlier.sort(key=lambda event: (event.held_on, event.pk), reverse=True)
    recent = (event for event in earlier if event.held_on >= today - WEEKS_BACK)
    same_day = next((event for event in recent if event.held_on.weekday() == today.weekday()), None)
    return same_day or next(iter(earlier), None)


def entries_again(event: Event) -> Sequence[Entry]:
    """List the entries that would come again: everybody who took part, except inactive people and those of
    invited clubs. One query."""
    entries = event.entries.filter(is_waiting=False).select_related("player_1", "player_2")
    for field in ("player_1", "player_2"):
        entries = entries.exclude(**{f"{field}__is_guest": True, f"{field}__at_home__isnull": False})
    again: list[Entry] = []
    seen: set[int] = set()
    for entry in entries.order_by("number"):
        ids = {person.pk for person in entry.players}
        if all(person.is_active for person in entry.players) and not ids & seen:
            again.append(entry)
            seen |= ids
    return again
