"""Documents to print as plain values: a layout and its contents."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.sums import digest_of

Values = Mapping[str, Any]
"""Texts, numbers, lists and mappings of them, as in JSON."""


class Size(StrEnum):
    """Paper sizes of the printer, by the names that layouts use."""

    LETTER = "us-letter"
    A4 = "a4"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document: ``layout`` is one of those in ``layouts/``, ``shared`` is for all pages, ``items`` follow
    each other.

    If pages are independent, ``in_a_part`` is how many items are laid out at a time; 0 means all at once, for
    contents that flow from page to page. The ``address`` of an item, or of the shared ``signed`` text, is
    printed as a QR code.
    """

    layout: str
    title: str
    author: str
    language: str
    size: Size
    words: Mapping[str, str]
    shared: Values
    items: Sequence[Values]
    in_a_part: int = 0

    @property
    def part_count(self) -> int:
        return -(-len(self.items) // self.in_a_part) if self.in_a_part and self.items else 1

    @property
    def digest(self) -> str:
        """Digest of all contents except the footer, which has the time of printing."""
        shown = {name: value for name, value in self.shared.items() if name != "foot"}
        return digest_of([self.layout, self.title, self.size, shown, list(self.items)])

    def parts(self) -> Iterator[Values]:
        """Yield the values of each part; there is at least one."""
        step = self.in_a_part or len(self.items)
        for number in range(self.part_count):
            first = number * step
            yield {
                **self.shared,
                "title": self.title,
                "author": self.author,
                "language": self.language,
                "paper": self.size,
                "words": self.words,
                "items": self.items[first : first + step],
            }
