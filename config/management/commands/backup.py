from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext

from clubs.models import Club
from config.management.terminal_command import TerminalCommand
from errors import Refusal
from operations.backup import create_backup
from operations.backup.automatic import find_full_disk_refusal


class Command(TerminalCommand):
    def handle(self, *, file: Path, club: str | None, **_: Any) -> None:
        chosen = Club.objects.filter(slug=club).first() if club else None
        if club and chosen is None:
            slugs = ", ".join(Club.objects.values_list("slug", flat=True))
            raise CommandError(gettext("Choose a club with --club: %(known)s.") % {"known": slugs})
        try:
            counts = create_backup(file, chosen)
        except OSError as error:
            refusal = Refusal("file_not_writable", path=str(file))
            raise find_full_disk_refusal(file.parent, error) or refusal from None
        message = gettext("Backup written and verified: %(path)s, %(rows)s rows.")
        self.stdout.write(message % {"path": file, "rows": sum(counts.values())})
