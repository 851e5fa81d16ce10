"""People as a file has them: by their place in its list, since two may have one name."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class PeopleHere:
    """Those of an event, in the order in which it first names them: their ``names``."""

    names: list[str] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)

    def number_of(self, key: int, name: str) -> int:
        """The place of a person in the list, from 1; who is not in it yet comes last."""
        if key not in self._numbers:
            self.names.append(name)
            self._numbers[key] = len(self.names)
        return self._numbers[key]

    @property
    def keys(self) -> list[int]:
        """Those of the people, in the same order."""
        return list(self._numbers)
