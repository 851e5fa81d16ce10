"""Check the command line of `manage.py` before anything is created. Standard library only."""

from __future__ import annotations

from argparse import ArgumentError, ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from .data_dir import PROGRAM, PROJECT, USUAL, user_path, usual_folder
from .terminal import Stop, terminal_text

PORT, HTTPS_PORT = 8000, 8443
MOST_PORTS, MOST_PROCESSES = 65_535, 8

OF_DJANGO = frozenset(
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


def _number(value: str, *, option: str, most: int, sentence: str, **more: object) -> int:
    """Parse a number from 1 to ``most``, or stop with the sentence."""
    if value.isdecimal() and 1 <= int(value) <= most:
        return int(value)
    raise Stop(terminal_text(sentence, option=option, value=value, most=most, **more))


def _folder_that_is_there(value: str, *, option: str) -> Path:
    """Resolve an existing folder, or stop with a sentence."""
    folder = user_path(value)
    if folder.is_dir():
        return folder
    raise Stop(terminal_text("folder-not-there", option=option, folder=folder))


def _file_that_is_there(value: str) -> Path:
    """Resolve an existing file, or stop with a sentence."""
    file = user_path(value)
    if file.is_file():
        return file
    raise Stop(terminal_text("file-not-there", file=value))


def _port(option: str, usual: int) -> partial[int]:
    return partial(_number, option=option, most=MOST_PORTS, sentence="port-wrong", usual=usual)


Arguments = Mapping[str, Mapping[str, Any]]
"""Keyword arguments of ``add_argument``, by argument."""


def _usual_folder_text() -> str:
    try:
        return str(usual_folder())
    except Stop:
        return USUAL


DATA: Arguments = {"--data": {"metavar": "DIR", "help": f"data folder (default: {_usual_folder_text()})"}}

OF_EACH: Arguments = {
    **DATA,
    **{name: {"metavar": "VALUE"} for name in ("--settings", "--pythonpath", "--verbosity", "-v")},
    **{
        name: {"action": "store_true"}
        for name in ("--traceback", "--no-color", "--force-color", "--skip-checks")
    },
}
"""Options of every command."""

OF_OPERATORS: Mapping[str, Arguments] = {
    "up": {
        "--host": {"metavar": "HOST", "default": "0.0.0.0", "help": "address to listen on (default: all)"},  # noqa: S104
        "--port": {
            "metavar": "PORT",
            "default": PORT,
            "type": _port("--port", PORT),
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
            "type": _port("--https", HTTPS_PORT),
            "help": "also serve HTTPS, with a certificate for phones to install "
            f"(default port: {HTTPS_PORT})",
        },
        "--processes": {
            "metavar": "N",
            "default": 1,
            "type": partial(_number, option="--processes", most=MOST_PROCESSES, sentence="processes-wrong"),
            "help": f"web processes, up to {MOST_PROCESSES} (default: 1)",
        },
        "--backup-to": {
            "metavar": "DIR",
            "type": partial(_folder_that_is_there, option="--backup-to"),
            "help": "second folder for automatic backups: a USB stick or a synced folder",
        },
        "--packages": {
            "metavar": "DIR",
            "type": partial(_folder_that_is_there, option="--packages"),
            "help": "folder, filled by the command packages, to install from at a first start without "
            "internet",
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
        "file": {"metavar": "FILE", "type": _file_that_is_there, "help": "backup to restore"},
        "--address": {
            "metavar": "URL",
            "default": f"http://localhost:{PORT}/",
            "help": "address of the installation, for links (default: %(default)s)",
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
            "type": user_path,
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
    for name, told in {**OF_OPERATORS[command], **DATA}.items():
        parser.add_argument(name, **told)


def check_command_line(arguments: Sequence[str]) -> Namespace:
    """Return the parsed arguments of an operator's command.

    Stops at an unknown command or wrong arguments. The sentence suggests the nearest match.
    """
    command, *rest = arguments[1:] or [""]
    if command and not command.startswith("-") and command not in OF_DJANGO | (ours := _our_commands()):
        raise Stop(_refusal_text("no-command", "all-commands", command, ours, command=command))
    if command in OF_OPERATORS and not {"-h", "--help", "--version"} & set(rest):
        return _Parser(command).check(rest)
    return Namespace()


def _our_commands() -> set[str]:
    files = (PROJECT / "config" / "management" / "commands").glob("[a-z]*.py")
    return {path.stem for path in files}


def _refusal_text(sentence: str, where_else: str, written: str, known: Iterable[str], **values: str) -> str:
    """Combine two sentences: what is unknown; then the nearest match, or where all are listed."""
    near = get_close_matches(written, known, n=1)
    then = (
        terminal_text("did-you-mean", near=near[0])
        if near
        else terminal_text(where_else, program=PROGRAM, **values)
    )
    return f"{terminal_text(sentence, **values)} {then}"


class _Parser(ArgumentParser):
    """Parser of one command. Its errors are sentences in the language of the terminal."""

    def __init__(self, command: str) -> None:
        super().__init__(add_help=False, allow_abbrev=False, exit_on_error=False)
        self._command, self._arguments = command, {**OF_OPERATORS[command], **OF_EACH}
        for name, told in self._arguments.items():
            self.add_argument(name, **told)

    def check(self, written: Sequence[str]) -> Namespace:
        try:
            parsed, unknown = self.parse_known_args(written)
        except ArgumentError as error:
            name = error.argument_name
            if name is None:  # newer Pythons report a missing argument so
                self.error(str(error))
            usage = f"{name} {self._arguments[name].get('metavar', '')}".rstrip()
            raise Stop(terminal_text("option-written-so", option=name, usage=usage)) from None
        if unknown:
            option = unknown[0].partition("=")[0]
            values = {"command": self._command, "option": option}
            raise Stop(_refusal_text("not-taken", "all-options", option, self._arguments, **values))
        return parsed

    def error(self, message: str) -> NoReturn:
        """Stop because an argument is missing: the only error that argparse reports this way."""
        usage = " ".join(str(told["metavar"]) for name, told in self._arguments.items() if name[0] != "-")
        raise Stop(terminal_text("argument-lacks", program=PROGRAM, command=self._command, usage=usage))
