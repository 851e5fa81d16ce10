"""PostgreSQL and Redis servers of a single test, which it may kill."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import redis

from tests.support.waiting import TIMEOUT_SECONDS, wait_until
from tests.workspaces import find_free_port


class Server:
    """A process and its children, with a port and a folder of their own."""

    def __init__(self, folder: Path, owner: str | None = None) -> None:
        self.folder, self.port, self._owner = folder, find_free_port(), owner
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it answers."""
        with (self.folder / "said").open("ab") as log_file:
            self._process = subprocess.Popen(
                self.build_command(), cwd=self.folder, user=self._owner, start_new_session=True,
                stdout=log_file, stderr=log_file,
            )  # fmt: skip
        wait_until(self.is_answering)

    def kill(self) -> None:
        """Kill all processes at once, like a power failure."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(TIMEOUT_SECONDS)

    def build_command(self) -> list[str]:
        raise NotImplementedError

    def is_answering(self) -> bool:
        raise NotImplementedError


class PostgreSQL(Server):
    @property
    def url(self) -> str:
        return f"postgresql://charlemagne@127.0.0.1:{self.port}/postgres"

    def build_command(self) -> list[str]:
        listening = ("-p", str(self.port), "-k", str(self.folder), "-c", "listen_addresses=127.0.0.1")
        return [find_postgresql_program("postgres"), "-D", str(self.folder / "data"), *listening]

    def is_answering(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def run_query(self, query: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            return connection.execute(query.encode()).fetchall()


class Redis(Server):
    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def build_command(self) -> list[str]:
        kept_nowhere = ("--save", "", "--appendonly", "no")
        return ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", *kept_nowhere]

    def is_answering(self) -> bool:
        try:
            with redis.Redis.from_url(self.url) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def empty(self) -> None:
        with redis.Redis.from_url(self.url) as client:
            client.flushall()


def find_postgresql_program(name: str) -> str:
    """Return the path of the program; "" if it is not installed."""
    beside = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(beside[-1]) if beside else "")


def find_postgresql_owner() -> str | None:
    """Return the user that runs PostgreSQL, which refuses to run as root; None for the current one."""
    if os.geteuid():
        return None
    names = {each.pw_name for each in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def run_postgresql() -> Iterator[PostgreSQL]:
    owner = find_postgresql_owner()
    with tempfile.TemporaryDirectory(prefix="charlemagne-cluster-", dir="/tmp") as name:
        folder = Path(name)
        if owner is not None:
            shutil.chown(folder, owner)
        subprocess.run(
            [
                *(find_postgresql_program("initdb"), "-D", str(folder / "data"), "-U", "charlemagne"),
                *("-A", "trust", "-E", "UTF8", "--locale", "C.UTF-8"),
            ],
            cwd=folder, user=owner, capture_output=True, check=True,
        )  # fmt: skip
        server = PostgreSQL(folder, owner)
        server.start()
        try:
            yield server
        finally:
            server.kill()


@contextmanager
def run_redis() -> Iterator[Redis]:
    with tempfile.TemporaryDirectory(prefix="charlemagne-redis-") as folder:
        server = Redis(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.kill()
