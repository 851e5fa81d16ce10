"""Objects loaded by a process are left out of garbage collection; later ones are not."""

import gc
from contextlib import suppress

import pytest

from operations.start.preloading import all_is_kept

pytestmark = pytest.mark.slow


def test_garbage_is_looked_for_again_once_all_is_loaded_and_where_loading_fails() -> None:
    before = gc.get_freeze_count()
    loaded: list[list[int]] = []
    with suppress(ImportError), all_is_kept():
        assert not gc.isenabled()
        loaded += ([number] for number in range(1000))
        raise ImportError
    assert gc.isenabled()
    assert gc.get_freeze_count() >= before + len(loaded)
