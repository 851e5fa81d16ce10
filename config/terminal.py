"""What the terminal is told before translations exist, in two languages. Standard library only."""

from __future__ import annotations

import ctypes
import os
import sys

LINES: dict[str, tuple[str, str]] = {
    "python-lacks-venv": (
        "This Python cannot make environments. On Debian or Ubuntu: sudo apt install python3-venv. "
        "Then start again.",
        "Ce Python ne peut pas créer d'environnement. Sous Debian ou Ubuntu : sudo apt install python3-venv. "
        "Puis relancez.",
    ),
    "venv-not-writable": (
        "{folder} cannot be written ({reason}). Copy Charlemagne to a folder of yours and start it there.",
        "Impossible d'écrire dans {folder} ({reason}). Copiez Charlemagne dans un dossier à vous "
        "et lancez-le de là.",
    ),
    "making-environment": (
        "First start: making an environment in {folder}",
        "Premier démarrage : création d'un environnement dans {folder}",
    ),
    "installing": ("Installing {count} packages", "Installation de {count} paquets"),
    "fetched": ("  {done} of {count} fetched", "  {done} sur {count} obtenus"),
    "unpacking": ("  unpacking", "  mise en place"),
    "installed": ("Installed.", "Installé."),
    "no-network": (
        "The packages could not be fetched: no way to the package registry. Connect to the internet for this "
        "first start, and start again.",
        "Les paquets n'ont pu être obtenus : pas d'accès au registre des paquets. Branchez-vous à Internet "
        "pour ce premier démarrage, et relancez.",
    ),
    "no-space": (
        "No space left in {folder}. Free some 500 MB and start again.",
        "Plus de place dans {folder}. Libérez environ 500 Mo et relancez.",
    ),
    "install-failed": (
        "Installing the packages failed: {reason} (all of it is in {log}).",
        "L'installation des paquets a échoué : {reason} (le détail est dans {log}).",
    ),
    "data-without-folder": (
        "--data wants the name of a folder after it.",
        "--data doit être suivi du nom d'un dossier.",
    ),
    "data-not-writable": (
        "The data folder {folder} cannot be written ({reason}). Name another one: --data FOLDER.",
        "Impossible d'écrire dans le dossier de données {folder} ({reason}). "
        "Nommez-en un autre : --data DOSSIER.",
    ),
    "data-too-new": (
        "These data were last brought up to date by a newer Charlemagne (on {day}: {step}), which this one "
        "cannot read. Start the newer one again; or put back a copy from before, out of {folder} "
        "(docs/backup.md).",
        "Ces données ont été mises à jour par un Charlemagne plus récent (le {day} : {step}), que celui-ci "
        "ne sait pas lire. Relancez le plus récent, ou remettez en place une copie d'avant, prise dans "
        "{folder} (docs/backup.md).",
    ),
    "backing-up": (
        "Copied before the update, and read back: {path}",
        "Copie faite avant la mise à jour, et relue : {path}",
    ),
    "backup-failed": (
        "Before an update all data are copied to {folder}, and that failed ({reason}). Nothing was changed. "
        "If the disk is full, free some space; then start again.",
        "Avant une mise à jour, toutes les données sont copiées dans {folder}, et la copie a échoué "
        "({reason}). Rien n'a changé. Si le disque est plein, libérez de la place; puis relancez.",
    ),
    "preparing-database": ("Preparing the database", "Préparation de la base de données"),
    "preparing-texts": ("Preparing the texts", "Préparation des textes"),
    "preparing-pages": ("Preparing the pages", "Préparation des pages"),
    "port-taken": (
        "Port {port} is in use: Charlemagne may be running already. "
        "Stop it, or choose another: --port {other}.",
        "Le port {port} est déjà pris : Charlemagne tourne peut-être déjà. "
        "Arrêtez-le, ou choisissez-en un autre : --port {other}.",
    ),
    "port-refused": (
        "Cannot listen on {host}, port {port} ({reason}). Choose another: --host 0.0.0.0 --port 8000.",
        "Impossible d'écouter sur {host}, port {port} ({reason}). Choisissez autre chose : --host 0.0.0.0 "
        "--port 8000.",
    ),
    "here": ("On this computer:   {url}", "Sur cet ordinateur : {url}"),
    "network": ("On the network:     {url}", "Sur le réseau :      {url}"),
    "first-run": (
        "Open one of these to make your club (this link works until that is done).",
        "Ouvrez l'un de ces liens pour créer votre club (ils servent jusqu'à ce que ce soit fait).",
    ),
    "how-to-stop": ("Ctrl-C stops it.", "Ctrl-C pour arrêter."),
    "child-ended": (
        "{child} ended ({code}); starting it again in {pause:g} s",
        "{child} s'est arrêté ({code}); redémarrage dans {pause:g} s",
    ),
    "stopping": ("Stopping…", "Arrêt…"),
}


class Stop(Exception):  # noqa: N818 (nobody's error: the end, with a sentence)
    """Ends the program with one sentence and status 2."""


def text(code: str, /, **values: object) -> str:
    """The line of this code in the language of whoever sits at the terminal."""
    english, french = LINES[code]
    return (french if speaks_french() else english).format(**values)


def say(code: str, /, **values: object) -> None:
    """Print the line at once, even into a file or a pipe."""
    print(text(code, **values), flush=True)


def say_aside(code: str, /, **values: object) -> None:
    """The same beside the command's own output, which may be read by a program."""
    print(text(code, **values), file=sys.stderr, flush=True)


def language() -> str:
    """The code of the language of whoever sits at the terminal."""
    return "fr" if speaks_french() else "en"


def speaks_french() -> bool:
    """What the locale's environment says; without any, what Windows shows its menus in."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return value.lower().startswith("fr")
    if sys.platform == "win32":
        return bool(ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3FF == 0x0C)
    return False


def accept_any_text() -> None:
    """Let a terminal that lacks a letter show another instead of stopping the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
