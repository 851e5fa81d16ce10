from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext

from config.backup import restore
from config.wording import sentence
from rules import Refusal


class Command(BaseCommand):
    help = "Puts everything that a backup holds into an empty installation."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **_: Any) -> None:
        try:
            counts = restore(file)
        except Refusal as refusal:
            raise CommandError(sentence(refusal)) from None
        self.stdout.write(gettext("Restored: %(rows)s rows.") % {"rows": sum(counts.values())})
