"""The command `verify` run alone, without database, pages and apps, which it does not need."""

import os
import tempfile
from pathlib import Path

from .data_dir import PROJECT, data_folder


def run_standalone_verify(arguments: list[str]) -> None:
    """Run the command with no more of Django than its translations."""
    import django
    from django.conf import settings

    with tempfile.TemporaryDirectory(prefix="charlemagne-") as folder:
        settings.configure(
            LANGUAGE_CODE="en",
            LOCALE_PATHS=[PROJECT / "locale", _get_translations_folder(Path(folder))],
        )
        django.setup()
        from config.management.commands.verify import Command

        Command().run_from_argv(arguments)


def _get_translations_folder(folder: Path) -> Path:
    """Return the folder of the compiled translations: in the data folder, if there is one that can be
    written."""
    translations = data_folder() / "locale"
    return translations if os.access(translations, os.W_OK) else folder
