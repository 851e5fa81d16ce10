"""The parts of this program that a browser loads: the modules that a verification imports, and their
translations."""

from __future__ import annotations

import ast
import io
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.conf import settings

from operations.data_dir import PROJECT

BEGINNING = ("operations.verifier.in_browser.stand_ins", "operations.verifier.in_browser.entry_point")
_NO_HOUR = (1980, 1, 1, 0, 0, 0)
"""Fixed date of each file in an archive, so that the same program always gives the same archive."""


@cache
def program_archive() -> bytes:
    """Return the modules and translations as a ZIP archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as written:
        for path in sorted(set(modules().values())):
            name = path.relative_to(PROJECT).as_posix()
            _write(written, name, path)
        for language, path in catalogues().items():
            _write(written, f"{language}.mo", path)
    return archive.getvalue()


def _write(archive: zipfile.ZipFile, name: str, path: Path) -> None:
    archive.writestr(zipfile.ZipInfo(name, _NO_HOUR), path.read_bytes(), zipfile.ZIP_DEFLATED)


def catalogues() -> dict[str, Path]:
    """Return the compiled translations of each language but English, the language of the source."""
    compiled = Path(settings.LOCALE_PATHS[-1])
    return {path.parent.parent.name: path for path in sorted(compiled.glob("*/LC_MESSAGES/django.mo"))}


@cache
def modules() -> dict[str, Path]:
    """Return each module of this project that is imported, and its path."""
    found: dict[str, Path] = {}
    waiting = list(BEGINNING)
    while waiting:
        name = waiting.pop()
        path = _path_of(name)
        if name in found or path is None:
            continue
        found[name] = path
        waiting += [name.rpartition(".")[0], *_imported_names(name, path)]
    return found


def _path_of(name: str) -> Path | None:
    """Return the path of a module; None if it is not part of this project."""
    place = PROJECT / name.replace(".", "/") if name else PROJECT / "-"
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


def _imported_names(name: str, path: Path) -> Iterator[str]:
    """Yield the names that a module imports when loaded: modules, or names in them."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            base = ".".join(filter(None, (above, node.module)))
            yield base
            yield from (f"{base}.{each.name}" for each in node.names)
