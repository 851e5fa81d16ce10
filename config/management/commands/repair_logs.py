from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext

from config.management.terminal_command import TerminalCommand
from operations.backup import open_backup
from operations.backup.automatic import backup_folder
from operations.backup.rotation import list_backups
from scoring.log_chain import Damage
from scoring.services.log_repair import accept_log, detect_damage, repair_log


class Command(TerminalCommand):
    def handle(self, *, file: Path | None, accept: bool, **_: Any) -> None:
        damage = detect_damage()
        remaining = _repair_all(damage, [] if file is None else [file])
        for item in damage:
            is_left = any(other.match == item.match for other in remaining)
            self.stdout.write(_format_damage(item, is_remaining=is_left))
        if remaining and accept:
            for match in {item.match for item in remaining}:
                accept_log(match_id=match)
        elif remaining:
            raise CommandError(
                gettext(
                    "Open the tables’ pages on their phones: they send their copies. Or compare with "
                    "another record, then run again with --accept."
                )
            )
        self.stdout.write(gettext("All hands are intact."))


def _format_damage(damage: Damage, *, is_remaining: bool) -> str:
    details = asdict(damage)
    if not damage.hand and is_remaining:
        return gettext("Round %(round)s, table %(table)s: result still damaged.") % details
    if not damage.hand:
        return gettext("Round %(round)s, table %(table)s: result repaired.") % details
    if is_remaining:
        return gettext("Round %(round)s, table %(table)s, hand %(hand)s: still damaged.") % details
    return gettext("Round %(round)s, table %(table)s, hand %(hand)s: repaired.") % details


def _repair_all(damage: list[Damage], files: list[Path]) -> list[Damage]:
    """Repair logs from themselves, then from these backups and the automatic ones, newest first; return what
    is left."""
    remaining = _repair_from(damage, None)
    for file in (*files, *list_backups(backup_folder())):
        if remaining:
            remaining = _repair_from(remaining, file)
    return remaining


def _repair_from(damage: list[Damage], file: Path | None) -> list[Damage]:
    matches = sorted({item.match for item in damage})
    copies = [] if file is None else open_backup(file).load_marks(matches)
    return [left for match in matches for left in repair_log(match_id=match, copies=copies)]
