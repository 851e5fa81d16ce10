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
    """One object; ``within`` is its path in a larger one: ``contracts.grosse.``"""

    plain: Mapping[str, Any]
    within: str = ""

    @classmethod
    def of(cls, plain: Any, *, within: str = "") -> "Fields":
        """Read an object. Refuses: not_an_object."""
        if not isinstance(plain, Mapping):
            raise Refusal("not_an_object", field=within.rstrip(".") or None)
        return cls(plain, within)

    def __contains__(self, name: str) -> bool:
        return name in self.plain

    def check_names(self, known: Iterable[str], *, code: str) -> None:
        """Check that all names are known. Refuses, with that code, the first name that is not known."""
        for name in self.plain:
            if name not in known:
                raise Refusal(code, field=f"{self.within}{name}", known=tuple(known))

    def number(self, name: str) -> int:
        value = self.plain.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._refusal("not_a_number", name)
        return value

    def number_or_none(self, name: str) -> int | None:
        return None if self.plain.get(name) is None else self.number(name)

    def switch(self, name: str) -> bool:
        value = self.plain.get(name)
        if not isinstance(value, bool):
            raise self._refusal("not_yes_or_no", name)
        return value

    def text(self, name: str) -> str:
        value = self.plain.get(name)
        if not isinstance(value, str):
            raise self._refusal("not_text", name)
        return value

    def text_or_none(self, name: str) -> str | None:
        return None if self.plain.get(name) is None else self.text(name)

    def choice(self, name: str, kind: type[_Choice]) -> _Choice:
        for choice in kind:
            if choice.value == self.plain.get(name):
                return choice
        raise self._refusal("no_such_choice", name, choices=tuple(choice.value for choice in kind))

    def objects(self, name: str) -> list["Fields"]:
        return [
            Fields.of(item, within=f"{self.within}{name}.{place}.")
            for place, item in enumerate(self._list(name))
        ]

    def texts(self, name: str) -> tuple[str, ...]:
        items = self._list(name)
        if not all(isinstance(item, str) for item in items):
            raise self._refusal("not_a_list", name)
        return tuple(items)

    def numbers(self, name: str) -> tuple[int, ...]:
        items = self._list(name)
        if not all(isinstance(item, int) and not isinstance(item, bool) for item in items):
            raise self._refusal("not_a_list", name)
        return tuple(items)

    def switches(self, name: str) -> tuple[bool, ...]:
        items = self._list(name)
        if not all(isinstance(item, bool) for item in items):
            raise self._refusal("not_a_list", name)
        return tuple(items)

    def pairs(self, name: str) -> tuple[tuple[int, str], ...]:
        """Return a list of pairs, each a number and a text: ``[[0, "AS"], [1, "10H"]]``."""
        items = self._list(name)
        if not all(isinstance(item, list | tuple) and len(item) == 2 for item in items):
            raise self._refusal("not_a_list", name)
        pairs = [
            Fields({"0": item[0], "1": item[1]}, f"{self.within}{name}.{place}.")
            for place, item in enumerate(items)
        ]
        return tuple((pair.number("0"), pair.text("1")) for pair in pairs)

    def lists(self, name: str) -> tuple[tuple[str, ...], ...]:
        """Return a list of lists of texts."""
        items = {str(place): item for place, item in enumerate(self._list(name))}
        return tuple(Fields(items, f"{self.within}{name}.").texts(place) for place in items)

    def _list(self, name: str) -> list[Any]:
        value = self.plain.get(name)
        if not isinstance(value, list | tuple):
            raise self._refusal("not_a_list", name)
        return list(value)

    def _refusal(self, code: str, name: str, **details: Any) -> Refusal:
        return Refusal(code, field=f"{self.within}{name}", value=self.plain.get(name), **details)
