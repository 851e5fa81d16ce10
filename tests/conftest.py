"""What holds for every test: its language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import caches
from django.utils import translation


@pytest.fixture(autouse=True)
def no_pages_of_other_tests() -> None:
    """Another test's event has the same address and revision."""
    caches["pages"].clear()


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Texts in English, whatever a test before left; a test of French asks for French."""
    with translation.override("en"):
        yield
