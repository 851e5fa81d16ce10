"""Files that are small, and large as soon as somebody reads them: made when they are wanted, not stored."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from tests.support.workbooks import a_bomb, a_workbook, an_open_workbook, rezipped

LETTERS = "x" * 30_000
EXCEL = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def one_text_in_every_cell() -> bytes:
    """A text that stands in the file once, and on the sheet 400,000 times."""
    row = "<row>" + '<c t="s"><v>0</v></c>' * 20 + "</row>"
    cells = f"<worksheet {EXCEL}><sheetData>{row * 20_000}</sheetData></worksheet>"
    texts = f"<sst {EXCEL}><si><t>{LETTERS}</t></si></sst>"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = "".join(
        f'<Override PartName="/xl/{name}.xml" ContentType="{kind}.{what}+xml"/>'
        for name, what in [
            ("worksheets/sheet1", "worksheet"),
            ("workbook", "sheet.main"),
            ("sharedStrings", "sharedStrings"),
        ]
    )
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    return rezipped(
        a_workbook(["Nom"]),
        **{
            "[Content_Types].xml": f'<Types xmlns="{types}">{parts}</Types>',
            "xl/sharedStrings.xml": texts,
            "xl/worksheets/sheet1.xml": cells,
        },
    )


def one_row_repeated() -> bytes:
    text = f"<text:p>{LETTERS}</text:p>"
    cell = f'<table:table-cell table:number-columns-repeated="40">{text}</table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="20000">{cell}</table:table-row>'
    return an_open_workbook(f'<table:table table:name="A">{row}</table:table>')


def styles_without_end() -> bytes:
    """A million and a half styles, each an object of the reader's, that no cell bears."""
    styles = '<xf numFmtId="0"/>' * 1_500_000
    sheet = f"<styleSheet {EXCEL}><cellXfs>{styles}</cellXfs></styleSheet>"
    return rezipped(a_workbook(["Nom"]), **{"xl/styles.xml": sheet})


WORKBOOKS: tuple[Callable[[], bytes], ...] = (
    a_bomb,
    one_text_in_every_cell,
    one_row_repeated,
    styles_without_end,
)


def _a_zip(name: str, content: bytes) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(name, content)
    return kept.getvalue()


def _an_event(part: bytes, *, most: int = 60_000_000) -> bytes:
    """A file of the largest size that a page takes, which says that part again and again."""
    return b'{"charlemagne_event":8,"rounds":[' + part * (most // len(part)) + b"1]}"


def _cards(line: str, *, first: str = "FN:a") -> bytes:
    """A list of contacts of the largest size, all of whose lines go on."""
    return f"BEGIN:VCARD\n{first}\n{line * (4_000_000 // len(line))}".encode()


TEXTS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a line of contacts that is folded two million times": ("people", lambda: _cards(" \n")),
    "one that goes on by a sign at each end": (
        "people",
        lambda: _cards("=\n", first="FN;ENCODING=QUOTED-PRINTABLE:a="),
    ),
    "a list of one line": ("people", lambda: b"a" * 4_000_000),
    "a sheet of one line": ("people", lambda: b"Nom;" * 1_000_000),
    "a value in quotes without an end": ("people", lambda: b'Nom;Tel\n"' + b"a\n" * 2_000_000),
    "letters with a million accents": ("people", lambda: b"a" + "\u0301".encode() * 1_900_000),
    "as many contacts as lines": ("people", lambda: b"BEGIN:VCARD\n" * 330_000),
    "brackets without an end": ("event", lambda: b"[" * 60_000_000),
    "parts within parts": ("event", lambda: b'{"a":' * 12_000_000),
    "twenty million empty lists": ("event", lambda: _an_event(b"[],")),
    "fifteen million parts without a name": ("event", lambda: _an_event(b"{},")),
    "as many values as are read": ("event", lambda: _an_event(b"[],", most=11_900_000)),
    "as many texts as are read": ("event", lambda: _an_event(b'"ab",', most=39_000_000)),
    "a number of sixty million digits": ("event", lambda: _an_event(b"9")),
    "one part said again after a million others": (
        "event",
        lambda: b"{%s}" % ",".join(f'"{number % 1_000_000}":1' for number in range(1_000_001)).encode(),
    ),
    "a night that unpacks to a hundred times": ("night", lambda: _a_zip("hands.csv", b"1;" * 50_000_000)),
    "a night whose settings are brackets": ("night", lambda: _a_zip("night.json", b"[" * 5_000_000)),
    "a night of one line": ("night", lambda: _a_zip("entries.csv", b"1," * 2_500_000)),
    "a backup whose list of parts unpacks to a hundred times": (
        "backup",
        lambda: _a_zip("backup.json", b" " * 200_000_000),
    ),
    "a backup whose list of parts is brackets": ("backup", lambda: _a_zip("backup.json", b"[" * 900_000)),
}
"""By what each is: who reads it (``tests.support.reading_child``), and how it is made."""
