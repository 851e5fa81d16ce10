"""Source code of the running program, for everybody who uses it over a network (AGPL-3.0, section 13).

The archive has the parts that ``pyproject.toml`` puts into the package, as they are on this computer, changes
included, and what building it again needs; no data, settings, links or unknown kinds of files.
"""

from __future__ import annotations

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

from clubs.access import for_everybody
from config import __version__

from .data_dir import IS_INSTALLED, PROJECT

NAME = f"charlemagne-{__version__}"
BESIDE = ("LICENSE", "README.md", "charlemagne.py", "manage.py", "pyproject.toml", "requirements.txt")
"""Files beside the packages; ``manage.py`` runs them without installing."""
KINDS = {
    *(".css", ".csv", ".html", ".js", ".json", ".md", ".png", ".po", ".py", ".sql", ".svg", ".toml"),
    *(".ts", ".ttf", ".txt", ".typ", ".typed"),
}
"""How the names of source files end."""


@require_safe
@for_everybody
def source_archive(request: HttpRequest) -> HttpResponse:
    """Download the source code of this program."""
    named = f'attachment; filename="{NAME}.tar.gz"'
    return HttpResponse(
        _archive_of_this_program(), content_type="application/gzip", headers={"Content-Disposition": named}
    )


@cache
def _archive_of_this_program() -> bytes:
    return pack_source(PROJECT, without=Path(settings.DATA_DIR))


def pack_source(project: Path, *, without: Path) -> bytes:
    """Return the source of the project as a compressed archive, without what lies in the data folder."""
    packed = BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w") as archive,
    ):
        for name, path in sorted(source_files(project)):
            if not path.is_relative_to(without):
                described = tarfile.TarInfo(f"{NAME}/{name}")
                described.size = path.stat().st_size
                with path.open("rb") as file:
                    archive.addfile(described, file)
    return packed.getvalue()


def source_files(project: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name in the archive and the path of each file."""
    if IS_INSTALLED:
        yield "charlemagne.py", project / "__init__.py"  # its name in the package
    yield from ((name, project / name) for name in BESIDE if (project / name).is_file())
    build = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    for part in build["targets"]["wheel"]["only-include"]:
        for path in (project / part).rglob("*"):
            name = path.relative_to(project)
            is_known = path.suffix in KINDS or path.name == "LICENSE"
            is_hidden = any(each.startswith(".") for each in name.parts)
            if is_known and not is_hidden and not path.is_symlink() and path.is_file():
                yield name.as_posix(), path
