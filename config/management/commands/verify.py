import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext, override

from operations.prepare_install import prepare_texts
from operations.terminal import language
from rules import Refusal
from tournaments.event_files import read_event_path, verify
from wording.labels.event_files import told_counts, told_difference
from wording.sentences import SENTENCES, sentence


class Command(BaseCommand):
    help = "Computes every draw, result and standing of an event's file again, and says where it differs."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="as `export_event` or the event's page has written it")

    def handle(self, *, file: Path, **_: Any) -> None:
        prepare_texts()
        with override(language()):
            self._verify(file)

    def _verify(self, file: Path) -> None:
        try:
            report = verify(read_event_path(file))
        except Refusal as refusal:
            raise CommandError(sentence(refusal)) from None
        for note in report.notes:
            told = told_difference(note, SENTENCES)
            self.stdout.write(gettext("Note: %(sentence)s") % {"sentence": told})
        for difference in report.differences:
            self.stdout.write(told_difference(difference, SENTENCES))
        if report.differences:
            sys.exit(1)
        self.stdout.write(told_counts(report))
