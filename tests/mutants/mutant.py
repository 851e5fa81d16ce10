"""A mutant: a deliberate bug, as a change to the text of one file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    path: str
    line: int
    start: int
    end: int
    new: str
    description: str
    other_lines: tuple[int, ...] = ()
    """Fallback if no test reaches ``line``: the first line of its statement, then the body of a definition."""
    names: tuple[str, ...] = ()
    """Names that the mutated code binds at import: tests that use them may detect the mutant."""

    def apply(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]

    @property
    def package(self) -> str:
        """Return the top-level folder: a Python package, `templates` or `static`."""
        return self.path.partition("/")[0]
