"""Encryption of contact data in the database with the installation's key, on request.

See docs/decisions/0054-encrypt-contact-data-on-request.md.
"""

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
    """Encrypt contact data: new ones at once in every process of this folder, then the existing ones.

    The rows are rewritten some at a time, beside a running program. Returns how many. Safe to repeat.
    """
    settings.CONTACTS_SEALED_AT.touch()
    return _rewrite_all()


def open_contacts() -> int:
    """Decrypt contact data, and store new ones unencrypted. Data encrypted with another key stay as they
    are."""
    settings.CONTACTS_SEALED_AT.unlink(missing_ok=True)
    return _rewrite_all()


def count_open_contacts() -> int:
    """Count the telephone numbers and addresses stored unencrypted."""
    return sum(
        _as_text(column).exclude(as_text="").exclude(as_text__startswith=MARK).count()
        for column in _columns()
        if isinstance(column[1], ContactField)
    )


def sealed_rows() -> tuple[int, int]:
    """Return how many rows have encrypted contact data, and how many of these this key cannot decrypt."""
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
    """Return the filter for rows that may need rewriting."""
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
    """Return the rows, with the column as the database has it."""
    model, field = column
    return model._default_manager.annotate(as_text=Cast(field.name, TextField()))


def _is_locked(text: str) -> bool:
    """Check whether a part of the text was encrypted with another key."""
    return any(not open_contact(sealed) for sealed in _SEALED.findall(text))


def _forget_what_was_there() -> None:
    """Erase deleted data from the file: SQLite keeps them until the space is reused; PostgreSQL cleans up
    alone."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
