from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils.translation import gettext

from clubs.models import Club
from clubs.queries import is_installation_owner
from config.management.terminal_command import TerminalCommand
from operations.backup.club_removal import remove_club


class Command(TerminalCommand):
    def handle(self, *, club: str, file: Path, **_: Any) -> None:
        club_found = Club.objects.filter(slug=club).first()
        if club_found is None:
            slugs = ", ".join(Club.objects.order_by("slug").values_list("slug", flat=True))
            raise CommandError(gettext("Unknown club. Choose one of: %(known)s.") % {"known": slugs})
        if is_installation_owner(club_found):
            message = gettext("%(name)s manages this installation and cannot be removed.")
            raise CommandError(message % {"name": club_found.name})
        call_command("backup", file, club=club, stdout=self.stdout)
        message = gettext("Removed: %(name)s, %(rows)s rows.")
        self.stdout.write(message % {"name": club_found.name, "rows": remove_club(club_found)})
