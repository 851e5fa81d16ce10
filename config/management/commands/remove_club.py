from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils.translation import gettext

from clubs.models import Club
from config.management.terminal_command import TerminalCommand
from operations.backup.club_removal import remove_club
from operations.doctor.views import runs_installation


class Command(TerminalCommand):
    help = (
        "Remove a club and all its data, after writing it to a file. This cannot be undone; `restore` loads"
        " the file into an installation of its own."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", help="short name at the end of the club's address")
        parser.add_argument("file", type=Path, help="file to write the club to, before it is removed")

    def handle(self, *, club: str, file: Path, **_: Any) -> None:
        found = Club.objects.filter(slug=club).first()
        if found is None:
            known = ", ".join(Club.objects.order_by("slug").values_list("slug", flat=True))
            raise CommandError(gettext("Unknown club. Choose one of: %(known)s.") % {"known": known})
        if runs_installation(found):
            told = gettext("%(name)s manages this installation and cannot be removed.")
            raise CommandError(told % {"name": found.name})
        call_command("backup", file, club=club, stdout=self.stdout)
        told = gettext("Removed: %(name)s, %(rows)s rows.")
        self.stdout.write(told % {"name": found.name, "rows": remove_club(found)})
