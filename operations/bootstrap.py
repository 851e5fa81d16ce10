"""Start of `manage.py COMMAND`: first the environment, then the data folder, then Django's command."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

from config import __version__
from operations.start.opening import ONLY_LOOKS, folder_for

from .command_line import check_command_line
from .data_dir import (
    DATABASE_VARIABLE,
    VARIABLE,
    check_database,
    check_key,
    check_other_programs,
    data_folder,
    is_used,
    open_folder,
    take_named_folder,
    take_new_key,
)
from .environment import run_in_environment
from .terminal import Stop, accept_any_text, terminal_text
from .verifying import verify_alone

# Commands about the source, not about a club: they use the development lock and no data.
DEVELOPMENT = frozenset({"test", "bench", "makemigrations", "makemessages", "squashmigrations"})
WITHOUT_DATA = DEVELOPMENT | {
    "",
    "help",
    "check",
    "compilemessages",
    "diffsettings",
    "packages",
}
ALONE = "verify"
"""Command that needs no data: the file to verify has everything."""
BEGINS = "up"
"""Command that creates an empty club in a new folder."""
OF_WHAT_IS_THERE = frozenset(
    {
        "backup",
        "changepassword",
        "export_event",
        "move",
        "rebuild_matches",
        "remove_club",
        "remove_second_factor",
        "repair_logs",
        "seal_contacts",
        "standings",
    }
)
"""Commands that need an existing installation. With a mistyped folder, `backup` would otherwise save a new,
empty one without an error."""


def main(argv: list[str]) -> int:
    """Run the command and return its status: 2 with one sentence if it cannot even begin."""
    accept_any_text()
    os.umask(os.umask(0) & 0o077)  # a user's umask may close our files to others, not to ourselves
    if argv[1:] in (["--version"], ["version"]):
        print(f"Charlemagne {__version__}")
        return 0
    try:
        return _run(argv)
    except Stop as stop:
        print(stop, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _run(argv: list[str]) -> int:
    is_development = len(argv) > 1 and argv[1] in DEVELOPMENT
    arguments = argv if is_development else take_new_key(take_named_folder(argv))
    options = check_command_line(arguments)
    command = arguments[1] if len(arguments) > 1 else ""
    wants_data = command not in {*WITHOUT_DATA, ALONE} and not {"--help", "-h", "--version"} & set(arguments)
    if wants_data:
        _check_that_it_is_there(command, data_folder())
        if command == BEGINS and VARIABLE not in os.environ:
            check_other_programs(data_folder())
        open_folder(data_folder())
        check_database(data_folder())
        check_key(data_folder())
    packages: Path | None = getattr(options, "packages", None)
    status = run_in_environment(arguments, is_development=is_development, packages=packages)
    if status is not None:
        return status
    if command == ALONE:
        verify_alone(arguments)
        return 0
    if not wants_data and VARIABLE not in os.environ:
        folder = tempfile.mkdtemp(prefix="charlemagne-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ[VARIABLE] = folder
    return _run_django(arguments, folder=data_folder() if wants_data else None)


def _check_that_it_is_there(command: str, folder: Path) -> None:
    """Stop if the command needs an installation and there is none.

    With a database elsewhere a folder may be new, except for a command that only reads.
    """
    if command in OF_WHAT_IS_THERE and DATABASE_VARIABLE not in os.environ:
        is_there = is_used(folder)
    else:
        is_there = command != ONLY_LOOKS or folder.exists()
    if not is_there:
        raise Stop(terminal_text("no-data-folder", folder=folder))


def _run_django(arguments: list[str], *, folder: Path | None) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if folder:
        os.umask(0o077)  # files written by the command and its children are private to their owner
    from django.core.management import execute_from_command_line

    with folder_for(arguments[1], folder) if folder else nullcontext():
        execute_from_command_line(arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
