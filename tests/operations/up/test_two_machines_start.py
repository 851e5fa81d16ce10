"""Several machines begin a newer program on one PostgreSQL at the same moment: one takes the steps of the
database, the others wait for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from operations.data_dir import KEY_VARIABLE, PROJECT
from operations.up.supervisor import PREPARE
from operations.upgrading.schema import migrations_on_disk

from .accidents.servers import a_postgresql, program_of_postgresql
from .conftest import environment

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks for the programs of PostgreSQL"),
    pytest.mark.skipif(not program_of_postgresql("initdb"), reason="no programs of a PostgreSQL server"),
]


@pytest.mark.long("two machines start")
def test_all_of_them_start_and_each_step_is_taken_once(tmp_path: Path) -> None:
    with a_postgresql() as database:
        variables = environment(DATABASE_URL=database.url, **{KEY_VARIABLE: "the same for all machines" * 3})
        machines = [
            subprocess.Popen(
                [*PREPARE, "--data", str(tmp_path / name)], cwd=PROJECT, env=variables,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8",
            )
            for name in ("one", "other", "third")
        ]  # fmt: skip
        said = [machine.communicate()[1] for machine in machines]
        assert [machine.returncode for machine in machines] == [0, 0, 0], said
        taken = database.ask("SELECT app, name FROM django_migrations")
        assert len(taken) == len(set(taken))
        assert set(taken) == migrations_on_disk()
