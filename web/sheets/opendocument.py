"""OpenDocument spreadsheets (.ods), read as a stream.

Rows and columns beyond the longest list are not read: a cell that claims a million repetitions takes no more
space than any other.
"""

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat
from zipfile import ZipFile

from .grid import MAX_COLUMNS, MAX_ROWS, Grid, format_number_as_entered

MIMETYPE = b"application/vnd.oasis.opendocument.spreadsheet"
_URN = "urn:oasis:names:tc:opendocument:xmlns:"
_TABLE, _OFFICE, _TEXT = (f"{_URN}{name}:1.0 " for name in ("table", "office", "text"))
_SPACES = {f"{_TEXT}s", f"{_TEXT}tab", f"{_TEXT}line-break"}
_VALUES = {"float": "value", "percentage": "value", "currency": "value", "date": "date-value"}
"""The attribute with the value, by kind of cell; other kinds are read as displayed."""


def is_opendocument(archive: ZipFile) -> bool:
    return "mimetype" in archive.namelist() and archive.read("mimetype").startswith(MIMETYPE)


def parse_opendocument(content: bytes) -> list[Grid]:
    """Return its sheets in order. Raises ValueError and what ``zipfile`` and ``expat`` raise,
    if it is none."""
    reader = _Reader()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.add_text
    parser.StartDoctypeDeclHandler = _refuse_doctype
    with ZipFile(io.BytesIO(content)) as archive:
        parser.Parse(archive.read("content.xml"), True)  # noqa: FBT003 - the end of it
    return reader.grids


def _refuse_doctype(*_: object) -> None:
    raise ValueError("a spreadsheet defines no entities")


@dataclass(slots=True)
class _Cell:
    kind: str
    value: str
    repeated: int
    is_uncounted: bool
    paragraphs: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        if self.kind in _VALUES:
            return format_number_as_entered(self.value) if _VALUES[self.kind] == "value" else self.value
        return " ".join(self.paragraphs)


class _Reader:
    """A parser of the elements of content.xml; tables inside cells are ignored."""

    def __init__(self) -> None:
        self.grids: list[Grid] = []
        self._tables = 0
        self._notes = 0
        self._row: list[str] = []
        self._row_repeated = 1
        self._cell: _Cell | None = None
        self._is_in_paragraph = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == f"{_TABLE}table":
            self._tables += 1
            if self._tables == 1:
                self.grids.append(Grid(name=attributes.get(f"{_TABLE}name", "")))
        elif self._tables != 1:
            return
        elif name == f"{_OFFICE}annotation":
            self._notes += 1
        elif name == f"{_TABLE}table-row":
            self._row, self._row_repeated = [], _parse_repeat_count(attributes.get(f"{_TABLE}number-rows-repeated"))
        elif name in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            self._cell = _build_cell(attributes)
        elif self._cell is not None and not self._notes:
            self._start_text(name, attributes)

    def _start_text(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == f"{_TEXT}p" and self._cell is not None:
            self._cell.paragraphs.append("")
            self._is_in_paragraph = True
        elif name in _SPACES:
            self.add_text(" ")

    def add_text(self, text: str) -> None:
        if self._cell is not None and self._is_in_paragraph and not self._notes:
            self._cell.paragraphs[-1] += text

    def end(self, name: str) -> None:
        if name == f"{_TABLE}table":
            self._tables -= 1
        elif self._tables != 1:
            return
        elif name == f"{_OFFICE}annotation":
            self._notes -= 1
        elif name == f"{_TEXT}p" and not self._notes:
            self._is_in_paragraph = False
        elif name in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            self._end_cell()
        elif name == f"{_TABLE}table-row":
            self.grids[-1].add(self._row, count=self._row_repeated)

    def _end_cell(self) -> None:
        cell, self._cell = self._cell, None
        if cell is None:
            return
        if cell.is_uncounted and not cell.text:
            self.grids[-1].note_missing_value(len(self._row))
        free_columns = MAX_COLUMNS - len(self._row)
        self._row += [cell.text] * min(cell.repeated, free_columns)


def _build_cell(attributes: Mapping[str, str]) -> _Cell:
    kind = attributes.get(f"{_OFFICE}value-type", "")
    return _Cell(
        kind=kind,
        value=attributes.get(f"{_OFFICE}{_VALUES.get(kind, '')}", ""),
        repeated=_parse_repeat_count(attributes.get(f"{_TABLE}number-columns-repeated")),
        is_uncounted=f"{_TABLE}formula" in attributes,
    )


def _parse_repeat_count(text: str | None) -> int:
    """Return the number of repetitions, limited to what is read."""
    if text is None or not (text.isascii() and text.isdigit()):
        return 1
    return MAX_ROWS + 1 if len(text) > 6 else int(text)
