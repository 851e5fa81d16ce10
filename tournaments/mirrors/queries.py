"""What two installations know of each other."""

from collections.abc import Mapping, Sequence
from typing import Any

from clubs.models import Club, Person
from tournaments.event_files.queries import PeopleHere, event_file_of
from tournaments.models import Event, Mirror, Pairing, PublicSite, PublishedStandings, SentEvent


def public_site_of(club: Club) -> PublicSite | None:
    """One query."""
    return PublicSite.objects.filter(club=club).first()


def pairings_of(club: Club) -> list[Pairing]:
    """Those whose events the club mirrors, the last one first. One query."""
    return list(club.pairings.exclude(paired_at=None).filter(ended_at=None))


def sent_events_of(club: Club) -> list[SentEvent]:
    """The last one first. One query."""
    return list(SentEvent.objects.filter(event__club=club).select_related("event").order_by("-event__pk"))


def mirrors_of(club: Club) -> list[Mirror]:
    """The last one first. One query."""
    mirrors = Mirror.objects.filter(event__club=club, event__is_put_away=False)
    return list(mirrors.select_related("event__terms", "pairing").order_by("-event__pk"))


def mirror_of(event: Event) -> Mirror | None:
    """One query."""
    return Mirror.objects.filter(event=event).select_related("pairing").first()


def sent_of(event: Event) -> SentEvent | None:
    """One query."""
    return SentEvent.objects.filter(event=event).first()


def snapshot_parts(event: Event) -> tuple[dict[str, Any], dict[str, Any]]:
    """The event's file, and what beside it public pages show."""
    people = PeopleHere()
    file = event_file_of(event, people=people)
    return file, {
        "final": event.final,
        "is_put_away": event.is_put_away,
        "published": [_published(each) for each in event.published_standings.all()],
        "messages": event.messages,
        "clocks": _clocks(event),
        "people": _people(people.keys),
    }


def _published(kept: PublishedStandings) -> dict[str, Any]:
    return {
        "number": kept.number,
        "corrects": kept.corrects,
        "rounds": kept.rounds,
        "rows": kept.rows,
        "counted": kept.counted,
        "charts": kept.charts,
        "published_at": kept.published_at.isoformat(),
    }


def _clocks(event: Event) -> Mapping[str, Any]:
    """How the clock of each round goes or stands."""
    return {
        str(drawn.number): {
            "minutes": drawn.clock_minutes,
            "added": drawn.added_minutes,
            "paused_at": drawn.paused_at and drawn.paused_at.isoformat(),
            "paused_seconds": drawn.paused_seconds,
            "last_hand_at": drawn.last_hand_at and drawn.last_hand_at.isoformat(),
        }
        for drawn in event.rounds.only(
            "number", "clock_minutes", "added_minutes", "paused_at", "paused_seconds", "last_hand_at"
        )
    }


def _people(keys: Sequence[int]) -> list[dict[str, Any]]:
    """In that order: by what each is known from one snapshot to the next, and what they agreed to."""
    found = Person.objects.in_bulk(keys)
    return [
        {
            "id": key,
            "is_guest": found[key].is_guest,
            "shows_full_name": found[key].shows_full_name,
            "is_hidden": found[key].is_hidden,
        }
        for key in keys
    ]
