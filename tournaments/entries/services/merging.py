"""Merging of two people into one, in everything that they took part in."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Dues, Person
from clubs.services import ClubChange, check_not_anonymized
from errors import Refusal
from tournaments.entries.queries.people import (
    events_of_both,
    events_of_person,
    fees_of_person,
    prizes_of_person,
)
from tournaments.models import Event, Fee, Prize, Visitor
from web.names import one_spelling


@transaction.atomic
def merge_people(*, club_id: int, kept_id: int, merged_id: int, by: Actor = NOBODY) -> Person | None:
    """Merge ``merged`` into ``kept``, with its entries, seats, results, fees and prizes. ``kept`` also gets
    the values that it lacks. Safe to repeat.

    Refuses: no_such_person, person_anonymized, both_took_part.
    """
    change = ClubChange(club_id, "merge_people", by)
    if change.is_repeat:
        return change.club.people.filter(pk=kept_id).first()
    people = change.club.people.select_related("family").in_bulk([kept_id, merged_id])
    if len(people) < 2:
        raise Refusal("no_such_person")
    kept, merged = people[kept_id], people[merged_id]
    check_not_anonymized(kept)
    check_not_anonymized(merged)
    both = events_of_both(kept, merged).first()
    if both is not None:
        raise Refusal("both_took_part", event=both.name)
    entries = list(events_of_person(merged))
    fees, prizes = list(fees_of_person(merged)), list(prizes_of_person(merged))
    events = {row.event_id for rows in (entries, fees, prizes) for row in rows}
    list(Event.objects.select_for_update(no_key=True).filter(pk__in=events).order_by("pk"))
    change.alter_all([entry for entry in entries if entry.player_1_id == merged.pk], player_1=kept)
    change.alter_all([entry for entry in entries if entry.player_2_id == merged.pk], player_2=kept)
    change.alter_all(merged.seats.order_by("pk"), person=kept)
    _one_visitor(change, kept, merged)
    _take_over_fees(change, kept, fees)
    _take_over_prizes(change, kept, merged, prizes)
    _take_over_dues(change, kept, list(merged.dues.order_by("pk")))
    merged.alerts.update(person=kept)
    family = merged.family
    change.alter(kept, **_of_both(kept, merged))
    change.remove(merged)
    if family is not None and not family.people.exists():
        change.remove(family)
    change.record(kept=kept.name, merged=merged.name, person=kept.pk)
    return kept


def _one_visitor(change: ClubChange, kept: Person, merged: Person) -> None:
    """Merge the links to people of other clubs, in both directions."""
    for field in ("person", "known_as"):
        for visitor in Visitor.objects.filter(**{field: merged}):
            ends = {"person": visitor.person_id, "known_as": visitor.known_as_id, field: kept.pk}
            if Visitor.objects.filter(**ends).exists():
                change.remove(visitor)
            else:
                change.alter(visitor, **{field: kept})


def _take_over_fees(change: ClubChange, kept: Person, fees: Iterable[Fee]) -> None:
    """Move the fees to ``kept``. If both paid for an event, the amounts are added."""
    own = {fee.event_id: fee for fee in fees_of_person(kept)}
    for fee in fees:
        _take_over(change, kept, fee, own.get(fee.event_id))


def _take_over_dues(change: ClubChange, kept: Person, rows: Iterable[Dues]) -> None:
    """Move the dues to ``kept``. If both paid for a period, the amounts are added."""
    own = {dues.period_id: dues for dues in kept.dues.all()}
    for dues in rows:
        _take_over(change, kept, dues, own.get(dues.period_id))


def _take_over(change: ClubChange, kept: Person, row: Fee | Dues, own: Fee | Dues | None) -> None:
    if own is None:
        change.alter(row, person=kept)
        return
    other = row.other if own.other is None else own.other
    change.alter(own, paid=own.paid + row.paid, other=other)
    change.remove(row)


def _take_over_prizes(change: ClubChange, kept: Person, merged: Person, prizes: Iterable[Prize]) -> None:
    """Move the prizes to ``kept``. A prize that the two had won together has one winner."""
    for prize in prizes:
        first, second = (kept if one == merged else one for one in (prize.winner_1, prize.winner_2))
        change.alter(prize, winner_1=first, winner_2=None if second == first else second)


def _of_both(kept: Person, merged: Person) -> dict[str, Any]:
    return {
        "contact": kept.contact or merged.contact,
        "family": kept.family or merged.family,
        "labels": list(one_spelling([*kept.labels, *merged.labels]).values()),
        "is_guest": kept.is_guest and merged.is_guest,
        "is_active": kept.is_active or merged.is_active,
        "is_hidden": kept.is_hidden or merged.is_hidden,
        "added_at": min(kept.added_at, merged.added_at),
        "merged_ids": [*kept.merged_ids, merged.pk, *merged.merged_ids],
    }
