"""ZIP archives that are written whatever the clock says: a laptop whose battery was empty begins in 1970."""

import time
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import SizedBuffer

_FIRST = (1980, 1, 1, 0, 0, 0)
_LAST = (2107, 12, 31, 23, 59, 58)
"""An archive has no hour before the one, and none after the other."""


class Archive(zipfile.ZipFile):
    """A new one. Its files bear their hour, or the nearest that an archive can have."""

    def __init__(self, file: "zipfile._ZipWritable") -> None:
        super().__init__(file, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False)

    def writestr(
        self,
        zinfo_or_arcname: str | zipfile.ZipInfo,
        data: "SizedBuffer | str",
        compress_type: int | None = None,
        compresslevel: int | None = None,
    ) -> None:
        """A name alone gets the hour of now."""
        if isinstance(zinfo_or_arcname, str):
            hour = min(max(time.localtime()[:6], _FIRST), _LAST)
            zinfo_or_arcname = zipfile.ZipInfo(zinfo_or_arcname, hour)
            compress_type = self.compression if compress_type is None else compress_type
        super().writestr(zinfo_or_arcname, data, compress_type, compresslevel)
