"""PostgreSQL goes back to a moment between two hands, by the commands of `docs/operating/backups.md`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from operations.data_dir import PROJECT, VARIABLE
from tests.operations.up.conftest import Up, environment
from tests.support.waiting import PATIENCE, wait_until

from .phones import Phones
from .servers import PostgreSQL, a_postgresql, owner_of_postgresql, program_of_postgresql

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
    pytest.mark.skipif(not program_of_postgresql("initdb"), reason="no programs of a PostgreSQL server"),
]

TABLES = 2


def commands() -> list[str]:
    """To archive, to copy the whole, to hand over the rest, to make the folder of another moment."""
    text = (PROJECT / "docs" / "operating" / "backups.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## PostgreSQL: back to any moment$(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    return re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


class Operator:
    """An operator who types commands, as the user that owns the PostgreSQL server."""

    def __init__(self, database: PostgreSQL) -> None:
        self.folder = database.folder
        self._variables = {
            "PATH": f"{Path(program_of_postgresql('postgres')).parent}:{os.environ['PATH']}",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(database.port),
            "PGUSER": "charlemagne",
            **{name: str(self.folder / name.lower()) for name in ("ARCHIVE", "BASES")},
            "RESTORED": str(self.folder / "restored" / "data"),
        }
        self.types('mkdir -m 700 "$ARCHIVE" "$BASES" "$(dirname "$RESTORED")"')

    def types(self, command: str, **more: str) -> None:
        ended = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command], cwd=self.folder, user=owner_of_postgresql(),
            env=self._variables | more, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stderr


@contextmanager
def running(data: Path, database: PostgreSQL) -> Iterator[Up]:
    up = Up(data, DATABASE_URL=database.url)
    try:
        wait_until(up.answers)
        yield up
    finally:
        up.end()


def marks_at(up: Up, table: dict[str, Any]) -> int:
    """Return how many hands its phone is shown."""
    with closing(HTTPConnection("127.0.0.1", up.port, timeout=PATIENCE)) as connection:
        connection.request("GET", f"/api/tables/{table['code']}")
        return len(json.loads(connection.getresponse().read())["marks"])


@pytest.mark.long("archives of PostgreSQL are written and read for a minute")
def test_the_database_is_as_it_was_between_two_hands(tmp_path: Path) -> None:
    archive, copy_all, hand_over, go_back = commands()
    data = tmp_path / "data"
    with a_postgresql() as database:
        operator = Operator(database)
        operator.types(archive)
        database.kill()
        database.start()
        made = subprocess.run(
            [sys.executable, "-m", "bench.hall.room", "make", str(TABLES)],
            cwd=PROJECT,
            env=environment(DATABASE_URL=database.url, DJANGO_SETTINGS_MODULE="config.settings")
            | {VARIABLE: str(data)},
            capture_output=True, encoding="utf-8", check=True,
        )  # fmt: skip
        tables = json.loads(made.stdout.splitlines()[-1])["tables"]
        with running(data, database) as up:
            with Phones(up.port, tables) as before:
                operator.types(copy_all)
            ((moment,),) = database.ask("SELECT clock_timestamp()::text")
            with Phones(up.port, tables) as after:
                pass
        operator.types(hand_over)
        wait_until(lambda: database.ask("SELECT last_archived_time > now() - interval '1 hour' AND"
                                        " last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1)"
                                        " FROM pg_stat_archiver") == [(True,)])  # fmt: skip
        database.kill()
        operator.types(go_back, MOMENT=str(moment))
        restored = PostgreSQL(operator.folder / "restored", owner_of_postgresql())
        restored.start()
        try:
            wait_until(lambda: restored.ask("SELECT pg_is_in_recovery()") == [(False,)])
            there = {str(key) for (key,) in restored.ask("SELECT entry_key FROM scoring_mark")}
            assert there == set(before.acknowledged)
            assert not there & set(after.acknowledged)
            with running(data, restored) as up:
                assert sum(marks_at(up, table) for table in tables) == len(before.acknowledged)
                with Phones(up.port, tables) as again:
                    pass
            assert again.met.keys() == {200, 201}, again.met
        finally:
            restored.kill()
