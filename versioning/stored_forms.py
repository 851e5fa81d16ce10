"""The form of a stored value, by version: stored values are never rewritten, but upgraded when they are read.

A value has its version beside it: an object ``{"version": 1, "target": 32, …}``, anything else
``{"version": 1, "value": [3, 5]}``. Without one, it was stored before there were versions, and is of version
0. Empty values (None, an empty list or object) are the same in every form, and have no version.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from errors import Refusal

Step = Callable[[Any], Any]
"""Upgrades a value of one version to the next; it may change the value it is given."""

VERSION, VALUE = "version", "value"


def keep_unchanged(value: Any) -> Any:
    """Return the value unchanged: a step between two versions that do not differ."""
    return value


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of stored value: ``steps[n]`` upgrades version n to the next, so there are as many
    versions as steps."""

    steps: tuple[Step, ...] = (keep_unchanged,)

    @property
    def version(self) -> int:
        """The newest version, in which values are stored."""
        return len(self.steps)

    def to_stored(self, value: Any) -> Any:
        """Return the value with its version."""
        if _is_empty(value):
            return value
        is_taken = not isinstance(value, Mapping) or VERSION in value or value.keys() == {VALUE}
        return {VERSION: self.version, **({VALUE: value} if is_taken else value)}

    def list_stored_versions(self, value: Any) -> list[Any]:
        """Return the value as each version stored it, the oldest first, given that no step changes it."""
        versions = range(1, self.version + 1)
        return [value, *(Form(self.steps[:version]).to_stored(value) for version in versions)]

    def from_stored(self, stored: Any) -> Any:
        """Upgrade a stored value of any version to the newest form.

        Refuses: stored_by_newer_program.
        """
        if _is_empty(stored):
            return stored
        version, value = _split_version(stored)
        if version > self.version:
            raise Refusal("stored_by_newer_program", version=version, known=self.version)
        for step in self.steps[version:]:
            value = step(value)
        return value


def _split_version(stored: Any) -> tuple[int, Any]:
    if not isinstance(stored, Mapping) or VERSION not in stored:
        return 0, stored
    value = dict(stored)
    version = value.pop(VERSION)
    return version, value[VALUE] if value.keys() == {VALUE} else value


def _is_empty(value: Any) -> bool:
    return value is None or value in ([], (), {})
