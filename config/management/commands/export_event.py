import os
from pathlib import Path
from typing import Any

from django.utils.translation import gettext

from config.management.terminal_command import TerminalCommand
from engine.draws.trf import render_trf
from errors import Refusal, get_or_refuse
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.queries.trf import build_trf_report
from tournaments.event_files.writer import serialize_event_file
from tournaments.events.queries import find_event

TRF = ".trf"


class Command(TerminalCommand):
    def handle(self, *, event: str, file: Path, with_codes: bool, section: str, **_: Any) -> None:
        exported_event = get_or_refuse(find_event(event), "no_such_event")
        if file.suffix == TRF:
            _write_new_file(file, render_trf(build_trf_report(exported_event, section=section)).encode())
            self.stdout.write(gettext("Written: %(path)s.") % {"path": file})
            return
        content = build_event_file(exported_event, with_phone_keys=with_codes, with_desk=with_codes)
        _write_new_file(file, serialize_event_file(content))
        message = gettext("Written: %(path)s. Checksum: %(sum)s")
        self.stdout.write(message % {"path": file, "sum": content["sum"]})


def _write_new_file(file: Path, content: bytes) -> None:
    """Write a new file. Refuses: file_exists, file_not_writable."""
    try:
        with file.open("xb") as output:
            output.write(content)
            output.flush()
            os.fsync(output.fileno())
    except FileExistsError:
        raise Refusal("file_exists", path=str(file)) from None
    except OSError:
        raise Refusal("file_not_writable", path=str(file)) from None
