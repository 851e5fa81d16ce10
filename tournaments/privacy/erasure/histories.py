"""Removal of people from a club's history, in rows that refer to them by number."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from clubs.audit.log import RecordedRow
from clubs.models import Club, ClubAction, Person
from jobs.pieces import ROWS, rewrite_in_pieces

ABOUT_TWO = "merge_people"
NAMED = ("name", "kept", "merged", "before")
"""Details with the name of the person whom an action is about."""
MOST_LOOKED_FOR = 20
"""Maximum number of ids that the database searches for; beyond it, all rows are read."""


def known_names(club: Club, people: Iterable[Person]) -> dict[str, Person]:
    """Map every name that these people ever had in the club to the person, also from before they were
    merged."""
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
    """Remove these people, and families that are gone, from all recorded rows and details, so that no undo
    restores them.

    The people have their neutral names already. Changes to others in the same action can still be undone,
    except merges of two people.
    """
    by_id = _by_id(people)

    def without(line: Mapping[str, Any]) -> list[RecordedRow]:
        rows = _without(line["rows"], by_id, families)
        is_about_two = ABOUT_TWO in (line["kind"], line["details"].get("of"))
        return [] if is_about_two and len(rows) != len(line["rows"]) else rows

    def rename_person(line: Mapping[str, Any]) -> dict[str, Any]:
        name = by_id[line["details"]["person"]].name
        return {**line["details"], **{said: name for said in NAMED if said in line["details"]}}

    also = ("kind", "details")
    lines = _with_rows_of(club, by_id, families).values("pk", "rows", *also).iterator(ROWS)
    changed = [line["pk"] for line in lines if without(line) != line["rows"]]
    rewrite_in_pieces(ClubAction, changed, "rows", without, also=also)
    said = club.actions.filter(details__person__in=list(by_id)).values_list("pk", flat=True)
    rewrite_in_pieces(ClubAction, list(said), "details", rename_person)


def _by_id(people: Iterable[Person]) -> dict[int, Person]:
    """Map each person by their own id and by those of people merged into them."""
    return {pk: person for person in people for pk in (person.pk, *person.merged_ids)}


def _with_rows_of(
    club: Club, by_id: Mapping[int, Person], families: Collection[int] = ()
) -> QuerySet[ClubAction]:
    """Return the actions whose rows mention them, possibly with others."""
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
