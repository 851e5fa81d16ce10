from typing import Any

from django.db import migrations, models


def begin_with_the_number(apps: Any, schema_editor: Any) -> None:
    """Continue from the earlier number: browsers may have pages with it, and no later page may repeat one."""
    apps.get_model("live", "Revision").objects.update(public_number=models.F("number"))


class Migration(migrations.Migration):
    dependencies = [
        ("live", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="revision",
            name="public_number",
            field=models.PositiveBigIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="revision",
            name="is_withdrawn",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RunPython(begin_with_the_number, migrations.RunPython.noop),
    ]
