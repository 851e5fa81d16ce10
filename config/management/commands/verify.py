import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext, override

from errors import Refusal
from operations.signed_log_loader import load_checkpoint, load_log
from operations.terminal import get_language_code
from operations.texts import compile_translations
from operations.verifier.verification import Verdict, check
from wording.sentences import get_sentence


class Command(BaseCommand):
    help = "Recompute every draw, result and ranking of an event file, and list the differences."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="event file, from `export_event` or the event's page")
        parser.add_argument("--key", default="", help="the club's public key or its fingerprint, if you know it")
        parser.add_argument("--log", default="", help="the club's results log: its address or a file")
        parser.add_argument("--older", default="", help="an older results log, or checkpoint, that you saved")

    def handle(self, *, file: Path | None, key: str, log: str, older: str, **_: Any) -> None:
        compile_translations()
        with override(get_language_code()):
            if file is None and not log:
                raise CommandError(gettext("Enter an event file, or a results log: --log ADDRESS."))
            try:
                read = load_log(log) if log else None
                checkpoint = load_checkpoint(older) if older else None
                self._print_verdict(check(file, key=key, log=read, older_checkpoint=checkpoint))
            except Refusal as refusal:
                raise CommandError(get_sentence(refusal)) from None

    def _print_verdict(self, verdict: Verdict) -> None:
        for line in (*verdict.notes, *(verdict.differences or verdict.statements)):
            self.stdout.write(line)
        if verdict.differences:
            sys.exit(1)
