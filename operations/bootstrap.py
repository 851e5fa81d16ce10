"""Start of `manage.py COMMAND`: first the environment, then the data folder, then Django's command."""

import atexit
import os
import shutil
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

from config import __version__
from operations.start.data_folder import READ_ONLY_COMMAND, open_folder_for

from .command_line import HELP_OPTIONS, OPERATOR_COMMANDS, check_command_line, format_help
from .data_dir import (
    DATA_VARIABLE,
    DATABASE_VARIABLE,
    check_database_address,
    check_key,
    check_other_programs,
    data_folder,
    extract_data_option,
    extract_new_key_option,
    is_used,
    open_folder,
)
from .environment import run_in_environment
from .terminal import Stop, format_terminal_text, open_missing_streams, replace_unprintable_letters
from .verifying import run_standalone_verify

# Commands about the source, not about a club: they use the development lock and no data.
DEVELOPMENT = frozenset({"test", "bench", "makemigrations", "makemessages", "squashmigrations"})
DATALESS_COMMANDS = DEVELOPMENT | {
    "",
    "help",
    "check",
    "compilemessages",
    "diffsettings",
    "packages",
}
STANDALONE_COMMAND = "verify"
"""Command that needs no data: the file to verify has everything."""
CREATING_COMMAND = "up"
"""Command that creates an empty club in a new folder."""
EXISTING_ONLY_COMMANDS = frozenset(
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
    open_missing_streams()
    replace_unprintable_letters()
    os.umask(os.umask(0) & 0o077)  # a user's umask may close our files to others, not to ourselves
    if argv[1:2] == ["version"] or ("--version" in argv and argv[1] in {"--version", *OPERATOR_COMMANDS}):
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
    arguments = argv if is_development else extract_new_key_option(extract_data_option(argv))
    if help_text := format_help(arguments):
        print(help_text, end="")
        return 0
    options = check_command_line(arguments)
    command = arguments[1]
    needs_data = command not in {*DATALESS_COMMANDS, STANDALONE_COMMAND} and not HELP_OPTIONS & set(arguments)
    if needs_data:
        _check_data_folder(command, data_folder())
    packages: Path | None = getattr(options, "packages", None)
    status = run_in_environment(arguments, is_development=is_development, packages=packages)
    if status is not None:
        return status
    if command == STANDALONE_COMMAND:
        run_standalone_verify(arguments)
        return 0
    if not needs_data and DATA_VARIABLE not in os.environ:
        folder = tempfile.mkdtemp(prefix="charlemagne-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ[DATA_VARIABLE] = folder
    return _run_django(arguments, folder=data_folder() if needs_data else None)


def _check_data_folder(command: str, folder: Path) -> None:
    """Stop with a sentence if the command cannot use the folder. A missing one is created if the command may."""
    try:
        _check_data_exists(command, folder)
        if command == CREATING_COMMAND and DATA_VARIABLE not in os.environ:
            check_other_programs(folder)
        open_folder(folder)
        check_database_address(folder)
        check_key(folder)
    except OSError as error:
        raise Stop(format_terminal_text("data-not-writable", folder=folder, reason=error.strerror)) from None


def _check_data_exists(command: str, folder: Path) -> None:
    """Stop if the command needs an installation and there is none.

    With a database elsewhere a folder may be new, except for a command that only reads.
    """
    if command in EXISTING_ONLY_COMMANDS and DATABASE_VARIABLE not in os.environ:
        exists = is_used(folder)
    else:
        exists = command != READ_ONLY_COMMAND or folder.exists()
    if not exists:
        raise Stop(format_terminal_text("no-data-folder", folder=folder))


def _run_django(arguments: list[str], *, folder: Path | None) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if folder:
        os.umask(0o077)  # files written by the command and its children are private to their owner
    from django.core.management import execute_from_command_line

    with open_folder_for(arguments[1], folder) if folder else nullcontext():
        execute_from_command_line(arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
