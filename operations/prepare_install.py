"""Bringing a data folder up to date: database, texts, static files. Finding nothing to do is quick."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.utils.translation.reloader import translation_file_changed

from .terminal import say_aside
from .upgrading import bring_database_up_to_date

NOT_SERVED = ["rest_framework"]  # pages of its own that this project does not show


def prepare() -> None:
    """Make the data folder ready for this version of the program. Safe to repeat."""
    if _stale_texts():
        say_aside("preparing-texts")
        prepare_texts()
    bring_database_up_to_date()
    stamp, sources = Path(settings.DATA_DIR) / "static.stamp", _static_sources()
    if not stamp.exists() or stamp.read_text(encoding="ascii") != sources:
        say_aside("preparing-pages")
        call_command("collectstatic", interactive=False, clear=True, ignore_patterns=NOT_SERVED, verbosity=0)
        stamp.write_text(sources, encoding="ascii")


def prepare_texts() -> None:
    """Make the translations ready. Safe to repeat."""
    for source, compiled in _stale_texts():
        _compile(source, compiled)
        translation_file_changed(None, compiled)  # Django has read the old one while it was set up


def _stale_texts() -> list[tuple[Path, Path]]:
    """Each catalogue to be compiled and where to. A compiled one bears the time of its source."""
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


def _static_sources() -> str:
    """A digest of which files there are to serve, how large and how old."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list(NOT_SERVED):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
