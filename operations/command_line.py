"""Check the command line of `manage.py` before anything is created. Standard library only."""

from __future__ import annotations

from argparse import ArgumentError, ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from .data_dir import DEFAULT_FOLDER_NAME, PROGRAM, PROJECT, get_default_folder, resolve_user_path
from .terminal import Stop, format_terminal_text

PORT, HTTPS_PORT = 8000, 8443
MAX_PORT, MAX_PROCESSES = 65_535, 8

DJANGO_COMMANDS = frozenset(
    {
        *("check", "clearsessions", "collectstatic", "compilemessages", "createcachetable"),
        *("createsuperuser", "dbshell", "diffsettings", "dumpdata", "findstatic", "flush", "generateschema"),
        *("inspectdb", "loaddata", "makemessages", "makemigrations", "migrate", "optimizemigration"),
        *("remove_stale_contenttypes", "runserver", "sendtestemail", "shell", "showmigrations"),
        *("sqlflush", "sqlmigrate", "sqlsequencereset", "squashmigrations", "startapp", "startproject"),
        *("spectacular", "testserver", "help"),
    }
)
"""Commands of installed packages, known only after installation."""


def _parse_number(value: str, *, option: str, maximum: int, sentence: str, **values: object) -> int:
    """Parse a number from 1 to ``maximum``, or stop with the sentence."""
    if value.isdecimal() and 1 <= int(value) <= maximum:
        return int(value)
    raise Stop(format_terminal_text(sentence, option=option, value=value, most=maximum, **values))


def _parse_existing_folder(value: str, *, option: str) -> Path:
    """Resolve an existing folder, or stop with a sentence."""
    folder = resolve_user_path(value)
    if folder.is_dir():
        return folder
    raise Stop(format_terminal_text("folder-not-there", option=option, folder=folder))


def _parse_existing_file(value: str) -> Path:
    """Resolve an existing file, or stop with a sentence."""
    file = resolve_user_path(value)
    if file.is_file():
        return file
    raise Stop(format_terminal_text("file-not-there", file=value))


def _build_port_parser(option: str, usual: int) -> partial[int]:
    return partial(_parse_number, option=option, maximum=MAX_PORT, sentence="port-wrong", usual=usual)


Arguments = Mapping[str, Mapping[str, Any]]
"""Keyword arguments of ``add_argument``, by argument."""


def _get_default_folder_text() -> str:
    try:
        return str(get_default_folder())
    except Stop:
        return DEFAULT_FOLDER_NAME


DATA_OPTION: Arguments = {"--data": {"metavar": "DIR", "help": f"data folder (default: {_get_default_folder_text()})"}}

DJANGO_OPTIONS: Arguments = {
    **{name: {"metavar": "VALUE"} for name in ("--settings", "--pythonpath", "--verbosity", "-v")},
    **{name: {"action": "store_true"} for name in ("--traceback", "--no-color", "--force-color", "--skip-checks")},
}
"""Options of every command that its help does not show: they are for developers."""

OPERATOR_COMMANDS: Mapping[str, Arguments] = {
    "up": {
        "--host": {"metavar": "HOST", "default": "0.0.0.0", "help": "address to listen on (default: all)"},  # noqa: S104
        "--port": {
            "metavar": "PORT",
            "default": PORT,
            "type": _build_port_parser("--port", PORT),
            "help": f"port to listen on (default: {PORT})",
        },
        "--name": {
            "metavar": "NAME",
            "action": "append",
            "default": [],
            "help": "another host name of this computer; may be repeated",
        },
        "--https": {
            "metavar": "PORT",
            "nargs": "?",
            "const": HTTPS_PORT,
            "type": _build_port_parser("--https", HTTPS_PORT),
            "help": f"also serve HTTPS, with a certificate for phones to install (default port: {HTTPS_PORT})",
        },
        "--processes": {
            "metavar": "N",
            "default": 1,
            "type": partial(_parse_number, option="--processes", maximum=MAX_PROCESSES, sentence="processes-wrong"),
            "help": f"web processes, up to {MAX_PROCESSES} (default: 1)",
        },
        "--backup-to": {
            "metavar": "DIR",
            "type": partial(_parse_existing_folder, option="--backup-to"),
            "help": "second folder for automatic backups: a USB stick or a synced folder",
        },
        "--packages": {
            "metavar": "DIR",
            "type": partial(_parse_existing_folder, option="--packages"),
            "help": "folder, filled by the command packages, to install from at a first start without internet",
        },
        "--new-key": {
            "action": "store_true",
            "help": "create a new key for the data folder, if the old one is lost",
        },
    },
    "backup": {
        "file": {"metavar": "FILE", "type": Path, "help": "file to write"},
        "--club": {
            "metavar": "NAME",
            "help": "short name at the end of the club's address (default: all clubs)",
        },
    },
    "restore": {
        "file": {"metavar": "FILE", "type": _parse_existing_file, "help": "backup to restore"},
        "--address": {
            "metavar": "URL",
            "default": f"http://localhost:{PORT}/",
            "help": "address of the installation, for links (default: %(default)s)",
        },
        "--beside": {
            "action": "store_true",
            "help": "import a club's export beside the clubs that are here",
        },
    },
    "move": {
        "to": {"metavar": "DIR", "type": Path, "help": "new data folder"},
        "--database": {
            "metavar": "URL",
            "default": "",
            "help": "postgresql://… address of an empty database (default: SQLite)",
        },
    },
    "packages": {
        "folder": {
            "metavar": "FOLDER",
            "type": resolve_user_path,
            "help": "folder to fill, for example on a USB stick",
        }
    },
    "demo": {},
    "doctor": {
        "--before-the-night": {
            "action": "store_true",
            "help": "check what an evening needs: address, papers with the names, backup, one phone",
        },
    },
}
"""Arguments of the commands that operate an installation."""


