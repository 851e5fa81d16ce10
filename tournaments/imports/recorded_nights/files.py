"""Files of a recorded night, from a folder or a zip."""

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePath, PureWindowsPath

from errors import Refusal
from web.sheets import text_of_sheet

FILES = ("night.json", "entries.csv", "tables.csv", "hands.csv")
SHEETS = (".csv", ".tsv", ".txt", ".xlsx", ".ods")
"""Other formats that the last three may have."""
MOST_BYTES = 5 * 1024 * 1024
"""Most bytes of one file; a night of a thousand tables has less."""
RECORDED = Path(__file__).parent / "recorded"
"""Folder with one folder for each night that comes with the program."""
LONGEST_VALUE = 200
"""Most characters of a value that are read. Valid values are shorter, and invalid ones are shown to
people."""

_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)
"""Errors of Python for a zip that is none, is damaged, or is encrypted."""
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

Files = Mapping[str, bytes]


def files_in_folder(folder: Path) -> dict[str, bytes]:
    """Return the night's files in the folder. Refuses: no_such_folder, file_too_large, file_twice."""
    if not folder.is_dir():
        raise Refusal("no_such_folder", field="folder", folder=str(folder))
    files = {}
    for path in sorted(folder.iterdir()):
        name = file_named(path.name)
        if name is not None and path.is_file():
            if name in files:
                raise Refusal("file_twice", field="folder", file=path.name)
            if path.stat().st_size > MOST_BYTES:
                raise Refusal("file_too_large", field=name, file=path.name, most=MOST_BYTES)
            files[name] = path.read_bytes()
    return files


def recorded_nights() -> dict[str, dict[str, bytes]]:
    """Return the nights that come with the program, by the names of their folders."""
    return {night.name: files_in_folder(night) for night in sorted(RECORDED.iterdir()) if night.is_dir()}


def files_in_zip(content: bytes) -> dict[str, bytes]:
    """Return the night's files in the zip, whatever their folder there.

    Refuses: not_a_zip, file_too_large, file_twice.
    """
    files: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            for entry in packed.infolist():
                name = file_named(entry.filename)
                if name is None:
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


def file_named(name: str) -> str | None:
    """Return which of the night's files has that name: ``Entries.xlsx`` is its entries, in a workbook."""
    path = PureWindowsPath(name.lower())  # knows both kinds of slash
    known = {PurePath(file).stem: file for file in FILES}
    fits = path.suffix == ".json" if path.stem == "night" else path.suffix in SHEETS
    return known.get(path.stem) if fits else None


def read_text_file(files: Files, name: str) -> str:
    """Return the text of a file, whatever program wrote it. Refuses: file_missing, and what ``text_of_sheet``
    refuses."""
    if name not in files:
        raise Refusal("file_missing", file=name)
    return text_of_sheet(files[name], file=name)


def texts_of(files: Files) -> dict[str, str]:
    """Return the texts of the files, as they are stored. Refuses: what ``text_of_sheet`` refuses."""
    return {name: read_text_file(files, name) for name in files}
