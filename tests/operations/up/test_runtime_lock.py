"""Runtime lock: an installation works without the packages for development."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import redis

from operations.data_dir import DATA_VARIABLE, PROJECT
from tests import external_tools
from tests.support.waiting import wait_until
from tests.workspaces import create_database

from .conftest import RunningUp, build_environment

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names the files of an environment as Unix does")

BARE_PYTHON: str = getattr(sys, "_base_executable", sys.executable)
MAKE_NIGHT_COMMAND = ["-m", "bench.hall.room", "make", "1", "1"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project with the environment that its first start created."""
    project = tmp_path_factory.mktemp("installed") / "project"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, check=True)
    for name in listed.stdout.decode().split("\0"):
        if (PROJECT / name).is_file():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(PROJECT / name, project / name)
    first = subprocess.run(
        [BARE_PYTHON, "manage.py", "check"],
        cwd=project, env=build_environment(), capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert first.returncode == 0, first.stderr
    return project


@pytest.fixture
def files_only() -> dict[str, str]:
    return {}


@pytest.fixture
def servers() -> Iterator[dict[str, str]]:
    """Yield the variables of a new PostgreSQL database and an emptied Redis."""
    database, broker = external_tools.find_postgres(), external_tools.find_redis_server()
    if database is None or broker is None:
        pytest.skip("no PostgreSQL, or no Redis")
    with create_database(database, "installed") as url, redis.Redis.from_url(broker) as messages:
        messages.flushdb()
        yield {"DATABASE_URL": url, "CHARLEMAGNE_BROKER_URL": broker}
        messages.flushdb()


@pytest.mark.long("makes an environment, like test_virtual_environment.py")
@pytest.mark.parametrize("kept_in", ["files_only", "servers"])
def test_runtime_packages_suffice_to_record_a_hand_and_refresh_standings(
    kept_in: str, installed: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    variables: dict[str, str] = request.getfixturevalue(kept_in)
    python, data = installed / ".venv" / "bin" / "python", tmp_path / "data"
    night = _make_night(installed, python, build_environment(**{DATA_VARIABLE: str(data)}, **variables))
    up = RunningUp(data, project=installed, python=python, **variables)
    try:
        wait_until(up.is_answering)
        assert _count_wins(up, night) == 0
        (table,) = night["tables"]
        hand = {"side": "A", "contract": "6", "tricks": 7}
        body = {"match": table["match"], "entry_key": str(uuid4()), "number": 1, "hand": hand}
        assert _send_request(up, f"/api/tables/{table['code']}/hands", body)["status"] == "current"
        wait_until(lambda: _count_wins(up, night) == 1)
    finally:
        up.end()


def _make_night(project: Path, python: Path, variables: dict[str, str]) -> Any:
    """Create a night with one table and return its data from the last line of output."""
    made = subprocess.run(
        [python, *MAKE_NIGHT_COMMAND],
        cwd=project, env=variables | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout.splitlines()[-1])


def _count_wins(up: RunningUp, night: dict[str, Any]) -> float:
    """Return the wins and half wins in the standings, which have no figures before the first refresh."""
    rows = _send_request(up, f"/e/{night['event']}/standings.json")["rows"]
    return float(sum(row.get("half_wins", 0) for row in rows))


def _send_request(up: RunningUp, path: str, body: dict[str, Any] | None = None) -> Any:
    with closing(http.client.HTTPConnection("127.0.0.1", up.port, timeout=60)) as connection:
        if body is None:
            connection.request("GET", path)
        else:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        return json.loads(connection.getresponse().read())
