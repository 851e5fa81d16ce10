from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0023_plain_labels")]

    operations = [
        migrations.AddField(
            model_name="clubaction",
            name="permission",
            field=models.CharField(blank=True, max_length=6, null=True),
        ),
    ]
