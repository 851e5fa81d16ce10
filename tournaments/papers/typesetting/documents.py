"""What is to be printed, as plain values: which layout, and what stands in it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.sums import sum_of

Values = Mapping[str, Any]
"""Texts, numbers, lists and mappings of them, as JSON has them."""


class Size(StrEnum):
    """The sheets that the printer has, by the name that layouts know."""

    LETTER = "us-letter"
    A4 = "a4"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """``layout`` is one of those in ``layouts/``; ``shared`` is for all of it, ``items`` follow each other.

    Where each page is by itself, ``in_a_part`` says how many items are laid out at a time; 0 is all at once,
    for what flows from page to page. The ``address`` of an item is printed as a square to scan, and
    so is that of the ``signed`` text that is shared.
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
        """What it is told apart by: all that is on it but its foot, which says when it was printed."""
        shown = {name: value for name, value in self.shared.items() if name != "foot"}
        return sum_of([self.layout, self.title, self.size, shown, list(self.items)])

    def parts(self) -> Iterator[Values]:
        """What each part is laid out from; there is one at least."""
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
