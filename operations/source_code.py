"""Source code of the running program, for everybody who uses it over a network (AGPL-3.0, section 13).

The archive has the parts that ``pyproject.toml`` puts into the package, as they are on this computer, changes
included, and what building it again needs; no data, settings, links or unknown kinds of files.
"""

import gzip
import tarfile
import tomllib
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from clubs.pages import public_page
from config import __version__

from .data_dir import IS_INSTALLED, PROJECT

ARCHIVE_NAME = f"charlemagne-{__version__}"
ROOT_FILES = ("LICENSE", "README.md", "charlemagne.py", "manage.py", "pyproject.toml", "requirements.txt")
"""Files beside the packages; ``manage.py`` runs them without installing."""
SOURCE_SUFFIXES = {
    *(".css", ".csv", ".html", ".js", ".json", ".md", ".png", ".po", ".py", ".sql", ".svg", ".toml"),
    *(".ts", ".ttf", ".txt", ".typ", ".typed"),
}
"""How the names of source files end."""


@require_safe
@public_page
def download_source(request: HttpRequest) -> HttpResponse:
    """Download the source code of this program."""
    disposition = f'attachment; filename="{ARCHIVE_NAME}.tar.gz"'
    return HttpResponse(_get_archive(), content_type="application/gzip", headers={"Content-Disposition": disposition})


@cache
def _get_archive() -> bytes:
    return pack_source(PROJECT, excluded_folder=Path(settings.DATA_DIR))


def pack_source(project: Path, *, excluded_folder: Path) -> bytes:
    """Return the source of the project as a compressed archive, without what lies in the data folder."""
    buffer = BytesIO()
    with (
        gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w") as archive,
    ):
        for name, path in sorted(iter_source_files(project)):
            if not path.is_relative_to(excluded_folder):
                entry = tarfile.TarInfo(f"{ARCHIVE_NAME}/{name}")
                entry.size = path.stat().st_size
                with path.open("rb") as file:
                    archive.addfile(entry, file)
    return buffer.getvalue()


def iter_source_files(project: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name in the archive and the path of each file."""
    if IS_INSTALLED:
        yield "charlemagne.py", project / "__init__.py"  # its name in the package
    yield from ((name, project / name) for name in ROOT_FILES if (project / name).is_file())
    build = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    for part in build["targets"]["wheel"]["only-include"]:
        for path in (project / part).rglob("*"):
            name = path.relative_to(project)
            is_known = path.suffix in SOURCE_SUFFIXES or path.name == "LICENSE"
            is_hidden = any(part_name.startswith(".") for part_name in name.parts)
            if is_known and not is_hidden and not path.is_symlink() and path.is_file():
                yield name.as_posix(), path
