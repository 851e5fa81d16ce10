"""Make the data of a version of the program, as its users have it: ``make.py COMMIT FILE``, from any folder.

The version is extracted from the git history into a temporary folder, makes its own environment there, and
fills a data folder with its ``fill.py``; a version without one uses the first ``fill.py``. FILE is written
beside this script: NAME.sqlite3.xz holds the database, NAME.zip is made by the version's own ``backup``.
"""

import lzma
import os
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
FILL = "tests/upgrades/fill.py"
FIRST_FILL_COMMIT = "b8c9e5da"
"""The revision of the first ``fill.py``, which fills the versions without one."""


def make(commit: str, file: str) -> Path:
    """Make the file, replacing an existing one."""
    made = FOLDER / file
    with tempfile.TemporaryDirectory(prefix="charlemagne-upgrade-") as temporary:
        program, data = Path(temporary) / "program", Path(temporary) / "data"
        take_out(commit, program)
        data.mkdir()
        environment = {"CHARLEMAGNE_DATA": str(data), "PYTHONPATH": str(program)}
        run(program, environment, sys.executable, "manage.py", "test", "--version")
        environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
        run(program, environment, ".venv/bin/python", str(find_fill_script(program)))
        if made.suffix == ".zip":
            made.unlink(missing_ok=True)
            run(program, environment, sys.executable, "manage.py", "backup", str(made))
        else:
            made.write_bytes(lzma.compress(read_database(data), preset=9 | lzma.PRESET_EXTREME))
    return made


def take_out(commit: str, folder: Path) -> None:
    archive = subprocess.run(
        ["git", "archive", commit],
        cwd=FOLDER.parents[1],
        check=True,
        stdout=subprocess.PIPE,
    )
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as tar:
        tar.extractall(folder, filter="data")


def find_fill_script(program: Path) -> Path:
    """Return the version's ``fill.py``; if it has none, write the first one there."""
    fill = program / FILL
    if not fill.exists():
        fill.parent.mkdir(parents=True, exist_ok=True)
        fill.write_bytes(subprocess.check_output(["git", "show", f"{FIRST_FILL_COMMIT}:{FILL}"], cwd=FOLDER.parents[1]))
    return fill


def run(folder: Path, environment: dict[str, str], *command: str) -> None:
    subprocess.run(command, cwd=folder, env={**os.environ, **environment}, check=True)


def read_database(data: Path) -> bytes:
    """Return the whole database as one file, with the contents of its write-ahead log."""
    connection = sqlite3.connect(data / "charlemagne.sqlite3")
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.execute("VACUUM")
    connection.close()
    return (data / "charlemagne.sqlite3").read_bytes()


if __name__ == "__main__":
    made = make(*sys.argv[1:])
    print(f"{made.name}: {made.stat().st_size:,} bytes")
