"""Other ids for rows that come from elsewhere, also within their values and histories."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model

from clubs.services.changes import ClubChange
from tournaments.history.services.changes import Change
from versioning import VersionedJSONField

Renumber = Callable[[type[Model], int], int | None]
"""Callback that receives a model and an id of one of its rows, and returns the id to write instead."""

LARGEST = 10**12
"""Largest id that a file may have."""
GAP = 1_000
"""Ids that other processes may take from a sequence of PostgreSQL while some of it are being reserved."""

_PERSON, _ENTRY, _EVENT = "clubs.Person", "tournaments.Entry", "tournaments.Event"
_DETAIL_IDS = {
    "person": _PERSON,
    "people.*": _PERSON,
    "ids.*": _ENTRY,
    "event": _EVENT,
    "copy": _EVENT,
    "prize_id": "tournaments.Prize",
    "category_id": "tournaments.PrizeCategory",
    "night": "clubs.RecurringNight",
    "period": "clubs.DuesPeriod",
    "incident": "clubs.Incident",
    "season": "tournaments.Season",
    "federation": "federations.Federation",
}
_ID_NAMES = {"**.entry": _ENTRY, "**.opponent": _ENTRY, "**.entries.*": _ENTRY}
"""In charts, in the reasons of a draw, and in line-ups."""

NESTED_IDS: Mapping[str, Mapping[str, str]] = {
    "clubs.Person.merged_ids": {"*": _PERSON},
    "clubs.ClubAction.details": _DETAIL_IDS,
    "scoring.TableCard.topic": {"": _EVENT},
    "scoring.Match.withdrawn_as": {"": _ENTRY},
    "tournaments.Event.kept_apart": {"*.entries.*": _ENTRY},
    "tournaments.Round.order": {"*": _ENTRY},
    "tournaments.Round.certificate": {
        f"{part}{ids}": _ENTRY for part in ("", "sections.*.") for ids in ("prices.*.0", "blossoms.*.0.*")
    },
    "tournaments.Round.draft": {"tables.*.a.*": _ENTRY, "tables.*.b.*": _ENTRY, **_ID_NAMES},
    "tournaments.Round.team_lineups": {"*.*": _ENTRY},
    "tournaments.Table.reasons": _ID_NAMES,
    "tournaments.Seating.reasons": _ID_NAMES,
    "tournaments.Action.details": _DETAIL_IDS,
    "tournaments.Action.changes": {
        "lineups.*.tables.*.*.a.*": _ENTRY,
        "lineups.*.tables.*.*.b.*": _ENTRY,
        "lineups.*.byes.#": _ENTRY,
        **{f"lineups.{path}": label for path, label in _ID_NAMES.items()},
    },
    "tournaments.Standings.charts": _ID_NAMES,
    "tournaments.Standings.before_silence": _ID_NAMES,
    "tournaments.PublishedStandings.charts": _ID_NAMES,
    "tournaments.Mirror.people": {"*.person": _PERSON},
    "tournaments.Mirror.put_away": {"event": _EVENT},
    "tournaments.Season.left_out": {"*": _EVENT},
    "tournaments.Season.rows": {"*.*.players.*": _PERSON},
    "tournaments.Season.scores": {"*.*.*.0": _EVENT, "*.#": _PERSON},
}
"""Ids within columns that are no relations, by the path to them: ``*`` is each element or value, ``#`` each
name, ``**`` any depth; in a text column, each number is an id. A test finds ids that are missing here."""

_HISTORIES: Mapping[str, tuple[tuple[str, ...], Mapping[str, type[Model]]]] = {
    "clubs.ClubAction.rows": ((), ClubChange.KINDS),
    "tournaments.Action.changes": (("rows",), Change.KINDS),
}
"""Columns with recorded rows, the path to them, and the models of their kinds."""


def renumber_row(model: type[Model], data: Mapping[str, Any], renumber: Renumber) -> dict[str, Any]:
    """Return the columns of a row, as a backup or a history has them, with other ids. Raises ValueError where
    an id is none."""
    columns = {field.attname: field for field in model._meta.concrete_fields}
    return {name: _renumber_value(columns.get(name), value, renumber) for name, value in data.items()}


def _renumber_value(field: Any, data: Any, renumber: Renumber) -> Any:
    if data is None or field is None:
        return data
    if field.primary_key or field.is_relation:
        return _get_new_id(field.related_model or field.model, data, renumber)
    name = f"{field.model._meta.label}.{field.attname}"
    if name not in NESTED_IDS and name not in _HISTORIES:
        return data
    value = field.from_stored(data) if isinstance(field, VersionedJSONField) else data
    for path, label in NESTED_IDS.get(name, {}).items():
        model = apps.get_model(label)
        value = _replace(value, path.split("."), model, renumber) if path else _get_new_id(model, value, renumber)
    if name in _HISTORIES:
        value = _renumber_history(value, *_HISTORIES[name], renumber)
    return field.to_stored(value) if isinstance(field, VersionedJSONField) else value


def _replace(value: Any, path: list[str], model: type[Model], renumber: Renumber) -> Any:
    """Return the value with the ids at the path replaced."""
    if not path:
        return value if isinstance(value, str) else _get_new_id(model, value, renumber)  # some details are names
    first, rest = path[0], path[1:]
    if isinstance(value, list):
        return [
            _replace(part, path if first == "**" else rest, model, renumber)
            if first in ("*", "**", str(place))
            else part
            for place, part in enumerate(value)
        ]
    if not isinstance(value, dict):
        return value
    if first == "#":
        return {_get_new_id(model, name, renumber): part for name, part in value.items()}
    if first == "**":
        named, within = rest[0], rest[1:]
        return {
            name: _replace(part, within if name == named else path, model, renumber) for name, part in value.items()
        }
    return {
        name: _replace(part, rest, model, renumber) if first in ("*", name) else part for name, part in value.items()
    }


def _renumber_history(value: Any, path: tuple[str, ...], kinds: Mapping[str, type[Model]], renumber: Renumber) -> Any:
    if path:
        return value and {**value, path[0]: _renumber_history(value.get(path[0], []), (), kinds, renumber)}
    return [
        [
            kind,
            _get_new_id(kinds[kind], pk, renumber),
            *(None if side is None else renumber_row(kinds[kind], side, renumber) for side in sides),
        ]
        for kind, pk, *sides in value
    ]


def _get_new_id(model: type[Model], old_id: Any, renumber: Renumber) -> Any:
    if old_id is None:
        return None
    if isinstance(old_id, str):
        return re.sub(r"\d+", lambda digits: str(_get_new_id(model, int(digits[0]), renumber)), old_id)
    if type(old_id) is not int or not 0 < old_id <= LARGEST:
        raise ValueError(f"{model._meta.label}: {old_id!r}")
    return renumber(model, old_id)


def reserve_ids(model: type[Model], count: int) -> int:
    """Reserve so many ids of a table, which no other row gets, and return the id before the first one."""
    table, column = model._meta.db_table, model._meta.pk.column
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            sequence = "pg_get_serial_sequence(%s, %s)"
            cursor.execute(f"SELECT nextval({sequence})", [f'"{table}"', column])
            before = int(cursor.fetchone()[0]) + GAP
            cursor.execute(f"SELECT setval({sequence}, %s)", [f'"{table}"', column, before + count])
            return before
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        found = cursor.fetchone()
        before = 0 if found is None else int(found[0])
        if found is None:
            cursor.execute("INSERT INTO sqlite_sequence (seq, name) VALUES (%s, %s)", [count, table])
        else:
            cursor.execute("UPDATE sqlite_sequence SET seq = %s WHERE name = %s", [before + count, table])
        return before
