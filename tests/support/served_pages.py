"""Pages as an installation serves them, with texts in both languages."""

import time
from functools import cache
from pathlib import Path

import pytest
from django.utils.translation.reloader import translation_file_changed
from pytest_django import DjangoDbBlocker

from operations.prepare_install import prepare_data_folder


@pytest.fixture(autouse=True, scope="session")
def prepared(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Compile texts and collect static files, as the first start of an installation does."""
    with django_db_blocker.unblock():
        _prepare_once()


@cache
def _prepare_once() -> None:
    """Prepare once for all test folders that need it."""
    prepare_data_folder()
    translation_file_changed(None, Path("django.mo"))  # forget texts that an earlier test has loaded


@pytest.fixture
def within_a_minute() -> None:
    """Wait if the minute is about to end: the desk shows how many minutes a table has been silent."""
    left = 60 - time.time() % 60
    if left < 3:
        time.sleep(left)
