"""Long lists in pages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPage:
    """The page ``number``, from 1, in a list of ``found`` lines, with ``size`` per page.

    >>> part = ListPage(number=2, found=70, size=60)
    >>> part.first, part.last, part.has_next
    (61, 70, False)
    """

    number: int
    found: int
    size: int

    @property
    def first(self) -> int:
        """The number of the first line on the page, from 1."""
        return (self.number - 1) * self.size + 1

    @property
    def last(self) -> int:
        return min(self.number * self.size, self.found)

    @property
    def has_next(self) -> bool:
        return self.last < self.found

    @property
    def places(self) -> slice:
        """The slice of the page's lines."""
        return slice(self.first - 1, self.last)

    def get_values(self) -> dict[str, int]:
        """Return the values for a subclass of this page."""
        return {"number": self.number, "found": self.found, "size": self.size}


def get_list_page(total_count: int, *, number: int, size: int | None) -> ListPage:
    """Return the requested page, or the nearest; without a size, the whole list.

    >>> get_list_page(70, number=9, size=60).number, get_list_page(0, number=0, size=60).places
    (2, slice(0, 0, None))
    >>> get_list_page(70, number=1, size=None).places
    slice(0, 70, None)
    """
    size = max(1, total_count) if size is None else size
    return ListPage(number=min(max(1, number), max(1, -(-total_count // size))), found=total_count, size=size)
