from collections.abc import Iterator
from contextlib import contextmanager
from getpass import getpass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.core.management.base import CommandError
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext

from clubs.models import Club
from clubs.services.team import create_owner_password_links
from config.management.terminal_command import TerminalCommand
from operations.backup import open_backup, restore
from operations.backup.club_import import import_club
from operations.backup.encryption import decrypt_file, is_encrypted


class Command(TerminalCommand):
    def handle(self, *, file: Path, address: str, beside: bool, **_: Any) -> None:
        with _open_backup(file) as decrypted_file, transaction.atomic():
            message, club = _import_beside(decrypted_file) if beside else _restore_backup(decrypted_file)
            owner_links = [] if club is None else create_owner_password_links(club_id=club.pk)
        self.stdout.write(message)
        if owner_links:
            self.stdout.write(gettext("Start the program, then create the owners’ passwords at:"))
        for owner_link in owner_links:
            link = urljoin(address, reverse("invitation", args=[owner_link.secret]))
            self.stdout.write(f"  {owner_link.invitation.note}: {link}")
        if owner_links:
            self.stdout.write(gettext("Each link works once, within two weeks, and is not shown again."))


@contextmanager
def _open_backup(file: Path) -> Iterator[Path]:
    """Open the backup, decrypted if needed: with the passphrase from the environment, or typed. Refuses:
    wrong_passphrase."""
    if not is_encrypted(file):
        yield file
        return
    passphrase = settings.BACKUP_PASSPHRASE or _ask_passphrase()
    with TemporaryDirectory(dir=settings.DATA_DIR) as folder:
        decrypted_file = Path(folder) / "opened.zip"
        decrypt_file(file, decrypted_file, passphrase)
        yield decrypted_file


def _ask_passphrase() -> str:
    try:
        return getpass(gettext("Backup passphrase:") + " ")
    except EOFError:
        raise CommandError(
            gettext("The backup is encrypted. Put its passphrase in CHARLEMAGNE_BACKUP_PASSPHRASE.")
        ) from None


def _restore_backup(file: Path) -> tuple[str, Club | None]:
    """Restore the backup; return what was done, and the club if it is that of one, whose owners have no
    passwords."""
    counts = restore(file)
    slug = open_backup(file).club
    message = gettext("Restored: %(rows)s rows.") % {"rows": sum(counts.values())}
    return message, None if slug is None else Club.objects.get(slug=slug)


def _import_beside(file: Path) -> tuple[str, Club]:
    club = import_club(file)
    return gettext("Imported: %(club)s (%(slug)s).") % {"club": club.name, "slug": club.slug}, club
