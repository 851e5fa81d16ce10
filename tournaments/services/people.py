"""One person of two, in all that they took part in."""

from typing import Any

from django.db import transaction

from clubs.models import Person
from clubs.recording import NOBODY, By
from clubs.services import ClubChange, check_not_anonymized
from rules import Refusal
from tournaments.models import Event
from tournaments.selectors.people import entries_of_person, events_of_both


@transaction.atomic
def merge_people(*, club_id: int, kept_id: int, merged_id: int, by: By = NOBODY) -> Person | None:
    """Whatever one of them took part in, the other did: entries, seats and results stay, and ``merged`` goes.
    What is not known of ``kept`` is taken from ``merged``. Safe to repeat.

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
    entries = list(entries_of_person(merged))
    list(Event.objects.select_for_update(no_key=True).filter(entries__in=entries).order_by("pk"))
    for entry in entries:
        place = "player_1" if entry.player_1_id == merged.pk else "player_2"
        change.alter(entry, **{place: kept})
    for seat in merged.seats.order_by("pk"):
        change.alter(seat, person=kept)
    family = merged.family
    change.alter(kept, **_of_both(kept, merged))
    change.remove(merged)
    if family is not None and not family.people.exists():
        change.remove(family)
    change.done(kept=kept.name, merged=merged.name, person=kept.pk)
    return kept


def _of_both(kept: Person, merged: Person) -> dict[str, Any]:
    return {
        "contact": kept.contact or merged.contact,
        "family": kept.family or merged.family,
        "labels": [*kept.labels, *(label for label in merged.labels if label not in kept.labels)],
        "is_guest": kept.is_guest and merged.is_guest,
        "is_active": kept.is_active or merged.is_active,
        "is_hidden": kept.is_hidden or merged.is_hidden,
        "added_at": min(kept.added_at, merged.added_at),
        "merged_ids": [*kept.merged_ids, merged.pk, *merged.merged_ids],
    }
