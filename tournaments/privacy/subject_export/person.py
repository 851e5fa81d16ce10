"""Data that a club has entered about a person."""

from typing import Any

from clubs.models import Club, Person
from clubs.privacy import consents_of
from tournaments.models import AlertSubscription
from tournaments.privacy.erasure import known_names


def subject_identity(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return one line with the person's data. Three queries at most."""
    return [
        {
            "number": person.pk,
            "club": club.name,
            "name": person.name,
            "other_names": sorted(known_names(club, [person]).keys() - {person.name}),
            "public_name": person.name_in_public(club),
            "contact": person.contact,
            "family": "" if person.family is None else person.family.name,
            "labels": person.labels,
            "is_guest": person.is_guest,
            "is_active": person.is_active,
            "shows_full_name": person.shows_full_name,
            "is_hidden": person.is_hidden,
            "is_rated": person.is_rated,
            "added_at": person.added_at,
            "kept_until": person.kept_until,
            "anonymized_at": person.anonymized_at,
            "merged_ids": person.merged_ids,
            "codes_since": [each.made_at for each in person.identities.all()],
        }
    ]


def subject_consents(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return the consents of a person, and who recorded them. One query."""
    return [
        {
            "asked": consent.asked,
            "answer": consent.answer,
            "when": consent.when,
            "who": consent.who,
            "reason": consent.reason,
        }
        for consent in consents_of(club, person)
    ]


def subject_alerts(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return the events for which the person gets alerts with their seat. One query."""
    asked = AlertSubscription.objects.filter(event__club=club, person=person).select_related("event")
    return [
        {
            "event": one.event.name,
            "day": one.event.held_on,
            "when": one.created_at,
            "rounds": list(one.told),
            "channel": one.channel,
            "address": one.address,
        }
        for one in asked.order_by("pk")
    ]
