"""Sentences for the terminal before translations exist, in two languages. Standard library only."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

TERMINAL_LINES: dict[str, tuple[str, str]] = {
    "python-lacks-venv": (
        "This Python cannot create virtual environments. On Debian or Ubuntu, run: sudo apt install "
        "python3-venv. Then start again.",
        "Ce Python ne peut pas créer d'environnement virtuel. Sous Debian ou Ubuntu, tapez : sudo apt "
        "install python3-venv. Puis relancez.",
    ),
    "no-place-for-environment": (
        "Charlemagne found no folder in which to install its packages ({reasons}). Copy it to a folder that "
        "you own, on a disk that may run programs, and start it there.",
        "Charlemagne n'a trouvé aucun dossier où installer ses paquets ({reasons}). Copiez-le dans un "
        "dossier qui vous appartient, sur un disque d'où lancer des programmes est permis, et lancez-le "
        "de là.",
    ),
    "no-home": (
        "Your account has no home folder. Choose a data folder: {program} up --data FOLDER.",
        "Votre compte n'a pas de dossier personnel. Choisissez un dossier de données : {program} up --data DOSSIER.",
    ),
    "no-user": (
        "{path} begins with ~, but that account has no home folder. Write the whole path.",
        "{path} commence par ~, mais ce compte n'a pas de dossier personnel. Écrivez le chemin complet.",
    ),
    "link-dangling": (
        "{link} is a link to {target}, which is missing. Connect that disk, or choose another folder.",
        "{link} est un lien vers {target}, qui n'existe pas. Branchez ce disque ou choisissez un autre dossier.",
    ),
    "making-environment": (
        "First start: creating a virtual environment in {folder}",
        "Premier démarrage : création d'un environnement virtuel dans {folder}",
    ),
    "making-environment-again": (
        "Python or this computer has changed, or an installation was interrupted: creating the virtual "
        "environment in {folder} again",
        "Python ou cet ordinateur a changé, ou une installation a été interrompue : nouvelle création de "
        "l'environnement virtuel dans {folder}",
    ),
    "installing": (
        "Installing {count} packages",
        "Installation de {count} paquets",
    ),
    "downloading": (
        "Downloading {count} packages",
        "Téléchargement de {count} paquets",
    ),
    "fetched": (
        "  {done} of {count}",
        "  {done} sur {count}",
    ),
    "unpacking": (
        "  unpacking",
        "  décompression",
    ),
    "installed": (
        "Installed.",
        "Installé.",
    ),
    "no-network": (
        "The packages could not be downloaded: {source} cannot be reached{through}. Connect to the "
        "internet, then start again; or install from a USB stick: {program} up --packages FOLDER.",
        "Impossible de télécharger les paquets : {source} est injoignable{through}. Branchez-vous à "
        "Internet, puis relancez; ou installez à partir d'une clé USB : {program} up --packages DOSSIER.",
    ),
    "through-proxy": (
        " through the proxy {proxy}",
        " par le mandataire {proxy}",
    ),
    "index-untrusted": (
        "This computer does not trust the certificate of {source}. On a company network, set PIP_CERT to "
        "the file of its certificate, then start again.",
        "Cet ordinateur ne fait pas confiance au certificat de {source}. Dans un réseau d'entreprise, "
        "donnez à PIP_CERT le fichier de son certificat, puis relancez.",
    ),
    "index-out-of-date": (
        "The certificate of {source} is not valid on {today}, the date of this computer. If that date is wrong, "
        "correct it; then start again.",
        "Le certificat de {source} n'est pas valable le {today}, la date de cet ordinateur. Si cette date est "
        "fausse, corrigez-la; puis relancez.",
    ),
    "not-in-folder": (
        "{folder} has no package {package} for this computer. Fill it on a computer with the same system "
        "and the same Python: {program} packages FOLDER.",
        "{folder} n'a pas de paquet {package} pour cet ordinateur. Remplissez-le sur un ordinateur qui a le "
        "même système et le même Python : {program} packages DOSSIER.",
    ),
    "packages-ready": (
        "{folder} has {count} packages, for Python {version} on {platform}. On such a computer: {program} "
        "up --packages FOLDER",
        "{folder} contient {count} paquets, pour Python {version} sous {platform}. Sur un tel ordinateur : "
        "{program} up --packages DOSSIER",
    ),
    "package-broken": (
        "The packages were installed in {folder}, but one cannot be loaded: {reason}. Install another "
        "Python (3.11 or newer), then start again with it.",
        "Les paquets ont été installés dans {folder}, mais l'un d'eux ne se charge pas : {reason}. "
        "Installez un autre Python (3.11 ou plus récent), puis relancez avec lui.",
    ),
    "no-space": (
        "No space left in {folder}. Free about 500 MB, then start again.",
        "Plus de place dans {folder}. Libérez environ 500 Mo, puis relancez.",
    ),
    "install-failed": (
        "Installing the packages from {source} failed: {reason} (details: {log}). Correct this, then start again.",
        "L'installation des paquets à partir de {source} a échoué : {reason} (détails : {log}). Corrigez "
        "cela, puis relancez.",
    ),
    "environment-failed": (
        "The virtual environment {folder} cannot be created: {reason}. Correct this, then start again.",
        "Impossible de créer l'environnement virtuel {folder} : {reason}. Corrigez cela, puis relancez.",
    ),
    "no-command": (
        "Unknown command: {command}.",
        "Commande inconnue : {command}.",
    ),
    "all-commands": (
        "{program} up starts Charlemagne; {program} help lists all commands.",
        "{program} up démarre Charlemagne; {program} help donne la liste des commandes.",
    ),
    "not-taken": (
        "Unknown option for {command}: {option}.",
        "Option inconnue de {command} : {option}.",
    ),
    "all-options": (
        "For the list of options, type: {program} {command} --help",
        "Pour la liste des options, tapez : {program} {command} --help",
    ),
    "did-you-mean": (
        "Did you mean {near}?",
        "Vouliez-vous dire {near}?",
    ),
    "option-written-so": (
        "Use {option} like this: {usage}",
        "Utilisez {option} ainsi : {usage}",
    ),
    "argument-lacks": (
        "An argument is missing: {program} {command} {usage}",
        "Il manque un argument : {program} {command} {usage}",
    ),
    "port-wrong": (
        "{option} must be a port from 1 to {most}, not {value}. The default is {usual}.",
        "{option} doit être un port de 1 à {most}, et non {value}. Par défaut : {usual}.",
    ),
    "processes-wrong": (
        "{option} must be a number from 1 to {most}, not {value}.",
        "{option} doit être un nombre de 1 à {most}, et non {value}.",
    ),
    "folder-not-there": (
        "Folder not found: {folder}. Plug in the USB stick, create the folder or choose another one, then "
        "start again; or start without {option}.",
        "Dossier introuvable : {folder}. Branchez la clé USB, créez le dossier ou choisissez-en un autre, "
        "puis relancez; ou démarrez sans {option}.",
    ),
    "file-not-there": (
        "File not found: {file}. Give the path of the backup.",
        "Fichier introuvable : {file}. Donnez le chemin de la sauvegarde.",
    ),
    "mail-incomplete": (
        "{server} also needs {sender}, the sender of e-mails, and {address}, the address that their links open.",
        "{server} demande aussi {sender}, l'expéditeur des courriels, et {address}, l'adresse qu'ouvrent leurs liens.",
    ),
    "mail-server": (
        "{server} must begin with smtps://, smtp:// or file:///, followed by a server or a folder.",
        "{server} doit commencer par smtps://, smtp:// ou file:///, suivi d'un serveur ou d'un dossier.",
    ),
    "mail-sender": (
        '{variable} must look like cards@example.org or "My club" <cards@example.org>, not {sender}.',
        '{variable} doit ressembler à cartes@example.org ou "Mon club" <cartes@example.org>, et non à {sender}.',
    ),
    "site-address": (
        "{variable} must look like https://cards.example.org, not {address}.",
        "{variable} doit ressembler à https://cartes.example.org, et non à {address}.",
    ),
    "proxies": (
        "{variable} must list IP addresses or networks such as 10.0.0.0/8, separated by commas. Wrong: {name}.",
        "{variable} doit énumérer des adresses IP ou des réseaux comme 10.0.0.0/8, séparés par des "
        "virgules. Incorrect : {name}.",
    ),
    "broker-url": (
        "CHARLEMAGNE_BROKER_URL is not a Redis address. Write it like redis://host/0. Without it, "
        "messages are files in the data folder.",
        "CHARLEMAGNE_BROKER_URL n'est pas une adresse Redis. Écrivez-la ainsi : redis://hôte/0. Sans "
        "elle, les messages sont des fichiers du dossier de données.",
    ),
    "data-without-folder": (
        "--data needs the name of a folder after it.",
        "--data doit être suivi du nom d'un dossier.",
    ),
    "no-data-folder": (
        "Data folder not found: {folder}. Name the right one: --data FOLDER.",
        "Dossier de données introuvable : {folder}. Nommez le bon : --data DOSSIER.",
    ),
    "data-in-other-program": (
        "Another copy of Charlemagne keeps its data in its own folder: {found}. To use these data here, "
        "stop it if it is running, type {move} {quoted} {folder}, then start again. For a new club "
        "instead: {program} up --data {folder}",
        "Une autre copie de Charlemagne garde ses données dans son propre dossier : {found}. Pour "
        "utiliser ces données ici, arrêtez-la si elle tourne, tapez {move} {quoted} {folder}, puis "
        "relancez. Pour un nouveau club plutôt : {program} up --data {folder}",
    ),
    "database-elsewhere": (
        "The database of {folder} is in PostgreSQL ({where}), and this command does not have its address. "
        "Set it before the command, as for the service: DATABASE_URL=postgresql://…",
        "La base de données de {folder} est dans PostgreSQL ({where}), et cette commande n'en a pas "
        "l'adresse. Donnez-la devant la commande, comme au service : DATABASE_URL=postgresql://…",
    ),
    "hosts-wrong": (
        "“{value}” in CHARLEMAGNE_HOSTS is not a host name. List names only, separated by commas, for "
        "example cards.example.org,.club.example (a leading dot includes all subdomains).",
        "« {value} », dans CHARLEMAGNE_HOSTS, n'est pas un nom d'hôte. Écrivez seulement des noms, "
        "séparés par des virgules, par exemple cartes.example.org,.club.example (un point au début : tous "
        "les sous-domaines).",
    ),
    "database-url": (
        "DATABASE_URL is not the address of a PostgreSQL database. Write it like "
        "postgresql://user:secret@host/name. Without it, the database is a file in the data folder.",
        "DATABASE_URL n'est pas l'adresse d'une base de données PostgreSQL. Écrivez-la ainsi : "
        "postgresql://nom:secret@hôte/base. Sans elle, la base de données est un fichier du dossier de "
        "données.",
    ),
    "data-not-writable": (
        "Cannot write to the data folder {folder} ({reason}). Choose another one: --data FOLDER.",
        "Impossible d'écrire dans le dossier de données {folder} ({reason}). Choisissez-en un autre : --data DOSSIER.",
    ),
    "part-not-writable": (
        "Your account cannot read and write {path}. Take ownership of the data folder (sudo chown -R "
        '"$USER" FOLDER), then start again.',
        "Votre compte ne peut ni lire ni écrire {path}. Prenez possession du dossier de données (sudo "
        'chown -R "$USER" DOSSIER), puis relancez.',
    ),
    "disk-full": (
        "No space left for {folder}. Nothing is lost: free about 100 MB, then start again.",
        "Plus de place pour {folder}. Rien n'est perdu : libérez une centaine de Mo, puis relancez.",
    ),
    "disk-failing": (
        "The disk of {folder} cannot be read or written ({reason}). Copy the folder to another disk, then "
        "start with the copy: --data COPY.",
        "Impossible de lire ou d'écrire sur le disque de {folder} ({reason}). Copiez le dossier sur un "
        "autre disque, puis démarrez avec la copie : --data COPIE.",
    ),
    "key-empty": (
        "The key {path} is empty. Restore it from a copy of the folder. If there is none, start once with "
        "--new-key: everybody must then sign in again, and tables must enter their code again.",
        "La clé {path} est vide. Remettez-la à partir d'une copie du dossier. S'il n'y en a pas, démarrez "
        "une fois avec --new-key : chacun devra se reconnecter, et les tables devront entrer de nouveau "
        "leur code.",
    ),
    "key-missing": (
        "There is a database here, but its key {path} is missing. Restore it from a copy of the folder. "
        "If there is none, start once with --new-key: everybody must then sign in again, and tables must "
        "enter their code again.",
        "Il y a ici une base de données, mais sa clé {path} manque. Remettez-la à partir d'une copie du "
        "dossier. S'il n'y en a pas, démarrez une fois avec --new-key : chacun devra se reconnecter, et "
        "les tables devront entrer de nouveau leur code.",
    ),
    "key-of-another": (
        "The database belongs to another key than the one in {folder}. Restore its secret.key beside it. "
        "If it is lost, start once with --new-key: everybody must then sign in again, and tables must "
        "enter their code again.",
        "La base de données appartient à une autre clé que celle de {folder}. Remettez à côté son fichier "
        "secret.key. S'il est perdu, démarrez une fois avec --new-key : chacun devra se reconnecter, et "
        "les tables devront entrer de nouveau leur code.",
    ),
    "contacts-need-key": (
        "Without the old key, telephone numbers and addresses encrypted with it cannot be read.",
        "Sans l'ancienne clé, les numéros de téléphone et les adresses chiffrés avec elle restent illisibles.",
    ),
    "contacts-locked": (
        "Contact details were encrypted with the old key and cannot be read (rows: {count}). If you find "
        "the key, restore it and start once more with --new-key; or restore a backup.",
        "Des coordonnées ont été chiffrées avec l'ancienne clé et sont illisibles (lignes : {count}). Si "
        "vous retrouvez la clé, remettez-la et relancez une fois avec --new-key; ou restaurez une "
        "sauvegarde.",
    ),
    "database-gone": (
        "{folder} was in use before, but its database ({database}) is missing or empty. Put it back. If "
        "it is lost, restore a backup beside it: {program} restore {backup} --data {other}, then "
        "{program} up --data {other}.{or_copy} For a new club, choose an empty folder: --data FOLDER.",
        "{folder} a déjà servi, mais sa base de données ({database}) manque ou est vide. Remettez-la. Si "
        "elle est perdue, restaurez une sauvegarde à côté : {program} restore {backup} --data {other}, "
        "puis {program} up --data {other}.{or_copy} Pour un nouveau club, choisissez un dossier vide : "
        "--data DOSSIER.",
    ),
    "database-damaged": (
        "The database in {folder} is damaged ({reason}). Leave that folder as it is, and restore the last "
        "backup beside it: {program} restore {backup} --data {other}, then {program} up --data "
        "{other}.{or_copy}",
        "La base de données de {folder} est endommagée ({reason}). Laissez ce dossier tel quel, et "
        "restaurez la dernière sauvegarde à côté : {program} restore {backup} --data {other}, puis "
        "{program} up --data {other}.{or_copy}",
    ),
    "or-copy-before-update": (
        "A copy of the whole database from before an update is {copy}. To use it instead, copy it to "
        "{other} as {database}, with {key} beside it.",
        "Une copie de la base de données d'avant une mise à jour est {copy}. Pour l'utiliser plutôt, "
        "copiez-la dans {other} sous le nom {database}, avec {key} à côté.",
    ),
    "a-backup": (
        "BACKUP.zip",
        "SAUVEGARDE.zip",
    ),
    "database-busy": (
        "Another program has locked the database in {folder} ({reason}). Wait until it has finished, or "
        "stop it, then start again.",
        "Un autre programme verrouille la base de données de {folder} ({reason}). Attendez qu'il ait "
        "fini, ou arrêtez-le, puis relancez.",
    ),
    "database-away": (
        "The database server does not answer ({reason}). Start it, or check DATABASE_URL, then start again.",
        "Le serveur de base de données ne répond pas ({reason}). Démarrez-le, ou vérifiez DATABASE_URL, puis relancez.",
    ),
    "copied-in-use": (
        "This folder was in use when it was copied: {folder} comes from {origin}. What was recorded there "
        "since is missing here. To use only one, stop the other and copy its folder again.",
        "Ce dossier était utilisé au moment de sa copie : {folder} vient de {origin}. Ce qui y a été noté "
        "depuis manque ici. Pour n'en utiliser qu'un, arrêtez l'autre et copiez de nouveau son dossier.",
    ),
    "folder-synchronized": (
        "!! {service} synchronizes {folder}, which can damage the database. Keep data outside: {program} "
        "move FOLDER. For copies of backups, {service} is fine: up --backup-to FOLDER.",
        "!! {service} synchronise {folder}, ce qui peut endommager la base de données. Gardez les données "
        "ailleurs : {program} move DOSSIER. Pour des copies des sauvegardes, {service} convient : up "
        "--backup-to DOSSIER.",
    ),
    "folder-on-network": (
        "!! {folder} is on a network disk ({kind}), where the database can be damaged. Keep data on a disk "
        "of this computer: {program} move FOLDER.",
        "!! {folder} est sur un disque réseau ({kind}), où la base de données peut être endommagée. Gardez "
        "les données sur un disque de cet ordinateur : {program} move DOSSIER.",
    ),
    "running-already": (
        "Charlemagne is already running on {folder}. Stop it first, or choose another folder: --data FOLDER.",
        "Charlemagne tourne déjà sur {folder}. Arrêtez-le d'abord, ou choisissez un autre dossier : --data DOSSIER.",
    ),
    "running-already-at": (
        "Charlemagne is already running on {folder}: {address}. Open that address; or stop it first, or "
        "choose another folder: --data FOLDER.",
        "Charlemagne tourne déjà sur {folder} : {address}. Ouvrez cette adresse; ou arrêtez-le d'abord, "
        "ou choisissez un autre dossier : --data DOSSIER.",
    ),
    "checking-database": (
        "Checking the database",
        "Vérification de la base de données",
    ),
    "hand-damaged": (
        "Round {round}, table {table}: hand {hand} was damaged on this disk.",
        "Ronde {round}, table {table} : la main {hand} a été endommagée sur ce disque.",
    ),
    "result-damaged": (
        "Round {round}, table {table}: the result was damaged on this disk.",
        "Ronde {round}, table {table} : le résultat a été endommagé sur ce disque.",
    ),
    "repair-logs": (
        "Damaged hands and results: {count}. Run charlemagne repair_logs. Phones at their tables restore "
        "what they have.",
        "Mains et résultats endommagés : {count}. Lancez charlemagne repair_logs. Les téléphones aux tables "
        "restaurent ce qu'ils ont.",
    ),
    "database-changed": (
        "This disk changed the database file since the last stop. All hands are intact. Make a backup on another disk.",
        "Ce disque a modifié le fichier de la base de données depuis le dernier arrêt. Toutes les mains "
        "sont intactes. Faites une sauvegarde sur un autre disque.",
    ),
    "data-too-new": (
        "A newer Charlemagne updated these data on {day} ({step}), so this version cannot read them. "
        "Start the newer version again; or restore a copy from before the update, in {folder} "
        "(docs/operating/backups.md).",
        "Un Charlemagne plus récent a mis ces données à jour le {day} ({step}) : cette version ne peut "
        "pas les lire. Relancez la version récente, ou restaurez une copie d'avant la mise à jour, dans "
        "{folder} (docs/operating/backups.md).",
    ),
    "backing-up": (
        "Backup before the update, written and verified: {path}",
        "Sauvegarde avant la mise à jour, écrite et vérifiée : {path}",
    ),
    "backup-failed": (
        "The backup to {folder} before the update failed ({reason}). Nothing was changed. If the disk is "
        "full, free some space, then start again.",
        "La sauvegarde dans {folder} avant la mise à jour a échoué ({reason}). Rien n'a changé. Si le "
        "disque est plein, libérez de la place, puis relancez.",
    ),
    "preparing-database": (
        "Preparing the database",
        "Préparation de la base de données",
    ),
    "preparing-texts": (
        "Preparing the texts",
        "Préparation des textes",
    ),
    "preparing-pages": (
        "Preparing the pages",
        "Préparation des pages",
    ),
    "port-taken": (
        "Port {port} is in use: Charlemagne may already be running. Stop it, or choose another port: {option} {other}.",
        "Le port {port} est déjà pris : Charlemagne tourne peut-être déjà. Arrêtez-le, ou choisissez un "
        "autre port : {option} {other}.",
    ),
    "ports-alike": (
        "--port and --https cannot both be {port}. Choose another port: --https {other}.",
        "--port et --https ne peuvent pas être tous deux {port}. Choisissez un autre port : --https {other}.",
    ),
    "metrics-unclear": (
        "{variable} must be a port, or host:port, not {value}.",
        "{variable} doit être un port, ou hôte:port, et non {value}.",
    ),
    "no-tracing": (
        "{variable} turns on tracing, but the tracing package is not installed. Install it: pipx inject "
        "charlemagne 'charlemagne[tracing]', or {python} -m pip install {package}. To start without "
        "tracing, unset that variable.",
        "{variable} active les traces, mais le paquet nécessaire n'est pas installé. Installez-le : pipx "
        "inject charlemagne 'charlemagne[tracing]', ou {python} -m pip install {package}. Pour démarrer "
        "sans traces, retirez cette variable.",
    ),
    "port-refused": (
        "Cannot listen on {host}, port {port} ({reason}). Choose others, for example: --host 0.0.0.0 --port 8000.",
        "Impossible d'écouter sur {host}, port {port} ({reason}). Choisissez-en d'autres, par exemple : "
        "--host 0.0.0.0 --port 8000.",
    ),
    "authority-unusable": (
        "The certificate authority {path}, which phones trust, is damaged or about to expire. Restore it "
        "from a copy; or delete it to create a new one, whose certificate phones must install again.",
        "L'autorité de certification {path}, à laquelle les téléphones font confiance, est endommagée ou "
        "expire bientôt. Remettez-la à partir d'une copie; ou supprimez-la pour en créer une nouvelle, "
        "dont les téléphones devront installer le certificat.",
    ),
    "https-not-private": (
        "{address} is a public internet address, and --https is for the private network of a hall. On a "
        "server, use a proxy with a certificate (CHARLEMAGNE_HTTPS=1).",
        "{address} est une adresse publique d'Internet, et --https est fait pour le réseau privé d'une "
        "salle. Sur un serveur, utilisez un mandataire qui a un certificat (CHARLEMAGNE_HTTPS=1).",
    ),
    "https": (
        "With HTTPS:         {url}",
        "En HTTPS :           {url}",
    ),
    "certificate": (
        "First, install this computer's certificate on the phones: {url}",
        "Installez d'abord sur les téléphones le certificat de cet ordinateur : {url}",
    ),
    "fingerprint": (
        "Its SHA-256 fingerprint: {fingerprint}",
        "Son empreinte SHA-256 : {fingerprint}",
    ),
    "here": (
        "On this computer:   {url}",
        "Sur cet ordinateur : {url}",
    ),
    "site": (
        "By its name:        {url}",
        "Par son nom :        {url}",
    ),
    "on-network": (
        "On the network:     {url}",
        "Sur le réseau :      {url}",
    ),
    "on-name": (
        "By its name:        {url}",
        "Par son nom :        {url}",
    ),
    "on-virtual": (
        "Virtual network:    {url}",
        "Réseau virtuel :     {url}",
    ),
    "on-vpn": (
        "Through a VPN:      {url}",
        "Par un VPN :         {url}",
    ),
    "no-hall-network": (
        "No Wi-Fi or cable network found: phones probably cannot reach this computer. Join the hall's Wi-Fi: "
        "its address will appear here.",
        "Aucun réseau Wi-Fi ou câblé : les téléphones ne peuvent sans doute pas joindre cet ordinateur. "
        "Connectez-vous au Wi-Fi de la salle : l'adresse s'affichera ici.",
    ),
    "phone-arrived": (
        "A phone has reached this computer at {url}",
        "Un téléphone a joint cet ordinateur à {url}",
    ),
    "network-changed": (
        "!! The network has changed. Phones must scan a QR code with the new address:",
        "!! Le réseau a changé. Les téléphones doivent balayer un code QR avec la nouvelle adresse :",
    ),
    "network-lost": (
        "!! This computer has left the network: phones cannot reach it. Join the hall's Wi-Fi again.",
        "!! Cet ordinateur a quitté le réseau : les téléphones ne peuvent plus le joindre. Reconnectez-vous "
        "au Wi-Fi de la salle.",
    ),
    "any-host": (
        "!! This server answers to any host name, even one of another website that points here. List its "
        "own names in CHARLEMAGNE_HOSTS, then start again.",
        "!! Ce serveur répond à n'importe quel nom d'hôte, même à celui d'un autre site qui pointe ici. "
        "Énumérez ses propres noms dans CHARLEMAGNE_HOSTS, puis relancez.",
    ),
    "first-run": (
        "Open one of these links to create your club. They work until the club is created.",
        "Ouvrez l'un de ces liens pour créer votre club. Ils servent jusqu'à sa création.",
    ),
    "data-begun": (
        "Data folder: {folder}",
        "Dossier de données : {folder}",
    ),
    "how-to-stop": (
        "Press Ctrl-C to stop.",
        "Ctrl-C pour arrêter.",
    ),
    "child-ended": (
        "{child} ended ({code}); restarting it in {pause:g} s",
        "{child} s'est arrêté ({code}); redémarrage dans {pause:g} s",
    ),
    "clock-set": (
        "The clock of this computer was changed while the program runs: it now shows {now}. Check the "
        "time, and the clocks of the rounds.",
        "L'horloge de cet ordinateur a changé pendant que le programme tourne : elle affiche maintenant "
        "{now}. Vérifiez l'heure, et les chronos des rondes.",
    ),
    "worker-silent": (
        "Standings have been waiting for more than half a minute: the worker does not answer. If this "
        "lasts, press Ctrl-C and start again.",
        "Des classements attendent depuis plus d'une demi-minute : le programme qui les calcule ne répond "
        "pas. Si cela dure, faites Ctrl-C et relancez.",
    ),
    "worker-silent-no-more": (
        "Standings are computed again.",
        "Les classements se calculent de nouveau.",
    ),
    "long-worker-silent": (
        "Long tasks (plans, ratings, papers) have been waiting for more than half a minute: the worker "
        "does not answer. If this lasts, press Ctrl-C and start again.",
        "Les tâches longues (plans, cotes, papiers) attendent depuis plus d'une demi-minute : le "
        "programme qui les fait ne répond pas. Si cela dure, faites Ctrl-C et relancez.",
    ),
    "long-worker-silent-no-more": (
        "Long tasks run again.",
        "Les tâches longues se font de nouveau.",
    ),
    "outgoing-worker-silent": (
        "E-mails, alerts and requests to other sites have been waiting for more than half a minute: the "
        "worker does not answer. If this lasts, press Ctrl-C and start again.",
        "Les courriels, les alertes et les demandes à d'autres sites attendent depuis plus d'une "
        "demi-minute : le programme qui les envoie ne répond pas. Si cela dure, faites Ctrl-C et relancez.",
    ),
    "outgoing-worker-silent-no-more": (
        "E-mails, alerts and requests to other sites are sent again.",
        "Les courriels, les alertes et les demandes à d'autres sites partent de nouveau.",
    ),
    "database-away-now": (
        "The database server does not answer. Pages show this, and phones keep their hands. Check that it is running.",
        "Le serveur de base de données ne répond pas. Les pages l'indiquent, et les téléphones gardent "
        "leurs mains. Vérifiez qu'il tourne.",
    ),
    "database-away-now-no-more": (
        "The database server answers again.",
        "Le serveur de base de données répond de nouveau.",
    ),
    "broker-away-now": (
        "Redis does not answer. Hands are recorded, but standings and other tasks wait. Check that it is running.",
        "Redis ne répond pas. Les mains sont notées, mais les classements et les autres tâches attendent. "
        "Vérifiez qu'il tourne.",
    ),
    "broker-away-now-no-more": (
        "Redis answers again.",
        "Redis répond de nouveau.",
    ),
    "database-busy-now": (
        "Another program has locked the database. Nothing can be recorded until it has finished.",
        "Un autre programme verrouille la base de données. Rien ne peut être noté tant qu'il n'a pas fini.",
    ),
    "database-busy-now-no-more": (
        "The database is available again.",
        "La base de données est libre de nouveau.",
    ),
    "database-damaged-now": (
        "The database is damaged. Press Ctrl-C and start again, to see how to restore the last backup.",
        "La base de données est endommagée. Faites Ctrl-C et relancez, pour voir comment restaurer la "
        "dernière sauvegarde.",
    ),
    "database-damaged-now-no-more": (
        "The database can be read again.",
        "La base de données se lit de nouveau.",
    ),
    "disk-full-now": (
        "The disk is full: nothing can be recorded. Free about 100 MB; no restart is needed.",
        "Le disque est plein : rien ne peut être noté. Libérez une centaine de Mo; inutile de relancer.",
    ),
    "disk-full-now-no-more": (
        "The disk has space again.",
        "Il y a de nouveau de la place sur le disque.",
    ),
    "disk-failing-now": (
        "The disk cannot be read or written. Copy the data folder to another disk while it still works.",
        "Impossible de lire ou d'écrire sur le disque. Copiez le dossier de données sur un autre disque "
        "pendant qu'il fonctionne encore.",
    ),
    "disk-failing-now-no-more": (
        "The disk works again.",
        "Le disque fonctionne de nouveau.",
    ),
    "replacing": (
        "Replacing the processes, one after the other…",
        "Remplacement des processus, l'un après l'autre…",
    ),
    "replaced": (
        "All processes were replaced.",
        "Tous les processus ont été remplacés.",
    ),
    "not-replaced": (
        "The new {child} cannot start, so the old processes keep running. See the error above; or stop "
        "and start again.",
        "Le nouveau {child} ne peut pas démarrer : les anciens processus continuent. Voyez l'erreur plus "
        "haut; ou arrêtez et relancez.",
    ),
    "stopping": (
        "Stopping…",
        "Arrêt…",
    ),
}


class Stop(Exception):  # noqa: N818 (not an error: an orderly end)
    """Raised to end the program with one sentence and status 2."""


def format_terminal_text(code: str, /, **values: object) -> str:
    """Format the line of this code in the language of the terminal."""
    english, french = TERMINAL_LINES[code]
    return (french if is_french() else english).format(**values)


def print_line(code: str, /, **values: object) -> None:
    """Print the line at once, even into a file or a pipe."""
    print(format_terminal_text(code, **values), flush=True)


def print_error_line(code: str, /, **values: object) -> None:
    """Print the line to standard error, as programs may read the command's output."""
    print(format_terminal_text(code, **values), file=sys.stderr, flush=True)


def get_language_code() -> str:
    """Get the language code of the terminal."""
    return "fr" if is_french() else "en"


def is_french() -> bool:
    """Check the locale's environment variables, or without any the display language of Windows."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return value.lower().startswith("fr")
    if sys.platform == "win32":
        return bool(ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3FF == 0x0C)
    return False


def open_missing_streams() -> None:
    """Open the null device for each standard stream that was closed: other files would get its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 (for the whole process)
            os.set_inheritable(stream.fileno(), True)  # noqa: FBT003 (its only way)
            setattr(sys, name, stream)


def replace_unprintable_letters() -> None:
    """Let a terminal that lacks a letter show another instead of stopping the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
