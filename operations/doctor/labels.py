"""Sentences about the state of an installation, with what to do about problems."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from clubs.date_formats import format_date
from errors import Refusal
from wording.sentences import get_sentence
from wording.sizes import size_in_words

FINDINGS: dict[str, str | Promise] = {
    "versions": _("Charlemagne %(version)s, Python %(python)s."),
    "disk": _("%(free)s free on disk."),
    "disk_low": _("Only %(free)s free on disk. Free some space before the next night."),
    "clock": _("Clock: %(now)s"),
    "clock_wrong": _("Wrong clock, set it: %(now)s"),
    "clock_behind": _("Some recent records are dated in the future (%(last)s). Check the clock before the next night."),
    "environment": _("All packages of this version are installed."),
    "environment_outdated": _(
        "The installed packages are not those of this version. Stop the program and start it again: it "
        "installs them, with internet or --packages FOLDER."
    ),
    "addresses": _("Addresses for phones: %(hosts)s"),
    "no_network": _("No network: phones cannot reach this computer. Join the hall’s Wi-Fi."),
    "no_hall_network": _(
        "Only a VPN or virtual network (%(hosts)s): phones probably cannot reach this computer. "
        "Join the hall’s Wi-Fi, and turn the VPN off."
    ),
    "phone_arrived": _("A phone reached this computer at %(host)s (%(at)s)."),
    "no_phone_yet": _(
        "No phone has reached this computer since the start. Scan a QR code on the page “Phones” with one."
    ),
    "papers": _("All names can be printed (people: %(count)s)."),
    "no_names_yet": _("No names to print in the next seven days."),
    "letter_missing": _(
        "No font has the “%(letter)s” of “%(name)s”: papers show an empty box. Spell the name without it."
    ),
    "badge_cut": _("“%(name)s” does not fit its badge. Shorten it."),
    "permissions": _("No other user can read the data."),
    "open_to_others": _("Other users can read %(path)s. Run: chmod -R go= %(folder)s"),
    "not_running": _("The program is not running."),
    "address": _("The program answers at %(address)s"),
    "address_silent": _(
        "No answer at %(address)s (%(reason)s). Restart the program. If the network changed, "
        "its first lines show the address."
    ),
    "address_fails": _("The program at %(address)s reports an error (%(status)s). Check its terminal."),
    "address_of_another": _("The program at %(address)s uses another folder. Stop it, or start this folder’s program."),
    "folder_synchronized": _(
        "%(service)s synchronizes the data folder, which can damage the database. Move it: charlemagne move FOLDER"
    ),
    "folder_on_network": _(
        "The data folder is on a network disk (%(kind)s), where the database can be damaged. "
        "Move it: charlemagne move FOLDER"
    ),
    "any_host": _("The server answers to any host name. List its names in CHARLEMAGNE_HOSTS."),
    "broker": _("Redis answers."),
    "broker_away": _(
        "Redis does not answer (%(reason)s). Start it or check CHARLEMAGNE_BROKER_URL. Standings are waiting."
    ),
    "database": _("The database is not damaged."),
    "database_damaged": _("Database damaged (%(reason)s). Restart the program: it explains how to restore a backup."),
    "key": _("The key matches the database."),
    "key_of_another": _("The key in %(folder)s does not match the database. Restore the right secret.key."),
    "contacts_open": _("Contact details are not encrypted. To encrypt them: charlemagne seal_contacts"),
    "contacts_sealed": _("Contact details are encrypted with the installation’s key."),
    "contacts_mixed": _(
        "Only some contact details are encrypted (rows to rewrite: %(count)s). Run "
        "charlemagne seal_contacts again, with or without --open."
    ),
    "contacts_locked": _(
        "Contact details are encrypted with another key (rows: %(count)s). Restore that "
        "secret.key and start once with --new-key, or restore a backup."
    ),
    "nothing_begun": _("No club yet."),
    "steps": _("The database is up to date."),
    "not_up_to_date": _("Older database (steps: %(count)s). The next start backs it up, then updates it."),
    "data_of_newer_program": _("Newer database (%(step)s). Start the newer Charlemagne."),
    "indexes": _("All indexes are present."),
    "index_missing": _("Index %(name)s missing or damaged; pages are slow. Restore a backup into a new folder."),
    "logs": _("All hands are intact."),
    "hand_damaged": _(
        "%(event)s, round %(round)s, table %(table)s: hand %(hand)s was damaged on this disk. "
        "Run charlemagne repair_logs."
    ),
    "result_damaged": _(
        "%(event)s, round %(round)s, table %(table)s: the result was damaged on this disk. Run charlemagne repair_logs."
    ),
    "more_damaged": _("More damaged hands and results: %(count)s. Run charlemagne repair_logs."),
    "jobs": _("No tasks are delayed."),
    "jobs_wait": _("Tasks have waited over an hour (%(count)s). Restart the program."),
    "clubs_on_disk": _("Largest clubs on disk, of %(quota)s each: %(clubs)s."),
    "clubs_nearly_full": _(
        "Disk space of %(quota)s per club is nearly used: %(clubs)s. Wait until files expire, or raise "
        "CHARLEMAGNE_CLUB_QUOTA."
    ),
    "copies_off": _("Automatic backups are off (CHARLEMAGNE_BACKUPS)."),
    "copy": _("Last automatic backup: %(at)s"),
    "copy_old": _("No automatic backup since %(at)s. Leave the program running a few minutes."),
    "no_copy_yet": _("First automatic backup: one minute after start."),
    "copy_failed": _("Last automatic backup failed. %(why)s"),
    "second_folder": _("Backups are also copied to %(folder)s."),
    "second_folder_closed": _(
        "Cannot copy backups to %(folder)s: missing or not writable. Plug in the USB stick, or check the folder."
    ),
    "no_second_folder": _("All backups are on this disk. Add a USB stick or synced folder with --backup-to FOLDER."),
    "restored": _("Last backup restored in a test: %(path)s"),
    "restore_failed": _("Test restore failed: %(path)s (%(reason)s). Make a backup by hand and test it."),
}

SIZES = frozenset({"free", "quota"})
"""Details that are sizes in bytes."""


def describe_finding(code: str, details: Mapping[str, Any]) -> str:
    """Return the sentence of a finding, with what to do about a problem."""
    return str(FINDINGS[code]) % {name: _format_detail(name, value) for name, value in details.items()}


def _format_detail(name: str, value: Any) -> str:
    if name in SIZES:
        return size_in_words(value)
    if isinstance(value, tuple):
        return ", ".join(f"{club} ({size_in_words(size)})" for club, size in value)
    if isinstance(value, Refusal):
        return get_sentence(value)
    if isinstance(value, datetime):
        return format_date(localtime(value), "DATETIME_FORMAT")
    return str(value)
