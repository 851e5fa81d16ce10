from django.db import migrations


class Migration(migrations.Migration):
    """The tables stay as they are. By this step a start knows that ``refold_names`` has work to do, and an
    older program that it would not find the names any more."""

    dependencies = [
        ("clubs", "0021_names_without_ligatures"),
    ]

    operations = []
