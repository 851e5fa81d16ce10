"""Merging of two people into one, in everything that they took part in."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Dues, Person
from clubs.services.changes import ClubChange
from clubs.services.people import check_not_anonymized
from errors import Refusal
from tournaments.entries.queries.people import (
    list_common_events,
    list_entries_of_person,
    list_person_fees,
    list_person_prizes,
)
from tournaments.models import Event, Fee, Prize, Visitor


@transaction.atomic
def merge_people(*, club_id: int, target_id: int, source_id: int, by: Actor = NOBODY) -> Person | None:
    """Merge the source person into the target, with their entries, seats, results, fees and prizes. The target
    also gets the values that it lacks. Safe to repeat.

    Refuses: no_such_person, person_anonymized, both_took_part.
    """
    change = ClubChange(club_id, "merge_people", by)
    if change.is_repeat:
        return change.club.people.filter(pk=target_id).first()
    people = change.club.people.select_related("family").in_bulk([target_id, source_id])
    if len(people) < 2:
        raise Refusal("no_such_person")
    target, source = people[target_id], people[source_id]
    check_not_anonymized(target)
    check_not_anonymized(source)
    common_event = list_common_events(target, source).first()
    if common_event is not None:
        raise Refusal("both_took_part", event=common_event.name)
    entries = list(list_entries_of_person(source))
    fees, prizes = list(list_person_fees(source)), list(list_person_prizes(source))
    events = {row.event_id for rows in (entries, fees, prizes) for row in rows}
    list(Event.objects.select_for_update(no_key=True).filter(pk__in=events).order_by("pk"))
    change.update_all([entry for entry in entries if entry.player_1_id == source.pk], player_1=target)
    change.update_all([entry for entry in entries if entry.player_2_id == source.pk], player_2=target)
    change.update_all(source.seats.order_by("pk"), person=target)
    _merge_visitors(change, target, source)
    _move_payments(change, target, fees, list_person_fees(target), occasion="event_id")
    _move_prizes(change, target, source, prizes)
    dues = list(source.dues.order_by("pk"))
    _move_payments(change, target, dues, target.dues.all(), occasion="period_id")
    source.alerts.update(person=target)
    family = source.family
    change.update(target, **_merge_fields(target, source))
    change.remove(source)
    if family is not None and not family.people.exists():
        change.remove(family)
    change.record(kept=target.name, merged=source.name, person=target.pk)
    return target


def _merge_visitors(change: ClubChange, target: Person, source: Person) -> None:
    """Merge the links to people of other clubs, in both directions."""
    for field in ("person", "known_as"):
        for visitor in Visitor.objects.filter(**{field: source}):
            ends = {"person": visitor.person_id, "known_as": visitor.known_as_id, field: target.pk}
            if Visitor.objects.filter(**ends).exists():
                change.remove(visitor)
            else:
                change.update(visitor, **{field: target})


def _move_payments(
    change: ClubChange, target: Person, rows: Iterable[Fee | Dues], target_rows: Iterable[Fee | Dues], *, occasion: str
) -> None:
    """Move fees or dues to ``target``. If both paid for an event or a period, the ``occasion``, the amounts are
    added."""
    target_rows_by_occasion = {getattr(row, occasion): row for row in target_rows}
    for row in rows:
        target_row = target_rows_by_occasion.get(getattr(row, occasion))
        if target_row is None:
            change.update(row, person=target)
            continue
        custom_amount = row.other if target_row.other is None else target_row.other
        change.update(target_row, paid=target_row.paid + row.paid, other=custom_amount)
        change.remove(row)


def _move_prizes(change: ClubChange, target: Person, source: Person, prizes: Iterable[Prize]) -> None:
    """Move the prizes to ``target``. A prize that the two had won together has one winner."""
    for prize in prizes:
        first, second = (target if winner == source else winner for winner in (prize.winner_1, prize.winner_2))
        change.update(prize, winner_1=first, winner_2=None if second == first else second)


def _merge_fields(target: Person, source: Person) -> dict[str, Any]:
    merged_values = {
        name: facts.merge(getattr(target, name), getattr(source, name))
        for name, facts in Person.FACTS.items()
        if facts.merge is not None
    }
    return merged_values | {"merged_ids": [*target.merged_ids, source.pk, *source.merged_ids]}
