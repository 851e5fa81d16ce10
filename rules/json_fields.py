"""Typed access to the values of a JSON object: the right value, or a refusal that names the field.

Nothing is converted: text from a form is for forms to read, or for ``reading``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from errors import Refusal

_Choice = TypeVar("_Choice", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Fields:
    """One JSON object; ``path`` is its prefix within a larger object, such as ``contracts.grosse.``."""

    data: Mapping[str, Any]
    path: str = ""

    @classmethod
    def from_json(cls, data: Any, *, path: str = "") -> "Fields":
        """Read an object. Refuses: not_an_object."""
        if not isinstance(data, Mapping):
            raise Refusal("not_an_object", field=path.rstrip(".") or None)
        return cls(data, path)

    def __contains__(self, name: str) -> bool:
        return name in self.data

    def check_names(self, allowed: Iterable[str], *, code: str) -> None:
        """Check that all names are known. Refuses, with that code, the first name that is not known."""
        for name in self.data:
            if name not in allowed:
                raise Refusal(code, field=f"{self.path}{name}", known=tuple(allowed))

    def get_number(self, name: str) -> int:
        value = self.data.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._build_refusal("not_a_number", name)
        return value

    def get_optional_number(self, name: str) -> int | None:
        return None if self.data.get(name) is None else self.get_number(name)

    def get_boolean(self, name: str) -> bool:
        value = self.data.get(name)
        if not isinstance(value, bool):
            raise self._build_refusal("not_yes_or_no", name)
        return value

    def get_text(self, name: str) -> str:
        value = self.data.get(name)
        if not isinstance(value, str):
            raise self._build_refusal("not_text", name)
        return value

    def get_optional_text(self, name: str) -> str | None:
        return None if self.data.get(name) is None else self.get_text(name)

    def get_choice(self, name: str, kind: type[_Choice]) -> _Choice:
        for choice in kind:
            if choice.value == self.data.get(name):
                return choice
        raise self._build_refusal("no_such_choice", name, choices=tuple(choice.value for choice in kind))

    def get_objects(self, name: str) -> list["Fields"]:
        return [
            Fields.from_json(item, path=f"{self.path}{name}.{place}.")
            for place, item in enumerate(self._get_list(name))
        ]

    def get_texts(self, name: str) -> tuple[str, ...]:
        items = self._get_list(name)
        if not all(isinstance(item, str) for item in items):
            raise self._build_refusal("not_a_list", name)
        return tuple(items)

    def get_numbers(self, name: str) -> tuple[int, ...]:
        items = self._get_list(name)
        if not all(isinstance(item, int) and not isinstance(item, bool) for item in items):
            raise self._build_refusal("not_a_list", name)
        return tuple(items)

    def get_booleans(self, name: str) -> tuple[bool, ...]:
        items = self._get_list(name)
        if not all(isinstance(item, bool) for item in items):
            raise self._build_refusal("not_a_list", name)
        return tuple(items)

    def get_pairs(self, name: str) -> tuple[tuple[int, str], ...]:
        """Return a list of pairs, each a number and a text: ``[[0, "AS"], [1, "10H"]]``."""
        items = self._get_list(name)
        if not all(isinstance(item, list | tuple) and len(item) == 2 for item in items):
            raise self._build_refusal("not_a_list", name)
        pairs = [
            Fields({"0": item[0], "1": item[1]}, f"{self.path}{name}.{place}.") for place, item in enumerate(items)
        ]
        return tuple((pair.get_number("0"), pair.get_text("1")) for pair in pairs)

    def get_lists(self, name: str) -> tuple[tuple[str, ...], ...]:
        """Return a list of lists of texts."""
        items = {str(place): item for place, item in enumerate(self._get_list(name))}
        return tuple(Fields(items, f"{self.path}{name}.").get_texts(place) for place in items)

    def _get_list(self, name: str) -> list[Any]:
        value = self.data.get(name)
        if not isinstance(value, list | tuple):
            raise self._build_refusal("not_a_list", name)
        return list(value)

    def _build_refusal(self, code: str, name: str, **details: Any) -> Refusal:
        return Refusal(code, field=f"{self.path}{name}", value=self.data.get(name), **details)
