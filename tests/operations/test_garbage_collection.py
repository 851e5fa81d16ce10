"""Objects loaded at the start of a process are frozen; garbage collection covers later ones only."""

import gc
from contextlib import suppress

import pytest

from operations.start.garbage_collection import freeze_loaded_objects

pytestmark = pytest.mark.slow


def test_garbage_collection_resumes_after_loading_even_on_failure() -> None:
    before = gc.get_freeze_count()
    loaded: list[list[int]] = []
    with suppress(ImportError), freeze_loaded_objects():
        assert not gc.isenabled()
        loaded += ([number] for number in range(1000))
        raise ImportError
    assert gc.isenabled()
    assert gc.get_freeze_count() >= before + len(loaded)
