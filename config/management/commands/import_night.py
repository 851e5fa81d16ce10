from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext

from clubs.models import Club
from clubs.services import create_club
from config.wording import located, sentence
from rules import Refusal
from tournaments.nights import files_in_folder
from tournaments.services import import_night


class Command(BaseCommand):
    help = "Imports a recorded night from a folder, through the same services as the phones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--club", help="the club's short name; needed where there are several clubs")
        parser.add_argument("--name", help="the evening's name; otherwise the folder's")

    def handle(self, *, folder: Path, club: str | None, name: str | None, **_: Any) -> None:
        try:
            event = import_night(
                club=_club(club),
                name=name or folder.resolve().name.replace("-", " ").capitalize(),
                held_on=timezone.localdate(),
                files=files_in_folder(folder),
            )
        except Refusal as refusal:
            lines = [sentence(refusal), *map(located, refusal.details.get("refusals", ()))]
            raise CommandError("\n".join(lines)) from None
        self.stdout.write(gettext("Imported: %(name)s.") % {"name": event.name})
        self.stdout.write(f"event {event.short}")


def _club(slug: str | None) -> Club:
    """The named club, or the only one; on a new installation, one that its first account will own."""
    clubs = Club.objects.filter(slug=slug) if slug else Club.objects.all()
    match list(clubs):
        case [club]:
            return club
        case [] if slug is None:
            return create_club(name=gettext("My club"))
        case _:
            known = ", ".join(Club.objects.values_list("slug", flat=True))
            raise CommandError(gettext("Say which club, with --club: %(known)s.") % {"known": known})
