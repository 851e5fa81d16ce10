"""Write the handbooks as a site of files: `manage.py handbook FOLDER`."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from handbook.site import write_site


class Command(BaseCommand):
    help = (
        "Writes the handbooks, in both languages, as pages that any server shows, or a browser from a stick."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        count = write_site(folder)
        self.stdout.write(f"{count} pages: {folder / 'fr' / 'index.html'}")
