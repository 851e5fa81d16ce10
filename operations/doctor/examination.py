"""All checks of the diagnosis, and those before a night, in order."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import chain

from .data_checks import (
    check_clubs,
    check_contacts,
    check_copies,
    check_database_file,
    check_indexes,
    check_jobs,
    check_key,
    check_logs,
    check_steps,
    check_times,
    try_restore,
)
from .findings import Finding, Severity
from .night_checks import check_addresses, check_environment, check_papers, check_phone
from .system_checks import (
    check_clock,
    check_disk,
    check_permissions,
    check_place,
    check_server,
    check_versions,
)


def examine(*, is_restore_tried: bool = False) -> Iterator[Finding]:
    """Yield the findings of all checks, one after the other.

    Checks of the data need a database that is whole and of this version. Trying to restore takes about as
    long as a real restore.
    """
    yield from (check_versions(), check_disk(), check_clock(), check_permissions())
    yield from chain(check_place(), check_server())
    if not (yield from _is_database_usable()):
        return
    yield from chain(
        check_times(),
        [check_indexes(), check_contacts(), check_jobs()],
        check_clubs(),
        check_logs(),
        check_copies(),
    )
    if is_restore_tried:
        yield from try_restore()


def examine_before_night() -> Iterator[Finding]:
    """Yield the findings on what an evening in a hall needs, from the computer to the phones."""
    yield from (check_versions(), check_environment(), check_permissions())
    yield from chain(check_place(), [check_disk()], check_addresses(), [check_clock()])
    if not (yield from _is_database_usable()):
        return
    yield from chain(check_times(), check_papers(), check_copies(), check_phone())


def _is_database_usable() -> Generator[Finding, None, bool]:
    """Yield the findings on the database, and return whether the checks of its data can follow."""
    for look in (check_database_file, check_key, check_steps):
        found = look()
        yield found
        if found.level is Severity.BROKEN or found.code == "not_up_to_date":
            return False
    return True
