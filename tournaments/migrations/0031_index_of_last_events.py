from django.db import migrations, models

from versioning.indexes import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tournaments", "0030_handing_over")]

    operations = [
        AddIndexConcurrently(
            "event", models.Index(fields=["club", "-held_on", "-id"], name="last_events_of_a_club")
        ),
    ]
