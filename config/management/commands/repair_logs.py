from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext

from config.management.terminal_command import TerminalCommand
from errors import Refusal
from operations.backup import open_backup
from operations.backup.automatic import backup_folder
from operations.backup.rotation import copies_in
from scoring.log_chain import Damage
from scoring.services import accept_log, note_damage, repair_log
from wording.sentences import sentence


class Command(TerminalCommand):
    help = "Check all hands against their digests, and repair damaged ones from phones or backups."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--from", dest="file", metavar="FILE", type=Path, help="a backup to repair from")
        parser.add_argument(
            "--accept", action="store_true", help="accept what cannot be repaired, after comparing it"
        )

    def handle(self, *, file: Path | None, accept: bool, **_: Any) -> None:
        damaged = note_damage()
        left = _repair(damaged, [] if file is None else [file])
        for each in damaged:
            is_left = any(other.match == each.match for other in left)
            self.stdout.write(_line_of(each, is_left=is_left))
        if left and accept:
            for match in {each.match for each in left}:
                accept_log(match_id=match)
        elif left:
            raise CommandError(
                gettext(
                    "Open the tables’ pages on their phones: they send their copies. Or compare with "
                    "another record, then run again with --accept."
                )
            )
        self.stdout.write(gettext("All hands are as they were recorded."))


def _line_of(damage: Damage, *, is_left: bool) -> str:
    where = asdict(damage)
    if not damage.hand and is_left:
        return gettext("Round %(round)s, table %(table)s: result still damaged.") % where
    if not damage.hand:
        return gettext("Round %(round)s, table %(table)s: result repaired.") % where
    if is_left:
        return gettext("Round %(round)s, table %(table)s, hand %(hand)s: still damaged.") % where
    return gettext("Round %(round)s, table %(table)s, hand %(hand)s: repaired.") % where


def _repair(damaged: list[Damage], files: list[Path]) -> list[Damage]:
    """Repair logs from themselves, then from these backups and the automatic ones, newest first; return what
    is left."""
    left = _repair_from(damaged, None)
    for file in (*files, *copies_in(backup_folder())):
        if left:
            left = _repair_from(left, file)
    return left


def _repair_from(damaged: list[Damage], file: Path | None) -> list[Damage]:
    matches = sorted({each.match for each in damaged})
    try:
        copies = [] if file is None else open_backup(file).marks_of(matches)
    except Refusal as refusal:
        raise CommandError(sentence(refusal)) from None
    return [left for match in matches for left in repair_log(match_id=match, copies=copies)]
