"""Encrypted columns: always, or, for contact data, on request
(docs/decisions/0054-encrypt-contact-data-on-request.md)."""

from typing import Any

from django.db import models
from django.db.models.lookups import Exact

from versioning import VersionedJSONField

from .sealing import SEALED_PREFIX, decrypt_contact, decrypt_text, encrypt_contact, encrypt_text, encrypts_contacts

PURPOSE = "sealed field"
SEALED_LENGTH = 800
"""Characters that a column needs for 120 letters, or an e-mail address of 254, when encrypted."""


class SealedField(models.TextField):  # type: ignore[type-arg]
    """A text that is encrypted in the database only. Backups contain it in plain text, and a restore encrypts
    it with the new installation's key. "" if the key has changed."""

    def from_db_value(self, value: str | None, *_: Any) -> str:
        return decrypt_text(value or "", purpose=PURPOSE) or ""

    def get_prep_value(self, value: Any) -> str:
        return encrypt_text(str(value), purpose=PURPOSE)


class ContactField(models.CharField):  # type: ignore[type-arg]
    """A telephone or e-mail address, encrypted in the database on request. Lookups by ``exact`` find it
    either way; others do not. In migrations it is a plain character field."""

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.CharField", arguments, options

    def from_db_value(self, value: str | None, *_: Any) -> str | None:
        return None if value is None else decrypt_contact(value)  # None: an outer join without a row

    def get_prep_value(self, value: Any) -> Any:
        text = super().get_prep_value(value)
        return encrypt_contact(text) if isinstance(text, str) and encrypts_contacts() else text


@ContactField.register_lookup
class _SealedOrOpenExact(Exact):
    """A lookup of both forms: while rows are being encrypted or decrypted, some have one and
    some the other."""

    prepare_rhs = False

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        column, parameters = self.process_lhs(compiler, connection)
        return f"{column} IN (%s, %s)", (*parameters, self.rhs, encrypt_contact(str(self.rhs)))


class ContactsField(VersionedJSONField):
    """A versioned value in which texts under one of the ``names``, however deep, are contact data. Readers
    get them in plain text."""

    def __init__(self, *args: Any, names: tuple[str, ...] = (), **options: Any) -> None:
        super().__init__(*args, **options)
        self.names = names

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        name, _, arguments, options = super().deconstruct()
        return name, "versioning.fields.VersionedJSONField", arguments, options

    def clone(self) -> Any:
        cloned = super().clone()
        cloned.names = self.names
        return cloned

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        is_left = hasattr(value, "as_sql") or not encrypts_contacts()
        return super().get_db_prep_save(value if is_left else self._seal_values(value), connection)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        found = super().from_db_value(value, expression, connection)
        return _open_values(found) if isinstance(value, str) and SEALED_PREFIX in value else found

    def _seal_values(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {
                name: encrypt_contact(part) if name in self.names and isinstance(part, str) else self._seal_values(part)
                for name, part in value.items()
            }
        return [self._seal_values(part) for part in value] if isinstance(value, list | tuple) else value


def _open_values(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _open_values(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_open_values(part) for part in value]
    return decrypt_contact(value) if isinstance(value, str) else value
