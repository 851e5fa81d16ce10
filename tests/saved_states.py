"""States that many tests begin with, such as an evening under way: made once in a process, and put back for
every other test, row by row, which takes a twentieth of the time."""

from __future__ import annotations

import pickle
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import cache, wraps
from random import Random
from typing import Any, ParamSpec, TypeVar
from unittest.mock import patch

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.utils import timezone

from tests.long import WORD

FILLED_BY_DJANGO = {"auth.permission", "contenttypes.contenttype"}
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00")
P = ParamSpec("P")
R = TypeVar("R")


def saved_state(make: Callable[P, R]) -> Callable[P, R]:
    """The rows that ``make`` writes into an empty database, as if they were written now. Where there is
    something already, it is made anew, for it may depend on that."""

    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def made_or_put_back(*arguments: P.args, **named: P.kwargs) -> R:
        if not _is_empty():
            return make(*arguments, **named)
        key = pickle.dumps((name, arguments, sorted(named.items()), timezone.now().date()))
        if key not in _states:
            _states[key] = _made(lambda: make(*arguments, **named), lots=WORD + name)
        result: R = _states[key].put_back()
        return result

    return made_or_put_back


@contextmanager
def taken_back() -> Iterator[None]:
    """Yield what is written meanwhile is gone afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def stored_rows(*labels: str) -> dict[str, list[Any]]:
    """All rows of these apps as the database has them, by model."""
    with connection.cursor() as cursor:
        return {
            model._meta.label: _all(cursor, f"{_named(model)} ORDER BY 1")
            for model in _tables()
            if model._meta.app_label in labels
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """All rows of a database, and what whoever made them was given."""

    at: datetime
    rows: dict[type[models.Model], list[list[Any]]]
    numbers: list[tuple[str, int]]
    result: bytes

    def put_back(self) -> Any:
        with transaction.atomic(), connection.cursor() as cursor:
            since = timezone.now() - self.at
            for model, rows in self.rows.items():
                places = ", ".join(["%s"] * len(rows[0]))
                cursor.executemany(f"INSERT INTO {_named(model)} VALUES ({places})", _later(rows, since))
            if connection.vendor == "sqlite":
                cursor.execute("DELETE FROM sqlite_sequence")
                cursor.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", self.numbers)
            else:
                cursor.execute("; ".join(connection.ops.sequence_reset_sql(no_style(), list(self.rows))))
        return pickle.loads(self.result)


_states: dict[bytes, _State] = {}


def _made(make: Callable[[], Any], *, lots: str) -> _State:
    """A state that nobody sees: whoever asks for it first has its rows put back like everybody else."""
    with transaction.atomic(), patch.object(secrets, "randbelow", Random(lots).randrange):
        result = pickle.dumps(make())
        at = timezone.now()
        with connection.cursor() as cursor:
            rows = {model: found for model in _tables() if (found := _all(cursor, _named(model)))}
            numbers = _all(cursor, "sqlite_sequence") if connection.vendor == "sqlite" else []
        transaction.set_rollback(True)
    return _State(at=at, rows=rows, numbers=numbers, result=result)


def _is_empty() -> bool:
    filled = " OR ".join(f"EXISTS (SELECT 1 FROM {_named(model)})" for model in _tables())
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {filled}")
        return not cursor.fetchone()[0]


@cache
def _tables() -> list[type[models.Model]]:
    every = apps.get_models(include_auto_created=True)
    return [one for one in every if one._meta.managed and one._meta.label_lower not in FILLED_BY_DJANGO]


def _named(model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _all(cursor: Any, table: str) -> list[Any]:
    cursor.execute(f"SELECT * FROM {table}")
    return list(cursor.fetchall())


def _later(rows: list[Any], since: timedelta) -> list[list[Any]]:
    """The rows as they would be if they had been written that much later."""
    return [[_value_later(one, since) for one in row] for row in rows]


def _value_later(value: Any, since: timedelta) -> Any:
    match value:
        case datetime():
            return value + since
        case str():  # a history says in JSON what was written
            return _MOMENT.sub(lambda found: (datetime.fromisoformat(found[0]) + since).isoformat(), value)
        case time():
            return value.isoformat()  # SQLite takes no other
        case _:
            return value
