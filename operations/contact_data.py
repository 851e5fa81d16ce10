"""Encryption of contact data in the database with the installation's key, on request.

See docs/decisions/0054-encrypt-contact-data-on-request.md.
"""

import re
from collections.abc import Iterator
from operator import itemgetter

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast

from jobs.pieces import rewrite_rows
from web.sealed_fields import ContactField, ContactsField
from web.sealing import SEALED_PREFIX, decrypt_contact, encrypts_contacts

_ENCRYPTED = re.compile(re.escape(SEALED_PREFIX) + r"[\w=-]+")

Column = tuple[type[Model], ContactField | ContactsField]


def encrypt_contacts() -> int:
    """Encrypt contact data: new ones at once in every process of this folder, then the existing ones.

    The rows are rewritten some at a time, beside a running program. Returns how many. Safe to repeat.
    """
    settings.CONTACTS_SEALED_AT.touch()
    return _rewrite_all()


def decrypt_contacts() -> int:
    """Decrypt contact data, and store new ones unencrypted. Data encrypted with another key stay as they
    are."""
    settings.CONTACTS_SEALED_AT.unlink(missing_ok=True)
    return _rewrite_all()


def count_unencrypted_contacts() -> int:
    """Count the telephone numbers and addresses stored unencrypted."""
    return sum(
        _annotate_text(column).exclude(as_text="").exclude(as_text__startswith=SEALED_PREFIX).count()
        for column in _iter_columns()
        if isinstance(column[1], ContactField)
    )


def count_encrypted_rows() -> tuple[int, int]:
    """Return how many rows have encrypted contact data, and how many of these this key cannot decrypt."""
    texts = [text for column in _iter_columns() for _, text in _iter_texts(column, Q(as_text__contains=SEALED_PREFIX))]
    return len(texts), sum(map(_is_locked, texts))


def _rewrite_all() -> int:
    count = 0
    for column in _iter_columns():
        model, field = column
        keys = [pk for pk, text in _iter_texts(column, _build_rewrite_filter(field)) if not _is_locked(text)]
        rewrite_rows(model, keys, field.name, itemgetter(field.name))
        count += len(keys)
    _erase_deleted_data()
    return count


def _iter_columns() -> Iterator[Column]:
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, ContactField | ContactsField):
                yield model, field


def _build_rewrite_filter(field: ContactField | ContactsField) -> Q:
    """Return the filter for rows that may need rewriting."""
    if not encrypts_contacts():
        return Q(as_text__contains=SEALED_PREFIX)
    if isinstance(field, ContactField):
        return ~Q(as_text="") & ~Q(as_text__startswith=SEALED_PREFIX)
    condition = Q()
    for name in field.names:
        condition |= Q(as_text__contains=f'"{name}"')
    return condition


def _iter_texts(column: Column, condition: Q) -> Iterator[tuple[int, str]]:
    return _annotate_text(column).filter(condition).values_list("pk", "as_text").iterator()


def _annotate_text(column: Column) -> QuerySet[Model]:
    """Return the rows, with the column as the database has it."""
    model, field = column
    return model._default_manager.annotate(as_text=Cast(field.name, TextField()))


def _is_locked(text: str) -> bool:
    """Check whether a part of the text was encrypted with another key."""
    return any(not decrypt_contact(encrypted) for encrypted in _ENCRYPTED.findall(text))


def _erase_deleted_data() -> None:
    """Erase deleted data from the file: SQLite keeps them until the space is reused; PostgreSQL cleans up
    alone."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
