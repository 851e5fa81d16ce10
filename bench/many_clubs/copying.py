"""Rows copied inside PostgreSQL: numbers, dates and whatever must be another one in each copy are shifted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from django.apps import apps
from django.db import connection, models

from .numbers import (
    BY_CLUB,
    BY_NIGHT,
    CLUB_IN_TEXT,
    FIRST_NIGHT,
    NIGHT_IN_TEXT,
    OF_A_CLUB,
    OF_A_NIGHT,
    first_number,
)

Model = type[models.Model]
OF_CLUBS = {
    *("tournaments.season", "tournaments.personrecord", "tournaments.clubrecord", "tournaments.plan"),
    *("tournaments.clubkey", "tournaments.pairing", "tournaments.publicsite", "tournaments.visitor"),
    *("tournaments.invitedclub", "tournaments.logentry"),
}
WHOSE = {"jobs.job": r"key ~ '\d{11}'", "live.revision": r"topic ~ '\d{11}'"}
"""Rows of the house and of federations, which are nobody's copies, name no club or night by its number."""
DAYS_APART = 72
"""Between a night and its next copy."""
AN_OPEN_CODE = 387_217
"""Has no divisor in common with a million: its multiples are codes that differ."""
CARDS_OF_A_CLUB = 200
"""At most so many lie open in a copy of the club."""


def tables() -> list[Model]:
    """All whose rows are of clubs."""
    ours = ("clubs", "scoring", "tournaments", "jobs", "live")
    return [each for name in ours for each in apps.get_app_config(name).get_models()]


def is_of_a_night(model: Model) -> bool:
    label = model._meta.label_lower
    return label.startswith(("scoring.", "tournaments.", "jobs.", "live.")) and label not in OF_CLUBS


def count_from(night: int) -> None:
    """The services number rows of nights from that one's first number on, and those of the club likewise."""
    with connection.cursor() as cursor:
        for model in tables():
            if isinstance(model._meta.pk, models.AutoField):
                kind = OF_A_NIGHT if is_of_a_night(model) else OF_A_CLUB
                table, pk = model._meta.db_table, model._meta.pk.column
                if night == FIRST_NIGHT or kind == OF_A_NIGHT:
                    cursor.execute(
                        "SELECT setval(pg_get_serial_sequence(%s, %s), %s, false)",
                        [table, pk, first_number(night, kind)],
                    )


def count_on() -> None:
    """The services go on after the last row of each table."""
    with connection.cursor() as cursor:
        for model in tables():
            if isinstance(model._meta.pk, models.AutoField):
                table, pk = model._meta.db_table, model._meta.pk.column
                cursor.execute(
                    f"SELECT setval(pg_get_serial_sequence(%s, %s), greatest(max({pk}), 1)) FROM {table}",
                    [table, pk],
                )


def copy_nights(copies: int) -> None:
    """Every night so many times again, each copy some weeks before the one that it follows."""
    with connection.cursor() as cursor:
        for model in filter(is_of_a_night, tables()):
            (names, values), number = _columns(model, _of_another_night), _number_of(model)
            cursor.execute(
                f"INSERT INTO {model._meta.db_table} ({names}) SELECT {values} FROM {model._meta.db_table}, "
                f"generate_series({FIRST_NIGHT + 1}::bigint, {FIRST_NIGHT + copies}) AS n "
                f"WHERE {number} / {BY_NIGHT} = {FIRST_NIGHT} AND {number} % {BY_NIGHT} < {OF_A_CLUB}"
            )


def copy_clubs(copies: int, *, bare: bool = True) -> Iterator[str]:
    """Everything so many times again, night after night as all clubs play; says which night was written. The
    tables are ``bare`` meanwhile: few rows are written sooner without that."""
    columns = {model: _columns(model, _of_another_club) for model in tables()}
    with _bare_tables() if bare else nullcontext(), connection.cursor() as cursor:
        nights = [_keep_source(cursor, model) for model in tables()]
        cursor.execute("SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_material = off")
        for night in sorted({night for each in nights for night in each}):
            for model in tables():
                table, (names, values) = model._meta.db_table, columns[model]
                cursor.execute(
                    f"INSERT INTO {table} ({names}) "
                    f"SELECT {values} FROM generate_series(1::bigint, {copies}) AS n "
                    f"CROSS JOIN LATERAL (SELECT * FROM {_source(model)} "
                    f"WHERE night = {night} AND n > 0 ORDER BY {_pk(model).column}) AS {table}"
                )
            yield str(night)
        cursor.execute("RESET enable_hashjoin; RESET enable_mergejoin; RESET enable_material")


