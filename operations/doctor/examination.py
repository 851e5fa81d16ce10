"""All checks of the diagnosis, in order."""

from __future__ import annotations

from collections.abc import Iterator
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
    for look in (check_database_file, check_key, check_steps):
        found = look()
        yield found
        if found.level is Severity.BROKEN or found.code == "not_up_to_date":
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
