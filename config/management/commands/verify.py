import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext

from config.management.terminal_command import TerminalCommand
from errors import Refusal
from operations.signed_log_loader import load_checkpoint, load_log
from operations.verifier.verification import Verdict, check
from wording.sentences import get_sentence


class Command(TerminalCommand):
    def handle(self, *, file: Path | None, key: str, log: str, older: str, **_: Any) -> None:
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
