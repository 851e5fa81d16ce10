"""Snapshots beside the pages: tables, a backup, refusals, texts, and what a page costs."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time

from django.core.cache import caches
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from operations.backup import back_up, restore
from operations.roles_page import roles_page
from tests.golden.comparing import TIMES
from tests.golden.folder import Folder
from tests.golden.house import LANGUAGES, House
from tests.golden.reading import readable
from tests.golden.still import Still
from tests.support.hall import post, typed_hand
from tests.wording.test_french import messages, texts_of_source
from tournaments.rounds.services.rounds import draw_round
from wording.sentences import ANSWERS

BACKUP = "backup.zip"
TRIES = 5


def write_database(folder: Folder) -> None:
    """Each table as it was made, and its rows by key."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1")
        made = cursor.fetchall()
        folder.write("database/made.txt", "\n".join(sql for _, sql in made))
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}" ORDER BY 1')
            columns = [column[0] for column in cursor.description]
            rows = [json.dumps(row, ensure_ascii=False, default=str) for row in cursor.fetchall()]
            folder.write(f"database/{table}.txt", readable("\n".join([", ".join(columns), *rows]).encode()))


def write_backup(folder: Folder) -> None:
    """The file itself, for another version to restore, and what is in it."""
    back_up(folder.path / BACKUP)
    _write_members(folder, "backup", folder.path / BACKUP)


def write_restored(folder: Folder, backup: Path) -> None:
    """Write what a backup becomes that is restored into an empty installation and made again there."""
    call_command("flush", interactive=False, verbosity=0)
    restore(backup)
    with tempfile.TemporaryDirectory() as place:
        again = Path(place) / BACKUP
        back_up(again)
        _write_members(folder, "restored", again)


def _write_members(folder: Folder, where: str, backup: Path) -> None:
    with zipfile.ZipFile(backup) as archive:
        for name in archive.namelist():
            folder.write(f"{where}/{name}", readable(archive.read(name)))


def write_refusals(folder: Folder) -> None:
    """Every refusal with its status and its sentence."""
    for language in LANGUAGES:
        with override(language):
            lines = [f"{code}\t{each.status}\t{each.sentence}" for code, each in sorted(ANSWERS.items())]
        folder.write(f"refusals, {language}.txt", "\n".join(lines))
    folder.write("roles.md", roles_page())


def write_texts(folder: Folder) -> None:
    """All that is translated in the source, and its French; in no order of files."""
    with tempfile.TemporaryDirectory() as place:
        found = messages(texts_of_source(Path(place)))
    lines = sorted(json.dumps([text.context, text.id, text.string], ensure_ascii=False) for text in found)
    folder.write("texts.txt", "\n".join(lines))


def write_costs(folder: Folder, house: House, still: Still) -> Iterator[str]:
    """Yield how many statements each deed asks of the database; and what it takes, which is told only."""
    counts, times = [], []
    for name, deed in _deeds(house).items():
        taken = []
        for _ in range(TRIES):
            still.begin(name)
            caches["pages"].clear()
            with transaction.atomic(), CaptureQueriesContext(connection) as made:
                begun = process_time()
                deed()
                taken.append(process_time() - begun)
                transaction.set_rollback(True)
        counts.append(f"{name}: {len(made)} queries")
        times.append(f"{counts[-1]}, {median(taken) * 1000:.1f} ms")
    folder.write("queries.txt", "\n".join(counts))
    folder.write(TIMES, "\n".join(times))
    yield from times


def _deeds(house: House) -> dict[str, Callable[[], object]]:
    event, phone, desk = house.hall.event, house.readers["phone"], house.readers["owner"]
    swiss = house.tournaments["swiss"]
    return {
        "a hand recorded": lambda: post(phone, house.hall.table, typed_hand(house.hall.match), follow=False),
        "a draw": lambda: draw_round(event_id=swiss.pk, seed=1),
        "the standings": lambda: desk.open(f"/e/{event.short}/standings"),
        "the desk": lambda: desk.open(f"/e/{event.short}/desk"),
    }
