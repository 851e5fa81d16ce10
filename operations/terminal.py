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
    "no-command": ("There is no command {command}.", "Il n'y a pas de commande {command}."),
    "all-commands": (
        "{program} up starts Charlemagne; {program} help names all commands.",
        "{program} up démarre Charlemagne; {program} help nomme toutes les commandes.",
    ),
    "not-taken": ("{command} does not take {option}.", "{command} ne prend pas {option}."),
    "all-options": (
        "The list: {program} {command} --help.",
        "La liste : {program} {command} --help.",
    ),
    "did-you-mean": ("Did you mean {near}?", "Vouliez-vous dire {near}?"),
    "option-written-so": ("{option} is written so: {usage}", "{option} s'écrit ainsi : {usage}"),
    "argument-lacks": (
        "Something is missing: {program} {command} {usage}",
        "Il manque quelque chose : {program} {command} {usage}",
    ),
    "port-wrong": (
        "{option} takes a port from 1 to {most}, not {value}; usually {usual}.",
        "{option} prend un port de 1 à {most}, et non {value}; d'habitude {usual}.",
    ),
    "processes-wrong": (
        "{option} takes a number from 1 to {most}, not {value}.",
        "{option} prend un nombre de 1 à {most}, et non {value}.",
    ),
    "folder-not-there": (
        "There is no folder {folder}: put the stick in, make the folder or name another one, then start "
        "again; or start without {option}.",
        "Il n'y a pas de dossier {folder} : branchez la clé, créez le dossier ou nommez-en un autre, puis "
        "relancez; ou démarrez sans {option}.",
    ),
    "file-not-there": (
        "File not found: {file}. Give the path of the backup.",
        "Fichier introuvable : {file}. Donnez le chemin de la sauvegarde.",
    ),
    "mail-incomplete": (
        "{server} wants {sender} beside it, whom mails come from, and {address}, where their links lead.",
        "{server} demande aussi {sender}, de qui viennent les courriels, et {address}, où mènent les liens.",
    ),
    "mail-server": (
        "{server} must begin with smtps://, smtp:// or file:///, and name a server or a folder.",
        "{server} doit commencer par smtps://, smtp:// ou file:///, et nommer un serveur ou un dossier.",
    ),
    "site-address": (
        "{variable} is written like https://cards.example.org, not {address}.",
        "{variable} s'écrit comme https://cartes.example.org, et non {address}.",
    ),
    "proxies": (
        "{variable} takes addresses and networks like 10.0.0.0/8, with commas between, not {name}.",
        "{variable} prend des adresses et des réseaux comme 10.0.0.0/8, séparés par des virgules, et non "
        "{name}.",
    ),
    "broker-url": (
        "CHARLEMAGNE_BROKER_URL is no address of a Redis server. Write it like redis://host/0; without it, "
        "messages are files in the data folder.",
        "CHARLEMAGNE_BROKER_URL n'est pas l'adresse d'un serveur Redis. Écrivez-la ainsi : redis://hôte/0; "
        "sans elle, les messages sont des fichiers du dossier de données.",
    ),
    "data-without-folder": (
        "--data wants the name of a folder after it.",
        "--data doit être suivi du nom d'un dossier.",
    ),
    "no-data-folder": (
        "There is no data folder {folder}. Name the right one: --data FOLDER.",
        "Il n'y a pas de dossier de données {folder}. Nommez le bon : --data DOSSIER.",
    ),
    "data-in-other-program": (
        "Another Charlemagne has its data inside its own folder: {found}. To go on with them, stop it if it "
        "runs, type {move} {quoted} {folder}, then start again. For a new club instead: "
        "{program} up --data {folder}",
        "Un autre Charlemagne a ses données dans son propre dossier : {found}. Pour continuer avec elles, "
        "arrêtez-le s'il tourne, tapez {move} {quoted} {folder}, puis relancez. Pour un nouveau club "
        "plutôt : {program} up --data {folder}",
    ),
    "database-elsewhere": (
        "The database of {folder} lies in PostgreSQL ({where}), and this command does not know its address. "
        "Type before the command what the service is told: DATABASE_URL=postgresql://…",
        "La base de données de {folder} est dans PostgreSQL ({where}), et cette commande n'en connaît pas "
        "l'adresse. Tapez devant la commande ce que reçoit le service : DATABASE_URL=postgresql://…",
    ),
    "hosts-wrong": (
        "“{value}” in CHARLEMAGNE_HOSTS is no name of a host. Write names alone, with commas between them, "
        "such as cards.example.org,.club.example (the dot: all below it).",
        "« {value} », dans CHARLEMAGNE_HOSTS, n'est pas un nom d'hôte. Écrivez les noms seuls, séparés par "
        "des virgules, comme cartes.example.org,.club.example (le point : tous ceux qui en dépendent).",
    ),
    "database-url": (
        "DATABASE_URL is no address of a PostgreSQL database. Write it like "
        "postgresql://user:secret@host/name; without it, the database is a file in the data folder.",
        "DATABASE_URL n'est pas l'adresse d'une base de données PostgreSQL. Écrivez-la ainsi : "
        "postgresql://nom:secret@hôte/base; sans elle, la base de données est un fichier du dossier de "
        "données.",
    ),
    "data-not-writable": (
        "The data folder {folder} cannot be written ({reason}). Name another one: --data FOLDER.",
        "Impossible d'écrire dans le dossier de données {folder} ({reason}). "
        "Nommez-en un autre : --data DOSSIER.",
    ),
    "part-not-writable": (
        "{path} cannot be read and written by whoever starts Charlemagne. Give it to them "
        '(sudo chown -R "$USER" on the data folder), then start again.',
        "Qui lance Charlemagne ne peut ni lire ni écrire {path}. Donnez-lui ce droit "
        '(sudo chown -R "$USER" sur le dossier de données), puis relancez.',
    ),
    "disk-full": (
        "No space left for {folder}. Nothing is lost: free some 100 MB, then start again.",
        "Plus de place pour {folder}. Rien n'est perdu : libérez une centaine de Mo, puis relancez.",
    ),
    "disk-failing": (
        "The disk of {folder} refuses to be read or written ({reason}). Copy the folder to another disk, "
        "then start with the copy: --data COPY.",
        "Le disque de {folder} ne se laisse pas lire ou écrire ({reason}). Copiez le dossier sur un autre "
        "disque, puis démarrez avec la copie : --data COPIE.",
    ),
    "key-empty": (
        "The key {path} is empty. Put the old one back, from a copy of the folder; if there is none, start "
        "once with --new-key: then everybody signs in again, and tables open their code again.",
        "La clé {path} est vide. Remettez l'ancienne, d'une copie du dossier; s'il n'y en a pas, démarrez "
        "une fois avec --new-key : chacun ouvre alors une session de nouveau, et les tables rouvrent leur "
        "code.",
    ),
    "key-missing": (
        "There is a database here, but its key {path} is missing. Put it back, from a copy of the folder; if "
        "there is none, start once with --new-key: then everybody signs in again, and tables open their code "
        "again.",
        "Il y a ici une base de données, mais sa clé {path} manque. Remettez-la, d'une copie du dossier; "
        "s'il n'y en a pas, démarrez une fois avec --new-key : chacun ouvre alors une session de nouveau, "
        "et les tables rouvrent leur code.",
    ),
    "key-of-another": (
        "The database was used with another key than the one in {folder}. Put its secret.key back beside "
        "it; if it is lost, start once with --new-key: then everybody signs in again, and tables open their "
        "code again.",
        "La base de données a servi avec une autre clé que celle de {folder}. Remettez à côté son "
        "secret.key; s'il est perdu, démarrez une fois avec --new-key : chacun ouvre alors une session de "
        "nouveau, et les tables rouvrent leur code.",
    ),
    "contacts-need-key": (
        "Without the old key, telephones and addresses that were sealed with it cannot be read.",
        "Sans l'ancienne clé, les téléphones et les adresses scellés avec elle restent illisibles.",
    ),
    "contacts-locked": (
        "Contact data were sealed with the old key, and cannot be read (rows: {count}). If it is found, put "
        "it back and start once more with --new-key; or restore a backup.",
        "Des coordonnées ont été scellées avec l'ancienne clé et sont illisibles (lignes : {count}). Si elle "
        "se retrouve, remettez-la et relancez une fois avec --new-key; ou restaurez une sauvegarde.",
    ),
    "database-gone": (
        "{folder} was in use before, but its database ({database}) is missing or empty. Put it back; if it "
        "is lost, restore a backup beside it: {program} restore {backup} --data {other}, then "
        "{program} up --data {other}.{or_copy} For a new club, name an empty folder: --data FOLDER.",
        "{folder} a déjà servi, mais sa base de données ({database}) manque ou est vide. Remettez-la; si "
        "elle est perdue, restaurez une sauvegarde à côté : {program} restore {backup} --data "
        "{other}, puis {program} up --data {other}.{or_copy} Pour un nouveau club, nommez un dossier "
        "vide : --data DOSSIER.",
    ),
    "database-damaged": (
        "The database in {folder} is damaged ({reason}). Leave that folder as it is, and restore the last "
        "backup beside it: {program} restore {backup} --data {other}, then "
        "{program} up --data {other}.{or_copy}",
        "La base de données de {folder} est endommagée ({reason}). Laissez ce dossier tel quel, et restaurez "
        "la dernière sauvegarde à côté : {program} restore {backup} --data {other}, puis "
        "{program} up --data {other}.{or_copy}",
    ),
    "or-copy-before-update": (
        "The whole database as it was before an update is {copy}: to take that instead, put it into {other} "
        "as {database}, with {key} beside it.",
        "La base de données entière d'avant une mise à jour est {copy} : pour prendre celle-là, mettez-la "
        "dans {other} sous le nom {database}, avec {key} à côté.",
    ),
    "a-backup": ("BACKUP.zip", "SAUVEGARDE.zip"),
    "database-busy": (
        "Another program holds the database in {folder} ({reason}). Wait until it is done, or end it, then "
        "start again.",
        "Un autre programme tient la base de données de {folder} ({reason}). Attendez qu'il ait fini, ou "
        "arrêtez-le, puis relancez.",
    ),
    "database-away": (
        "The database server does not answer ({reason}). Start it, or look at DATABASE_URL, then start "
        "again.",
        "Le serveur de base de données ne répond pas ({reason}). Démarrez-le, ou vérifiez DATABASE_URL, puis "
        "relancez.",
    ),
    "running-already": (
        "Charlemagne is running already on {folder}. Stop it first, or name another folder: --data FOLDER.",
        "Charlemagne tourne déjà sur {folder}. Arrêtez-le d'abord, ou nommez un autre dossier : "
        "--data DOSSIER.",
    ),
    "running-already-at": (
        "Charlemagne is running already on {folder}: {address}. Open that; or stop it first, or name another "
        "folder: --data FOLDER.",
        "Charlemagne tourne déjà sur {folder} : {address}. Ouvrez cette adresse; ou arrêtez-le d'abord, ou "
        "nommez un autre dossier : --data DOSSIER.",
    ),
    "checking-database": ("Looking through the database", "Vérification de la base de données"),
    "data-too-new": (
        "These data were last brought up to date by a newer Charlemagne (on {day}: {step}), which this one "
        "cannot read. Start the newer one again; or put back a copy from before, out of {folder} "
        "(docs/operating/backups.md).",
        "Ces données ont été mises à jour par un Charlemagne plus récent (le {day} : {step}), que celui-ci "
        "ne sait pas lire. Relancez le plus récent, ou remettez en place une copie d'avant, prise dans "
        "{folder} (docs/operating/backups.md).",
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
        "Stop it, or choose another: {option} {other}.",
        "Le port {port} est déjà pris : Charlemagne tourne peut-être déjà. "
        "Arrêtez-le, ou choisissez-en un autre : {option} {other}.",
    ),
    "metrics-unclear": (
        "{variable} takes a port, or host:port, not {value}.",
        "{variable} prend un port, ou hôte:port, et non {value}.",
    ),
    "no-tracing": (
        "{variable} asks for traces, and what makes them is not installed. Install it: pipx inject "
        "charlemagne 'charlemagne[tracing]', or {python} -m pip install {package}. Without that variable "
        "there are no traces.",
        "{variable} demande des traces, et de quoi les faire n'est pas installé. Installez-le : pipx inject "
        "charlemagne 'charlemagne[tracing]', ou {python} -m pip install {package}. Sans cette variable, il "
        "n'y a pas de traces.",
    ),
    "port-refused": (
        "Cannot listen on {host}, port {port} ({reason}). Choose another: --host 0.0.0.0 --port 8000.",
        "Impossible d'écouter sur {host}, port {port} ({reason}). Choisissez autre chose : --host 0.0.0.0 "
        "--port 8000.",
    ),
    "authority-unusable": (
        "{path}, by which phones know this computer, is damaged or about to end. Put it back; or take it "
        "away: then there is a new one, and phones install its certificate again.",
        "{path}, à quoi les téléphones reconnaissent cet ordinateur, est endommagé ou arrive à sa fin. "
        "Remettez-le; ou enlevez-le : il y en aura un nouveau, dont les téléphones installeront de nouveau "
        "le certificat.",
    ),
    "https-not-private": (
        "{address} is an address of the internet: --https is for a hall's own network. On a server, put a "
        "proxy with a certificate in front (CHARLEMAGNE_HTTPS=1).",
        "{address} est une adresse d'Internet : --https est fait pour le réseau d'une salle. Sur un serveur, "
        "mettez devant un mandataire qui a un certificat (CHARLEMAGNE_HTTPS=1).",
    ),
    "https": ("By https:           {url}", "En https :          {url}"),
    "certificate": (
        "Phones first install the certificate of this computer: {url}",
        "Les téléphones installent d'abord le certificat de cet ordinateur : {url}",
    ),
    "fingerprint": ("Its SHA-256 fingerprint: {fingerprint}", "Son empreinte SHA-256 : {fingerprint}"),
    "here": ("On this computer:   {url}", "Sur cet ordinateur : {url}"),
    "site": ("By its name:        {url}", "Par son nom :        {url}"),
    "network": ("On the network:     {url}", "Sur le réseau :      {url}"),
    "any-host": (
        "!! This server answers to any name, also to one by which another site leads here. Say in "
        "CHARLEMAGNE_HOSTS by which names it is reached, then start again.",
        "!! Ce serveur répond à n'importe quel nom, même à celui d'un autre site qui mène ici. Dites dans "
        "CHARLEMAGNE_HOSTS par quels noms on y arrive, puis relancez.",
    ),
    "first-run": (
        "Open one of these to make your club (this link works until that is done).",
        "Ouvrez l'un de ces liens pour créer votre club (ils servent jusqu'à ce que ce soit fait).",
    ),
    "data-begun": ("The data lie in {folder}.", "Les données sont dans {folder}."),
    "how-to-stop": ("Ctrl-C stops it.", "Ctrl-C pour arrêter."),
    "child-ended": (
        "{child} ended ({code}); starting it again in {pause:g} s",
        "{child} s'est arrêté ({code}); redémarrage dans {pause:g} s",
    ),
    "clock-set": (
        "The clock of this computer was set while the program runs: it now says {now}. Look whether that is "
        "right, and at the clocks of the rounds.",
        "L'horloge de cet ordinateur a été réglée pendant que le programme tourne : elle dit maintenant "
        "{now}. Vérifiez-la, ainsi que les horloges des rondes.",
    ),
    "worker-silent": (
        "Standings wait for more than half a minute, and no worker computes them. If this stays so: Ctrl-C, "
        "then start again.",
        "Des classements attendent depuis plus d'une demi-minute sans que rien ne les calcule. Si cela dure "
        ": Ctrl-C, puis relancez.",
    ),
    "worker-silent-no-more": ("The worker is at work again.", "Les classements se calculent de nouveau."),
    "long-worker-silent": (
        "Work that takes a while (plans, ratings, papers) waits for more than half a minute, and no worker "
        "does it. If this stays so: Ctrl-C, then start again.",
        "Les travaux qui prennent du temps (plans, cotes, papiers) attendent depuis plus d'une demi-minute "
        "sans que rien ne les fasse. Si cela dure : Ctrl-C, puis relancez.",
    ),
    "long-worker-silent-no-more": (
        "Work that takes a while is being done again.",
        "Les travaux qui prennent du temps se font de nouveau.",
    ),
    "database-away-now": (
        "The database server does not answer: pages say so, and phones keep their hands. Look whether it "
        "runs.",
        "Le serveur de base de données ne répond pas : les pages le disent, les téléphones gardent leurs "
        "mains. Vérifiez qu'il tourne.",
    ),
    "database-away-now-no-more": (
        "The database server answers again.",
        "Le serveur de base de données répond de nouveau.",
    ),
    "broker-away-now": (
        "Redis does not answer: hands are recorded, but standings and other work wait. Look whether it runs.",
        "Redis ne répond pas : les mains sont notées, mais les classements et les autres travaux attendent. "
        "Vérifiez qu'il tourne.",
    ),
    "broker-away-now-no-more": ("Redis answers again.", "Redis répond de nouveau."),
    "database-busy-now": (
        "The database is held by another program: nothing can be recorded meanwhile.",
        "Un autre programme tient la base de données : rien ne peut être noté en attendant.",
    ),
    "database-busy-now-no-more": ("The database is free again.", "La base de données est libre de nouveau."),
    "database-damaged-now": (
        "The database is damaged. Ctrl-C, then start again: that says how to restore the last backup.",
        "La base de données est endommagée. Ctrl-C, puis relancez : vous lirez comment restaurer la dernière "
        "sauvegarde.",
    ),
    "database-damaged-now-no-more": (
        "The database can be read again.",
        "La base de données se lit de nouveau.",
    ),
    "disk-full-now": (
        "The disk is full: nothing can be recorded. Free some 100 MB; no restart is needed.",
        "Le disque est plein : rien ne peut être noté. Libérez une centaine de Mo; inutile de relancer.",
    ),
    "disk-full-now-no-more": ("There is space on the disk again.", "Il y a de nouveau de la place."),
    "disk-failing-now": (
        "The disk refuses to be read or written. Copy the data folder to another disk while it goes.",
        "Le disque ne se laisse pas lire ou écrire. Copiez le dossier de données sur un autre disque tant "
        "que cela va.",
    ),
    "disk-failing-now-no-more": ("The disk works again.", "Le disque va de nouveau."),
    "replacing": (
        "Replacing the processes, one after the other…",
        "Remplacement des processus, l'un après l'autre…",
    ),
    "replaced": ("All processes are new.", "Tous les processus sont nouveaux."),
    "not-replaced": (
        "The new {child} cannot do its work: the processes that run go on. What is wrong stands above; or "
        "stop and start again.",
        "Le nouveau {child} ne peut pas travailler : les processus en marche continuent. La cause est plus "
        "haut; ou arrêtez et relancez.",
    ),
    "stopping": ("Stopping…", "Arrêt…"),
}


class Stop(Exception):  # noqa: N818 (nobody's error: the end, with a sentence)
    """Ends the program with one sentence and status 2."""


def terminal_text(code: str, /, **values: object) -> str:
    """The line of this code in the language of whoever sits at the terminal."""
    english, french = LINES[code]
    return (french if speaks_french() else english).format(**values)


def say(code: str, /, **values: object) -> None:
    """Print the line at once, even into a file or a pipe."""
    print(terminal_text(code, **values), flush=True)


def say_aside(code: str, /, **values: object) -> None:
    """The same beside the command's own output, which may be read by a program."""
    print(terminal_text(code, **values), file=sys.stderr, flush=True)


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
