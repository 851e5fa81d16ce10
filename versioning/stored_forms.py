"""The form of a stored value, by version: what is stored is never rewritten, but read as if it were of today.

A value bears the version of its form beside it: an object ``{"version": 1, "target": 32, …}``, anything else
``{"version": 1, "value": [3, 5]}``. What bears none was stored before there were versions, and is of version
0. Nothing (None, an empty list or object) is nothing in every form, and bears none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules import Refusal

Step = Callable[[Any], Any]
"""From a value of one version to the same value of the next; the value that it is given may be changed."""

VERSION, VALUE = "version", "value"


def keep(value: Any) -> Any:
    """The step between two versions that differ in nothing."""
    return value


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of stored value: ``steps[n]`` leads from version n to the next, so that there are as many
    versions as steps."""

    steps: tuple[Step, ...] = (keep,)

    @property
    def version(self) -> int:
        """The newest, in which values are written."""
        return len(self.steps)

    def to_stored(self, value: Any) -> Any:
        """The value with its version."""
        if _is_nothing(value):
            return value
        is_taken = not isinstance(value, Mapping) or VERSION in value or value.keys() == {VALUE}
        return {VERSION: self.version, **({VALUE: value} if is_taken else value)}

    def in_each_version(self, value: Any) -> list[Any]:
        """A value that no step changes, as each version stored it, the oldest first."""
        versions = range(1, self.version + 1)
        return [value, *(Form(self.steps[:version]).to_stored(value) for version in versions)]

    def from_stored(self, stored: Any) -> Any:
        """The value in the newest form: the inverse of ``to_stored``, whichever version was stored.

        Refuses: stored_by_newer_program.
        """
        if _is_nothing(stored):
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
    value = {name: part for name, part in stored.items() if name != VERSION}
    return stored[VERSION], value[VALUE] if value.keys() == {VALUE} else value


def _is_nothing(value: Any) -> bool:
    return value is None or value in ([], {})
