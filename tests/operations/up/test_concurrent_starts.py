"""Several machines start a newer version on one PostgreSQL: one applies the migrations, the others wait."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from operations.data_dir import KEY_VARIABLE, PROJECT
from operations.up.supervisor import PREPARE_COMMAND
from operations.upgrading.schema import list_own_migrations

from .accidents.servers import find_postgresql_program, run_postgresql
from .conftest import build_environment

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks for the programs of PostgreSQL"),
    pytest.mark.skipif(not find_postgresql_program("initdb"), reason="no programs of a PostgreSQL server"),
]


@pytest.mark.long("starts two machines")
def test_concurrent_machines_apply_each_migration_once(tmp_path: Path) -> None:
    with run_postgresql() as database:
        variables = build_environment(DATABASE_URL=database.url, **{KEY_VARIABLE: "the same for all machines" * 3})
        machines = [
            subprocess.Popen(
                [*PREPARE_COMMAND, "--data", str(tmp_path / name)], cwd=PROJECT, env=variables,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8",
            )
            for name in ("one", "other", "third")
        ]  # fmt: skip
        error_outputs = [machine.communicate()[1] for machine in machines]
        assert [machine.returncode for machine in machines] == [0, 0, 0], error_outputs
        taken = database.run_query("SELECT app, name FROM django_migrations")
        assert len(taken) == len(set(taken))
        assert set(taken) == list_own_migrations()
