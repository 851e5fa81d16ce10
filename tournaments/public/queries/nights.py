"""A club's evenings, one after another: tonight's, the last one, and who came to it."""

import datetime
from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from clubs.models import Club
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event

WEEKS_BACK = datetime.timedelta(weeks=5)
"""For so long the last evening of the same weekday is the last time, whatever was played since."""


RECENT = 60
"""So many evenings, the last ones first, say what the club plays now and who comes to it."""


def events_of(club: Club) -> QuerySet[Event]:
    """The evenings and tournaments of the club, the last one first, but for those put away."""
    return club.events.filter(is_put_away=False).select_related("terms")


def recent_events(club: Club) -> list[Event]:
    """The last evenings of the club. One query."""
    return list(events_of(club)[:RECENT])


def tonights(events: Iterable[Event], today: datetime.date) -> list[Event]:
    """Those of today that have not ended, and yesterday's that go on after midnight."""
    yesterday = today - datetime.timedelta(days=1)
    return [
        event
        for event in events
        if (event.held_on <= today <= event.last_day and event.state != EventState.ENDED)
        or (event.last_day == yesterday and event.state == EventState.RUNNING)
    ]


def is_past(event: Event, today: datetime.date) -> bool:
    """Whether the evening has ended, and its next day too: then it is the director's alone."""
    return event.state == EventState.ENDED and event.last_day < today - datetime.timedelta(days=1)


def last_time(events: Iterable[Event], today: datetime.date, *, entry_size: int = 0) -> Event | None:
    """The last evening before today that was begun: of the same weekday, if there was one in the last weeks;
    where ``entry_size`` is said, of those only to which people came in such entries.

    A club that plays on Tuesdays and Thursdays so finds Tuesday's people on Tuesday.
    """
    earlier = [each for each in events if each.held_on < today and each.state != EventState.PREPARING]
    if entry_size:
        earlier = [event for event in earlier if event.entry_size == entry_size]
    earlier.sort(key=lambda event: (event.held_on, event.pk), reverse=True)
    recent = (event for event in earlier if event.held_on >= today - WEEKS_BACK)
    same_day = next((event for event in recent if event.held_on.weekday() == today.weekday()), None)
    return same_day or next(iter(earlier), None)


def entries_again(event: Event) -> Sequence[Entry]:
    """Who would be there again: everybody who took part, but whom the club no longer offers, and who came
    with a club that was invited. One query."""
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
