"""Output beside the pages: tables, a backup, refusals, texts, and the cost of some actions."""

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

from operations.backup import create_backup, restore
from tests.golden.comparison import TIMES
from tests.golden.content import make_readable
from tests.golden.fixed_values import FixedValues
from tests.golden.folder import Folder
from tests.golden.installation import LANGUAGES, Installation
from tests.support.hall import build_hand_form, post_form
from tests.wording.test_french import build_source_catalogue, list_messages
from tools.roles_page import render_roles_page
from tournaments.rounds.services.rounds import draw_round
from wording.sentences import ANSWERS_BY_CODE

BACKUP = "backup.zip"
MAX_ATTEMPTS = 5


def write_database(folder: Folder) -> None:
    """Write the SQL of each table, and its rows by key."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1")
        made = cursor.fetchall()
        folder.write("database/made.txt", "\n".join(sql for _, sql in made))
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}" ORDER BY 1')
            columns = [column[0] for column in cursor.description]
            rows = [json.dumps(row, ensure_ascii=False, default=str) for row in cursor.fetchall()]
            folder.write(f"database/{table}.txt", make_readable("\n".join([", ".join(columns), *rows]).encode()))


def write_backup(folder: Folder) -> None:
    """Write a backup, for another version to restore, and its contents."""
    create_backup(folder.path / BACKUP)
    _write_members(folder, "backup", folder.path / BACKUP)


def write_restored(folder: Folder, backup: Path) -> None:
    """Restore a backup into an empty installation, back that up, and write the contents."""
    call_command("flush", interactive=False, verbosity=0)
    restore(backup)
    with tempfile.TemporaryDirectory() as place:
        again = Path(place) / BACKUP
        create_backup(again)
        _write_members(folder, "restored", again)


def _write_members(folder: Folder, where: str, backup: Path) -> None:
    with zipfile.ZipFile(backup) as archive:
        for name in archive.namelist():
            folder.write(f"{where}/{name}", make_readable(archive.read(name)))


def write_refusals(folder: Folder) -> None:
    """Write every refusal with its status and sentence, and the page of roles."""
    for language in LANGUAGES:
        with override(language):
            lines = [f"{code}\t{each.status}\t{each.sentence}" for code, each in sorted(ANSWERS_BY_CODE.items())]
        folder.write(f"refusals, {language}.txt", "\n".join(lines))
    folder.write("roles.md", render_roles_page())


def write_texts(folder: Folder) -> None:
    """Write all translatable texts with their French, sorted, so that files may move."""
    with tempfile.TemporaryDirectory() as place:
        found = list_messages(build_source_catalogue(Path(place)))
    lines = sorted(json.dumps([text.context, text.id, text.string], ensure_ascii=False) for text in found)
    folder.write("texts.txt", "\n".join(lines))


def write_costs(folder: Folder, installation: Installation, still: FixedValues) -> Iterator[str]:
    """Write the number of queries of each action; yield it with the time, which is not compared."""
    counts, times = [], []
    for name, action in _list_actions(installation).items():
        taken = []
        for _ in range(MAX_ATTEMPTS):
            still.begin(name)
            caches["pages"].clear()
            with transaction.atomic(), CaptureQueriesContext(connection) as made:
                begun = process_time()
                action()
                taken.append(process_time() - begun)
                transaction.set_rollback(True)
        counts.append(f"{name}: {len(made)} queries")
        times.append(f"{counts[-1]}, {median(taken) * 1000:.1f} ms")
    folder.write("queries.txt", "\n".join(counts))
    folder.write(TIMES, "\n".join(times))
    yield from times


def _list_actions(installation: Installation) -> dict[str, Callable[[], object]]:
    event, phone, desk = installation.hall.event, installation.readers["phone"], installation.readers["owner"]
    swiss = installation.tournaments["swiss"]
    return {
        "a hand recorded": lambda: post_form(
            phone, installation.hall.table, build_hand_form(installation.hall.match), follow=False
        ),
        "a draw": lambda: draw_round(event_id=swiss.pk, seed=1),
        "the standings": lambda: desk.open(f"/e/{event.short}/standings"),
        "the desk": lambda: desk.open(f"/e/{event.short}/desk"),
    }
