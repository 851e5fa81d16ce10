import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext

from config.management.terminal_command import TerminalCommand
from operations.signed_log_loader import load_checkpoint, load_log
from operations.verifier.verification import check


class Command(TerminalCommand):
    def handle(self, *, file: Path | None, key: str, log: str, older: str, **_: Any) -> None:
        if file is None and not log:
            raise CommandError(gettext("Enter an event file, or a results log: --log ADDRESS."))
        read = load_log(log) if log else None
        checkpoint = load_checkpoint(older) if older else None
        verdict = check(file, key=key, log=read, older_checkpoint=checkpoint)
        for line in (*verdict.notes, *(verdict.differences or verdict.statements)):
            self.stdout.write(line)
        if verdict.differences:
            sys.exit(1)
