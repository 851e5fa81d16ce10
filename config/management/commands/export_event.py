import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext

from config.management.terminal_command import TerminalCommand
from engine.draws.trf import render_trf
from errors import Refusal
from tournaments.event_files import serialize_event_file
from tournaments.event_files.queries import event_file_of
from tournaments.event_files.queries.trf import trf_of_event
from tournaments.events.queries import event_named
from wording.sentences import sentence

TRF = ".trf"


class Command(TerminalCommand):
    help = "Write an event to a file that `verify` can check, or a Swiss to a chess report (.trf)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="short name at the end of the event's address")
        parser.add_argument("file", type=Path, help="file to write")
        parser.add_argument(
            "--with-codes",
            action="store_true",
            help="include table codes, for phones to send missing hands to another laptop; keep this private",
        )
        parser.add_argument("--section", default="", help="only this section, in a chess report")

    def handle(self, *, event: str, file: Path, with_codes: bool, section: str, **_: Any) -> None:
        try:
            found = event_named(event)
            if found is None:
                raise Refusal("no_such_event")
            if file.suffix == TRF:
                _write(file, render_trf(trf_of_event(found, section=section)).encode())
                self.stdout.write(gettext("Written: %(path)s.") % {"path": file})
                return
            content = event_file_of(found, for_phones=with_codes)
            _write(file, serialize_event_file(content))
        except Refusal as refusal:
            raise CommandError(sentence(refusal)) from None
        told = gettext("Written: %(path)s. Checksum: %(sum)s")
        self.stdout.write(told % {"path": file, "sum": content["sum"]})


def _write(file: Path, content: bytes) -> None:
    """Write a new file. Refuses: file_exists, file_not_writable."""
    try:
        with file.open("xb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
    except FileExistsError:
        raise Refusal("file_exists", path=str(file)) from None
    except OSError:
        raise Refusal("file_not_writable", path=str(file)) from None
