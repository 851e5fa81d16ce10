"""Removal of names from texts, in every column that may contain one."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast

from clubs.models import Account, Club
from clubs.name_erasure import ErasedNames
from clubs.policy import OF_ACCOUNTS
from jobs.pieces import rewrite_in_pieces
from scoring.models import AT_DESK, Mark
from scoring.services import chains_renewed
from web.names import fold_name
from web.sealing import MARK

from .columns import SEARCHED, TITLES, PersonalColumn

MOST_LOOKED_FOR = 5
"""Maximum number of names that the database searches for; beyond it, all rows are read."""
BATCH = 200
OWN = ("name", "folded_name")
"""Columns with only the person's own name."""


def take_out_of_texts(club: Club, instead: Mapping[str, str], *, others: frozenset[int]) -> int:
    """Replace the names by those in ``instead``, and return the number of texts changed. Actions about one of
    the ``others``, who have the same name, stay, and so do longer names of other people.

    While an account has such a name, what was done with that account keeps it.
    """
    signs_in = frozenset(
        Account.objects.filter(folded_name__in=map(fold_name, instead)).values_list("folded_name", flat=True)
    )
    beside = list(club.people.values_list("name", flat=True))
    forgotten = ErasedNames(instead, beside=beside)
    of_players = ErasedNames(
        {name: neutral for name, neutral in instead.items() if fold_name(name) not in signs_in}, beside=beside
    )
    count = 0
    for column in SEARCHED:
        also = ("kind", "details") if column.table.endswith("Action") else ()
        without = partial(_rewrite, column, forgotten, of_players, others)
        rows = _rows(column, club, forgotten, also=also)
        changed = [row["pk"] for row in rows if without(row) != row[column.name]]
        with chains_renewed(changed) if column.model is Mark else nullcontext():
            rewrite_in_pieces(column.model, changed, column.name, without, also=also)
        count += len(changed)
    return count


def _rewrite(
    column: PersonalColumn,
    forgotten: ErasedNames,
    of_players: ErasedNames,
    others: frozenset[int],
    row: Mapping[str, Any],
) -> Any:
    """Return the value of the row without the names."""
    if row.get("details", {}).get("person") in others:
        return row[column.name]
    known = of_players if _is_of_accounts(column, row) else forgotten
    return _without(known, column, row[column.name])


def titles_with(club: Club, name: str) -> list[str]:
    """List the titles that contain this name, and no longer one: nights, seasons, sections and rules."""
    forgotten = ErasedNames({name: ""}, beside=club.people.values_list("name", flat=True))
    found = []
    for column in TITLES:
        for row in _rows(column, club, forgotten):
            title = row[column.name]
            if forgotten.in_text(title) != title:
                found.append(title)
    return sorted(set(found))


def _rows(
    column: PersonalColumn, club: Club, forgotten: ErasedNames, *, also: Sequence[str] = ()
) -> Iterator[dict[str, Any]]:
    """Yield the rows that may contain one of the names, with only the columns needed."""
    rows: QuerySet[Model] = column.model._default_manager.all()
    if column.club:
        rows = rows.filter(**{column.club: club.pk})
    rows = rows.annotate(as_text=Cast(column.name, TextField())).exclude(as_text="").exclude(as_text="{}")
    if len(forgotten.letters) <= MOST_LOOKED_FOR:
        wanted = Q(as_text__contains=MARK)  # the database cannot search encrypted values
        for letters in forgotten.letters:
            one = Q()
            for run in letters:
                one &= Q(as_text__icontains=run)
            wanted |= one
        rows = rows.filter(wanted)
    return rows.values("pk", *{column.name, *also}).iterator(BATCH)


def _without(known: ErasedNames, column: PersonalColumn, kept: Any) -> Any:
    """Return the value without the names. In recorded rows, the own names of other people stay."""
    if column.name != "rows":
        return known.in_value(kept)
    return [
        [
            kind,
            pk,
            *(_row_without(known, value) if kind == "person" else known.in_value(value) for value in values),
        ]
        for kind, pk, *values in kept
    ]


def _row_without(known: ErasedNames, values: dict[str, Any] | None) -> dict[str, Any] | None:
    if values is None:
        return None
    kept: dict[str, Any] = known.in_value(values)
    return kept | {name: values[name] for name in OWN if name in values}


def _is_of_accounts(column: PersonalColumn, row: Mapping[str, Any]) -> bool:
    """Check whether the value is about accounts, rather than players."""
    if column.name == "device":
        return str(row["device"]).startswith(AT_DESK)
    is_club = (column.table, column.name) == ("clubs.ClubAction", "details")
    return is_club and (row["details"].get("of") or row["kind"]) in OF_ACCOUNTS
