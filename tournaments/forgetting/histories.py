"""The history of a club: what it has kept of somebody, known by number and not by name."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from clubs.models import Club, ClubAction, Person
from clubs.recording import RecordedRow

ABOUT_TWO = "merge_people"
NAMED = ("name", "kept", "merged")
"""Details that are the name of whom an action is about."""
MOST_LOOKED_FOR = 20
"""So many are looked for by the database; for more of them, whatever is there is read."""


def known_names(club: Club, people: Iterable[Person]) -> dict[str, Person]:
    """Whatever each of them was ever called in the club, also before being one person of two."""
    by_id = _by_id(people)
    found = {person.name: person for person in by_id.values()}
    for action in _with_rows_of(club, by_id):
        for kind, pk, *values in action.rows:
            if kind == "person" and pk in by_id:
                for value in filter(None, values):
                    if value.get("name"):
                        found.setdefault(value["name"], by_id[pk])
    return found


def take_out_of_histories(club: Club, people: Iterable[Person], families: Collection[int]) -> None:
    """No line puts back what it wrote of these people or of families that are no more, nor says their names.

    The people have their neutral names already. What was done to others in the same line can still be
    undone, but for two who were made one.
    """
    by_id = _by_id(people)
    changed = []
    for action in _with_rows_of(club, by_id, families):
        rows = _without(action.rows, by_id, families)
        if len(rows) != len(action.rows):
            action.rows = [] if ABOUT_TWO in (action.kind, action.details.get("of")) else rows
            changed.append(action)
    ClubAction.objects.bulk_update(changed, ["rows"], batch_size=50)
    renamed = []
    for action in club.actions.filter(details__person__in=list(by_id)).only("details"):
        person = by_id[action.details["person"]]
        action.details |= {name: person.name for name in NAMED if name in action.details}
        renamed.append(action)
    ClubAction.objects.bulk_update(renamed, ["details"], batch_size=200)


def _by_id(people: Iterable[Person]) -> dict[int, Person]:
    """Each by their own number, and by those of whoever they turned out to be."""
    return {pk: person for person in people for pk in (person.pk, *person.merged_ids)}


def _with_rows_of(
    club: Club, by_id: Mapping[int, Person], families: Collection[int] = ()
) -> QuerySet[ClubAction]:
    """The actions that wrote something of them; perhaps also others."""
    actions = club.actions.exclude(rows=[])
    kept = [f'["person", {pk},' for pk in by_id] + [f'["family", {pk},' for pk in families]
    if len(kept) > MOST_LOOKED_FOR:
        return actions
    wanted = Q()
    for text in kept:
        wanted |= Q(as_text__contains=text)
    return actions.annotate(as_text=Cast("rows", TextField())).filter(wanted)


def _without(
    rows: list[RecordedRow], people: Mapping[int, Any], families: Collection[int]
) -> list[RecordedRow]:
    gone: dict[str, Collection[int]] = {"person": people, "family": families}
    return [row for row in rows if row[1] not in gone.get(row[0], ())]