def _keep_source(cursor: Any, model: Model) -> list[int]:
    """The rows that are copied, each with its night; the nights that there are, 0 for what is of none."""
    night = f"({_number_of(model)} / {BY_NIGHT}) % 1000" if is_of_a_night(model) else "0"
    source = _source(model)
    cursor.execute(
        f"CREATE TEMP TABLE {source} AS SELECT *, {night} AS night FROM {model._meta.db_table} "
        f"WHERE {WHOSE.get(model._meta.label_lower, 'true')}"
    )
    cursor.execute(f"CREATE INDEX ON {source} (night)")
    cursor.execute(f"ANALYZE {source}")
    cursor.execute(f"SELECT DISTINCT night FROM {source}")
    return [number for (number,) in cursor.fetchall()]


def _pk(model: Model) -> models.Field[Any, Any]:
    pk = model._meta.pk
    assert pk is not None
    return pk


def _source(model: Model) -> str:
    return f"source_{model._meta.db_table}"


def _number_of(model: Model) -> str:
    """Its number; that of what it names, where it is named by a text."""
    pk = _pk(model)
    if isinstance(pk, models.AutoField):
        return str(pk.column)
    return f"coalesce(substring({pk.column} from '\\d{{11}}')::bigint, 0)"


def _columns(model: Model, shifted: Any) -> tuple[str, str]:
    fields = model._meta.concrete_fields
    names = ", ".join(f'"{field.column}"' for field in fields)
    return names, ", ".join(shifted(model, field) for field in fields)


def _of_another_night(model: Model, field: Any) -> str:
    column, by = f'{model._meta.db_table}."{field.column}"', f"(n - {FIRST_NIGHT})"
    is_shifted = field.primary_key or (field.is_relation and is_of_a_night(field.related_model))
    match field:
        case models.AutoField() | models.ForeignKey() if is_shifted:
            return f"{column} + {by} * {BY_NIGHT}"
        case models.DateTimeField():
            return f"{column} - {by} * interval '{DAYS_APART} days'"
        case models.DateField():
            return f"{column} - ({by} * {DAYS_APART})::int"
        case models.CharField() | models.TextField() | models.JSONField() if _has(
            model, field, NIGHT_IN_TEXT
        ):
            return _in_text(column, field, NIGHT_IN_TEXT, "n || '\\1'")
    return _unlike(model, field, column, letter="n")


def _of_another_club(model: Model, field: Any) -> str:
    column = f'{model._meta.db_table}."{field.column}"'
    match field:
        case models.AutoField() | models.ForeignKey():
            return f"{column} + n * {BY_CLUB}"
        case models.CharField() | models.TextField() | models.JSONField() if _has(model, field, CLUB_IN_TEXT):
            return _in_text(column, field, CLUB_IN_TEXT, "n || '\\1'")
    return _unlike(model, field, column, letter="c")


def _in_text(column: str, field: Any, pattern: str, by: str) -> str:
    shifted = f"regexp_replace({column}::text, '{pattern}', {by}, 'g')"
    return f"{shifted}::jsonb" if isinstance(field, models.JSONField) else shifted


def _has(model: Model, field: Any, pattern: str) -> bool:
    """Whether any row names others by their numbers there."""
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT bool_or("{field.column}"::text ~ %s) FROM {model._meta.db_table}', [pattern])
        return bool(cursor.fetchone()[0])


def _unlike(model: Model, field: Any, column: str, *, letter: str) -> str:
    """As it is; or another one in each copy, where no two rows may have the same."""
    copy = f"' {letter}' || n"
    match f"{model._meta.label_lower}.{field.name}", field:
        case "scoring.tablecard.code", _:
            return _code(column)
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


def _code(column: str) -> str:
    """Of a card that lies open one that no other has."""
    closed, number = (column.replace("code", other) for other in ("closed_at", "id"))
    is_open = f"(n * {CARDS_OF_A_CLUB} + {number} % {CARDS_OF_A_CLUB}) * {AN_OPEN_CODE}"
    code = (
        f"CASE WHEN {closed} IS NULL THEN {is_open} ELSE abs(hashtext({column} || ' ' || {number} || n)) END"
    )
    return f"lpad((({code}) % 1000000)::text, 6, '0')"


@contextmanager
def _bare_tables() -> Iterator[None]:
    """No index, key or constraint meanwhile: all are built at the end, and prove what was written."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid), contype
            FROM pg_constraint WHERE contype IN ('f', 'u', 'p') AND conrelid::regclass::text = ANY(%s)""",
            [[each._meta.db_table for each in tables()]],
        )
        constraints = sorted(cursor.fetchall(), key=lambda each: "pufc".index(each[3]))
        for table, name, _, _ in reversed(constraints):
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name} CASCADE")
        cursor.execute(
            """SELECT indexname, indexdef FROM pg_indexes
            WHERE schemaname = 'public' AND tablename = ANY(%s)""",
            [[each._meta.db_table for each in tables()]],
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
