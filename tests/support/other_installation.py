"""Another installation of the program, which answers over HTTP and has its own database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.servers.basehttp import WSGIServer
from django.db import connection, connections
from django.test.testcases import LiveServerThread, QuietWSGIRequestHandler

ALIAS = "default"


class SequentialLiveServer(LiveServerThread):
    """Live server that answers all requests in its one thread.

    Threads that share a connection would use it while one of them closes it.
    """

    def _create_server(self, connections_override: Any = None) -> WSGIServer:
        return WSGIServer((self.host, self.port), QuietWSGIRequestHandler, allow_reuse_address=False)


class OtherInstallation:
    """An installation at ``port`` of 127.0.0.1, whose database begins like the tests' own: without rows."""

    def __init__(self, path: Path) -> None:
        own = sqlite3.connect(connection.settings_dict["NAME"])
        with closing(own), closing(sqlite3.connect(path)) as copied:
            own.backup(copied)
        self._database, served = (self._connection(path) for _ in range(2))  # requests close their connection
        self._server = SequentialLiveServer("127.0.0.1", StaticFilesHandler, connections_override={ALIAS: served})

    @staticmethod
    def _connection(path: Path) -> Any:
        made: Any = connections.create_connection(ALIAS)
        made.settings_dict = {**made.settings_dict, "NAME": str(path)}
        made.inc_thread_sharing()
        return made

    @property
    def port(self) -> int:
        return int(self._server.port)

    def copy_database(self) -> sqlite3.Connection:
        """Return a copy of the database as it is now, for ``restore``."""
        copy = sqlite3.connect(":memory:")
        with closing(sqlite3.connect(self._database.settings_dict["NAME"])) as own:
            own.backup(copy)
        return copy

    def restore(self, copy: sqlite3.Connection) -> None:
        """Restore the database from a copy."""
        with closing(sqlite3.connect(self._database.settings_dict["NAME"])) as own:
            copy.backup(own)

    @contextmanager
    def activate(self) -> Iterator[None]:
        """Run the block in the other installation, as if it ran on that computer."""
        ours = connections[ALIAS]
        connections[ALIAS] = self._database
        try:
            yield
        finally:
            connections[ALIAS] = ours


@contextmanager
def run_other_installation(path: Path) -> Iterator[OtherInstallation]:
    if connection.vendor != "sqlite":
        pytest.skip("the other installation copies an SQLite file")
    other = OtherInstallation(path)
    server = other._server
    server.daemon = True
    server.start()
    server.is_ready.wait()
    assert server.error is None, server.error
    try:
        yield other
    finally:
        server.terminate()
        other._database.dec_thread_sharing()
        other._database.close()
