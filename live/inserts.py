"""Writing many rows while others wait for the writer."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models


def insert_rows(
    model: type[models.Model], names: Sequence[str], rows: Iterable[Sequence[int | None]], **alike: object
) -> None:
    """New rows, each with its numbers in the columns of these ``names``; in the others the values that are
    ``alike`` in all of them, or the usual ones. One statement.

    ``bulk_create`` makes an object of every row and asks its field about every value, which for thousands of
    rows takes ten times as long.
    """
    fields = {field.attname: field for field in model._meta.concrete_fields if not field.primary_key}
    others = [name for name in fields if name not in names]
    values = [
        fields[name].get_db_prep_save(alike.get(name, fields[name].get_default()), connection)
        for name in others
    ]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(fields[name].column or name) for name in (*names, *others))
    places = ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({places})"  # noqa: S608
    parameters: list[list[Any]] = [[*row, *values] for row in rows]
    with connection.cursor() as cursor:
        cursor.executemany(statement, parameters)
