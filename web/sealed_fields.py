"""Columns that only this installation reads."""

from typing import Any

from django.db import models

from .sealing import seal, unseal

PURPOSE = "sealed field"


class SealedField(models.TextField):  # type: ignore[type-arg]
    """A text that stands sealed in the database, and there alone: a backup has it open, and the installation
    that restores it seals it with its own secret. "" where the secret is another one by now."""

    def from_db_value(self, value: str | None, *_: Any) -> str:
        return unseal(value or "", purpose=PURPOSE) or ""

    def get_prep_value(self, value: Any) -> str:
        return seal(str(value), purpose=PURPOSE)
