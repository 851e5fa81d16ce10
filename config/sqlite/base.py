"""The SQLite backend: writers of one process take turns before they request SQLite's lock.

SQLite itself waits by polling with growing pauses: among many writers some wait for seconds while others come
and go. Other processes (the worker) still compete for SQLite's own lock.
"""

import os
import sqlite3
import threading
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

from config.sqlite.holds import Hold
from config.sqlite.turns import Turns

_turns: dict[str, Turns] = {}
_turns_mutex = threading.Lock()


def _get_turns(database: str) -> Turns:
    with _turns_mutex:
        return _turns.setdefault(database, Turns())


def _is_read_only(file: str) -> bool:
    """Return whether the file exists and cannot be written.

    It looks twice: other connections may create or delete the log between two looks.
    """
    return all(not os.access(file, os.W_OK) and os.access(file, os.F_OK) for _ in range(2))


class DatabaseWrapper(base.DatabaseWrapper):
    transaction_mode: str | None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._turn: Turns | None = None
        self._hold: Hold | None = None

    def get_new_connection(self, conn_params: Any) -> Any:
        """Open a connection, or raise an error while the files are read-only.

        SQLite would open them for reading, and all connections of this process share a part of that, so that
        none could write again before every one of them was closed.
        """
        name = str(self.settings_dict["NAME"])
        for file in (name, f"{name}-wal", f"{name}-shm"):
            if _is_read_only(file):
                error = sqlite3.OperationalError("attempt to write a readonly database")
                error.sqlite_errorcode = sqlite3.SQLITE_READONLY
                raise error
        return super().get_new_connection(conn_params)

    # Savepoints and inner atomic blocks do not come here: a transaction begins once.
    def _start_transaction_under_autocommit(self) -> None:
        if self.transaction_mode == "DEFERRED":  # it only reads (live.conditional_pages), and makes nobody wait
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
            return
        turns = _get_turns(str(self.settings_dict["NAME"]))
        if not turns.acquire(self.settings_dict["OPTIONS"].get("timeout", 5.0)):
            raise OperationalError("database is locked")
        self._turn = turns
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._release_turn()
            raise
        self._hold = Hold()

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._release_turn()  # not if the commit failed: then a rollback or a close follows

    def _rollback(self) -> None:
        super()._rollback()  # type: ignore[misc]
        self._release_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._release_turn()

    def _release_turn(self) -> None:
        turn, self._turn = self._turn, None
        hold, self._hold = self._hold, None
        if turn is not None:
            turn.release()
        if hold is not None:
            hold.end()
