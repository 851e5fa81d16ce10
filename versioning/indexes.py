"""A step of the database that builds an index while others go on."""

from typing import Any

from django.db import migrations


class AddIndexConcurrently(migrations.AddIndex):
    """On PostgreSQL nobody who writes waits for it; its migration is ``atomic = False``. Safe to repeat: what
    a step left that was broken off goes first. Before it is done it waits for every transaction that is
    older, a backup's too, and nobody waits behind it meanwhile: so it may wait as long as that takes.
    """

    atomic = False

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        connection = schema_editor.connection
        is_beside_others = connection.vendor == "postgresql"
        how = "CONCURRENTLY " if is_beside_others else ""
        schema_editor.execute(f"DROP INDEX {how}IF EXISTS {schema_editor.quote_name(self.index.name)}")
        if not is_beside_others:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        with connection.cursor() as cursor:
            cursor.execute("SHOW lock_timeout")
            (patience,) = cursor.fetchone()
            cursor.execute("SET lock_timeout = 0")
            model = to_state.apps.get_model(app_label, self.model_name)
            schema_editor.add_index(model, self.index, concurrently=True)
            cursor.execute(f"SET lock_timeout = '{patience}'")
