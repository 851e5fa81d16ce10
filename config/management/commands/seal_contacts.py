from typing import Any

from django.utils.translation import gettext

from config.management.terminal_command import TerminalCommand
from operations.contact_data import decrypt_contacts, encrypt_contacts


class Command(TerminalCommand):
    def handle(self, *, is_open: bool, **_: Any) -> None:
        count = decrypt_contacts() if is_open else encrypt_contacts()
        message = (
            gettext("Contact details are no longer encrypted. Rows updated: %(count)s")
            if is_open
            else gettext("Contact details are now encrypted. Rows updated: %(count)s")
        )
        self.stdout.write(message % {"count": count})
