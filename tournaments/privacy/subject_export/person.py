"""Data that a club has entered about a person."""

from typing import Any

from clubs.models import Club, Person
from clubs.privacy import list_consents
from tournaments.models import AlertSubscription
from tournaments.privacy.erasure.histories import get_all_names


def export_identity(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return one line with the person's data. Three queries at most."""
    return [
        {
            "number": person.pk,
            "club": club.name,
            "name": person.name,
            "other_names": sorted(get_all_names(club, [person]).keys() - {person.name}),
            "public_name": person.get_public_name(club),
            **{name: getattr(person, name) for name, facts in Person.FACTS.items() if facts.label},
            "family": "" if person.family is None else person.family.name,
            "codes_since": [identity.made_at for identity in person.identities.all()],
        }
    ]


def export_consents(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return the consents of a person, and who recorded them. One query."""
    return [
        {
            "asked": consent.question,
            "answer": consent.answer,
            "when": consent.when,
            "who": consent.who,
            "reason": consent.reason,
        }
        for consent in list_consents(club, person)
    ]


def export_alerts(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return the events for which the person gets alerts with their seat. One query."""
    subscriptions = AlertSubscription.objects.filter(event__club=club, person=person).select_related("event")
    return [
        {
            "event": subscription.event.name,
            "day": subscription.event.held_on,
            "when": subscription.created_at,
            "rounds": list(subscription.told),
            "channel": subscription.channel,
            "address": subscription.address,
        }
        for subscription in subscriptions.order_by("pk")
    ]
