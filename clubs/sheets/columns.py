"""What the columns of a sheet are, by the names in its first line."""

from collections.abc import Collection, Mapping, Sequence

from clubs import names
from rules import Refusal

Columns = Mapping[str, tuple[str, ...]]
"""Each column by what a file may call it, as ``clubs.names.folded`` has it, with spaces for underscores."""


def places_of(
    header: Sequence[str], columns: Columns, *, needed: Collection[str], file: str
) -> tuple[dict[str, int], tuple[str, ...]]:
    """The place of each column that is read, and the names of the others.

    Refuses: column_twice, column_missing.
    """
    called = {name: column for column, ways in columns.items() for name in ways}
    places: dict[str, int] = {}
    unread = []
    for place, title in enumerate(header):
        column = called.get(names.folded(title.replace("_", " ")))
        if column is None:
            unread.append(title)
        elif column in places:
            raise Refusal("column_twice", field=title, file=file, line=1)
        else:
            places[column] = place
    for column in needed:
        if column not in places:
            raise Refusal("column_missing", field=column, file=file, line=1)
    return places, tuple(title for title in unread if title)


def by_column(values: Sequence[str], places: Mapping[str, int]) -> dict[str, str]:
    """The values of a line by the columns that are read; a short line is empty at its end."""
    return {column: values[place] if place < len(values) else "" for column, place in places.items()}
