"""Reads standard input in a process that may take so much, and prints what it took: ``python -m
tests.support.reading_child READER MEGABYTES SECONDS``. A reader that takes more ends with an error."""

from __future__ import annotations

import io
import json
import os
import resource
import sys
from collections.abc import Callable

import django

from rules import Refusal

MB = 1024 * 1024


def _people(content: bytes) -> object:
    from clubs.people_import import read_people
    from web.sheets import text_of_sheet

    return read_people(text_of_sheet(content, file="list.csv"))


def _event(content: bytes) -> object:
    from tournaments.event_files.reading import read_event_file

    return read_event_file(content)


def _night(content: bytes) -> object:
    from tournaments.imports.recorded_nights import files_in_zip
    from tournaments.imports.services.night_import import checked_night

    return checked_night(files_in_zip(content))


def _backup(content: bytes) -> object:
    from operations.backup import open_backup

    open_backup(io.BytesIO(content)).check()  # type: ignore[arg-type] # a path or a file, to who unpacks it
    return None


READERS: dict[str, Callable[[bytes], object]] = {
    "people": _people,
    "event": _event,
    "night": _night,
    "backup": _backup,
}


def main(reader: str, megabytes: str, seconds: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    read, content = READERS[reader], sys.stdin.buffer.read()
    before = resource.getrusage(resource.RUSAGE_SELF)
    taken = int(_address_space())
    resource.setrlimit(resource.RLIMIT_AS, (taken + int(megabytes) * MB,) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (int(before.ru_utime + before.ru_stime) + int(seconds) + 1,) * 2)
    try:
        read(content)
        said = "read"
    except Refusal as refusal:
        said = refusal.code
    after = resource.getrusage(resource.RUSAGE_SELF)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    grown = (after.ru_maxrss - before.ru_maxrss) // 1024
    print(json.dumps({"said": said, "megabytes": grown, "seconds": round(took, 1)}))


def _address_space() -> int:
    with open("/proc/self/statm", encoding="ascii") as told:  # noqa: PTH123 (no path of ours)
        return int(told.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main(*sys.argv[1:])
