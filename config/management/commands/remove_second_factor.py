from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext

from clubs.services.login_throttle import delete_all_counters
from clubs.services.second_factor import remove_second_factor
from clubs.services.security_log import find_account
from config.management.terminal_command import TerminalCommand


class Command(TerminalCommand):
    def handle(self, *, name: str, **_: Any) -> None:
        account = find_account(name)
        if account is None:
            raise CommandError(gettext("No account named %(name)s.") % {"name": name})
        remove_second_factor(account_id=account.pk)
        delete_all_counters()
        self.stdout.write(gettext("%(name)s now signs in without a six-digit code.") % {"name": account.name})
