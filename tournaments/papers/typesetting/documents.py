"""Documents to print as plain values: a layout and its contents."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.checksums import compute_digest

Values = Mapping[str, Any]
"""Texts, numbers, lists and mappings of them, as in JSON."""


class Size(StrEnum):
    """Paper sizes of the printer, by the names that layouts use."""

    LETTER = "us-letter"
    A4 = "a4"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document: ``layout`` is one of those in ``layouts/``, ``common`` has the values for all pages,
    ``items`` those of each item.

    If pages are independent, ``items_per_part`` is the number of items laid out at a time; 0 means all at once, for
    contents that flow from page to page. The ``address`` of an item, or of the common ``signed`` text, is
    printed as a QR code.
    """

    layout: str
    title: str
    author: str
    language: str
    size: Size
    labels: Mapping[str, str]
    common: Values
    items: Sequence[Values]
    items_per_part: int = 0

    @property
    def part_count(self) -> int:
        return -(-len(self.items) // self.items_per_part) if self.items_per_part and self.items else 1

    @property
    def digest(self) -> str:
        """Digest of all contents except the footer, which has the time of printing."""
        hashed = {name: value for name, value in self.common.items() if name != "foot"}
        return compute_digest([self.layout, self.title, self.size, hashed, list(self.items)])

    def iter_parts(self) -> Iterator[Values]:
        """Yield the values of each part; there is at least one."""
        step = self.items_per_part or len(self.items)
        for number in range(self.part_count):
            first = number * step
            yield {
                **self.common,
                "title": self.title,
                "author": self.author,
                "language": self.language,
                "paper": self.size,
                "words": self.labels,
                "items": self.items[first : first + step],
            }
