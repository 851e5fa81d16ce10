"""Static files as they are served: minified, and with a content hash in each name, also in imports between
scripts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any

from django.contrib.staticfiles.finders import FileSystemFinder
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

VENDOR_IMPORT = r"(?P<matched>from '(?P<url>\./[^']+\.js)')"
MODULE_IMPORT = r'(?P<matched>(?P<how>from |import\()"(?P<url>\.{1,2}/[^"]+\.js)")'
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LINE_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))//.*$")
_INDENTATION = re.compile(r"\s*\n\s*")


def minify_text(name: str, text: str) -> str:
    """Return one of our scripts or style sheets without comments and indentation.

    Line breaks stay, so that a script means the same. Our files have no comment signs in strings and no
    strings over several lines.
    """
    text = _COMMENT.sub("", text)
    if name.endswith(".js"):
        text = _LINE_COMMENT.sub("", text)
    return _INDENTATION.sub("\n", text).strip()


class _Sources(FileSystemStorage):
    """A folder whose scripts and style sheets are minified when read, except third-party ones."""

    def open(self, name: str, mode: str = "rb") -> File[Any]:
        source = super().open(name, mode)
        path = PurePath(name)
        if path.suffix not in {".js", ".css"} or path.parts[0] == "vendor":
            return source
        with source:
            return ContentFile(minify_text(name, source.read().decode()).encode(), name)


class StaticFilesFinder(FileSystemFinder):
    """Finder of our own files, minified for collection; a lookup finds the original."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for folder, storage in self.storages.items():
            self.storages[folder] = _Sources(location=storage.location)
            self.storages[folder].prefix = storage.prefix


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Storage that gives every module one name, its hashed one.

    A module imported by its plain name would be loaded twice, with two states, and after an upgrade an old
    one could run beside a new one.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", ((MODULE_IMPORT, '%(how)s"%(url)s"'),)),
        ("vendor/*.js", ((VENDOR_IMPORT, "from '%(url)s'"),)),
    )
    max_post_process_passes = 20
    """Length of the longest chain of imports, since each file has the hashed name of the next one in it."""

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress only the files that pages request, half of all: a first start or an update waits for
        it."""
        yield from super().compress_files(set(paths) & set(self.hashed_files.values()))
