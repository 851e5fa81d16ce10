import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext

from config.management.terminal_command import TerminalCommand
from rules import Refusal
from tournaments.event_files import serialize_event_file
from tournaments.event_files.queries import event_file_of
from tournaments.events.queries import event_named
from wording.sentences import sentence


class Command(TerminalCommand):
    help = "Writes an event to one file, which `verify` checks without this installation."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="the short name that the event's address ends in")
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--with-codes",
            action="store_true",
            help="so that phones in the hall bring to another laptop what it lacks; not to be handed on",
        )

    def handle(self, *, event: str, file: Path, with_codes: bool, **_: Any) -> None:
        try:
            self._export(event, file, with_codes=with_codes)
        except Refusal as refusal:
            raise CommandError(sentence(refusal)) from None

    def _export(self, short: str, file: Path, *, with_codes: bool) -> None:
        event = event_named(short)
        if event is None:
            raise Refusal("no_such_event")
        content = event_file_of(event, for_phones=with_codes)
        try:
            with file.open("xb") as opened:
                opened.write(serialize_event_file(content))
                opened.flush()
                os.fsync(opened.fileno())
        except FileExistsError:
            raise Refusal("file_exists", path=str(file)) from None
        except OSError:
            raise Refusal("file_not_writable", path=str(file)) from None
        told = gettext("Written: %(path)s. Checksum: %(sum)s")
        self.stdout.write(told % {"path": file, "sum": content["sum"]})
