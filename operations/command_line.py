"""What may stand after `manage.py`: looked at before anything is made. Standard library only."""

from __future__ import annotations

from argparse import ArgumentError, ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from .data_dir import PROGRAM, PROJECT, usual_folder
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
"""Commands that come with what is installed, and can be asked only then."""


def _number(value: str, *, option: str, most: int, sentence: str, **more: object) -> int:
    """From one up to the most. Stops with the sentence of what is none."""
    if value.isdecimal() and 1 <= int(value) <= most:
        return int(value)
    raise Stop(terminal_text(sentence, option=option, value=value, most=most, **more))


def _folder_that_is_there(value: str, *, option: str) -> Path:
    """Stops with a sentence where there is none: a stick that is not in, or a slip."""
    folder = Path(value).expanduser().resolve()
    if folder.is_dir():
        return folder
    raise Stop(terminal_text("folder-not-there", option=option, folder=folder))


def _file_that_is_there(value: str) -> Path:
    """Stops with a sentence where there is none."""
    file = Path(value).expanduser()
    if file.is_file():
        return file
    raise Stop(terminal_text("file-not-there", file=file))


def _port(option: str, usual: int) -> partial[int]:
    return partial(_number, option=option, most=MOST_PORTS, sentence="port-wrong", usual=usual)


Arguments = Mapping[str, Mapping[str, Any]]
"""By its name, what argparse is told of each."""

DATA: Arguments = {"--data": {"metavar": "DIR", "help": f"the data folder (default: {usual_folder()})"}}

OF_EACH: Arguments = {
    **DATA,
    **{name: {"metavar": "VALUE"} for name in ("--settings", "--pythonpath", "--verbosity", "-v")},
    **{
        name: {"action": "store_true"}
        for name in ("--traceback", "--no-color", "--force-color", "--skip-checks")
    },
}
"""What every command takes."""

OF_OPERATORS: Mapping[str, Arguments] = {
    "up": {
        "--host": {"metavar": "HOST", "default": "0.0.0.0", "help": "where to listen (default: everywhere)"},  # noqa: S104
        "--port": {
            "metavar": "PORT",
            "default": PORT,
            "type": _port("--port", PORT),
            "help": f"(default: {PORT})",
        },
        "--name": {
            "metavar": "NAME",
            "action": "append",
            "default": [],
            "help": "a name by which this computer is reached, beside its addresses; may be repeated",
        },
        "--https": {
            "metavar": "PORT",
            "nargs": "?",
            "const": HTTPS_PORT,
            "type": _port("--https", HTTPS_PORT),
            "help": "serve https as well, with a certificate of its own that phones install "
            f"(port: {HTTPS_PORT})",
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
            "help": "a second folder for the copies that are made by themselves: a stick, a synced folder",
        },
        "--new-key": {
            "action": "store_true",
            "help": "the key of the data folder is lost: go on with another one",
        },
    },
    "backup": {
        "file": {"metavar": "FILE", "type": Path},
        "--club": {
            "metavar": "NAME",
            "help": "the short name that the club's address ends in; otherwise all",
        },
    },
    "restore": {
        "file": {"metavar": "FILE", "type": _file_that_is_there},
        "--address": {
            "metavar": "URL",
            "default": f"http://localhost:{PORT}/",
            "help": "where the program will be reached, for the links",
        },
    },
    "move": {
        "to": {"metavar": "DIR", "type": Path, "help": "a new data folder"},
        "--database": {
            "metavar": "URL",
            "default": "",
            "help": "postgresql://… of an empty one (default: SQLite)",
        },
    },
    "demo": {},
    "doctor": {},
}
"""What commands take by which an installation is begun and looked after."""


def add_arguments(parser: ArgumentParser, command: str) -> None:
    """Let the parser of an operator's command take what it takes, and name the data folder in its help."""
    for name, told in {**OF_OPERATORS[command], **DATA}.items():
        parser.add_argument(name, **told)


def check_command_line(arguments: Sequence[str]) -> None:
    """Stops with a sentence at a command that there is not, and at what an operator's command does not take:
    it names what was probably meant."""
    command, *rest = arguments[1:] or [""]
    if command and not command.startswith("-") and command not in OF_DJANGO | (ours := _our_commands()):
        raise Stop(_refusal_text("no-command", "all-commands", command, ours, command=command))
    if command in OF_OPERATORS and not {"-h", "--help", "--version"} & set(rest):
        _Parser(command).check(rest)


def _our_commands() -> set[str]:
    files = (PROJECT / "config" / "management" / "commands").glob("[a-z]*.py")
    return {path.stem for path in files}


def _refusal_text(sentence: str, where_else: str, written: str, known: Iterable[str], **values: str) -> str:
    """Two sentences: the second asks whether the nearest was meant, or says where all are named."""
    near = get_close_matches(written, known, n=1)
    then = (
        terminal_text("did-you-mean", near=near[0])
        if near
        else terminal_text(where_else, program=PROGRAM, **values)
    )
    return f"{terminal_text(sentence, **values)} {then}"


class _Parser(ArgumentParser):
    """Of one command; it refuses in a sentence, in the language of the terminal."""

    def __init__(self, command: str) -> None:
        super().__init__(add_help=False, allow_abbrev=False, exit_on_error=False)
        self._command, self._arguments = command, {**OF_OPERATORS[command], **OF_EACH}
        for name, told in self._arguments.items():
            self.add_argument(name, **told)

    def check(self, written: Sequence[str]) -> None:
        try:
            _, unknown = self.parse_known_args(written)
        except ArgumentError as error:
            name = error.argument_name
            if name is None:  # as newer Pythons say that an argument lacks
                self.error(str(error))
            usage = f"{name} {self._arguments[name].get('metavar', '')}".rstrip()
            raise Stop(terminal_text("option-written-so", option=name, usage=usage)) from None
        if unknown:
            option = unknown[0].partition("=")[0]
            values = {"command": self._command, "option": option}
            raise Stop(_refusal_text("not-taken", "all-options", option, self._arguments, **values))

    def error(self, message: str) -> NoReturn:
        """What argparse says only so: that an argument lacks."""
        usage = " ".join(str(told["metavar"]) for name, told in self._arguments.items() if name[0] != "-")
        raise Stop(terminal_text("argument-lacks", program=PROGRAM, command=self._command, usage=usage))
