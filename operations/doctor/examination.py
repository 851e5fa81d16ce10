"""All checks of the diagnosis, and those before a night, in order."""

from collections.abc import Generator, Iterator, Mapping
from itertools import chain

from clubs.disk_quota import measure_disk_use
from clubs.models import Club

from .data_checks import (
    check_backups,
    check_clubs,
    check_contacts,
    check_database_file,
    check_indexes,
    check_jobs,
    check_key,
    check_logs,
    check_migrations,
    check_times,
    try_restore,
)
from .findings import Finding, Severity
from .night_checks import check_addresses, check_environment, check_papers, check_phone
from .system_checks import check_clock, check_disk, check_permissions, check_place, check_server, check_versions


def run_checks(*, tries_restore: bool = False, used: Mapping[int, int] | None = None) -> Iterator[Finding]:
    """Yield the findings of all checks, one after the other. ``used`` are the bytes of each club, if known.

    Checks of the data need a database that is whole and of this version. Trying to restore takes about as
    long as a real restore.
    """
    yield from (check_versions(), check_disk(), check_clock(), check_permissions())
    yield from chain(check_place(), check_server())
    if not (yield from _check_database()):
        return
    yield from chain(
        check_times(),
        [check_indexes(), check_contacts(), check_jobs()],
        check_clubs(measure_disk_use() if used is None else used),
        check_logs(),
        check_backups(),
    )
    if tries_restore:
        yield from try_restore()


def run_night_checks(get_club_path: Club | None = None) -> Iterator[Finding]:
    """Yield the findings on what an evening in a hall needs, from the computer to the phones; with the names
    of this club alone if given."""
    yield from (check_versions(), check_environment(), check_permissions())
    yield from chain(check_place(), [check_disk()], check_addresses(), [check_clock()])
    if not (yield from _check_database()):
        return
    yield from chain(check_times(), check_papers(get_club_path), check_backups(), check_phone())


def _check_database() -> Generator[Finding, None, bool]:
    """Yield the findings on the database, and return whether the checks of its data can follow."""
    for check in (check_database_file, check_key, check_migrations):
        result = check()
        yield result
        if result.level is Severity.BROKEN or result.code == "not_up_to_date":
            return False
    return True
