from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_director")]

    operations = [
        migrations.AddField("standings", "counted", models.JSONField(default=dict)),
        migrations.AddField("standings", "charts", models.JSONField(default=list)),
        migrations.AddField("standings", "contradictions", models.JSONField(default=list)),
    ]
