"""Columns of folded names."""

from typing import Any

from django.db import models

from web.names import FOLDED_LENGTH, replace_special_characters


class FoldedNameField(models.CharField):  # type: ignore[type-arg]
    """A name as ``fold_name`` folds it. Histories and backups may contain ligatures or
    typographic hyphens from an older program; they are folded on reading and writing. In
    migrations it is a plain character field."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"max_length": FOLDED_LENGTH, **options})

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.CharField", arguments, options

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return replace_special_characters(text)[: self.max_length] if isinstance(text, str) else text
