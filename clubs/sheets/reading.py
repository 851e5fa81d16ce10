"""From the bytes of a file to its lines."""

import csv
import io
from collections.abc import Iterator

from clubs import names
from rules import Refusal

from .disarming import as_typed
from .workbooks import is_workbook, text_of_workbook

_DELIMITERS = ",;\t"
_MARKS_OF_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def text_of_sheet(content: bytes, *, file: str) -> str:
    """The text of a file in UTF-8, in UTF-16 with its mark, or in Windows-1252; and of an Excel workbook, its
    first sheet as such a file. Refuses: not_utf8, and what ``text_of_workbook`` refuses."""
    if is_workbook(content):
        return text_of_workbook(content, file=file)
    encodings = ("utf-16",) if content.startswith(_MARKS_OF_UTF_16) else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
    raise Refusal("not_utf8", field="file", file=file, line=line)


def lines_of_sheet(text: str, *, file: str, most: int) -> Iterator[tuple[int, list[str]]]:
    """The values of each line that is not empty, with its number. Commas, semicolons or tabs part them.
    What was disarmed as it was taken away is as it was typed.

    Refuses: malformed_csv, list_too_long.
    """
    first = text.lstrip().partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for values in reader:
            if any(value.strip() for value in values):
                yield line, [as_typed(names.cleaned(value)) for value in values]
            line = reader.line_num + 1
            if line > most + 1:
                raise Refusal("list_too_long", file=file, line=line, most=most, lines=text.count("\n"))
    except csv.Error:
        raise Refusal("malformed_csv", file=file, line=line) from None
