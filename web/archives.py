"""ZIP archives that cope with any clock: a laptop with an empty battery begins in 1970."""

import time
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import SizedBuffer

_EARLIEST_TIME = (1980, 1, 1, 0, 0, 0)
_LATEST_TIME = (2107, 12, 31, 23, 59, 58)
"""The latest time in a ZIP archive; ``_EARLIEST_TIME`` is the earliest."""


class Archive(zipfile.ZipFile):
    """A new ZIP archive. Files have their time, or the nearest that an archive can hold."""

    def __init__(self, file: "zipfile._ZipWritable") -> None:
        super().__init__(file, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False)

    def writestr(
        self,
        zinfo_or_arcname: str | zipfile.ZipInfo,
        data: "SizedBuffer | str",
        compress_type: int | None = None,
        compresslevel: int | None = None,
    ) -> None:
        """Write a file; one given by name alone gets the current time."""
        if isinstance(zinfo_or_arcname, str):
            hour = min(max(time.localtime()[:6], _EARLIEST_TIME), _LATEST_TIME)
            zinfo_or_arcname = zipfile.ZipInfo(zinfo_or_arcname, hour)
            compress_type = self.compression if compress_type is None else compress_type
        super().writestr(zinfo_or_arcname, data, compress_type, compresslevel)