def add_arguments(parser: ArgumentParser, command: str) -> None:
    """Add the arguments of an operator's command, and ``--data``, to its parser."""
    for name, settings in {**OPERATOR_COMMANDS[command], **DATA_OPTION}.items():
        parser.add_argument(name, **settings)


def check_command_line(arguments: Sequence[str]) -> Namespace:
    """Return the parsed arguments of an operator's command.

    Stops at an unknown command or wrong arguments. The sentence suggests the nearest match.
    """
    command, *rest = arguments[1:] or [""]
    if (
        command
        and not command.startswith("-")
        and command not in DJANGO_COMMANDS | (own_commands := _list_own_commands())
    ):
        raise Stop(_format_refusal("no-command", "all-commands", command, own_commands, command=command))
    if command in OPERATOR_COMMANDS and not {"-h", "--help", "--version"} & set(rest):
        return _Parser(command).parse(rest)
    return Namespace()


def _list_own_commands() -> set[str]:
    files = (PROJECT / "config" / "management" / "commands").glob("[a-z]*.py")
    return {path.stem for path in files}


def _format_refusal(sentence: str, fallback: str, argument: str, choices: Iterable[str], **values: str) -> str:
    """Combine two sentences: what is unknown; then the nearest match, or where all are listed."""
    matches = get_close_matches(argument, choices, n=1)
    suggestion = (
        format_terminal_text("did-you-mean", near=matches[0])
        if matches
        else format_terminal_text(fallback, program=PROGRAM, **values)
    )
    return f"{format_terminal_text(sentence, **values)} {suggestion}"


class _Parser(ArgumentParser):
    """Parser of one command. Its errors are sentences in the language of the terminal."""

    def __init__(self, command: str) -> None:
        super().__init__(add_help=False, allow_abbrev=False, exit_on_error=False)
        self._command, self._arguments = command, {**OPERATOR_COMMANDS[command], **DATA_OPTION, **DJANGO_OPTIONS}
        for name, settings in self._arguments.items():
            self.add_argument(name, **settings)

    def parse(self, arguments: Sequence[str]) -> Namespace:
        try:
            namespace, unknown = self.parse_known_args(arguments)
        except ArgumentError as error:
            name = error.argument_name
            if name is None:  # newer Pythons report a missing argument so
                self.error(str(error))
            usage = f"{name} {self._arguments[name].get('metavar', '')}".rstrip()
            raise Stop(format_terminal_text("option-written-so", option=name, usage=usage)) from None
        if unknown:
            option = unknown[0].partition("=")[0]
            values = {"command": self._command, "option": option}
            raise Stop(_format_refusal("not-taken", "all-options", option, self._arguments, **values))
        return namespace

    def error(self, message: str) -> NoReturn:
        """Stop because an argument is missing: the only error that argparse reports this way."""
        usage = " ".join(str(settings["metavar"]) for name, settings in self._arguments.items() if name[0] != "-")
        raise Stop(format_terminal_text("argument-lacks", program=PROGRAM, command=self._command, usage=usage))
