"""The translations, compiled to a folder that this installation may write to."""

from __future__ import annotations

import os
from pathlib import Path

from django.conf import settings
from django.utils.translation.reloader import translation_file_changed


def prepare_texts() -> None:
    """Make the translations ready. Safe to repeat."""
    for source, compiled in _stale_texts():
        _compile(source, compiled)
        translation_file_changed(None, compiled)  # Django has already loaded the old one


def are_stale() -> bool:
    return bool(_stale_texts())


def _stale_texts() -> list[tuple[Path, Path]]:
    """Return each catalogue that needs compiling, and its target, which gets the modification time of its
    source."""
    source_folder, compiled_folder = map(Path, settings.LOCALE_PATHS)
    pairs = [
        (source, compiled_folder / source.relative_to(source_folder).with_suffix(".mo"))
        for source in source_folder.glob("*/LC_MESSAGES/django.po")
    ]
    return [
        (source, compiled)
        for source, compiled in pairs
        if not compiled.exists() or compiled.stat().st_mtime_ns != source.stat().st_mtime_ns
    ]


def _compile(source: Path, compiled: Path) -> None:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled.parent.mkdir(parents=True, exist_ok=True)
    written = compiled.with_suffix(f".{os.getpid()}.new")
    with source.open("rb") as po, written.open("wb") as mo:
        write_mo(mo, read_po(po))
    changed = source.stat().st_mtime_ns
    os.utime(written, ns=(changed, changed))
    written.replace(compiled)
