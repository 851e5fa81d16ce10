"""A fault that is made on purpose: what it does to the text of one file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    path: str
    line: int
    start: int
    end: int
    new: str
    description: str
    other_lines: tuple[int, ...] = ()
    """Lines that reach what it does where its own is run by no test: its statement's, its function's."""
    names: tuple[str, ...] = ()
    """What its lines give a name to while the module is imported: who uses the name meets the fault."""

    def apply(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]

    @property
    def package(self) -> str:
        """Return where it counts: a package of Python, `templates`, or `static`."""
        return self.path.partition("/")[0]
