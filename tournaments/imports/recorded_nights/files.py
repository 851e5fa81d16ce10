"""Files of a recorded night, from a folder or a zip."""

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePath, PureWindowsPath

from errors import Refusal
from web.sheets.decoding import read_sheet_text

NIGHT_FILES = ("night.json", "entries.csv", "tables.csv", "hands.csv")
SHEET_FORMATS = (".csv", ".tsv", ".txt", ".xlsx", ".ods")
"""Other formats that the last three may have."""
MAX_BYTES = 5 * 1024 * 1024
"""Most bytes of one file; a night of a thousand tables has less."""
SAMPLES_FOLDER = Path(__file__).parent / "recorded"
"""Folder with one folder for each night that comes with the program."""
MAX_VALUE_LENGTH = 200
"""Most characters of a value that are read. Valid values are shorter, and invalid ones are shown to
people."""

_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)
"""Errors of Python for a zip that is none, is damaged, or is encrypted."""
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

Files = Mapping[str, bytes]


def read_folder(folder: Path) -> dict[str, bytes]:
    """Return the night's files in the folder. Refuses: no_such_folder, file_too_large, file_twice."""
    if not folder.is_dir():
        raise Refusal("no_such_folder", field="folder", folder=str(folder))
    files = {}
    for path in sorted(folder.iterdir()):
        name = match_file_name(path.name)
        if name is not None and path.is_file():
            if name in files:
                raise Refusal("file_twice", field="folder", file=path.name)
            if path.stat().st_size > MAX_BYTES:
                raise Refusal("file_too_large", field=name, file=path.name, most=MAX_BYTES)
            files[name] = path.read_bytes()
    return files


def recorded_nights() -> dict[str, dict[str, bytes]]:
    """Return the nights that come with the program, by the names of their folders."""
    return {night.name: read_folder(night) for night in sorted(SAMPLES_FOLDER.iterdir()) if night.is_dir()}


def read_zip(content: bytes) -> dict[str, bytes]:
    """Return the night's files in the zip, whatever their folder there.

    Refuses: not_a_zip, file_too_large, file_twice.
    """
    files: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for entry in archive.infolist():
                name = match_file_name(entry.filename)
                if name is None:
                    continue
                if entry.compress_type not in _COMPRESSIONS:
                    raise Refusal("not_a_zip", field="files")
                if name in files:
                    raise Refusal("file_twice", field="files", file=name)
                if entry.file_size > MAX_BYTES:
                    raise Refusal("file_too_large", field="files", file=name, most=MAX_BYTES)
                files[name] = archive.read(entry)
    except _ZIP_ERRORS as error:
        raise Refusal("not_a_zip", field="files") from error
    return files


def match_file_name(name: str) -> str | None:
    """Return which of the night's files has that name: ``Entries.xlsx`` is its entries, in a workbook."""
    path = PureWindowsPath(name.lower())  # knows both kinds of slash
    files_by_stem = {PurePath(file).stem: file for file in NIGHT_FILES}
    has_valid_suffix = path.suffix == ".json" if path.stem == "night" else path.suffix in SHEET_FORMATS
    return files_by_stem.get(path.stem) if has_valid_suffix else None


def read_text_file(files: Files, name: str) -> str:
    """Return the text of a file, whatever program wrote it. Refuses: file_missing, and what ``read_sheet_text``
    refuses."""
    if name not in files:
        raise Refusal("file_missing", file=name)
    return read_sheet_text(files[name], file=name)


def read_texts(files: Files) -> dict[str, str]:
    """Return the texts of the files, as they are stored. Refuses: what ``read_sheet_text`` refuses."""
    return {name: read_text_file(files, name) for name in files}
