"""PostgreSQL returns to a moment between two hands with the commands of `docs/operating/backups.md`."""

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

from operations.data_dir import DATA_VARIABLE, PROJECT
from tests.operations.up.conftest import RunningUp, build_environment
from tests.support.waiting import TIMEOUT_SECONDS, wait_until

from .phones import Phones
from .servers import PostgreSQL, find_postgresql_owner, find_postgresql_program, run_postgresql

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
    pytest.mark.skipif(not find_postgresql_program("initdb"), reason="no programs of a PostgreSQL server"),
]

TABLES = 2


def read_commands() -> list[str]:
    """Return the documented commands: archive, base backup, flush of the archive, restore to a moment."""
    text = (PROJECT / "docs" / "operating" / "backups.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## PostgreSQL: back to any moment$(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    return re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


class Operator:
    """An operator who types commands as the user that owns the PostgreSQL server."""

    def __init__(self, database: PostgreSQL) -> None:
        self.folder = database.folder
        self._variables = {
            "PATH": f"{Path(find_postgresql_program('postgres')).parent}:{os.environ['PATH']}",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(database.port),
            "PGUSER": "charlemagne",
            **{name: str(self.folder / name.lower()) for name in ("ARCHIVE", "BASES")},
            "RESTORED": str(self.folder / "restored" / "data"),
        }
        self.run_command('mkdir -m 700 "$ARCHIVE" "$BASES" "$(dirname "$RESTORED")"')

    def run_command(self, command: str, **more: str) -> None:
        ended = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command], cwd=self.folder, user=find_postgresql_owner(),
            env=self._variables | more, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stderr


@contextmanager
def run_up(data: Path, database: PostgreSQL) -> Iterator[RunningUp]:
    up = RunningUp(data, DATABASE_URL=database.url)
    try:
        wait_until(up.is_answering)
        yield up
    finally:
        up.end()


def count_marks(up: RunningUp, table: dict[str, Any]) -> int:
    """Return the number of hands that the API shows at the table."""
    with closing(HTTPConnection("127.0.0.1", up.port, timeout=TIMEOUT_SECONDS)) as connection:
        connection.request("GET", f"/api/tables/{table['code']}")
        return len(json.loads(connection.getresponse().read())["marks"])


@pytest.mark.long("writes and reads archives of PostgreSQL for a minute")
def test_documented_commands_restore_the_database_to_a_moment(tmp_path: Path) -> None:
    archive, copy_all, hand_over, go_back = read_commands()
    data = tmp_path / "data"
    with run_postgresql() as database:
        operator = Operator(database)
        operator.run_command(archive)
        database.kill()
        database.start()
        made = subprocess.run(
            [sys.executable, "-m", "bench.hall.room", "make", str(TABLES)],
            cwd=PROJECT,
            env=build_environment(DATABASE_URL=database.url, DJANGO_SETTINGS_MODULE="config.settings")
            | {DATA_VARIABLE: str(data)},
            capture_output=True, encoding="utf-8", check=True,
        )  # fmt: skip
        tables = json.loads(made.stdout.splitlines()[-1])["tables"]
        with run_up(data, database) as up:
            with Phones(up.port, tables) as before:
                operator.run_command(copy_all)
            ((moment,),) = database.run_query("SELECT clock_timestamp()::text")
            with Phones(up.port, tables) as after:
                pass
        operator.run_command(hand_over)
        wait_until(lambda: database.run_query("SELECT last_archived_time > now() - interval '1 hour' AND"
                                        " last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1)"
                                        " FROM pg_stat_archiver") == [(True,)])  # fmt: skip
        database.kill()
        operator.run_command(go_back, MOMENT=str(moment))
        restored = PostgreSQL(operator.folder / "restored", find_postgresql_owner())
        restored.start()
        try:
            wait_until(lambda: restored.run_query("SELECT pg_is_in_recovery()") == [(False,)])
            there = {str(key) for (key,) in restored.run_query("SELECT entry_key FROM scoring_mark")}
            assert there == set(before.acknowledged)
            assert not there & set(after.acknowledged)
            with run_up(data, restored) as up:
                assert sum(count_marks(up, table) for table in tables) == len(before.acknowledged)
                with Phones(up.port, tables) as again:
                    pass
            assert again.met.keys() == {200, 201}, again.met
        finally:
            restored.kill()
