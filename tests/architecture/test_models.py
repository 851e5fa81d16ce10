"""What the tables of the database are follows from the models: none has changed without its migration."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command


@pytest.mark.django_db
def test_every_change_of_a_model_has_its_migration() -> None:
    told = StringIO()
    try:
        call_command("makemigrations", check=True, dry_run=True, stdout=told)
    except (CommandError, SystemExit):
        pytest.fail(f"run python manage.py makemigrations:\n{told.getvalue()}")
