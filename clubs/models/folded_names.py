"""Columns of names as they are compared."""

from typing import Any

from django.db import models

from web.names import FOLDED_LENGTH, to_plain_characters


class FoldedNameField(models.CharField):  # type: ignore[type-arg]
    """What ``fold_name`` makes of a name. Histories and backups may have it as an older program folded it,
    with ligatures or the hyphens of Word: it is compared and written without. To migrations it is a column of
    letters."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"max_length": FOLDED_LENGTH, **options})

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.CharField", arguments, options

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return to_plain_characters(text)[: self.max_length] if isinstance(text, str) else text
