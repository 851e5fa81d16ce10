"""Events by short name and by day, those of a club, and those that are public."""

import datetime
from collections.abc import Iterable, Sequence

from django.db.models import F, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Coalesce
from django.db.models.lookups import Contains

from clubs.models import Account, Club, Role
from engine.visibility import Names, RanksRelease, Results
from tournaments.announcement import MAX_DURATION
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event, InvitationAnswer, InvitedClub, Season

LOOKBACK = datetime.timedelta(weeks=5)
"""How far back the last evening of the same weekday counts as the last time, whatever was played since."""


MAX_RECENT = 60
"""How many of the last evenings show the club's current games and people."""


def find_event(short: str) -> Event | None:
    """Return the event with this short name, whatever its visibility. One query."""
    try:
        return Event.objects.select_related("club", "terms", "night").get(short=short, is_put_away=False)
    except Event.DoesNotExist:
        return None


def has_event(short: str) -> bool:
    """Check whether an event has this short name, even a hidden one. One query."""
    return Event.objects.filter(short=short).exists()


def find_public_event(short: str) -> Event | None:
    """Return the event with this short name, if it is public. One query."""
    event = find_event(short)
    return event if event is not None and event.is_public else None


def find_event_with_role(account: Account, short: str) -> tuple[Event, Role] | None:
    """Return the event with this short name and the role of the account in its club; None without a role. One
    query."""
    try:
        event = (
            Event.objects.select_related("club", "terms")
            .filter(short=short, is_put_away=False, club__memberships__account=account)
            .annotate(role=F("club__memberships__role"))
            .get()
        )
    except Event.DoesNotExist:
        return None
    return event, Role(event.role)


def list_events_from(events: QuerySet[Event], day: datetime.date) -> list[Event]:
    """Return the events whose last day is this day or later. One query."""
    return [event for event in events.filter(held_on__gte=day - MAX_DURATION) if event.last_day >= day]


def get_club_events(club: Club) -> QuerySet[Event]:
    """Select the evenings and tournaments of the club, newest first, without those put away."""
    return club.events.filter(is_put_away=False).select_related("terms")


def list_recent_events(club: Club) -> list[Event]:
    """List the last evenings of the club. One query."""
    return list(get_club_events(club)[:MAX_RECENT])


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
    earlier = [
        event_before
        for event_before in events
        if event_before.held_on < today and event_before.state != EventState.PREPARING
    ]
    if entry_size:
        earlier = [event for event in earlier if event.entry_size == entry_size]
    earlier.sort(key=lambda event: (event.held_on, event.pk), reverse=True)
    recent = (event for event in earlier if event.held_on >= today - LOOKBACK)
    same_day = next((event for event in recent if event.held_on.weekday() == today.weekday()), None)
    return same_day or next(iter(earlier), None)


def list_returning_entries(event: Event) -> Sequence[Entry]:
    """List the entries that would come again: everybody who took part, except inactive people and those of
    invited clubs. One query."""
    entries = event.entries.filter(is_waiting=False).select_related("player_1", "player_2")
    for field in ("player_1", "player_2"):
        entries = entries.exclude(**{f"{field}__is_guest": True, f"{field}__at_home__isnull": False})
    returning: list[Entry] = []
    seen_ids: set[int] = set()
    for entry in entries.order_by("number"):
        ids = {person.pk for person in entry.players}
        if all(person.is_active for person in entry.players) and not ids & seen_ids:
            returning.append(entry)
            seen_ids |= ids
    return returning


def get_public_events() -> QuerySet[Event]:
    """Return the public events of all clubs."""
    return Event.objects.filter(is_public=True, is_put_away=False)


def get_public_club_events(club: Club) -> QuerySet[Event]:
    """Return the public events of the club, newest first."""
    return get_club_events(club).filter(is_public=True)


def list_recent_public_events(club: Club) -> list[Event]:
    """Return the newest public events of the club. One query."""
    return list(get_public_club_events(club)[:MAX_RECENT])


def counts_publicly(prefix: str = "") -> Q:
    """Return ``Visible.counts`` as a query; ``prefix`` is the lookup from its rows to the event, for example
    ``"round__event__"``."""
    is_open = Q(**{f"{prefix}shows_standings": RanksRelease.LIVE.value, f"{prefix}silent_from": None})
    is_open &= ~_has_hidden_phase(prefix)
    is_final = ~Q(**{f"{prefix}final": None}) & ~Q(**{f"{prefix}shows_standings": RanksRelease.NEVER.value})
    return (
        Q(**{f"{prefix}is_public": True, f"{prefix}shows_draw": True})
        & ~Q(**{f"{prefix}shows_results": Results.NOTHING.value})
        & ~Q(**{f"{prefix}shows_names": Names.NUMBERS.value})
        & (is_open | is_final)
    )


def _has_hidden_phase(prefix: str) -> Q:
    """Return whether a phase is hidden until the final standings, by its stored text: a name has escaped
    quotes there."""
    text = Coalesce(Cast(f"{prefix}phase_data", TextField()), Value(""), output_field=TextField())
    return Q(Contains(text, '"released": "final"'))


def guests_of(occasion: Event | Season) -> list[Club]:
    """Return the clubs that have accepted. One query."""
    return list(Club.objects.filter(pk__in=accepted_clubs(occasion)).order_by("name", "pk"))


def accepted_clubs(occasion: Event | Season) -> QuerySet[InvitedClub, int | None]:
    return occasion.invited_clubs.filter(answer=InvitationAnswer.ACCEPTED).values_list("club", flat=True)


def shared_events(club: Club, *, first_day: datetime.date) -> list[Event]:
    """List the events of other clubs in which this one takes part, that day or later, by day. One query."""
    accepted_event_ids = club.invited_to.filter(answer=InvitationAnswer.ACCEPTED).values("event")
    events = Event.objects.filter(pk__in=accepted_event_ids, is_put_away=False).select_related("club", "night")
    return list_events_from(events.order_by("held_on", "pk"), first_day)


def public_shared_events(club: Club, *, first_day: datetime.date) -> list[Event]:
    """List the public events of other clubs in which this one takes part, from that day on, by day. One
    query."""
    return [event for event in shared_events(club, first_day=first_day) if event.is_public]
