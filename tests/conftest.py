"""What holds for every test: its language, its lots, and that nothing is kept of another."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from random import Random
from unittest.mock import patch

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


@pytest.fixture(autouse=True)
def lots(request: pytest.FixtureRequest) -> Iterator[None]:
    """What is drawn by lot falls as it did the last time the test ran. With another word in
    ``CHARLEMAGNE_TEST_LOTS`` it falls otherwise, to look for what goes wrong with some lots only."""
    dice = Random(os.environ.get("CHARLEMAGNE_TEST_LOTS", "") + request.node.nodeid)
    with patch.object(secrets, "randbelow", dice.randrange):
        yield
