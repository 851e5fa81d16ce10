"""Write the handbooks as a static website: `manage.py handbook FOLDER`."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from handbook.site import write_site


class Command(BaseCommand):
    help = "Write the handbooks in both languages as HTML pages, for any web server or a USB stick."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="folder to write to")

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        count = write_site(folder)
        self.stdout.write(f"{count} pages: {folder / 'fr' / 'index.html'}")
