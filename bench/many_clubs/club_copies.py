"""Copy rows inside PostgreSQL; numbers, dates and unique values are changed in each copy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from django.apps import apps
from django.db import connection, models

from .numbers import (
    CLUB_FACTOR,
    CLUB_KIND,
    CLUB_PATTERN,
    FIRST_NIGHT,
    NIGHT_FACTOR,
    NIGHT_KIND,
    NIGHT_PATTERN,
    get_first_number,
)

Model = type[models.Model]
CLUB_MODELS = {
    *("tournaments.season", "tournaments.personrecord", "tournaments.clubrecord", "tournaments.plan"),
    *("tournaments.clubkey", "tournaments.pairing", "tournaments.publicsite", "tournaments.visitor"),
    *("tournaments.invitedclub", "tournaments.logentry"),
}
ROW_FILTERS = {"jobs.job": r"key ~ '\d{11}'", "live.revision": r"topic ~ '\d{11}'"}
"""Filters that leave out rows of the installation and of federations, which name no club or night by number."""
DAYS_BETWEEN_COPIES = 72
"""Days between a night and its next copy."""
OPEN_CODE_STEP = 387_217
"""Step between codes, coprime to a million, so that its multiples are different codes."""
MAX_OPEN_CARDS = 200
"""Maximum number of open cards in a copy of the club."""


def list_models() -> list[Model]:
    """Return all models whose rows belong to clubs."""
    ours = ("clubs", "scoring", "tournaments", "jobs", "live")
    return [each for name in ours for each in apps.get_app_config(name).get_models()]


def is_night_model(model: Model) -> bool:
    label = model._meta.label_lower
    return label.startswith(("scoring.", "tournaments.", "jobs.", "live.")) and label not in CLUB_MODELS


def set_sequences(night: int) -> None:
    """Start the sequences of night rows at this night's first number, and once those of club rows too."""
    with connection.cursor() as cursor:
        for model in list_models():
            if isinstance(model._meta.pk, models.AutoField):
                kind = NIGHT_KIND if is_night_model(model) else CLUB_KIND
                table, pk = model._meta.db_table, model._meta.pk.column
                if night == FIRST_NIGHT or kind == NIGHT_KIND:
                    cursor.execute(
                        "SELECT setval(pg_get_serial_sequence(%s, %s), %s, false)",
                        [table, pk, get_first_number(night, kind)],
                    )


def continue_sequences() -> None:
    """Continue the sequences after the last row of each table."""
    with connection.cursor() as cursor:
        for model in list_models():
            if isinstance(model._meta.pk, models.AutoField):
                table, pk = model._meta.db_table, model._meta.pk.column
                cursor.execute(
                    f"SELECT setval(pg_get_serial_sequence(%s, %s), greatest(max({pk}), 1)) FROM {table}",
                    [table, pk],
                )


def copy_nights(copies: int) -> None:
    """Copy each night ``copies`` times, each copy some weeks earlier than the previous one."""
    with connection.cursor() as cursor:
        for model in filter(is_night_model, list_models()):
            (names, values), number = _build_columns(model, _shift_night_column), _get_number_sql(model)
            cursor.execute(
                f"INSERT INTO {model._meta.db_table} ({names}) SELECT {values} FROM {model._meta.db_table}, "
                f"generate_series({FIRST_NIGHT + 1}::bigint, {FIRST_NIGHT + copies}) AS n "
                f"WHERE {number} / {NIGHT_FACTOR} = {FIRST_NIGHT} AND {number} % {NIGHT_FACTOR} < {CLUB_KIND}"
            )


def copy_clubs(copies: int, *, bare: bool = True) -> Iterator[str]:
    """Copy everything to ``copies`` other clubs, night after night, and yield each night that was copied.

    With ``bare``, indexes and constraints are dropped meanwhile; for few rows it is faster without that.
    """
    columns = {model: _build_columns(model, _shift_club_column) for model in list_models()}
    with _drop_indexes() if bare else nullcontext(), connection.cursor() as cursor:
        nights = [_create_source(cursor, model) for model in list_models()]
        cursor.execute("SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_material = off")
        for night in sorted({night for each in nights for night in each}):
            for model in list_models():
                table, (names, values) = model._meta.db_table, columns[model]
                cursor.execute(
                    f"INSERT INTO {table} ({names}) "
                    f"SELECT {values} FROM generate_series(1::bigint, {copies}) AS n "
                    f"CROSS JOIN LATERAL (SELECT * FROM {_get_source_name(model)} "
                    f"WHERE night = {night} AND n > 0 ORDER BY {_get_pk(model).column}) AS {table}"
                )
            yield str(night)
        cursor.execute("RESET enable_hashjoin; RESET enable_mergejoin; RESET enable_material")


def _create_source(cursor: Any, model: Model) -> list[int]:
    """Create a table of the rows to copy, each with its night, and return the nights; 0 means no night."""
    night = f"({_get_number_sql(model)} / {NIGHT_FACTOR}) % 1000" if is_night_model(model) else "0"
    source = _get_source_name(model)
    cursor.execute(
        f"CREATE TEMP TABLE {source} AS SELECT *, {night} AS night FROM {model._meta.db_table} "
        f"WHERE {ROW_FILTERS.get(model._meta.label_lower, 'true')}"
    )
    cursor.execute(f"CREATE INDEX ON {source} (night)")
    cursor.execute(f"ANALYZE {source}")
    cursor.execute(f"SELECT DISTINCT night FROM {source}")
    return [number for (number,) in cursor.fetchall()]


def _get_pk(model: Model) -> models.Field[Any, Any]:
    pk = model._meta.pk
    assert pk is not None
    return pk


