from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext

from clubs.models import Club
from config.management.terminal_command import TerminalCommand
from operations.backup import back_up
from operations.command_line import add_arguments
from operations.data_dir import FULL
from rules import Refusal
from wording.sentences import sentence


class Command(TerminalCommand):
    help = "Writes everything of this installation, or one club, to a file, while it goes on being used."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arguments(parser, "backup")

    def handle(self, *, file: Path, club: str | None, **_: Any) -> None:
        chosen = Club.objects.filter(slug=club).first() if club else None
        if club and chosen is None:
            known = ", ".join(Club.objects.values_list("slug", flat=True))
            raise CommandError(gettext("Say which club, with --club: %(known)s.") % {"known": known})
        try:
            counts = back_up(file, chosen)
        except Refusal as refusal:
            raise CommandError(sentence(refusal)) from None
        except OSError as error:
            raise CommandError(sentence(_why_not(error, file))) from None
        told = gettext("Written, and read again: %(path)s, %(rows)s rows.")
        self.stdout.write(told % {"path": file, "rows": sum(counts.values())})


def _why_not(error: OSError, file: Path) -> Refusal:
    if error.errno in FULL:
        return Refusal("backup_disk_full", folder=str(file.parent))
    return Refusal("file_not_writable", path=str(file))
