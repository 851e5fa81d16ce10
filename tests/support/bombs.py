"""Small files that become large when they are read, built on demand instead of stored."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from tests.support.workbooks import build_open_workbook, build_workbook, build_zip_bomb, rezip

LETTERS = "x" * 30_000
EXCEL_NAMESPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def build_repeated_text() -> bytes:
    """Build a workbook that stores a text once and shows it in 400,000 cells."""
    row = "<row>" + '<c t="s"><v>0</v></c>' * 20 + "</row>"
    cells = f"<worksheet {EXCEL_NAMESPACE}><sheetData>{row * 20_000}</sheetData></worksheet>"
    texts = f"<sst {EXCEL_NAMESPACE}><si><t>{LETTERS}</t></si></sst>"
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
    return rezip(
        build_workbook(["Nom"]),
        **{
            "[Content_Types].xml": f'<Types xmlns="{types}">{parts}</Types>',
            "xl/sharedStrings.xml": texts,
            "xl/worksheets/sheet1.xml": cells,
        },
    )


def build_repeated_row() -> bytes:
    text = f"<text:p>{LETTERS}</text:p>"
    cell = f'<table:table-cell table:number-columns-repeated="40">{text}</table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="20000">{cell}</table:table-row>'
    return build_open_workbook(f'<table:table table:name="A">{row}</table:table>')


def build_endless_styles() -> bytes:
    """Build a workbook with 1.5 million styles that no cell uses: the reader makes an object of each."""
    styles = '<xf numFmtId="0"/>' * 1_500_000
    sheet = f"<styleSheet {EXCEL_NAMESPACE}><cellXfs>{styles}</cellXfs></styleSheet>"
    return rezip(build_workbook(["Nom"]), **{"xl/styles.xml": sheet})


WORKBOOKS: tuple[Callable[[], bytes], ...] = (
    build_zip_bomb,
    build_repeated_text,
    build_repeated_row,
    build_endless_styles,
)


def _build_zip(name: str, content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(name, content)
    return buffer.getvalue()


def _build_event_file(part: bytes, *, max_bytes: int = 60_000_000) -> bytes:
    """Build an event file of the largest size that a page accepts, which repeats ``part``."""
    return b'{"charlemagne_event":8,"rounds":[' + part * (max_bytes // len(part)) + b"1]}"


def _build_contacts(line: str, *, first_line: str = "FN:a") -> bytes:
    """Build a contact list of the largest accepted size, in which each line continues the one before."""
    return f"BEGIN:VCARD\n{first_line}\n{line * (4_000_000 // len(line))}".encode()


TEXT_BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a line of contacts that is folded two million times": ("people", lambda: _build_contacts(" \n")),
    "one that goes on by a sign at each end": (
        "people",
        lambda: _build_contacts("=\n", first_line="FN;ENCODING=QUOTED-PRINTABLE:a="),
    ),
    "a list of one line": ("people", lambda: b"a" * 4_000_000),
    "a sheet of one line": ("people", lambda: b"Nom;" * 1_000_000),
    "a value in quotes without an end": ("people", lambda: b'Nom;Tel\n"' + b"a\n" * 2_000_000),
    "letters with a million accents": ("people", lambda: b"a" + "\u0301".encode() * 1_900_000),
    "as many contacts as lines": ("people", lambda: b"BEGIN:VCARD\n" * 330_000),
    "brackets without an end": ("event", lambda: b"[" * 60_000_000),
    "parts within parts": ("event", lambda: b'{"a":' * 12_000_000),
    "twenty million empty lists": ("event", lambda: _build_event_file(b"[],")),
    "fifteen million parts without a name": ("event", lambda: _build_event_file(b"{},")),
    "as many values as are read": ("event", lambda: _build_event_file(b"[],", max_bytes=11_900_000)),
    "as many texts as are read": ("event", lambda: _build_event_file(b'"ab",', max_bytes=39_000_000)),
    "a number of sixty million digits": ("event", lambda: _build_event_file(b"9")),
    "one part said again after a million others": (
        "event",
        lambda: b"{%s}" % ",".join(f'"{number % 1_000_000}":1' for number in range(1_000_001)).encode(),
    ),
    "a night that unpacks to a hundred times": ("night", lambda: _build_zip("hands.csv", b"1;" * 50_000_000)),
    "a night whose settings are brackets": ("night", lambda: _build_zip("night.json", b"[" * 5_000_000)),
    "a night of one line": ("night", lambda: _build_zip("entries.csv", b"1," * 2_500_000)),
    "a backup whose list of parts unpacks to a hundred times": (
        "backup",
        lambda: _build_zip("backup.json", b" " * 200_000_000),
    ),
    "a backup whose list of parts is brackets": ("backup", lambda: _build_zip("backup.json", b"[" * 900_000)),
}
"""By description: the reader (see ``tests.support.reading_child``) and the function that builds the file."""
