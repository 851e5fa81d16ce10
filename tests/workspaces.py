"""A workspace on this machine for each process that runs tests: folder, ports, databases, Redis database.

Workspaces are numbered. A process locks its workspace until it ends, however it ends. Parallel runs therefore share
nothing, and the next process in a workspace clears what a killed one left.
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
"""Below the ports that a system gives to connections, so that no connection takes one of them."""

_locks = ExitStack()


@cache
def get_workspace_number() -> int:
    """Lock a free workspace for this process and return its number."""
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
    """Return the folder of this workspace: empty at the first call, deleted when the process ends."""
    path = WORKSPACES_FOLDER / str(get_workspace_number())
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def find_free_port() -> int:
    """Return the next port of this workspace on which no program listens."""
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
    """Cycle through the ports, so that a port that was just released is not taken again at once."""
    first = FIRST_PORT + get_workspace_number() * PORTS
    return cycle(range(first, first + PORTS))


@contextmanager
def create_database(server: str, purpose: str) -> Iterator[str]:
    """Create an empty PostgreSQL database of this workspace, yield its URL, and drop it afterwards."""
    name = f"charlemagne_{purpose}_{get_workspace_number()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {name}")
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def prepare_database(server: str) -> str:
    """Create a database with the tables of this source, which all workspaces copy, and return its name."""
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
