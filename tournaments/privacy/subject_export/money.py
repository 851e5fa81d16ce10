"""Payments, prizes and other clubs of a person in the export. Amounts are in cents."""

from typing import Any

from clubs.models import Club, Person
from tournaments.entries.queries.people import list_person_prizes
from tournaments.models import Action, Fee, Prize, Visitor

DRAW_ACTION = "draw_door_prize"


def export_payments(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return dues of the club, then fees of events, newest first. Two queries."""
    dues = person.dues.select_related("period").order_by("-period__starts", "-pk")
    fees = Fee.objects.filter(event__club=club, person=person).select_related("event")
    return [
        *({"season": payment.period.name, "asked_for": payment.other, "paid": payment.paid} for payment in dues),
        *(
            {
                "event": payment.event.name,
                "day": payment.event.held_on,
                "asked_for": payment.other,
                "paid": payment.paid,
            }
            for payment in fees.order_by("-event__held_on", "-pk")
        ),
    ]


def export_prizes(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return prizes and door prizes, also those no longer shown on the wall screen. Two queries."""
    door_prizes = Action.objects.filter(
        event__club=club, kind=DRAW_ACTION, details__person__in=[person.pk, *person.merged_ids]
    )
    return [
        *(_build_prize_line(club, person, prize) for prize in list_person_prizes(person)),
        *(
            {
                "event": prize.event.name,
                "day": prize.event.held_on,
                "prize": prize.details["prize"],
                "when": prize.created_at,
            }
            for prize in door_prizes.select_related("event")
        ),
    ]


def _build_prize_line(club: Club, person: Person, prize: Prize) -> dict[str, Any]:
    others = [other.get_public_name(club) for other in prize.winners if other.pk != person.pk]
    return {
        "event": prize.event.name,
        "day": prize.event.held_on,
        "prize": prize.name,
        "amount": prize.amount,
        "with": others,
        "is_public": prize.is_public,
    }


def export_other_clubs(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return the clubs where the person plays as a guest, or is a member. Two queries."""
    guest_links = Visitor.objects.filter(person=person).select_related("known_as__club")
    home_links = Visitor.objects.filter(known_as=person).select_related("person__club")
    return [
        *({"club": link.known_as.club.name, "is_guest": True} for link in guest_links),
        *({"club": link.person.club.name, "is_guest": False} for link in home_links),
    ]
