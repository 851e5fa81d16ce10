import csv
import datetime
import io
import json
import secrets
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils.translation import gettext, override

from clubs.calendar import today_in
from clubs.game_words import rules_phrase
from clubs.models import Account
from clubs.services import create_account, create_club, make_owner
from operations.terminal import language
from tournaments.imports.recorded_nights import Files, recorded_nights
from tournaments.imports.services.night_import import import_night

ROUND_UNDER_WAY = 3
TABLES_DONE = 2
HANDS_OF_THE_OTHERS = 3


class Command(BaseCommand):
    help = "Create a demo club with recorded nights, and one night in progress."

    def handle(self, *_: Any, **__: Any) -> None:
        with override(language()), transaction.atomic():
            self._fill_a_club()

    def _fill_a_club(self) -> None:
        """Create the demo club in the language of the terminal."""
        password = secrets.token_urlsafe(8)
        name = _unused_name(gettext("Demo"))
        account = create_account(name=name, password=password, language=language())
        club = create_club(name=gettext("The Merry Trumps"), language=language())
        make_owner(club=club, account=account)
        today = today_in(club)
        nights = recorded_nights()
        for weeks, files in enumerate(nights.values(), start=1):
            held_on = today - datetime.timedelta(weeks=weeks)
            event = import_night(club=club, name=_title_of(files), held_on=held_on, files=files)
            self.stdout.write(f"event {event.short}")
        under_way = import_night(
            club=club,
            name=gettext("Tonight"),
            held_on=today,
            files=_until_the_middle(next(iter(nights.values()))),
        )
        self.stdout.write(f"event {under_way.short}")
        self.stdout.write(
            gettext("Sign in as %(name)s, password: %(password)s") % {"name": name, "password": password}
        )


def _unused_name(stem: str) -> str:
    """Return the demo account's name; a second demo club gets another one."""
    have = Account.objects.filter(name__startswith=stem).count()
    return f"{stem} {chr(ord('A') + have)}" if have else stem


def _title_of(files: Files) -> str:
    """Return a title with the rules of the night."""
    ruleset = json.loads(files["night.json"])["ruleset"]
    return gettext("Card night, %(rules)s") % {"rules": rules_phrase(ruleset)}


def _until_the_middle(files: Files) -> Files:
    """Cut the night at a round in which some tables are done and the others have a few hands."""

    def is_played(row: dict[str, str]) -> bool:
        number, table = int(row["round"]), int(row["table"])
        is_done = number < ROUND_UNDER_WAY or table <= TABLES_DONE
        return number <= ROUND_UNDER_WAY and (is_done or int(row.get("hand", 0)) <= HANDS_OF_THE_OTHERS)

    cut = {name: _rows_where(files[name], is_played) for name in ("tables.csv", "hands.csv")}
    return {**files, **cut}


def _rows_where(content: bytes, is_kept: Callable[[dict[str, str]], bool]) -> bytes:
    reader = csv.DictReader(io.StringIO(content.decode()))
    kept = io.StringIO()
    writer = csv.DictWriter(kept, fieldnames=reader.fieldnames or [])
    writer.writeheader()
    writer.writerows(row for row in reader if is_kept(row))
    return kept.getvalue().encode()
