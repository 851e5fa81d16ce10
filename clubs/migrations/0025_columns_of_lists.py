"""The columns that a club assigned to its lists."""

from django.db import migrations

import versioning.fields


class Migration(migrations.Migration):

    dependencies = [
        ("clubs", "0024_permissions_of_changes"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="list_layouts",
            field=versioning.fields.VersionedJSONField(blank=True, db_default=[], default=list, version=1),
        ),
    ]
