"""Contact data in the database: sealed with the installation's key where that is asked for, or open again
(docs/decisions/0054-encrypt-contact-data-on-request.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast

from jobs.pieces import rewrite_in_pieces
from web.sealed_fields import ContactField, ContactsField
from web.sealing import MARK, are_contacts_sealed, open_contact

_SEALED = re.compile(re.escape(MARK) + r"[\w=-]+")

Column = tuple[type[Model], ContactField | ContactsField]


def seal_contacts() -> int:
    """From now on they are written sealed, by each process of this folder; then what is there is sealed, some
    at a time, beside a running program. Gives how many rows. Safe to repeat."""
    settings.CONTACTS_SEALED_AT.touch()
    return _rewrite_all()


def open_contacts() -> int:
    """The inverse. What another key has sealed stays as it is."""
    settings.CONTACTS_SEALED_AT.unlink(missing_ok=True)
    return _rewrite_all()


def count_open_contacts() -> int:
    """How many telephones and addresses stand open in the database."""
    return sum(
        _as_text(column).exclude(as_text="").exclude(as_text__startswith=MARK).count()
        for column in _columns()
        if isinstance(column[1], ContactField)
    )


def sealed_rows() -> tuple[int, int]:
    """How many rows hold sealed contact data; and of them, how many this key does not open."""
    texts = [text for column in _columns() for _, text in _texts(column, Q(as_text__contains=MARK))]
    return len(texts), sum(map(_is_locked, texts))


def _rewrite_all() -> int:
    count = 0
    for column in _columns():
        model, field = column
        keys = [pk for pk, text in _texts(column, _in_the_other_form(field)) if not _is_locked(text)]
        rewrite_in_pieces(model, keys, field.name, itemgetter(field.name))
        count += len(keys)
    _forget_what_was_there()
    return count


def _columns() -> Iterator[Column]:
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, ContactField | ContactsField):
                yield model, field


def _in_the_other_form(field: ContactField | ContactsField) -> Q:
    """Rows that may not stand yet as they are wanted."""
    if not are_contacts_sealed():
        return Q(as_text__contains=MARK)
    if isinstance(field, ContactField):
        return ~Q(as_text="") & ~Q(as_text__startswith=MARK)
    wanted = Q()
    for name in field.names:
        wanted |= Q(as_text__contains=f'"{name}"')
    return wanted


def _texts(column: Column, wanted: Q) -> Iterator[tuple[int, str]]:
    return _as_text(column).filter(wanted).values_list("pk", "as_text").iterator()


def _as_text(column: Column) -> QuerySet[Model]:
    """The rows, with the column as the database has it."""
    model, field = column
    return model._default_manager.annotate(as_text=Cast(field.name, TextField()))


def _is_locked(text: str) -> bool:
    """Whether another key has sealed something in it."""
    return any(not open_contact(sealed) for sealed in _SEALED.findall(text))


def _forget_what_was_there() -> None:
    """SQLite keeps what was deleted until its place is used again; PostgreSQL clears up by itself."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
