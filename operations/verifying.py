"""The command `verify` run alone, without database, pages and apps, which it does not need."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from .data_dir import PROJECT, data_folder


def verify_alone(arguments: list[str]) -> None:
    """Run the command with no more of Django than its translations."""
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
    """Return the folder of the compiled translations: in the data folder, if there is one that can be
    written."""
    compiled = data_folder() / "locale"
    return compiled if os.access(compiled, os.W_OK) else folder
