"""The command `verify` by itself, without the database, the pages and the apps of which it needs none."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from .data_dir import PROJECT, data_folder


def verify_alone(arguments: list[str]) -> None:
    """Runs the command with no more of Django than its texts."""
    import django
    from django.conf import settings

    with tempfile.TemporaryDirectory(prefix="charlemagne-") as folder:
        settings.configure(
            LANGUAGE_CODE="en",
            LOCALE_PATHS=[PROJECT / "locale", _texts(Path(folder))],
        )
        django.setup()
        from config.management.commands.verify import Command

        Command().run_from_argv(arguments)


def _texts(folder: Path) -> Path:
    """Where the texts are, or will be, compiled: in the data folder, if there is one of one's own."""
    compiled = data_folder() / "locale"
    return compiled if os.access(compiled, os.W_OK) else folder
