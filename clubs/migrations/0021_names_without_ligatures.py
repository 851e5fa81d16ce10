from django.db import migrations


class Migration(migrations.Migration):
    """An empty migration. It tells a start that ``refold_names`` has work to do, and an older
    program that it would not find the names."""

    dependencies = [
        ("clubs", "0020_club_pictures"),
    ]

    operations = []
