"""States that many tests begin with, such as a running night: built once, and restored for each test.

All processes and runs of this version of the source share them. To restore the rows takes a twentieth of the time.
"""

from __future__ import annotations

import os
import pickle
import re
import secrets
import shutil
import time as system_clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import cache, wraps
from hashlib import sha256
from pathlib import Path
from random import Random
from time import time as get_seconds
from typing import Any, ParamSpec, TypeVar
from unittest.mock import patch

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.utils import timezone

from operations.data_dir import PROJECT
from operations.file_lock import hold_lock
from tests.long_runs import RUN_SEED
from tests.workspaces import WORKSPACES_FOLDER

SOURCES = ("[a-z]*/**/*.py", "templates/**/*.html", "locale/**/*.po", "requirements.txt")
"""Files whose change may change a saved state."""
MAX_AGE = 3600
"""Seconds for which states of another version of the source are kept after their last use."""
DJANGO_TABLES = {"auth.permission", "contenttypes.contenttype"}
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00")
P = ParamSpec("P")
R = TypeVar("R")


def saved_state(make: Callable[P, R]) -> Callable[P, R]:
    """Save the rows that ``make`` writes into an empty database, and restore them with current times.

    If the database already has rows, ``make`` runs again, for its result may depend on them.
    """

    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def make_or_restore(*arguments: P.args, **named: P.kwargs) -> R:
        if not _is_empty():
            return make(*arguments, **named)
        hour = timezone.now().replace(minute=0, second=0, microsecond=0)  # a club's day begins at a full hour
        system_hour = system_clock.time() // 3600  # differs where a test fakes only one of the clocks
        hours = (hour, system_hour)
        key = pickle.dumps((connection.vendor, RUN_SEED, name, arguments, sorted(named.items()), hours))
        if key not in _states:
            _states[key] = _load_or_make_state(key, lambda: make(*arguments, **named), lots=RUN_SEED + name)
        result: R = _states[key].restore()
        return result

    return make_or_restore


@contextmanager
def rolled_back() -> Iterator[None]:
    """Run the block and roll back all that it writes."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def list_stored_rows(*labels: str) -> dict[str, list[Any]]:
    """Return all rows of these apps as the database stores them, by model."""
    with connection.cursor() as cursor:
        return {
            model._meta.label: _fetch_all(cursor, f"{_quote_table(model)} ORDER BY 1")
            for model in _list_models()
            if model._meta.app_label in labels
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """Rows of a whole database, and the return value of the function that wrote them."""

    saved_at: datetime
    rows: dict[str, list[list[Any]]]
    """Rows by the label of their model."""
    numbers: list[tuple[str, int]]
    result: bytes

    def restore(self) -> Any:
        with transaction.atomic(), connection.cursor() as cursor:
            since = timezone.now() - self.saved_at
            rows_by_model = {apps.get_model(label): rows for label, rows in self.rows.items()}
            for model, rows in rows_by_model.items():
                places = ", ".join(["%s"] * len(rows[0]))
                cursor.executemany(f"INSERT INTO {_quote_table(model)} VALUES ({places})", _shift_rows(rows, since))
            if connection.vendor == "sqlite":
                cursor.execute("DELETE FROM sqlite_sequence")
                cursor.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", self.numbers)
            else:
                cursor.execute("; ".join(connection.ops.sequence_reset_sql(no_style(), list(rows_by_model))))
        return pickle.loads(self.result)


_states: dict[bytes, _State] = {}


def _load_or_make_state(key: bytes, make: Callable[[], Any], *, lots: str) -> _State:
    """Return the state that another process has saved, or make and save it under a lock."""
    file = _find_folder() / sha256(key).hexdigest()
    with hold_lock(file.with_suffix(".lock")):
        if not file.exists():
            state = _make_state(make, lots=lots)
            file.with_suffix(".new").write_bytes(pickle.dumps(state))
            file.with_suffix(".new").replace(file)
        found: _State = pickle.loads(file.read_bytes())
        return found


@cache
def _find_folder() -> Path:
    """Return the folder for states of this source, and delete folders that were not used for an hour."""
    files = sorted(file for pattern in SOURCES for file in PROJECT.glob(pattern))
    states = WORKSPACES_FOLDER / "states"
    own = states / sha256(b"".join(map(Path.read_bytes, files))).hexdigest()
    own.mkdir(parents=True, exist_ok=True)
    os.utime(own)
    for folder in states.glob("*"):
        with suppress(FileNotFoundError):  # another process may delete it, too
            if get_seconds() - folder.stat().st_mtime > MAX_AGE:
                shutil.rmtree(folder, ignore_errors=True)
    return own


def _make_state(make: Callable[[], Any], *, lots: str) -> _State:
    """Make a state in a transaction that is rolled back: its first user restores it like all others."""
    with transaction.atomic(), patch.object(secrets, "randbelow", Random(lots).randrange):
        result = pickle.dumps(make())
        at = timezone.now()
        with connection.cursor() as cursor:
            rows = {
                model._meta.label: found
                for model in _list_models()
                if (found := _fetch_all(cursor, _quote_table(model)))
            }
            numbers = _fetch_all(cursor, "sqlite_sequence") if connection.vendor == "sqlite" else []
        transaction.set_rollback(True)
    return _State(saved_at=at, rows=rows, numbers=numbers, result=result)


def _is_empty() -> bool:
    filled = " OR ".join(f"EXISTS (SELECT 1 FROM {_quote_table(model)})" for model in _list_models())
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {filled}")
        return not cursor.fetchone()[0]


@cache
def _list_models() -> list[type[models.Model]]:
    every = apps.get_models(include_auto_created=True)
    return [one for one in every if one._meta.managed and one._meta.label_lower not in DJANGO_TABLES]


def _quote_table(model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _fetch_all(cursor: Any, table: str) -> list[Any]:
    cursor.execute(f"SELECT * FROM {table}")
    return list(cursor.fetchall())


def _shift_rows(rows: list[Any], delay: timedelta) -> list[list[Any]]:
    """Return the rows as if they had been written later by ``delay``."""
    return [[_shift_value(one, delay) for one in row] for row in rows]


def _shift_value(value: Any, delay: timedelta) -> Any:
    match value:
        case datetime():
            return value + delay
        case str():  # the history stores values as JSON
            return _MOMENT.sub(lambda found: (datetime.fromisoformat(found[0]) + delay).isoformat(), value)
        case time():
            return value.isoformat()  # SQLite accepts only text
        case _:
            return value
