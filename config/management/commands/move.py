import os
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext

from config.management.terminal_command import TerminalCommand
from operations.backup import create_backup, open_backup
from operations.data_dir import DATA_VARIABLE, DATABASE_VARIABLE, PROGRAM, PROJECT
from web.sealing import encrypts_contacts


class Command(TerminalCommand):
    def handle(self, *, to: Path, database: str, **_: Any) -> None:
        self.stdout.write(move_installation(to.expanduser().resolve(), database))


def move_installation(target: Path, database: str) -> str:
    """Move the installation, and return what was moved, in words.

    Raises CommandError, with nothing changed here.
    """
    if target.exists() and any(target.iterdir()):
        raise CommandError(gettext("%(path)s is not empty. Choose a new folder.") % {"path": target})
    with TemporaryDirectory(dir=settings.DATA_DIR) as name:
        old_backup, new_backup = Path(name) / "before.zip", Path(name) / "after.zip"
        counts = create_backup(old_backup)
        target_environment = {DATA_VARIABLE: str(target), DATABASE_VARIABLE: database}
        run_in_target(target_environment, "restore", str(old_backup))
        if encrypts_contacts():
            run_in_target(target_environment, "seal_contacts")
        run_in_target(target_environment, "backup", str(new_backup))
        differing_table = find_first_difference(old_backup, new_backup)
    if differing_table:
        message = gettext("%(table)s differs in the copy. Keep using this installation and report the problem.")
        raise CommandError(message % {"table": differing_table})
    summary = gettext("Moved to %(path)s and verified: %(rows)s rows in %(tables)s tables. Start with: %(command)s")
    command = f"{PROGRAM} up --data {target}"
    if database:
        command = f"{DATABASE_VARIABLE}=postgresql://… {command}"
    return summary % {"path": target, "rows": sum(counts.values()), "tables": len(counts), "command": command}


def run_in_target(target_environment: dict[str, str], *command: str) -> None:
    """Run a command of this program on the other installation. Raises CommandError with its error message."""
    result = subprocess.run(  # noqa: S603 (this very program)
        [sys.executable, "-m", "operations.bootstrap", *command],
        cwd=PROJECT,
        env=os.environ | target_environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if result.returncode:
        raise CommandError(result.stderr.strip().splitlines()[-1] if result.stderr.strip() else "?")


def find_first_difference(old_path: Path, new_path: Path) -> str:
    """Return the first table with a row that differs; "" if there is none.

    Checksums of files would not do: databases order the parts of a value as they like.
    """
    old, new = open_backup(old_path), open_backup(new_path)
    for label in old.tables:
        if any(row != new_row for row, new_row in zip_longest(old.iter_rows(label), new.iter_rows(label))):
            return label
    return ""
