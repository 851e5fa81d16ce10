"""Migrations that add an index: they do not block writers, and can be repeated after an interruption."""

import pytest
from django.apps import apps
from django.db import connection, models
from django.db.migrations.state import ProjectState

from versioning.indexes import AddIndexConcurrently

pytestmark = pytest.mark.slow

NAME = "clubs_by_a_test"


def take_step() -> None:
    step = AddIndexConcurrently("club", models.Index(fields=["name", "slug"], name=NAME))
    before = ProjectState.from_apps(apps)
    after = before.clone()
    step.state_forwards("clubs", after)
    with connection.schema_editor(atomic=step.atomic) as editor:
        step.database_forwards("clubs", editor, before, after)


@pytest.mark.postgresql("CREATE INDEX CONCURRENTLY")
@pytest.mark.django_db(transaction=True)
def test_interrupted_index_migration_can_be_repeated() -> None:
    try:
        take_step()
        take_step()
        with connection.cursor() as cursor:
            found = connection.introspection.get_constraints(cursor, "clubs_club")
        assert found[NAME]["columns"] == ["name", "slug"]
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP INDEX IF EXISTS {NAME}")
