"""Removal of people from a club's history, in rows that refer to them by number."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from clubs.audit.log import RecordedRow
from clubs.models import Club, ClubAction, Person
from jobs.pieces import ROWS_PER_PIECE, rewrite_rows

MERGE_ACTION = "merge_people"
NAME_DETAILS = ("name", "kept", "merged", "before")
"""Details with the name of the person whom an action is about."""
MAX_SEARCH_TERMS = 20
"""Maximum number of ids that the database searches for; beyond it, all rows are read."""


def get_all_names(club: Club, people: Iterable[Person]) -> dict[str, Person]:
    """Map every name that these people ever had in the club to the person, also from before they were
    merged."""
    people_by_id = _get_people_by_id(people)
    people_by_name = {person.name: person for person in people_by_id.values()}
    for action in _select_actions(club, people_by_id):
        for kind, pk, *values in action.rows:
            if kind == "person" and pk in people_by_id:
                for value in filter(None, values):
                    if value.get("name"):
                        people_by_name.setdefault(value["name"], people_by_id[pk])
    return people_by_name


def erase_from_histories(club: Club, people: Iterable[Person], families: Collection[int]) -> None:
    """Remove these people, and families that are gone, from all recorded rows and details, so that no undo
    restores them.

    The people have their neutral names already. Changes to others in the same action can still be undone,
    except merges of two people.
    """
    people_by_id = _get_people_by_id(people)

    def get_remaining_rows(action: Mapping[str, Any]) -> list[RecordedRow]:
        rows = _filter_rows(action["rows"], people_by_id, families)
        is_merge = MERGE_ACTION in (action["kind"], action["details"].get("of"))
        return [] if is_merge and len(rows) != len(action["rows"]) else rows

    def rename_person(action: Mapping[str, Any]) -> dict[str, Any]:
        name = people_by_id[action["details"]["person"]].name
        return {**action["details"], **{detail: name for detail in NAME_DETAILS if detail in action["details"]}}

    extra_columns = ("kind", "details")
    lines = _select_actions(club, people_by_id, families).values("pk", "rows", *extra_columns).iterator(ROWS_PER_PIECE)
    changed_ids = [line["pk"] for line in lines if get_remaining_rows(line) != line["rows"]]
    rewrite_rows(ClubAction, changed_ids, "rows", get_remaining_rows, extra_columns=extra_columns)
    mentions = club.actions.filter(details__person__in=list(people_by_id)).values_list("pk", flat=True)
    rewrite_rows(ClubAction, list(mentions), "details", rename_person)


def _get_people_by_id(people: Iterable[Person]) -> dict[int, Person]:
    """Map each person by their own id and by those of people merged into them."""
    return {pk: person for person in people for pk in (person.pk, *person.merged_ids)}


def _select_actions(
    club: Club, people_by_id: Mapping[int, Person], families: Collection[int] = ()
) -> QuerySet[ClubAction]:
    """Return the actions whose rows mention them, possibly with others."""
    actions = club.actions.exclude(rows=[])
    fragments = [f'["person", {pk},' for pk in people_by_id] + [f'["family", {pk},' for pk in families]
    if len(fragments) > MAX_SEARCH_TERMS:
        return actions
    conditions = Q()
    for text in fragments:
        conditions |= Q(as_text__contains=text)
    return actions.annotate(as_text=Cast("rows", TextField())).filter(conditions)


def _filter_rows(rows: list[RecordedRow], people: Mapping[int, Any], families: Collection[int]) -> list[RecordedRow]:
    erased_ids: dict[str, Collection[int]] = {"person": people, "family": families}
    return [row for row in rows if row[1] not in erased_ids.get(row[0], ())]
