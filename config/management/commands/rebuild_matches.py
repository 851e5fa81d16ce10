from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext

from config.management.terminal_command import TerminalCommand
from scoring.models import Match
from scoring.services.cache_check import rebuild_match


class Command(TerminalCommand):
    def handle(self, *_: Any, **__: Any) -> None:
        differing = 0
        for match_id in Match.objects.values_list("pk", flat=True):
            names = rebuild_match(match_id=match_id)
            if names:
                differing += 1
                self.stdout.write(f"{match_id}: {', '.join(names)}")
        count = Match.objects.count()
        if differing:
            raise CommandError(
                gettext("%(differing)s of %(count)s matches differed and were rebuilt.")
                % {"differing": differing, "count": count}
            )
        self.stdout.write(gettext("Matches checked: %(count)s, all correct.") % {"count": count})
