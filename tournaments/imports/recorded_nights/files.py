"""The files of a recorded night, from a folder or a zip; and rows of a CSV with the line each stands on."""

import csv
import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PureWindowsPath

from rules import Refusal

FILES = ("night.json", "entries.csv", "tables.csv", "hands.csv")
MOST_BYTES = 5 * 1024 * 1024
"""Of one file; a night of a thousand tables has less."""
RECORDED = Path(__file__).parent / "recorded"
"""A folder for each night that comes with the program."""
LONGEST_VALUE = 200
"""Characters of a value that are read. No right one is as long, and a wrong one is shown to somebody."""

_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)
"""What Python raises on a zip that is none, is damaged, or is encrypted."""
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

Files = Mapping[str, bytes]


def files_in_folder(folder: Path) -> dict[str, bytes]:
    """Those of the night's files that are in the folder. Refuses: no_such_folder, file_too_large."""
    if not folder.is_dir():
        raise Refusal("no_such_folder", field="folder", folder=str(folder))
    files = {}
    for name in FILES:
        path = folder / name
        if path.is_file():
            if path.stat().st_size > MOST_BYTES:
                raise Refusal("file_too_large", field=name, file=name, most=MOST_BYTES)
            files[name] = path.read_bytes()
    return files


def recorded_nights() -> dict[str, dict[str, bytes]]:
    """The nights that come with the program, by the names of their folders."""
    return {night.name: files_in_folder(night) for night in sorted(RECORDED.iterdir()) if night.is_dir()}


def files_in_zip(content: bytes) -> dict[str, bytes]:
    """Those of the night's files that are in the zip, in whatever folder.

    Refuses: not_a_zip, file_too_large, file_twice.
    """
    files: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            for entry in packed.infolist():
                name = PureWindowsPath(entry.filename).name  # knows both kinds of slash
                if name not in FILES:
                    continue
                if entry.compress_type not in _PACKINGS:
                    raise Refusal("not_a_zip", field="files")
                if name in files:
                    raise Refusal("file_twice", field="files", file=name)
                if entry.file_size > MOST_BYTES:
                    raise Refusal("file_too_large", field="files", file=name, most=MOST_BYTES)
                files[name] = packed.read(entry)
    except _UNREADABLE as error:
        raise Refusal("not_a_zip", field="files") from error
    return files


def read_text_file(files: Files, name: str) -> str:
    """Refuses: file_missing, not_utf8."""
    if name not in files:
        raise Refusal("file_missing", file=name)
    try:
        return files[name].decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = files[name].count(b"\n", 0, error.start) + 1
        raise Refusal("not_utf8", file=name, line=line) from None


def sheet_of(files: Files, name: str) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """The column names (line 1), and the values of each line that is not empty, with its number. Commas or
    semicolons part them.

    Refuses: file_missing, not_utf8, and wherever a line is so: malformed_csv.
    """
    text = read_text_file(files, name)
    first_line = text.partition("\n")[0]
    delimiter = ";" if first_line.count(";") > first_line.count(",") else ","
    lines = _lines(text, delimiter, name)
    _, columns = next(lines, (1, []))
    return columns, (line for line in lines if any(line[1]))


def _lines(text: str, delimiter: str, name: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for values in reader:
            yield line, [value.strip()[:LONGEST_VALUE] for value in values]
            line = reader.line_num + 1
    except csv.Error:
        raise Refusal("malformed_csv", file=name, line=line) from None
