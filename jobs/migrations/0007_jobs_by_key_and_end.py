from django.db import migrations, models

from versioning.indexes import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("jobs", "0006_waits_until")]

    operations = [
        AddIndexConcurrently("job", models.Index(fields=["kind", "key", "ended_at"], name="jobs_by_key")),
        AddIndexConcurrently("job", models.Index(fields=["ended_at"], name="jobs_by_end")),
    ]
