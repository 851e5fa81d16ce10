"""The owner of a phone in an event, read from its cookie (``clubs.phone_owner``)."""

from django.http import HttpRequest

from clubs.models import Person
from clubs.phone_owner import owner_in
from tournaments.models import Event
from tournaments.rounds.queries.presence import player_in


def remembered_person(request: HttpRequest, event: Event) -> Person | None:
    """Return the phone's owner, while they are in the event. One query, or none."""
    owner = owner_in(request, event.topic)
    return None if owner is None else player_in(event, owner.person)


def is_of_nobody_any_more(request: HttpRequest, event: Event) -> bool:
    """Return whether the phone's owner is no longer in the event. One query, or none."""
    return owner_in(request, event.topic) is not None and remembered_person(request, event) is None


def may_speak_for(request: HttpRequest, event: Event, person: Person) -> bool:
    """Return whether this phone has shown the person's badge letters, and not only chosen a name. No
    query."""
    owner = owner_in(request, event.topic)
    return owner is not None and owner.person == person.pk and owner.has_letters