def _get_source_name(model: Model) -> str:
    return f"source_{model._meta.db_table}"


def _get_number_sql(model: Model) -> str:
    """Return the SQL of a row's number, or of the number inside its text key."""
    pk = _get_pk(model)
    if isinstance(pk, models.AutoField):
        return str(pk.column)
    return f"coalesce(substring({pk.column} from '\\d{{11}}')::bigint, 0)"


def _build_columns(model: Model, shift_column: Any) -> tuple[str, str]:
    fields = model._meta.concrete_fields
    names = ", ".join(f'"{field.column}"' for field in fields)
    return names, ", ".join(shift_column(model, field) for field in fields)


def _shift_night_column(model: Model, field: Any) -> str:
    column, offset = f'{model._meta.db_table}."{field.column}"', f"(n - {FIRST_NIGHT})"
    is_shifted = field.primary_key or (field.is_relation and is_night_model(field.related_model))
    match field:
        case models.AutoField() | models.ForeignKey() if is_shifted:
            return f"{column} + {offset} * {NIGHT_FACTOR}"
        case models.DateTimeField():
            return f"{column} - {offset} * interval '{DAYS_BETWEEN_COPIES} days'"
        case models.DateField():
            return f"{column} - ({offset} * {DAYS_BETWEEN_COPIES})::int"
        case models.CharField() | models.TextField() | models.JSONField() if _has_numbers(model, field, NIGHT_PATTERN):
            return _replace_in_text(column, field, NIGHT_PATTERN, "n || '\\1'")
    return _make_unique(model, field, column, letter="n")


def _shift_club_column(model: Model, field: Any) -> str:
    column = f'{model._meta.db_table}."{field.column}"'
    match field:
        case models.AutoField() | models.ForeignKey():
            return f"{column} + n * {CLUB_FACTOR}"
        case models.CharField() | models.TextField() | models.JSONField() if _has_numbers(model, field, CLUB_PATTERN):
            return _replace_in_text(column, field, CLUB_PATTERN, "n || '\\1'")
    return _make_unique(model, field, column, letter="c")


def _replace_in_text(column: str, field: Any, pattern: str, replacement: str) -> str:
    shifted = f"regexp_replace({column}::text, '{pattern}', {replacement}, 'g')"
    return f"{shifted}::jsonb" if isinstance(field, models.JSONField) else shifted


def _has_numbers(model: Model, field: Any, pattern: str) -> bool:
    """Return whether any row contains numbers of rows in this field."""
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT bool_or("{field.column}"::text ~ %s) FROM {model._meta.db_table}', [pattern])
        return bool(cursor.fetchone()[0])


def _make_unique(model: Model, field: Any, column: str, *, letter: str) -> str:
    """Return the SQL of a column: unchanged, or different in each copy where values must be unique."""
    copy = f"' {letter}' || n"
    match f"{model._meta.label_lower}.{field.name}", field:
        case "scoring.tablecard.code", _:
            return _build_code_sql(column)
        case (("scoring.tablecard.public_page" | "scoring.tablecard.desk_page"), _):
            value = f"regexp_replace({column}, '^(/e/[^/]+)', '\\1-{letter}' || n)"
        case _, models.UUIDField():
            value = f"md5({column}::text || {copy})::uuid"
        case _, models.SlugField() if field.unique:
            value = f"{column} || '-{letter}' || n"
        case _, models.CharField() if field.name in ("digest", "session_key"):
            value = f"left(encode(sha256(convert_to({column} || {copy}, 'UTF8')), 'hex'), {field.max_length})"
        case _, models.CharField() if field.unique or field.name == "email":
            value = f"{column} || {copy}"
        case _:
            return column
    return f"CASE {column}::text WHEN '' THEN {column} ELSE {value} END"


def _build_code_sql(column: str) -> str:
    """Return the SQL of a code; an open card gets one that no other open card has."""
    closed_at, number = (column.replace("code", other) for other in ("closed_at", "id"))
    is_open = f"(n * {MAX_OPEN_CARDS} + {number} % {MAX_OPEN_CARDS}) * {OPEN_CODE_STEP}"
    code = f"CASE WHEN {closed_at} IS NULL THEN {is_open} ELSE abs(hashtext({column} || ' ' || {number} || n)) END"
    return f"lpad((({code}) % 1000000)::text, 6, '0')"


@contextmanager
def _drop_indexes() -> Iterator[None]:
    """Drop indexes, keys and constraints while the block runs; rebuilding them afterwards checks the rows."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid), contype
            FROM pg_constraint WHERE contype IN ('f', 'u', 'p') AND conrelid::regclass::text = ANY(%s)""",
            [[each._meta.db_table for each in list_models()]],
        )
        constraints = sorted(cursor.fetchall(), key=lambda each: "pufc".index(each[3]))
        for table, name, _, _ in reversed(constraints):
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name} CASCADE")
        cursor.execute(
            """SELECT indexname, indexdef FROM pg_indexes
            WHERE schemaname = 'public' AND tablename = ANY(%s)""",
            [[each._meta.db_table for each in list_models()]],
        )
        indexes = cursor.fetchall()
        for name, _ in indexes:
            cursor.execute(f'DROP INDEX "{name}"')
        yield
        cursor.execute("SET maintenance_work_mem = '1500MB'")
        for table, name, definition, _ in constraints:
            if not definition.startswith("FOREIGN KEY"):
                cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
        for _, definition in indexes:
            cursor.execute(definition)
        for table, name, definition, _ in constraints:
            if definition.startswith("FOREIGN KEY"):
                cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
