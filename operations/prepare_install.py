"""Upgrade of a data folder: database, translations, static files. Quick if there is nothing to do."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from .data_dir import read_note_file
from .terminal import print_error_line
from .texts import compile_translations, has_stale_translations
from .upgrading import upgrade_database

EXCLUDED_APPS = [
    "rest_framework",  # its browsable API, which is off
    *(
        "redoc",
        "swagger-ui-standalone-preset.*",
        "swagger-ui-bundle.js.map",
    ),  # beside Swagger UI in its package
]


def prepare_data_folder() -> None:
    """Make the data folder ready for this version of the program. Safe to repeat."""
    if has_stale_translations():
        print_error_line("preparing-texts")
        compile_translations()
    upgrade_database()
    stamp, sources = Path(settings.DATA_DIR) / "static.stamp", _compute_static_digest()
    if read_note_file(stamp) != sources:
        print_error_line("preparing-pages")
        call_command("collectstatic", interactive=False, clear=True, ignore_patterns=EXCLUDED_APPS, verbosity=0)
        stamp.write_text(sources, encoding="ascii")


def _compute_static_digest() -> str:
    """Return a digest of the names, sizes and times of all static files."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list(EXCLUDED_APPS):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
