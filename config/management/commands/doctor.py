from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext, override

from operations.command_line import DJANGO_OPTIONS, add_arguments
from operations.doctor import Severity, run_checks, run_night_checks
from operations.doctor.system_checks import check_address
from operations.terminal import get_language_code
from operations.texts import compile_translations
from wording.labels.health import describe_finding

MARKERS = {Severity.FINE: "  ok", Severity.ADVICE: "  --", Severity.WARNING: "  !!", Severity.BROKEN: "  XX"}


class Command(BaseCommand):
    help = "Check the installation, and say what to do. The exit status is 0 if all is well."
    suppressed_base_arguments = set(DJANGO_OPTIONS)
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_arguments(parser, "doctor")

    def handle(self, *, before_the_night: bool, **_: Any) -> None:
        compile_translations()
        worst = Severity.FINE
        with override(get_language_code()):
            checks = run_night_checks() if before_the_night else run_checks(tries_restore=True)
            for result in chain([check_address()], checks):
                self.stdout.write(f"{MARKERS[result.level]}  {describe_finding(result.code, result.details)}")
                worst = max(worst, result.level, key=list(Severity).index)
            is_healthy = worst in {Severity.FINE, Severity.ADVICE}
            self.stdout.write(gettext("All is well.") if is_healthy else gettext("Check the marked lines."))
        if not is_healthy:
            raise SystemExit(1)
