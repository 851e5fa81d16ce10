import csv
import datetime
import io
import json
import secrets
from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from clubs.calendar import get_club_today
from clubs.game_words import get_rules_phrase
from clubs.models import Account
from clubs.services.accounts import create_account, make_owner
from clubs.services.clubs import create_club
from config.management.terminal_command import TerminalCommand
from operations.terminal import get_language_code
from tournaments.imports.recorded_nights.files import Files, recorded_nights
from tournaments.imports.services.night_import import import_night

CURRENT_ROUND = 3
FINISHED_TABLES = 2
HANDS_AT_OTHER_TABLES = 3


class Command(TerminalCommand):
    def handle(self, *_: Any, **__: Any) -> None:
        with transaction.atomic():
            self._create_demo_club()

    def _create_demo_club(self) -> None:
        """Create the demo club in the language of the terminal."""
        password = secrets.token_urlsafe(8)
        name = _find_unused_name(gettext("Demo"))
        account = create_account(name=name, password=password, language=get_language_code())
        club = create_club(name=gettext("The Merry Trumps"), language=get_language_code())
        make_owner(club=club, account=account)
        today = get_club_today(club)
        nights = recorded_nights()
        for weeks, files in enumerate(nights.values(), start=1):
            held_on = today - datetime.timedelta(weeks=weeks)
            event = import_night(club=club, name=_build_title(files), held_on=held_on, files=files)
            self.stdout.write(f"event {event.short}")
        current_night = import_night(
            club=club,
            name=gettext("Tonight"),
            held_on=today,
            files=_cut_night(next(iter(nights.values()))),
        )
        self.stdout.write(f"event {current_night.short}")
        self.stdout.write(gettext("Sign in as %(name)s, password: %(password)s") % {"name": name, "password": password})


def _find_unused_name(stem: str) -> str:
    """Return the demo account's name; a second demo club gets another one."""
    count = Account.objects.filter(name__startswith=stem).count()
    return f"{stem} {chr(ord('A') + count)}" if count else stem


def _build_title(files: Files) -> str:
    """Return a title with the rules of the night."""
    ruleset = json.loads(files["night.json"])["ruleset"]
    return gettext("Card night, %(rules)s") % {"rules": get_rules_phrase(ruleset)}


def _cut_night(files: Files) -> Files:
    """Cut the night at a round in which some tables are done and the others have a few hands."""

    def is_played(row: dict[str, str]) -> bool:
        number, table = int(row["round"]), int(row["table"])
        is_done = number < CURRENT_ROUND or table <= FINISHED_TABLES
        return number <= CURRENT_ROUND and (is_done or int(row.get("hand", 0)) <= HANDS_AT_OTHER_TABLES)

    cut = {name: _filter_rows(files[name], is_played) for name in ("tables.csv", "hands.csv")}
    return {**files, **cut}


def _filter_rows(content: bytes, is_included: Callable[[dict[str, str]], bool]) -> bytes:
    reader = csv.DictReader(io.StringIO(content.decode()))
    output = io.StringIO()
    writer = csv.DictWriter(output, fieldnames=reader.fieldnames or [])
    writer.writeheader()
    writer.writerows(row for row in reader if is_included(row))
    return output.getvalue().encode()
