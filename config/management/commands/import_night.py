from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext, override

from clubs.calendar import today_in
from clubs.models import Club
from clubs.services import create_club
from errors import Refusal
from operations.terminal import language
from operations.texts import prepare_texts
from tournaments.imports.queries.nights import night_preview
from tournaments.imports.recorded_nights import files_in_folder
from tournaments.imports.services.night_import import checked_night, day_of_night, import_night
from web.forms import read_day
from wording.labels.recorded_nights import describe_preview
from wording.sentences import sentence, sentence_with_location

TODAY = "today"


class Command(BaseCommand):
    help = "Import a recorded night from a folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="folder of the recorded night")
        parser.add_argument("--club", help="short name of the club; needed if there are several")
        parser.add_argument(
            "--name", help="name of the night (default: the name in its file, or the folder's name)"
        )
        parser.add_argument(
            "--on",
            help=f"date of the night, for example 2026-11-17, or {TODAY} (default: the date in its file)",
        )
        parser.add_argument(
            "--preview", action="store_true", help="show what would be imported, without importing it"
        )

    def handle(
        self, *, folder: Path, club: str | None, name: str | None, on: str | None, preview: bool, **_: Any
    ) -> None:
        prepare_texts()
        with override(language()):
            try:
                self._import(folder, _clubs(club), name=name, on=on, preview=preview)
            except Refusal as refusal:
                lines = [sentence(refusal), *map(sentence_with_location, refusal.details.get("refusals", ()))]
                raise CommandError("\n".join(lines)) from None

    def _import(
        self, folder: Path, clubs: QuerySet[Club], *, name: str | None, on: str | None, preview: bool
    ) -> None:
        files = files_in_folder(folder)
        night = checked_night(files)
        club = clubs.first()
        if on is None and night.held_on is None:
            raise CommandError(gettext("No date: the file has no `held_on`. Add `--on 2026-11-17`."))
        held_on = day_of_night(night, None if on is None else _day(on, club))
        if preview:
            for line in describe_preview(night_preview(club, night, held_on)):
                self.stdout.write(line)
            return
        club = club or create_club(name=gettext("My club"))
        called = name or night.name or folder.resolve().name.replace("-", " ").capitalize()
        event = import_night(club=club, name=called, held_on=held_on, files=files)
        self.stdout.write(gettext("Imported: %(name)s.") % {"name": event.name})
        self.stdout.write(f"event {event.short}")


def _clubs(slug: str | None) -> QuerySet[Club]:
    """Return the named club, or the only one; on a new installation none: its first account will own one."""
    clubs = Club.objects.filter(slug=slug) if slug else Club.objects.all()
    if len(clubs) == 1 or (slug is None and not clubs):
        return clubs
    known = ", ".join(Club.objects.values_list("slug", flat=True))
    raise CommandError(gettext("Choose a club with --club: %(known)s.") % {"known": known})


def _day(on: str, club: Club | None) -> date:
    """Return the day. Refuses: not_a_date, day_out_of_range."""
    if on != TODAY:
        return read_day(on, field="held_on")
    return timezone.localdate() if club is None else today_in(club)
