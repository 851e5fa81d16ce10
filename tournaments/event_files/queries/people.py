"""People in an event file, by their place in its list, since two may have the same name."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class FilePeople:
    """People of an event, in the order in which the file first mentions them; ``names`` is the list."""

    names: list[str] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)

    def get_number(self, key: int, name: str) -> int:
        """Return the place of a person in the list, from 1; add them at the end if new."""
        if key not in self._numbers:
            self.names.append(name)
            self._numbers[key] = len(self.names)
        return self._numbers[key]

    @property
    def keys(self) -> list[int]:
        """Keys of the people, in the same order."""
        return list(self._numbers)
