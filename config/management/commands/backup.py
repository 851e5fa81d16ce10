from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext, override

from clubs.models import Club
from operations.backup import back_up
from operations.terminal import language
from rules import Refusal
from wording.sentences import sentence


class Command(BaseCommand):
    help = "Writes everything of this installation, or one club, to a file, while it goes on being used."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--club", help="the short name that the club's address ends in; otherwise all")

    def handle(self, *, file: Path, club: str | None, **_: Any) -> None:
        with override(language()):
            self.stdout.write(self._written(file, club))

    def _written(self, file: Path, club: str | None) -> str:
        chosen = Club.objects.filter(slug=club).first() if club else None
        if club and chosen is None:
            known = ", ".join(Club.objects.values_list("slug", flat=True))
            raise CommandError(gettext("Say which club, with --club: %(known)s.") % {"known": known})
        try:
            counts = back_up(file, chosen)
        except Refusal as refusal:
            raise CommandError(sentence(refusal)) from None
        told = gettext("Written, and read again: %(path)s, %(rows)s rows.")
        return told % {"path": file, "rows": sum(counts.values())}
