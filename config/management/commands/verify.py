import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext, override

from errors import Refusal
from operations.signed_log_loader import load_log, read_head
from operations.terminal import language
from operations.texts import prepare_texts
from operations.verifier.verification import Verdict, check
from wording.sentences import sentence


class Command(BaseCommand):
    help = "Recompute every draw, result and ranking of an event file, and list the differences."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=Path, nargs="?", help="event file, from `export_event` or the event's page"
        )
        parser.add_argument(
            "--key", default="", help="the club's public key or its fingerprint, if you know it"
        )
        parser.add_argument("--log", default="", help="the club's results log: its address or a file")
        parser.add_argument("--older", default="", help="an older results log, or checkpoint, that you saved")

    def handle(self, *, file: Path | None, key: str, log: str, older: str, **_: Any) -> None:
        prepare_texts()
        with override(language()):
            if file is None and not log:
                raise CommandError(gettext("Enter an event file, or a results log: --log ADDRESS."))
            try:
                read = load_log(log) if log else None
                kept = read_head(older) if older else None
                self._tell(check(file, key=key, log=read, older=kept))
            except Refusal as refusal:
                raise CommandError(sentence(refusal)) from None

    def _tell(self, verdict: Verdict) -> None:
        for line in (*verdict.notes, *(verdict.differences or verdict.told)):
            self.stdout.write(line)
        if verdict.differences:
            sys.exit(1)
