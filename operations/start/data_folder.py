"""Opening of a data folder for a command: checks, preparation for this version, problems in a sentence."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path

from operations.data_dir import DATABASE_FILE, build_restore_values
from operations.terminal import Stop, format_terminal_text, print_error_line

from .garbage_collection import freeze_loaded_objects
from .lock import is_changed_by_disk, is_unchanged_since_end, lock_folder
from .place import warn_about_place
from .sqlite_file import DamagedDatabaseError, check_sqlite_file, find_damaged_logs

EXCLUSIVE_COMMANDS = frozenset({"up", "restore", "move"})
"""Commands of which only one at a time runs on a folder. Others work beside a running `up`."""

READ_ONLY_COMMAND = "doctor"
"""Command that reports problems of a folder, and changes nothing in it."""

LARGE_DATABASE = 64 * 1024 * 1024
"""Size in bytes from which checking the database takes long enough for a message."""

MAX_HANDS_NAMED = 10
"""How many damaged hands are named."""

MIN_FREE_BYTES = 16 * 1024 * 1024
"""Free bytes needed to start a night."""


@contextmanager
def open_folder_for(command: str, folder: Path) -> Iterator[None]:
    """Open the folder for the command while the block runs.

    Stops with a sentence if it cannot be used, or if disk or database fail.
    """
    with lock_folder(folder) if command in EXCLUSIVE_COMMANDS else nullcontext(), stop_on_failure(folder):
        if command == "up" and shutil.disk_usage(folder).free < MIN_FREE_BYTES:
            raise Stop(format_terminal_text("disk-full", folder=folder))
        if command == "up":
            warn_about_place(folder)
        if command != READ_ONLY_COMMAND:
            is_damaged = _check_database_file(folder, is_full_check=command == "up")
            _prepare_folder(folder, is_restoring=command == "restore")
            if is_damaged:
                _request_logs()
        yield


def _prepare_folder(folder: Path, *, is_restoring: bool) -> None:
    import django

    with freeze_loaded_objects():
        django.setup()
    from operations.contact_data import count_encrypted_rows
    from operations.prepare_install import prepare_data_folder

    from .identity import DatabaseIdentity, check_identity, identify_database, record_identity

    identity = identify_database()
    check_identity(identity, folder, is_restoring=is_restoring)
    prepare_data_folder()
    record_identity(identity, folder)
    if identity is DatabaseIdentity.OTHER_KEY and (locked_count := count_encrypted_rows()[1]):
        print_error_line("contacts-locked", count=locked_count)


def _check_database_file(folder: Path, *, is_full_check: bool) -> bool:
    """Check the database file, and return whether hands or results in it are damaged. These are named: the
    night goes on meanwhile."""
    path = folder / DATABASE_FILE
    is_full_check &= path.exists() and not is_unchanged_since_end(folder, path)
    if is_full_check and path.stat().st_size > LARGE_DATABASE:
        print_error_line("checking-database")
    check_sqlite_file(path, is_full_check=is_full_check)
    damage = find_damaged_logs(path) if is_full_check else []
    for item in damage[:MAX_HANDS_NAMED]:
        print_error_line("hand-damaged" if item.hand else "result-damaged", **asdict(item))
    if damage:
        print_error_line("repair-logs", count=len(damage))
    elif is_full_check and is_changed_by_disk(folder, path):
        print_error_line("database-changed")
    return bool(damage)


def _request_logs() -> None:
    """Have the phones asked for damaged logs."""
    from scoring.services.log_repair import detect_damage

    detect_damage()


@contextmanager
def stop_on_failure(folder: Path) -> Iterator[None]:
    """End the command with a sentence instead of a traceback if disk or database fail."""
    try:
        yield
    except DamagedDatabaseError as damaged:
        raise Stop(
            format_terminal_text("database-damaged", folder=folder, reason=damaged, **build_restore_values(folder))
        ) from None
    except Stop:
        raise
    except Exception as error:
        from operations.outages import find_outage

        outage = find_outage(error)
        if outage is None and isinstance(error, OSError) and str(error.filename).startswith(str(folder)):
            code = "part-not-writable" if isinstance(error, PermissionError) else "part-failing"
            raise Stop(format_terminal_text(code, path=error.filename, reason=error.strerror)) from None
        if outage is None:
            raise
        reason = " ".join(str(error).split())
        code = outage.code.replace("_", "-")
        raise Stop(format_terminal_text(code, folder=folder, reason=reason, **build_restore_values(folder))) from None
