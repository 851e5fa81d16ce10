"""A migration operation that builds an index without blocking writers."""

from typing import Any

from django.db import migrations


class AddIndexConcurrently(migrations.AddIndex):
    """An index built on PostgreSQL while others write, in a migration that is not ``atomic``. Safe to repeat:
    the rest of an interrupted build is dropped first. It waits for every older transaction, even a backup's,
    but blocks nobody meanwhile, so it may take that long.
    """

    atomic = False

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        connection = schema_editor.connection
        is_postgresql = connection.vendor == "postgresql"
        method = "CONCURRENTLY " if is_postgresql else ""
        schema_editor.execute(f"DROP INDEX {method}IF EXISTS {schema_editor.quote_name(self.index.name)}")
        if not is_postgresql:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        with connection.cursor() as cursor:
            cursor.execute("SHOW lock_timeout")
            (lock_timeout,) = cursor.fetchone()
            cursor.execute("SET lock_timeout = 0")
            model = to_state.apps.get_model(app_label, self.model_name)
            schema_editor.add_index(model, self.index, concurrently=True)
            cursor.execute(f"SET lock_timeout = '{lock_timeout}'")
