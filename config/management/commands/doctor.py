from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext, override

from operations.command_line import add_arguments
from operations.doctor import Severity, examine, examine_before_night
from operations.doctor.system_checks import check_address
from operations.terminal import language
from operations.texts import prepare_texts
from wording.labels.health import finding_in_words

SIGNS = {Severity.FINE: "  ok", Severity.WARNING: "  !!", Severity.BROKEN: "  XX"}


class Command(BaseCommand):
    help = "Check the installation, and say what to do. The exit status is 0 if all is well."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_arguments(parser, "doctor")

    def handle(self, *, before_the_night: bool, **_: Any) -> None:
        prepare_texts()
        worst = Severity.FINE
        with override(language()):
            checks = examine_before_night() if before_the_night else examine(is_restore_tried=True)
            for found in chain([check_address()], checks):
                self.stdout.write(f"{SIGNS[found.level]}  {finding_in_words(found.code, found.details)}")
                worst = max(worst, found.level, key=list(Severity).index)
            all_is_well = worst is Severity.FINE
            self.stdout.write(gettext("All is well.") if all_is_well else gettext("Check the marked lines."))
        if not all_is_well:
            raise SystemExit(1)
