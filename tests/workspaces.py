"""A place on this machine for each process that runs tests: a folder, ports, databases, a number of Redis.

Places are numbered. Who takes one has it alone until its process ends, however that ends; so runs beside one
another share nothing, and whoever comes next clears what a killed one left.
"""

from __future__ import annotations

import atexit
import getpass
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from hashlib import sha256
from itertools import count, cycle
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from operations.data_dir import PROJECT
from operations.file_lock import LockTakenError, hold_lock, try_hold_lock

WORKSPACES_FOLDER = Path(tempfile.gettempdir()) / f"charlemagne-tests-{getpass.getuser()}"

FIRST_PORT, PORTS = 20_000, 200
"""Below those that a system gives to connections, so that none of them takes one meanwhile."""

_locks = ExitStack()


@cache
def get_workspace_number() -> int:
    """The number of the place of this process."""
    WORKSPACES_FOLDER.mkdir(exist_ok=True)
    for number in count():
        try:
            _locks.enter_context(try_hold_lock(WORKSPACES_FOLDER / f"{number}.lock"))
        except LockTakenError:
            continue
        return number
    raise AssertionError("numbers do not end")


@cache
def get_folder() -> Path:
    """The folder of this place, empty when it is first asked for; it goes when the process ends."""
    path = WORKSPACES_FOLDER / str(get_workspace_number())
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def find_free_port() -> int:
    """The next port of this place on which nobody listens."""
    for port in _iter_ports():
        with socket.socket() as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("ports do not end")


@cache
def _iter_ports() -> Iterator[int]:
    """One after the other, so that a port which was just given up is not taken at once."""
    first = FIRST_PORT + get_workspace_number() * PORTS
    return cycle(range(first, first + PORTS))


@contextmanager
def create_database(server: str, purpose: str) -> Iterator[str]:
    """The URL of an empty database of this place on a PostgreSQL server, which is dropped afterwards."""
    name = f"charlemagne_{purpose}_{get_workspace_number()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {name}")
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def prepare_database(server: str) -> str:
    """The name of a database of the server with the tables of this source, which all places copy."""
    migrations = sorted(PROJECT.glob("*/migrations/*.py"))
    digest = sha256(b"".join(map(Path.read_bytes, migrations))).hexdigest()[:12]
    name = f"charlemagne_ready_{digest}"
    with hold_lock(WORKSPACES_FOLDER / f"{name}.lock"), psycopg.connect(server, autocommit=True) as connection:
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            return name
        with create_database(server, "making") as url:
            migrate = [sys.executable, "-m", "django", "migrate", "--verbosity=0"]
            environment = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"}
            subprocess.run(migrate, cwd=PROJECT, env=environment, check=True)
            made = urlsplit(url).path.removeprefix("/")
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {made}")
    return name
