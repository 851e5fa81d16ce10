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


def _value(metavar: str, help_text: str, **more: Any) -> dict[str, Any]:
    return {"metavar": metavar, "help": help_text, **more}


def _flag(help_text: str, **more: Any) -> dict[str, Any]:
    return {"action": "store_true", "help": help_text, **more}


@dataclass(frozen=True, slots=True)
class Syntax:
    """A command's purpose and arguments."""

    help: str
    arguments: Arguments = field(default_factory=dict)


def _get_default_folder_text() -> str:
    try:
        return str(get_default_folder())
    except Stop:
        return DEFAULT_FOLDER_NAME


DATA_OPTION: Arguments = {"--data": _value("DIR", f"data folder (default: {_get_default_folder_text()})")}

HELP_OPTIONS = {"-h", "--help"}

DJANGO_OPTIONS: Arguments = {
    **{name: {"metavar": "VALUE"} for name in ("--settings", "--pythonpath", "--verbosity", "-v")},
    **{name: {"action": "store_true"} for name in ("--traceback", "--no-color", "--force-color", "--skip-checks")},
}
"""Options of every command that its help does not show: they are for developers."""

OPERATOR_COMMANDS: Mapping[str, Syntax] = {
    "up": Syntax(
        "Start the web server and the background tasks, and keep them running until Ctrl-C.",
        {
            "--host": _value("HOST", "address to listen on (default: all)", default="0.0.0.0"),  # noqa: S104
            "--port": _value(
                "PORT", f"port to listen on (default: {PORT})", default=PORT, type=_build_port_parser("--port", PORT)
            ),
            "--name": _value(
                "NAME", "another host name of this computer; may be repeated", action="append", default=[]
            ),
            "--https": _value(
                "PORT",
                f"also serve HTTPS, with a certificate for phones to install (default port: {HTTPS_PORT})",
                nargs="?",
                const=HTTPS_PORT,
                type=_build_port_parser("--https", HTTPS_PORT),
            ),
            "--processes": _value(
                "N",
                f"web processes, up to {MAX_PROCESSES} (default: 1)",
                default=1,
                type=partial(_parse_number, option="--processes", maximum=MAX_PROCESSES, sentence="processes-wrong"),
            ),
            "--backup-to": _value(
                "DIR",
                "second folder for automatic backups: a USB stick or a synced folder",
                type=partial(_parse_existing_folder, option="--backup-to"),
            ),
            "--packages": _value(
                "DIR",
                "folder, filled by the command packages, to install from at a first start without internet",
                type=partial(_parse_existing_folder, option="--packages"),
            ),
            "--new-key": _flag("create a new key for the data folder, if the old one is lost"),
        },
    ),
    "demo": Syntax("Create a demo club with recorded nights, and one night in progress."),
    "doctor": Syntax(
        "Check the installation, and say what to do. The exit status is 0 if all is well.",
        {
            "--before-the-night": _flag(
                "check what an evening needs: address, papers with the names, backup, one phone"
            ),
        },
    ),
    "backup": Syntax(
        "Back up the whole installation, or one club, to a file. The program can keep running.",
        {
            "file": _value("FILE", "file to write", type=Path),
            "--club": _value("NAME", "short name at the end of the club's address (default: all clubs)"),
        },
    ),
    "restore": Syntax(
        "Restore a backup into an empty installation, or a club's export beside other clubs.",
        {
            "file": _value("FILE", "backup to restore", type=_parse_existing_file),
            "--address": _value(
                "URL",
                "address of the installation, for links (default: %(default)s)",
                default=f"http://localhost:{PORT}/",
            ),
            "--beside": _flag("import a club's export beside the clubs that are here"),
        },
    ),
    "move": Syntax(
        (
            "Copy this installation to a new folder, with SQLite or PostgreSQL, and compare both "
            "row by row. This installation does not change."
        ),
        {
            "to": _value("DIR", "new data folder", type=Path),
            "--database": _value("URL", "postgresql://… address of an empty database (default: SQLite)", default=""),
        },
    ),
    "packages": Syntax(
        "Fill a folder with the packages of this version, to install from it without internet.",
        {"folder": _value("FOLDER", "folder to fill, for example on a USB stick", type=resolve_user_path)},
    ),
    "changepassword": Syntax(
        "Set a new password for an account, for example if the only owner forgot theirs.",
        {"name": _value("NAME", "name used to sign in", nargs="*")},
    ),
    "remove_second_factor": Syntax(
        "Turn off six-digit codes for an account whose owner lost the phone and the recovery codes.",
        {"name": _value("NAME", "name used to sign in")},
    ),
    "import_night": Syntax(
        "Import a recorded night from a folder.",
        {
            "folder": _value("FOLDER", "folder of the recorded night", type=Path),
            "--club": _value("NAME", "short name of the club; needed if there are several"),
            "--name": _value("NAME", "name of the night (default: the name in its file, or the folder's name)"),
            "--on": _value(
                "DATE", "date of the night, for example 2026-11-17, or today (default: the date in its file)"
            ),
            "--preview": _flag("show what would be imported, without importing it"),
        },
    ),
    "import_event": Syntax(
        "Import an event from its file, if `verify` finds no difference, or from a chess report.",
        {
            "file": _value("FILE", "event file, or chess report (.trf)", type=Path),
            "--club": _value("NAME", "short name of the club", required=True),
            "--members": _flag("add new people as members instead of guests"),
            "--take-over": _flag("replace the event that this file corrects"),
            "--copy": _flag("import it even if the event exists"),
            "--on": _value("DATE", "date of a chess report that has none, for example 2026-11-17"),
        },
    ),
    "export_event": Syntax(
        "Write an event to a file that `verify` can check, or a Swiss to a chess report (.trf).",
        {
            "event": _value("EVENT", "short name at the end of the event's address"),
            "file": _value("FILE", "file to write", type=Path),
            "--with-codes": _flag(
                "include table codes, for phones to send missing hands to another laptop; keep this private"
            ),
            "--section": _value("NAME", "only this section, in a chess report", default=""),
        },
    ),
    "verify": Syntax(
        "Recompute every draw, result and ranking of an event file, and list the differences.",
        {
            "file": _value("FILE", "event file, from `export_event` or the event's page", type=Path, nargs="?"),
            "--key": _value("KEY", "the club's public key or its fingerprint, if you know it", default=""),
            "--log": _value("ADDRESS", "the club's results log: its address or a file", default=""),
            "--older": _value("FILE", "an older results log, or checkpoint, that you saved", default=""),
        },
    ),
    "standings": Syntax(
        "Print an event's standings, best first.",
        {
            "event": _value("EVENT", "short name at the end of the event's address"),
            "--format": _value(
                "table|json", "for people or for programs (default: table)", choices=["table", "json"], default="table"
            ),
        },
    ),
    "remove_club": Syntax(
        "Write a club to a file, then delete it with all its data. `restore` brings it back from the file.",
        {
            "club": _value("CLUB", "short name at the end of the club's address"),
            "file": _value("FILE", "file to write the club to, before it is removed", type=Path),
        },
    ),
    "seal_contacts": Syntax(
        (
            "Encrypt telephone numbers and e-mail addresses in the database with the "
            "installation's key. With --open, decrypt them."
        ),
        {"--open": _flag("decrypt them, and encrypt no new ones", dest="is_open")},
    ),
    "rebuild_matches": Syntax("Recompute every match from its log, and compare it with the stored summary."),
    "repair_logs": Syntax(
        "Check all hands against their digests, and repair damaged ones from phones or backups.",
        {
            "--from": _value("FILE", "a backup to repair from", dest="file", type=Path),
            "--accept": _flag("accept what cannot be repaired, after comparing it"),
        },
    ),
    "handbook": Syntax(
        "Write the handbooks in both languages as HTML pages, for any web server or a USB stick.",
        {"folder": _value("FOLDER", "folder to write to", type=Path)},
    ),
    "install_verifier": Syntax(
        "Install Python for browsers, with npm or from an archive, so that they can verify event files.",
        {
            "archive": _value(
                "ARCHIVE", f"archive written by `npm pack {PACKAGE_SPEC}` (default: download it)", type=Path, nargs="?"
            ),
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
