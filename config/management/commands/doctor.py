from itertools import chain
from typing import Any

from django.utils.translation import gettext

from config.management.terminal_command import TerminalCommand
from operations.doctor import Severity, run_checks, run_night_checks
from operations.doctor.labels import describe_finding
from operations.doctor.system_checks import check_address

MARKERS = {Severity.FINE: "  ok", Severity.ADVICE: "  --", Severity.WARNING: "  !!", Severity.BROKEN: "  XX"}


class Command(TerminalCommand):
    def handle(self, *, before_the_night: bool, **_: Any) -> None:
        worst = Severity.FINE
        checks = run_night_checks() if before_the_night else run_checks(tries_restore=True)
        for result in chain([check_address()], checks):
            self.stdout.write(f"{MARKERS[result.level]}  {describe_finding(result.code, result.details)}")
            worst = max(worst, result.level, key=list(Severity).index)
        is_healthy = worst in {Severity.FINE, Severity.ADVICE}
        self.stdout.write(gettext("All is well.") if is_healthy else gettext("Check the marked lines."))
        if not is_healthy:
            raise SystemExit(1)
