"""Everything that is looked at, in the order in which one would."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from .findings import Finding, Severity
from .of_the_computer import (
    look_at_clock,
    look_at_disk,
    look_at_permissions,
    look_at_server,
    look_at_versions,
)
from .of_the_data import (
    look_at_contacts,
    look_at_copies,
    look_at_file,
    look_at_indexes,
    look_at_jobs,
    look_at_key,
    look_at_steps,
    look_at_times,
    try_restore,
)


def examine(*, is_restore_tried: bool = False) -> Iterator[Finding]:
    """One after the other, as they are found. What takes a whole database needs one that is whole and of this
    program; the restore that may be tried takes about as long as a real one."""
    yield from (look_at_versions(), look_at_disk(), look_at_clock(), look_at_permissions())
    yield from look_at_server()
    for look in (look_at_file, look_at_key, look_at_steps):
        found = look()
        yield found
        if found.level is Severity.BROKEN or found.code == "not_up_to_date":
            return
    yield from chain(
        look_at_times(), [look_at_indexes(), look_at_contacts(), look_at_jobs()], look_at_copies()
    )
    if is_restore_tried:
        yield from try_restore()
