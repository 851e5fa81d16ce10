"""The translations, compiled to a folder that this installation may write to."""

import os
from pathlib import Path

from django.conf import settings
from django.utils.translation.reloader import translation_file_changed


def compile_translations() -> None:
    """Make the translations ready. Safe to repeat."""
    for source, target in _find_stale_translations():
        _compile_catalogue(source, target)
        translation_file_changed(None, target)  # Django has already loaded the old one


def has_stale_translations() -> bool:
    return bool(_find_stale_translations())


def _find_stale_translations() -> list[tuple[Path, Path]]:
    """Return each catalogue that needs compiling, and its target, which gets the modification time of its
    source."""
    source_folder, compiled_folder = map(Path, settings.LOCALE_PATHS)
    pairs = [
        (source, compiled_folder / source.relative_to(source_folder).with_suffix(".mo"))
        for source in source_folder.glob("*/LC_MESSAGES/django.po")
    ]
    return [
        (source, target)
        for source, target in pairs
        if not target.exists() or target.stat().st_mtime_ns != source.stat().st_mtime_ns
    ]


def _compile_catalogue(source: Path, target: Path) -> None:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    target.parent.mkdir(parents=True, exist_ok=True)
    temporary_file = target.with_suffix(f".{os.getpid()}.new")
    with source.open("rb") as po, temporary_file.open("wb") as mo:
        write_mo(mo, read_po(po))
    source_time = source.stat().st_mtime_ns
    os.utime(temporary_file, ns=(source_time, source_time))
    temporary_file.replace(target)
