"""Upgrade of a data folder: database, translations, static files. Quick if there is nothing to do."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from .terminal import say_aside
from .texts import are_stale, prepare_texts
from .upgrading import bring_database_up_to_date

NOT_SERVED = ["rest_framework"]  # files of its browsable API, which is off


def prepare_data_folder() -> None:
    """Make the data folder ready for this version of the program. Safe to repeat."""
    if are_stale():
        say_aside("preparing-texts")
        prepare_texts()
    bring_database_up_to_date()
    stamp, sources = Path(settings.DATA_DIR) / "static.stamp", _static_sources()
    if not stamp.exists() or stamp.read_text(encoding="ascii") != sources:
        say_aside("preparing-pages")
        call_command("collectstatic", interactive=False, clear=True, ignore_patterns=NOT_SERVED, verbosity=0)
        stamp.write_text(sources, encoding="ascii")


def _static_sources() -> str:
    """Return a digest of the names, sizes and times of all static files."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list(NOT_SERVED):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
