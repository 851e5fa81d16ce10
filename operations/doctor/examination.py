"""All checks of the diagnosis, in order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from .findings import Finding, Severity
from .of_the_computer import (
    look_at_clock,
    look_at_disk,
    look_at_permissions,
    look_at_place,
    look_at_server,
    look_at_versions,
)
from .of_the_data import (
    look_at_clubs,
    look_at_contacts,
    look_at_copies,
    look_at_file,
    look_at_indexes,
    look_at_jobs,
    look_at_key,
    look_at_logs,
    look_at_steps,
    look_at_times,
    try_restore,
)


def examine(*, is_restore_tried: bool = False) -> Iterator[Finding]:
    """Yield the findings of all checks, one after the other.

    Checks of the data need a database that is whole and of this version. Trying to restore takes about as
    long as a real restore.
    """
    yield from (look_at_versions(), look_at_disk(), look_at_clock(), look_at_permissions())
    yield from chain(look_at_place(), look_at_server())
    for look in (look_at_file, look_at_key, look_at_steps):
        found = look()
        yield found
        if found.level is Severity.BROKEN or found.code == "not_up_to_date":
            return
    yield from chain(
        look_at_times(),
        [look_at_indexes(), look_at_contacts(), look_at_jobs()],
        look_at_clubs(),
        look_at_logs(),
        look_at_copies(),
    )
    if is_restore_tried:
        yield from try_restore()
