"""Removal of names from texts, in every column that may contain one."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.apps import apps
from django.db.models import ForeignKey, Model, Q, QuerySet, TextField
from django.db.models.functions import Cast

from clubs.models import Account, Club, ClubAction, HistoryRow, Person
from clubs.name_erasure import NameEraser
from clubs.policy import ACCOUNT_ACTIONS
from jobs.pieces import rewrite_rows
from scoring.models import DESK_PREFIX, Mark, Terms
from scoring.services.log_repair import chains_renewed
from versioning import Text, get_facts
from web.names import fold_name
from web.sealing import SEALED_PREFIX


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalColumn:
    """A column of text or JSON. ``club`` is the path from its row to the club; "" if rows belong to no
    club."""

    model: type[Model]
    name: str
    club: str


MAX_SEARCH_TERMS = 5
"""Maximum number of names that the database searches for; beyond it, all rows are read."""
BATCH = 200


def erase_from_texts(club: Club, replacements: Mapping[str, str], *, others: frozenset[int]) -> int:
    """Replace names by their ``replacements``, and return the number of texts changed. Actions about one of the
    ``others``, who have the same name, do not change, nor do longer names of other people.

    While an account has such a name, it remains in the actions done with that account.
    """
    account_names = frozenset(
        Account.objects.filter(folded_name__in=map(fold_name, replacements)).values_list("folded_name", flat=True)
    )
    club_names = list(club.people.values_list("name", flat=True))
    erased_names = NameEraser(replacements, other_names=club_names)
    erased_player_names = NameEraser(
        {name: neutral for name, neutral in replacements.items() if fold_name(name) not in account_names},
        other_names=club_names,
    )
    count = 0
    for column in list_columns(Text.TYPED):
        extra_columns = ("kind", "details") if issubclass(column.model, HistoryRow) else ()
        rewrite = partial(_rewrite_value, column, erased_names, erased_player_names, others)
        rows = _iter_rows(column, club, erased_names, extra_columns=extra_columns)
        changed_ids = [row["pk"] for row in rows if rewrite(row) != row[column.name]]
        with chains_renewed(changed_ids) if column.model is Mark else nullcontext():
            rewrite_rows(column.model, changed_ids, column.name, rewrite, extra_columns=extra_columns)
        count += len(changed_ids)
    return count


def _rewrite_value(
    column: PersonalColumn,
    erased_names: NameEraser,
    erased_player_names: NameEraser,
    others: frozenset[int],
    row: Mapping[str, Any],
) -> Any:
    """Return the value of the row without the names."""
    if row.get("details", {}).get("person") in others:
        return row[column.name]
    applicable_names = erased_player_names if _is_about_accounts(column, row) else erased_names
    return _erase_from_value(applicable_names, column, row[column.name])


def find_titles(club: Club, name: str) -> list[str]:
    """List the titles that contain this name, and no longer one: nights, seasons, sections and rules."""
    erased_names = NameEraser({name: ""}, other_names=club.people.values_list("name", flat=True))
    titles = []
    for column in list_columns(Text.TITLE):
        for row in _iter_rows(column, club, erased_names):
            title = row[column.name]
            if erased_names.erase_in_text(title) != title:
                titles.append(title)
    return sorted(set(titles))


def _iter_rows(
    column: PersonalColumn, club: Club, erased_names: NameEraser, *, extra_columns: Sequence[str] = ()
) -> Iterator[dict[str, Any]]:
    """Yield the rows that may contain one of the names, with only the columns needed."""
    rows: QuerySet[Model] = column.model._default_manager.all()
    if column.club:
        rows = rows.filter(**{column.club: club.pk})
    rows = rows.annotate(as_text=Cast(column.name, TextField())).exclude(as_text="").exclude(as_text="{}")
    if len(erased_names.letters) <= MAX_SEARCH_TERMS:
        conditions = Q(as_text__contains=SEALED_PREFIX)  # the database cannot search encrypted values
        for letters in erased_names.letters:
            condition = Q()
            for run in letters:
                condition &= Q(as_text__icontains=run)
            conditions |= condition
        rows = rows.filter(conditions)
    return rows.values("pk", *{column.name, *extra_columns}).iterator(BATCH)


def _erase_from_value(erased_names: NameEraser, column: PersonalColumn, stored_value: Any) -> Any:
    """Return the value without the names. In recorded rows, the own names of other people stay."""
    if column.name != "rows":
        return erased_names.erase_in_value(stored_value)
    return [
        [
            kind,
            pk,
            *(
                _erase_from_row(erased_names, value) if kind == "person" else erased_names.erase_in_value(value)
                for value in values
            ),
        ]
        for kind, pk, *values in stored_value
    ]


def _erase_from_row(erased_names: NameEraser, values: dict[str, Any] | None) -> dict[str, Any] | None:
    if values is None:
        return None
    cleaned: dict[str, Any] = erased_names.erase_in_value(values)
    own_names = [name for name, facts in Person.FACTS.items() if facts.text is Text.OWN_NAME]
    return cleaned | {name: values[name] for name in own_names if name in values}


def _is_about_accounts(column: PersonalColumn, row: Mapping[str, Any]) -> bool:
    """Check whether the value is about accounts, rather than players."""
    if column.name == "device":
        return str(row["device"]).startswith(DESK_PREFIX)
    is_club = column.model is ClubAction and column.name == "details"
    return is_club and (row["details"].get("of") or row["kind"]) in ACCOUNT_ACTIONS


def list_columns(text: Text) -> list[PersonalColumn]:
    """List the columns that hold this kind of text."""
    return [
        PersonalColumn(model=model, name=name, club=_find_club_path(model))
        for model in apps.get_models()
        for name, facts in get_facts(model).items()
        if facts.text is text
    ]


def _find_club_path(model: type[Model]) -> str:
    """Return the path from a row to its club, by required foreign keys in the order of the model."""
    if model in (Club, Terms):
        return "pk" if model is Club else "events__club"
    keys = [field for field in model._meta.concrete_fields if isinstance(field, ForeignKey) and not field.null]
    for key in keys:
        if key.related_model is Club:
            return key.name
    return next((f"{key.name}__{path}" for key in keys if (path := _find_club_path(key.related_model))), "")
