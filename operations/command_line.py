"""Check the command line of `manage.py` before anything is created. Standard library only."""

from argparse import ArgumentError, ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from .data_dir import DEFAULT_FOLDER_NAME, PROGRAM, PROJECT, get_default_folder, resolve_user_path
from .terminal import Stop, format_terminal_text
from .verifier.release import PACKAGE_SPEC

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Syntax:
    """A command's purpose and arguments."""

    help: str
    arguments: Arguments = field(default_factory=dict)


def _get_default_folder_text() -> str:
    try:
        return str(get_default_folder())
    except Stop:
        return DEFAULT_FOLDER_NAME


DATA_OPTION: Arguments = {"--data": {"metavar": "DIR", "help": f"data folder (default: {_get_default_folder_text()})"}}

HELP_OPTIONS = {"-h", "--help"}

DJANGO_OPTIONS: Arguments = {
    **{name: {"metavar": "VALUE"} for name in ("--settings", "--pythonpath", "--verbosity", "-v")},
    **{name: {"action": "store_true"} for name in ("--traceback", "--no-color", "--force-color", "--skip-checks")},
}
"""Options of every command that its help does not show: they are for developers."""

OPERATOR_COMMANDS: Mapping[str, Syntax] = {
    "up": Syntax(
        help="Start the web server and the background tasks, and keep them running until Ctrl-C.",
        arguments={
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
    ),
    "demo": Syntax(
        help="Create a demo club with recorded nights, and one night in progress.",
    ),
    "doctor": Syntax(
        help="Check the installation, and say what to do. The exit status is 0 if all is well.",
        arguments={
            "--before-the-night": {
                "action": "store_true",
                "help": "check what an evening needs: address, papers with the names, backup, one phone",
            },
        },
    ),
    "backup": Syntax(
        help="Back up the whole installation, or one club, to a file. The program can keep running.",
        arguments={
            "file": {"metavar": "FILE", "type": Path, "help": "file to write"},
            "--club": {
                "metavar": "NAME",
                "help": "short name at the end of the club's address (default: all clubs)",
            },
        },
    ),
    "restore": Syntax(
        help="Restore a backup into an empty installation, or a club's export beside other clubs.",
        arguments={
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
    ),
    "move": Syntax(
        help=(
            "Copy this installation to a new folder, with SQLite or PostgreSQL, and compare both "
            "row by row. This installation does not change."
        ),
        arguments={
            "to": {"metavar": "DIR", "type": Path, "help": "new data folder"},
            "--database": {
                "metavar": "URL",
                "default": "",
                "help": "postgresql://… address of an empty database (default: SQLite)",
            },
        },
    ),
    "packages": Syntax(
        help="Fill a folder with the packages of this version, to install from it without internet.",
        arguments={
            "folder": {
                "metavar": "FOLDER",
                "type": resolve_user_path,
                "help": "folder to fill, for example on a USB stick",
            }
        },
    ),
    "changepassword": Syntax(
        help="Set a new password for an account, for example if the only owner forgot theirs.",
        arguments={"name": {"metavar": "NAME", "nargs": "*", "help": "name used to sign in"}},
    ),
    "remove_second_factor": Syntax(
        help="Turn off six-digit codes for an account whose owner lost the phone and the recovery codes.",
        arguments={"name": {"metavar": "NAME", "help": "name used to sign in"}},
    ),
    "import_night": Syntax(
        help="Import a recorded night from a folder.",
        arguments={
            "folder": {"metavar": "FOLDER", "type": Path, "help": "folder of the recorded night"},
            "--club": {"metavar": "NAME", "help": "short name of the club; needed if there are several"},
            "--name": {
                "metavar": "NAME",
                "help": "name of the night (default: the name in its file, or the folder's name)",
            },
            "--on": {
                "metavar": "DATE",
                "help": "date of the night, for example 2026-11-17, or today (default: the date in its file)",
            },
            "--preview": {"action": "store_true", "help": "show what would be imported, without importing it"},
        },
    ),
    "import_event": Syntax(
        help="Import an event from its file, if `verify` finds no difference, or from a chess report.",
        arguments={
            "file": {"metavar": "FILE", "type": Path, "help": "event file, or chess report (.trf)"},
            "--club": {"metavar": "NAME", "required": True, "help": "short name of the club"},
            "--members": {"action": "store_true", "help": "add new people as members instead of guests"},
            "--take-over": {"action": "store_true", "help": "replace the event that this file corrects"},
            "--copy": {"action": "store_true", "help": "import it even if the event exists"},
            "--on": {"metavar": "DATE", "help": "date of a chess report that has none, for example 2026-11-17"},
        },
    ),
    "export_event": Syntax(
        help="Write an event to a file that `verify` can check, or a Swiss to a chess report (.trf).",
        arguments={
            "event": {"metavar": "EVENT", "help": "short name at the end of the event's address"},
            "file": {"metavar": "FILE", "type": Path, "help": "file to write"},
            "--with-codes": {
                "action": "store_true",
                "help": "include table codes, for phones to send missing hands to another laptop; keep this private",
            },
            "--section": {"metavar": "NAME", "default": "", "help": "only this section, in a chess report"},
        },
    ),
    "verify": Syntax(
        help="Recompute every draw, result and ranking of an event file, and list the differences.",
        arguments={
            "file": {
                "metavar": "FILE",
                "type": Path,
                "nargs": "?",
                "help": "event file, from `export_event` or the event's page",
            },
            "--key": {
                "metavar": "KEY",
                "default": "",
                "help": "the club's public key or its fingerprint, if you know it",
            },
            "--log": {"metavar": "ADDRESS", "default": "", "help": "the club's results log: its address or a file"},
            "--older": {
                "metavar": "FILE",
                "default": "",
                "help": "an older results log, or checkpoint, that you saved",
            },
        },
    ),
    "standings": Syntax(
        help="Print an event's standings, best first.",
        arguments={
            "event": {"metavar": "EVENT", "help": "short name at the end of the event's address"},
            "--format": {
                "metavar": "table|json",
                "choices": ["table", "json"],
                "default": "table",
                "help": "for people or for programs (default: table)",
            },
        },
    ),
    "remove_club": Syntax(
        help=("Write a club to a file, then delete it with all its data. `restore` brings it back from the file."),
        arguments={
            "club": {"metavar": "CLUB", "help": "short name at the end of the club's address"},
            "file": {"metavar": "FILE", "type": Path, "help": "file to write the club to, before it is removed"},
        },
    ),
    "seal_contacts": Syntax(
        help=(
            "Encrypt telephone numbers and e-mail addresses in the database with the "
            "installation's key. With --open, decrypt them."
        ),
        arguments={
            "--open": {"action": "store_true", "dest": "is_open", "help": "decrypt them, and encrypt no new ones"}
        },
    ),
    "rebuild_matches": Syntax(
        help="Recompute every match from its log, and compare it with the stored summary.",
    ),
    "repair_logs": Syntax(
        help="Check all hands against their digests, and repair damaged ones from phones or backups.",
        arguments={
            "--from": {"metavar": "FILE", "dest": "file", "type": Path, "help": "a backup to repair from"},
            "--accept": {"action": "store_true", "help": "accept what cannot be repaired, after comparing it"},
        },
    ),
    "handbook": Syntax(
        help="Write the handbooks in both languages as HTML pages, for any web server or a USB stick.",
        arguments={"folder": {"metavar": "FOLDER", "type": Path, "help": "folder to write to"}},
    ),
    "install_verifier": Syntax(
        help=("Install Python for browsers, with npm or from an archive, so that they can verify event files."),
        arguments={
            "archive": {
                "metavar": "ARCHIVE",
                "type": Path,
                "nargs": "?",
                "help": f"archive written by `npm pack {PACKAGE_SPEC}` (default: download it)",
            },
        },
    ),
}
"""Commands that operate an installation, in the order of the help."""


def add_arguments(parser: ArgumentParser, command: str) -> None:
    """Add the arguments of an operator's command, and ``--data``, to its parser."""
    for name, settings in {**OPERATOR_COMMANDS[command].arguments, **DATA_OPTION}.items():
        parser.add_argument(name, **settings)


def format_help(arguments: Sequence[str]) -> str | None:
    """Return the help that these arguments request; None if they request none, or that of a developer's command."""
    words = [word for word in arguments[1:] if word not in HELP_OPTIONS]
    is_named = words[:1] == ["help"]
    command = next(iter(words[is_named:]), "")
    if not command:
        return _build_overview().format_help()
    if command not in OPERATOR_COMMANDS or not (is_named or HELP_OPTIONS & set(arguments)):
        return None
    parser = ArgumentParser(prog=f"{PROGRAM} {command}", description=OPERATOR_COMMANDS[command].help)
    add_arguments(parser, command)
    return parser.format_help()


def _build_overview() -> ArgumentParser:
    """Build a parser whose help lists all commands."""
    others = ", ".join(sorted(_list_own_commands() - OPERATOR_COMMANDS.keys()))
    parser = ArgumentParser(
        prog=PROGRAM,
        usage="%(prog)s COMMAND [options]",
        epilog=f"For the options of a command: {PROGRAM} COMMAND --help. For developers: {others}, and the commands "
        "of Django.",
        add_help=False,
    )
    commands = parser.add_subparsers(title="commands", metavar="")
    for name, syntax in OPERATOR_COMMANDS.items():
        commands.add_parser(name, help=syntax.help)
    return parser


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
    if command in OPERATOR_COMMANDS:
        return _Parser(command).parse(rest)
    return Namespace()


def _list_own_commands() -> set[str]:
    return {path.stem for path in PROJECT.glob("*/management/commands/[a-z]*.py")}


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
        self._command = command
        self._arguments = {**OPERATOR_COMMANDS[command].arguments, **DATA_OPTION, **DJANGO_OPTIONS}
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
        if self._command == "up" and namespace.https == namespace.port:
            raise Stop(
                format_terminal_text(
                    "ports-alike", port=namespace.port, other=HTTPS_PORT if namespace.port != HTTPS_PORT else PORT
                )
            )
        return namespace

    def error(self, message: str) -> NoReturn:
        """Stop because an argument is missing: the only error that argparse reports this way."""
        required = {
            name: settings
            for name, settings in self._arguments.items()
            if settings.get("required", name[0] != "-" and "nargs" not in settings)
        }
        usage = " ".join(
            f"{name if name[0] == '-' else ''} {each['metavar']}".strip() for name, each in required.items()
        )
        raise Stop(format_terminal_text("argument-lacks", program=PROGRAM, command=self._command, usage=usage))
