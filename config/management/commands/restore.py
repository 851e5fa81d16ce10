from argparse import ArgumentParser
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
from clubs.services import InvitationSecret, hand_owners_passwords
from config.management.terminal_command import TerminalCommand
from errors import Refusal
from operations.backup import open_backup, restore
from operations.backup.encrypted import decrypt, is_encrypted
from operations.command_line import add_arguments
from wording.sentences import sentence


class Command(TerminalCommand):
    help = "Restore a backup into an empty installation."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arguments(parser, "restore")

    def handle(self, *, file: Path, address: str, **_: Any) -> None:
        try:
            with _open_backup(file) as plain, transaction.atomic():
                counts = restore(plain)
                handed = _links_of_owners(plain)
        except Refusal as refusal:
            raise CommandError(sentence(refusal)) from None
        self.stdout.write(gettext("Restored: %(rows)s rows.") % {"rows": sum(counts.values())})
        if handed:
            self.stdout.write(gettext("Start the program, then create the owners’ passwords at:"))
        for each in handed:
            link = urljoin(address, reverse("invitation", args=[each.secret]))
            self.stdout.write(f"  {each.invitation.note}: {link}")
        if handed:
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
        plain = Path(folder) / "opened.zip"
        decrypt(file, plain, passphrase)
        yield plain


def _ask_passphrase() -> str:
    try:
        return getpass(gettext("Backup passphrase:") + " ")
    except EOFError:
        raise CommandError(
            gettext("The backup is encrypted. Put its passphrase in CHARLEMAGNE_BACKUP_PASSPHRASE.")
        ) from None


def _links_of_owners(file: Path) -> list[InvitationSecret]:
    """Return invitations for a club's owners to set new passwords, as its backup has none."""
    slug = open_backup(file).club
    if slug is None:
        return []
    return hand_owners_passwords(club_id=Club.objects.get(slug=slug).pk)
