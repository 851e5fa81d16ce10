"""Pages as they are served: with their texts in both languages."""

import time
from functools import cache
from pathlib import Path

import pytest
from django.utils.translation.reloader import translation_file_changed
from pytest_django import DjangoDbBlocker

from operations.prepare_install import prepare_data_folder


@pytest.fixture(autouse=True, scope="session")
def prepared(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Texts compiled and static files collected, as the first start of an installation does it."""
    with django_db_blocker.unblock():
        _prepare_once()


@cache
def _prepare_once() -> None:
    """Once for all folders of tests that ask for it."""
    prepare_data_folder()
    translation_file_changed(None, Path("django.mo"))  # whatever a test before read of them


@pytest.fixture
def within_a_minute() -> None:
    """No minute ends during the test: the desk's page says for how many of them a table has been silent."""
    left = 60 - time.time() % 60
    if left < 3:
        time.sleep(left)
