from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from clubs.calendar import get_club_today
from clubs.models import Club
from clubs.services.clubs import create_club
from config.management.terminal_command import TerminalCommand
from tournaments.imports.labels import describe_preview
from tournaments.imports.queries.nights import build_night_preview
from tournaments.imports.recorded_nights.files import read_folder
from tournaments.imports.services.night_import import get_night_day, import_night, parse_night
from web.forms import parse_day

TODAY = "today"


class Command(TerminalCommand):
    def handle(
        self, *, folder: Path, club: str | None, name: str | None, on: str | None, preview: bool, **_: Any
    ) -> None:
        found_club = _find_clubs(club).first()
        files = read_folder(folder)
        night = parse_night(files)
        if on is None and night.held_on is None:
            raise CommandError(gettext("No date: the file has no `held_on`. Add `--on 2026-11-17`."))
        held_on = get_night_day(night, None if on is None else _parse_day(on, found_club))
        if preview:
            for line in describe_preview(build_night_preview(found_club, night, held_on)):
                self.stdout.write(line)
            return
        target_club = found_club or create_club(name=gettext("My club"))
        night_name = name or night.name or folder.resolve().name.replace("-", " ").capitalize()
        event = import_night(club=target_club, name=night_name, held_on=held_on, files=files)
        self.stdout.write(gettext("Imported: %(name)s.") % {"name": event.name})
        self.stdout.write(f"event {event.short}")


def _find_clubs(slug: str | None) -> QuerySet[Club]:
    """Return the named club, or the only one; on a new installation none: its first account will own one."""
    clubs = Club.objects.filter(slug=slug) if slug else Club.objects.all()
    if len(clubs) == 1 or (slug is None and not clubs):
        return clubs
    slugs = ", ".join(Club.objects.values_list("slug", flat=True))
    raise CommandError(gettext("Choose a club with --club: %(known)s.") % {"known": slugs})


def _parse_day(text: str, club: Club | None) -> date:
    """Return the day. Refuses: not_a_date, day_out_of_range."""
    if text != TODAY:
        return parse_day(text, field="held_on")
    return timezone.localdate() if club is None else get_club_today(club)
