"""Payments, prizes and other clubs of a person in the export. Amounts are in cents."""

from typing import Any

from clubs.models import Club, Person
from tournaments.entries.queries.people import prizes_of_person
from tournaments.models import Action, Fee, Prize, Visitor

DRAWN = "draw_door_prize"


def subject_payments(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return dues of the club, then fees of events, newest first. Two queries."""
    dues = person.dues.select_related("period").order_by("-period__starts", "-pk")
    fees = Fee.objects.filter(event__club=club, person=person).select_related("event")
    return [
        *({"season": one.period.name, "asked_for": one.other, "paid": one.paid} for one in dues),
        *(
            {"event": one.event.name, "day": one.event.held_on, "asked_for": one.other, "paid": one.paid}
            for one in fees.order_by("-event__held_on", "-pk")
        ),
    ]


def subject_prizes(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return prizes and door prizes, also those no longer shown on the wall screen. Two queries."""
    drawn = Action.objects.filter(
        event__club=club, kind=DRAWN, details__person__in=[person.pk, *person.merged_ids]
    )
    return [
        *(_prize(club, person, one) for one in prizes_of_person(person)),
        *(
            {
                "event": one.event.name,
                "day": one.event.held_on,
                "prize": one.details["prize"],
                "when": one.created_at,
            }
            for one in drawn.select_related("event")
        ),
    ]


def _prize(club: Club, person: Person, prize: Prize) -> dict[str, Any]:
    others = [other.name_in_public(club) for other in prize.winners if other.pk != person.pk]
    return {
        "event": prize.event.name,
        "day": prize.event.held_on,
        "prize": prize.name,
        "amount": prize.amount,
        "with": others,
        "is_public": prize.is_public,
    }


def subject_elsewhere(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return the clubs where the person plays as a guest, or is a member. Two queries."""
    away = Visitor.objects.filter(person=person).select_related("known_as__club")
    home = Visitor.objects.filter(known_as=person).select_related("person__club")
    return [
        *({"club": one.known_as.club.name, "is_guest": True} for one in away),
        *({"club": one.person.club.name, "is_guest": False} for one in home),
    ]
