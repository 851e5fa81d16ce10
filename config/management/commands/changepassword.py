from getpass import getpass
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext

from clubs.models import Account
from clubs.services.accounts import change_password
from clubs.services.login_throttle import delete_all_counters
from clubs.services.security_log import find_account
from config.management.terminal_command import TerminalCommand


class Command(TerminalCommand):
    def handle(self, *, name: list[str], **_: Any) -> None:
        account = find_account(" ".join(name))
        if account is None:
            raise CommandError(_format_unknown_account(" ".join(name)))
        self.stdout.write(gettext("New password for %(name)s (not shown as you type).") % {"name": account.name})
        password = getpass(gettext("New password:") + " ")
        if getpass(gettext("Confirm the password:") + " ") != password:
            raise CommandError(gettext("The passwords do not match. Nothing was changed."))
        change_password(account_id=account.pk, current=None, password=password)
        delete_all_counters()  # the owner may have made many wrong guesses
        self.stdout.write(
            gettext("Password changed. %(name)s is signed out on other devices.") % {"name": account.name}
        )


def _format_unknown_account(name: str) -> str:
    """Return the refusal with all account names: anyone at this terminal may read them."""
    names = list(Account.objects.order_by("folded_name").values_list("name", flat=True))
    if not names:
        return gettext("No accounts yet. Check the data folder.")
    accounts_text = gettext("Accounts: %(names)s.") % {"names": ", ".join(names)}
    return f"{gettext('No account named %(name)s.') % {'name': name}} {accounts_text}" if name else accounts_text
