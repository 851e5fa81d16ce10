"""The parts of this program that a browser loads: the modules that a verification imports, and their
translations."""

import ast
import io
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.conf import settings

from operations.data_dir import PROJECT

ROOT_MODULES = ("operations.verifier.in_browser.stand_ins", "operations.verifier.in_browser.entry_point")
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)
"""Fixed date of each file in an archive, so that the same program always gives the same archive."""


@cache
def build_program_archive() -> bytes:
    """Return the modules and translations as a ZIP archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as output:
        for path in sorted(set(find_modules().values())):
            name = path.relative_to(PROJECT).as_posix()
            _write(output, name, path)
        for language, path in find_catalogues().items():
            _write(output, f"{language}.mo", path)
    return archive.getvalue()


def _write(archive: zipfile.ZipFile, name: str, path: Path) -> None:
    archive.writestr(zipfile.ZipInfo(name, _FIXED_DATE), path.read_bytes(), zipfile.ZIP_DEFLATED)


def find_catalogues() -> dict[str, Path]:
    """Return the compiled translations of each language but English, the language of the source."""
    folder = Path(settings.LOCALE_PATHS[-1])
    return {path.parent.parent.name: path for path in sorted(folder.glob("*/LC_MESSAGES/django.mo"))}


@cache
def find_modules() -> dict[str, Path]:
    """Return each module of this project that is imported, and its path."""
    paths_by_name: dict[str, Path] = {}
    queue = list(ROOT_MODULES)
    while queue:
        name = queue.pop()
        path = _find_module_path(name)
        if name in paths_by_name or path is None:
            continue
        paths_by_name[name] = path
        queue += [name.rpartition(".")[0], *_iter_imported_names(name, path)]
    return paths_by_name


def _find_module_path(name: str) -> Path | None:
    """Return the path of a module; None if it is not part of this project."""
    place = PROJECT / name.replace(".", "/") if name else PROJECT / "-"
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


def _iter_imported_names(name: str, path: Path) -> Iterator[str]:
    """Yield the names that a module imports when loaded: modules, or names in them."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parent = package.rsplit(".", node.level - 1)[0] if node.level else ""
            base = ".".join(filter(None, (parent, node.module)))
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
