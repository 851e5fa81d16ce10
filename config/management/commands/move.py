import os
import subprocess
import sys
from argparse import ArgumentParser
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext

from config.management.terminal_command import TerminalCommand
from operations.backup import back_up, open_backup
from operations.command_line import add_arguments
from operations.data_dir import DATABASE_VARIABLE, PROGRAM, PROJECT, VARIABLE
from web.sealing import are_contacts_sealed


class Command(TerminalCommand):
    help = (
        "Copy this installation to a new folder, with SQLite or PostgreSQL, and compare both row by row. "
        "This installation does not change."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arguments(parser, "move")

    def handle(self, *, to: Path, database: str, **_: Any) -> None:
        self.stdout.write(move(to.expanduser().resolve(), database))


def move(to: Path, database: str) -> str:
    """Move the installation, and return what was moved, in words.

    Raises CommandError, with nothing changed here.
    """
    if to.exists() and any(to.iterdir()):
        raise CommandError(gettext("%(path)s is not empty. Choose a new folder.") % {"path": to})
    with TemporaryDirectory(dir=settings.DATA_DIR) as name:
        before, after = Path(name) / "before.zip", Path(name) / "after.zip"
        counts = back_up(before)
        there = {VARIABLE: str(to), DATABASE_VARIABLE: database}
        run_there(there, "restore", str(before))
        if are_contacts_sealed():
            run_there(there, "seal_contacts")
        run_there(there, "backup", str(after))
        differing = first_difference(before, after)
    if differing:
        said = gettext("%(table)s differs in the copy. Keep using this installation and report the problem.")
        raise CommandError(said % {"table": differing})
    told = gettext(
        "Moved to %(path)s and verified: %(rows)s rows in %(tables)s tables. Start with: %(command)s"
    )
    command = f"{PROGRAM} up --data {to}"
    if database:
        command = f"{DATABASE_VARIABLE}=postgresql://… {command}"
    return told % {"path": to, "rows": sum(counts.values()), "tables": len(counts), "command": command}


def run_there(there: dict[str, str], *command: str) -> None:
    """Run a command of this program on the other installation. Raises CommandError with its error message."""
    ended = subprocess.run(  # noqa: S603 (this very program)
        [sys.executable, "-m", "operations.bootstrap", *command],
        cwd=PROJECT,
        env=os.environ | there,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if ended.returncode:
        raise CommandError(ended.stderr.strip().splitlines()[-1] if ended.stderr.strip() else "?")


def first_difference(before: Path, after: Path) -> str:
    """Return the first table with a row that differs; "" if there is none.

    Checksums of files would not do: databases order the parts of a value as they like.
    """
    old, new = open_backup(before), open_backup(after)
    for label in old.tables:
        if any(row != other for row, other in zip_longest(old.rows(label), new.rows(label))):
            return label
    return ""
