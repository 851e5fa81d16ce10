"""Opening of a data folder for a command: checks, preparation for this version, problems in a sentence."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path

from operations.data_dir import DATABASE, other_folder
from operations.terminal import Stop, say_aside, terminal_text

from .lock import folder_to_oneself, is_as_it_was_left, is_changed_by_disk
from .place import warn_of_place
from .preloading import all_is_kept
from .sqlite_file import DamagedDatabase, check_file, damaged_logs

ALONE = frozenset({"up", "restore", "move"})
"""Commands of which only one at a time runs on a folder. Others work beside a running `up`."""

ONLY_LOOKS = "doctor"
"""Command that reports problems of a folder, and changes nothing in it."""

LARGE = 64 * 1024 * 1024
"""Size in bytes from which checking the database takes long enough for a message."""

MOST_NAMED = 10
"""How many damaged hands are named."""

LEAST_FREE = 16 * 1024 * 1024
"""Free bytes needed to start a night."""


@contextmanager
def folder_for(command: str, folder: Path) -> Iterator[None]:
    """Open the folder for the command while the block runs.

    Stops with a sentence if it cannot be used, or if disk or database fail.
    """
    with folder_to_oneself(folder) if command in ALONE else nullcontext(), troubles_said(folder):
        if command == "up" and shutil.disk_usage(folder).free < LEAST_FREE:
            raise Stop(terminal_text("disk-full", folder=folder))
        if command == "up":
            warn_of_place(folder)
        if command != ONLY_LOOKS:
            is_damaged = _check_database_file(folder, is_looked_through=command == "up")
            _prepare(folder, is_restoring=command == "restore")
            if is_damaged:
                _ask_phones()
        yield


def _prepare(folder: Path, *, is_restoring: bool) -> None:
    import django

    with all_is_kept():
        django.setup()
    from operations.contact_data import sealed_rows
    from operations.prepare_install import prepare_data_folder

    from .identity import FoundIdentity, check_database, check_identity, note_identity

    found = check_database()
    check_identity(found, folder, is_restoring=is_restoring)
    prepare_data_folder()
    note_identity(found, folder)
    if found is FoundIdentity.OF_ANOTHER_KEY and (locked := sealed_rows()[1]):
        say_aside("contacts-locked", count=locked)


def _check_database_file(folder: Path, *, is_looked_through: bool) -> bool:
    """Check the database file, and return whether hands or results in it are damaged. These are named: the
    night goes on meanwhile."""
    path = folder / DATABASE
    is_looked_through &= path.exists() and not is_as_it_was_left(folder, path)
    if is_looked_through and path.stat().st_size > LARGE:
        say_aside("checking-database")
    check_file(path, is_looked_through=is_looked_through)
    damaged = damaged_logs(path) if is_looked_through else []
    for each in damaged[:MOST_NAMED]:
        say_aside("hand-damaged" if each.hand else "result-damaged", **asdict(each))
    if damaged:
        say_aside("repair-logs", count=len(damaged))
    elif is_looked_through and is_changed_by_disk(folder, path):
        say_aside("database-changed")
    return bool(damaged)


def _ask_phones() -> None:
    """Have the phones asked for damaged logs."""
    from scoring.services import note_damage

    note_damage()


@contextmanager
def troubles_said(folder: Path) -> Iterator[None]:
    """End the command with a sentence instead of a traceback if disk or database fail."""
    try:
        yield
    except DamagedDatabase as damaged:
        raise Stop(
            terminal_text("database-damaged", folder=folder, reason=damaged, **other_folder(folder))
        ) from None
    except Stop:
        raise
    except Exception as error:
        if isinstance(error, PermissionError) and str(error.filename).startswith(str(folder)):
            raise Stop(terminal_text("part-not-writable", path=error.filename)) from None
        from operations.outages import outage_in

        outage = outage_in(error)
        if outage is None:
            raise
        reason = " ".join(str(error).split())
        code = outage.code.replace("_", "-")
        raise Stop(terminal_text(code, folder=folder, reason=reason, **other_folder(folder))) from None
