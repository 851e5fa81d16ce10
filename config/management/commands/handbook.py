"""Write the handbooks as a static website: `manage.py handbook FOLDER`."""

from pathlib import Path
from typing import Any

from config.management.terminal_command import TerminalCommand
from handbook.site import write_site


class Command(TerminalCommand):
    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        count = write_site(folder)
        self.stdout.write(f"{count} pages: {folder / 'fr' / 'index.html'}")
