"""Removing a club from an installation with all its own rows, and nothing of anybody else."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.db import models, transaction
from django.db.models import Model, ProtectedError, QuerySet
from django.db.models.fields.reverse_related import ForeignObjectRel

from clubs.models import Account, Club
from jobs.pieces import split_into_portions
from scoring.models import Terms

from .tables import get_table_rows

Rows = dict[type[Model], set[Any]]
"""Keys of rows by their table."""


@transaction.atomic
def remove_club(club: Club) -> int:
    """Delete every row of the club, and every row that points to one of them.

    Those are its invitations to other clubs' events and series, and the link of its visitors to their home
    club: there they stay as guests. An account is deleted too if it is in no other club's team, and no row of
    another club names it.

    Returns how many rows were deleted. Only an earlier backup has them.
    """
    accounts = list(Account.objects.filter(memberships__club=club))
    terms = set(get_table_rows("scoring.Terms", club).values_list("pk", flat=True))
    rows_by_model = _find_dependent_rows({Club: {club.pk}, Terms: terms})
    for model, keys in rows_by_model.items():
        for field in _iter_foreign_keys(model):
            if field.remote_field.on_delete is models.SET_NULL:
                for rows in _iter_dependent_rows(field, keys):
                    rows.update(**{field.name: None})
    for model, keys in rows_by_model.items():
        for batch in split_into_portions(sorted(keys)):
            queryset = model._default_manager.filter(pk__in=batch)
            queryset._raw_delete(queryset.db)  # noqa: SLF001 - what points to these rows goes as well
    return sum(map(len, rows_by_model.values())) + sum(map(_delete_unless_used, accounts))


def _find_dependent_rows(rows: Rows) -> Rows:
    """Return these rows, and all rows that could not exist without them."""
    rows_by_model: Rows = defaultdict(set)
    queue = list(rows.items())
    while queue:
        model, keys = queue.pop()
        new = keys - rows_by_model[model]
        rows_by_model[model] |= new
        for field in _iter_foreign_keys(model):
            if new and field.remote_field.on_delete is not models.SET_NULL:
                dependent_keys = {
                    pk for queryset in _iter_dependent_rows(field, new) for pk in queryset.values_list("pk", flat=True)
                }
                queue.append((field.model, dependent_keys))
    return {model: keys for model, keys in rows_by_model.items() if keys}


def _iter_foreign_keys(model: type[Model]) -> Iterator[Any]:
    for relation in model._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel) and not relation.many_to_many:
            yield relation.field


def _iter_dependent_rows(field: Any, keys: set[Any]) -> Iterator[QuerySet[Model]]:
    for batch in split_into_portions(sorted(keys)):
        yield field.model._default_manager.filter(**{f"{field.name}__in": batch})


def _delete_unless_used(account: Account) -> int:
    """Delete the account unless it is still needed, and return how many rows that deleted."""
    if account.memberships.exists():
        return 0
    try:
        with transaction.atomic():
            return account.delete()[0]
    except ProtectedError:
        return 0
