"""The owner of a phone in an event, read from its cookie (``clubs.phone_owner``)."""

from django.http import HttpRequest

from clubs.models import Person
from clubs.phone_owner import find_owner
from tournaments.models import Event
from tournaments.rounds.queries.presence import find_event_player


def get_phone_person(request: HttpRequest, event: Event) -> Person | None:
    """Return the phone's owner, while they are in the event. One query, or none."""
    owner = find_owner(request, event.topic)
    return None if owner is None else find_event_player(event, owner.person)


def has_former_owner(request: HttpRequest, event: Event) -> bool:
    """Return whether the phone's owner is no longer in the event. One query, or none."""
    return find_owner(request, event.topic) is not None and get_phone_person(request, event) is None


def can_act_for(request: HttpRequest, event: Event, person: Person) -> bool:
    """Return whether this phone has shown the person's badge letters, and not only chosen a name. No
    query."""
    owner = find_owner(request, event.topic)
    return owner is not None and owner.person == person.pk and owner.has_letters
