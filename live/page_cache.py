"""The cache of rendered pages in each process: of so many bytes in all."""

from collections import OrderedDict
from typing import Any

from django.core.cache.backends.locmem import LocMemCache


class PageCache(LocMemCache):
    """A memory cache of at most ``MAX_BYTES``. Pages that were not read for the longest time go first."""

    _cache: OrderedDict[str, bytes]
    _expire_info: dict[str, float | None]

    def __init__(self, name: str, params: dict[str, Any]) -> None:
        super().__init__(name, params)
        self._max_bytes: int = params["OPTIONS"]["MAX_BYTES"]

    def _set(self, key: str, value: bytes, *timeout: Any) -> None:
        super()._set(key, value, *timeout)  # type: ignore[misc]  # not in the stubs
        size = sum(map(len, self._cache.values()))
        while size > self._max_bytes:
            oldest, evicted = self._cache.popitem()
            del self._expire_info[oldest]
            size -= len(evicted)
