"""Read files in processes with limits of memory and time: ``python -m tests.support.reading_child``.

Each line of standard input is READER MEGABYTES SECONDS PATH. The answer is a line of JSON with the outcome, memory and
time of the reader. The line is empty if the reader exceeded a limit or failed.

To load the program takes longer than to read most files, so each reader is a fork of a process that has loaded it.
"""

from __future__ import annotations

import io
import json
import os
import resource
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import django

from errors import Refusal

MB = 1024 * 1024
Readers = dict[str, Callable[[bytes], object]]


def load_readers() -> Readers:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from clubs.people_import import parse_people
    from operations.backup import open_backup
    from tournaments.event_files.parsing import read_event_file
    from tournaments.imports.recorded_nights.files import read_zip
    from tournaments.imports.services.night_import import parse_night
    from web.sheets.decoding import read_sheet_text

    return {
        "people": lambda content: parse_people(read_sheet_text(content, file="list.csv")),
        "event": read_event_file,
        "night": lambda content: parse_night(read_zip(content)),
        # open_backup takes a path or a file.
        "backup": lambda content: open_backup(io.BytesIO(content)).check(),  # type: ignore[arg-type]
    }


def main() -> None:
    readers = load_readers()
    for line in sys.stdin:
        reader, megabytes, seconds, path = line.split(maxsplit=3)
        child = os.fork()
        if child == 0:
            _read_and_exit(readers[reader], int(megabytes), int(seconds), Path(path.strip()))
        if os.waitpid(child, 0)[1]:
            print(flush=True)


def _read_and_exit(read: Callable[[bytes], object], megabytes: int, seconds: int, path: Path) -> None:
    try:
        print(json.dumps(measure_reader(read, megabytes, seconds, path.read_bytes())), flush=True)
        os._exit(0)
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
    finally:
        os._exit(1)


def measure_reader(read: Callable[[bytes], object], megabytes: int, seconds: int, content: bytes) -> dict[str, object]:
    before = resource.getrusage(resource.RUSAGE_SELF)
    taken = int(_get_address_space())
    resource.setrlimit(resource.RLIMIT_AS, (taken + megabytes * MB,) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (int(before.ru_utime + before.ru_stime) + seconds + 1,) * 2)
    try:
        read(content)
        outcome = "read"
    except Refusal as refusal:
        outcome = refusal.code
    after = resource.getrusage(resource.RUSAGE_SELF)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    grown = (after.ru_maxrss - before.ru_maxrss) // 1024
    return {"said": outcome, "megabytes": grown, "seconds": round(took, 1)}


def _get_address_space() -> int:
    with open("/proc/self/statm", encoding="ascii") as statm:  # noqa: PTH123 (no path of ours)
        return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
