import versioning
from django.db import migrations, models


class Migration(migrations.Migration):
    """The table and its columns keep their names."""

    dependencies = [("jobs", "0008_club_of_a_job")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Course", "LongWrite"),
                migrations.AlterModelTable("LongWrite", "jobs_course"),
                migrations.RenameField("LongWrite", "asked", "request"),
                migrations.RenameField("LongWrite", "kept", "state"),
                migrations.RenameField("LongWrite", "is_taken_back", "is_being_undone"),
                migrations.AlterField(
                    "LongWrite", "request", versioning.VersionedJSONField(db_column="asked", default=dict)
                ),
                migrations.AlterField(
                    "LongWrite", "state", versioning.VersionedJSONField(db_column="kept", default=dict)
                ),
                migrations.AlterField(
                    "LongWrite", "is_being_undone", models.BooleanField(db_column="is_taken_back", default=False)
                ),
            ]
        )
    ]
