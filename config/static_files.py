"""Static files as they are served: what only their authors read is left out, and each has a name that has its
content in it, also where one script asks for another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any

from django.contrib.staticfiles.finders import FileSystemFinder
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORT_BY_OTHERS = r"(?P<matched>from '(?P<url>\./[^']+\.js)')"
IMPORT = r'(?P<matched>(?P<how>from |import\()"(?P<url>\.{1,2}/[^"]+\.js)")'
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_REST_OF_LINE = re.compile(r"(?m)(?:^|(?<=\s))//.*$")
_INDENTED = re.compile(r"\s*\n\s*")


def minify_text(name: str, text: str) -> str:
    """A script or style sheet of ours without comments and indentation; lines stay lines, so that a script
    says the same. Ours have neither texts with a comment in them nor texts over several lines."""
    text = _COMMENT.sub("", text)
    if name.endswith(".js"):
        text = _REST_OF_LINE.sub("", text)
    return _INDENTED.sub("\n", text).strip()


class _Sources(FileSystemStorage):
    """A folder whose scripts and style sheets are shortened as they are read; those of others are not."""

    def open(self, name: str, mode: str = "rb") -> File[Any]:
        source = super().open(name, mode)
        path = PurePath(name)
        if path.suffix not in {".js", ".css"} or path.parts[0] == "vendor":
            return source
        with source:
            return ContentFile(minify_text(name, source.read().decode()).encode(), name)


class StaticFilesFinder(FileSystemFinder):
    """Our own files, to be collected; whoever asks where one lies finds it as it was written."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for folder, plain in self.storages.items():
            self.storages[folder] = _Sources(location=plain.location)
            self.storages[folder].prefix = plain.prefix


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """A module is one module under one name: asked for by its plain name it would be there twice, with two
    states, and an old one could stand beside a new one after an upgrade.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", ((IMPORT, '%(how)s"%(url)s"'),)),
        ("vendor/*.js", ((IMPORT_BY_OTHERS, "from '%(url)s'"),)),
    )
    max_post_process_passes = 20
    """As long as the longest chain of modules, each of which has the name of the next one in it."""

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Those that pages ask for, half of all: a first start waits for it, and one after an update."""
        yield from super().compress_files(set(paths) & set(self.hashed_files.values()))
