"""Arguments of `manage.py` are checked before a command begins."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from config.broker import FILES_URL, parse_broker_url
from operations.command_line import DJANGO_COMMANDS, DJANGO_OPTIONS, OPERATOR_COMMANDS, check_command_line, format_help
from operations.terminal import Stop

from .conftest import ENGLISH, FRENCH, run_manage

DEVELOPER_COMMANDS = {
    *("bench", "client", "openapi", "roles", "rules_tested", "security_page", "simulate", "test"),
}
"""Commands about the source, and the one that puts a server under load."""

REFUSALS_BY_COMMAND = {
    "up --prt 8000": (
        "Unknown option for up: --prt. Did you mean --port?",
        "Option inconnue de up : --prt. Vouliez-vous dire --port?",
    ),
    "up --dat=folder": (
        "Unknown option for up: --dat. Did you mean --data?",
        "Option inconnue de up : --dat. Vouliez-vous dire --data?",
    ),
    "up 8000": (
        "Unknown option for up: 8000. For the list of options, type: python3 manage.py up --help",
        "Option inconnue de up : 8000. Pour la liste des options, tapez : python3 manage.py up --help",
    ),
    "up --port": ("Use --port like this: --port PORT", "Utilisez --port ainsi : --port PORT"),
    "up --port abc": (
        "--port must be a port from 1 to 65535, not abc. The default is 8000.",
        "--port doit être un port de 1 à 65535, et non abc. Par défaut : 8000.",
    ),
    "up --https=99999": (
        "--https must be a port from 1 to 65535, not 99999. The default is 8443.",
        "--https doit être un port de 1 à 65535, et non 99999. Par défaut : 8443.",
    ),
    "up --port 9000 --https 9000": (
        "--port and --https cannot both be 9000. Choose another port: --https 8443.",
        "--port et --https ne peuvent pas être tous deux 9000. Choisissez un autre port : --https 8443.",
    ),
    "up --processes 0": (
        "--processes must be a number from 1 to 8, not 0.",
        "--processes doit être un nombre de 1 à 8, et non 0.",
    ),
    "up --backup-to /no/stick": (
        "Folder not found: /no/stick. Plug in the USB stick, create the folder or choose another one, then "
        "start again; or start without --backup-to.",
        "Dossier introuvable : /no/stick. Branchez la clé USB, créez le dossier ou choisissez-en un "
        "autre, puis relancez; ou démarrez sans --backup-to.",
    ),
    "restore": (
        "An argument is missing: python3 manage.py restore FILE",
        "Il manque un argument : python3 manage.py restore FILE",
    ),
    "import_event night.json": (
        "An argument is missing: python3 manage.py import_event FILE --club NAME",
        "Il manque un argument : python3 manage.py import_event FILE --club NAME",
    ),
    "standings tonight --format csv": (
        "Use --format like this: --format table|json",
        "Utilisez --format ainsi : --format table|json",
    ),
    "restore none.zip": (
        "File not found: none.zip. Give the path of the backup.",
        "Fichier introuvable : none.zip. Donnez le chemin de la sauvegarde.",
    ),
    "backups saved.zip": (
        "Unknown command: backups. Did you mean backup?",
        "Commande inconnue : backups. Vouliez-vous dire backup?",
    ),
    "go": (
        "Unknown command: go. python3 manage.py up starts Charlemagne; python3 manage.py help lists all commands.",
        "Commande inconnue : go. python3 manage.py up démarre Charlemagne; python3 manage.py help donne la "
        "liste des commandes.",
    ),
}


@pytest.mark.parametrize(("written", "sentences"), REFUSALS_BY_COMMAND.items(), ids=REFUSALS_BY_COMMAND)
def test_mistake_is_refused_with_a_suggestion(
    written: str, sentences: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variables, sentence in zip((ENGLISH, FRENCH), sentences, strict=True):
        monkeypatch.setenv("LC_ALL", variables["LC_ALL"])
        with pytest.raises(Stop) as stopped:
            check_command_line(["manage.py", *written.split()])
        assert str(stopped.value) == sentence


@pytest.mark.parametrize(
    "written",
    [
        "",
        "help up",
        "up --host 127.0.0.1 --port 8000 --name hall --name cards.lan --https --processes 8",
        "up --https 8444 --backup-to .",
        "backup saved.zip --club merry",
        "restore README.md --address http://10.0.0.2:8000/ --verbosity 2",
        "move elsewhere --database postgresql:///hall",
        "doctor --no-color",
        "changepassword Zoé Roy --data elsewhere",
        "verify --log https://club.example/log",
        "showmigrations jobs",
        "test --near",
    ],
)
def test_valid_arguments_are_accepted(written: str) -> None:
    check_command_line(["manage.py", *written.split()])


@pytest.mark.slow
def test_mistake_leaves_the_data_folder_untouched(tmp_path: Path) -> None:
    refused = run_manage("up", "--prt", "8000", "--data", str(tmp_path / "data"))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "Unknown option for up: --prt. Did you mean --port?\n"
    assert not list(tmp_path.iterdir())


def test_every_installed_command_is_known() -> None:
    ours = {name for name, app in get_commands().items() if app in {"config", "tools"}}
    assert get_commands().keys() - ours == DJANGO_COMMANDS - {"help"}


@pytest.mark.parametrize("url", ["", "files://localhost", "redis://host/0", "rediss://:secret@host:6380/1"])
def test_broker_url_accepts_files_and_redis(url: str) -> None:
    assert parse_broker_url(url) == (url or FILES_URL)


@pytest.mark.parametrize("url", ["http://host", "redis:host", "host:6379", "redis://host:port/0"])
def test_broker_url_rejects_other_addresses(url: str) -> None:
    with pytest.raises(Stop, match="CHARLEMAGNE_BROKER_URL"):
        parse_broker_url(url)


@pytest.mark.parametrize("command", OPERATOR_COMMANDS)
def test_help_shows_the_data_folder_but_no_options_for_developers(command: str) -> None:
    text = format_help(["manage.py", command, "--help"]) or ""
    assert text == format_help(["manage.py", "help", command])
    assert "--data DIR" in text
    assert [option for option in DJANGO_OPTIONS if f"{option} " in text] == []


@pytest.mark.parametrize("arguments", [[], ["help"], ["--help"], ["-h"]], ids=" ".join)
def test_overview_describes_every_command_of_the_package(arguments: list[str]) -> None:
    text = format_help(["manage.py", *arguments]) or ""
    packaged = {name for name, app in get_commands().items() if app in {"config", "tools"}} - DEVELOPER_COMMANDS
    assert {name for name in packaged if re.search(rf"^    {name}\s+[A-Z]", text, re.MULTILINE)} == packaged
    assert ", ".join(sorted(DEVELOPER_COMMANDS)) in " ".join(text.split())


@pytest.mark.parametrize("arguments", [["up"], ["changepassword", "help"], ["migrate", "--help"], ["help", "test"]])
def test_help_is_shown_only_where_asked_for(arguments: list[str]) -> None:
    assert format_help(["manage.py", *arguments]) is None


def test_every_option_has_help_text() -> None:
    options = {
        f"{command} {name}": each
        for command, syntax in OPERATOR_COMMANDS.items()
        for name, each in syntax.arguments.items()
    }
    assert [name for name, each in options.items() if not each.get("help")] == []
