from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_squashed_0007_jobs_by_key_and_end")]

    operations = [
        migrations.AddField(
            model_name="job",
            name="club",
            field=models.BigIntegerField(blank=True, null=True),
        ),
    ]
