from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext, override

from clubs.models import Club
from errors import Refusal
from operations.terminal import language
from operations.texts import prepare_texts
from tournaments.event_files import Content, differences_of, in_newest_form, read_event_path, verify
from tournaments.event_files.queries import event_file_of
from tournaments.imports.queries.events import file_there_already, people_in_file, those_there
from tournaments.imports.services.event_import import bring_in_event
from tournaments.imports.services.uploaded_events import content_of_trf
from tournaments.models import Event
from web.forms import read_day
from wording.labels.comparisons import describe_comparison
from wording.labels.event_files import describe_difference
from wording.sentences import SENTENCES, sentence

TRF = {".trf", ".trfx", ".txt"}


class Command(BaseCommand):
    help = "Import an event from its file, if `verify` finds no difference, or from a chess report."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="event file, or chess report (.trf)")
        parser.add_argument("--club", required=True, help="short name of the club")
        parser.add_argument(
            "--members", action="store_true", help="add new people as members instead of guests"
        )
        parser.add_argument(
            "--take-over", action="store_true", help="replace the event that this file corrects"
        )
        parser.add_argument("--copy", action="store_true", help="import it even if the event exists")
        parser.add_argument("--on", help="the day of a chess report that has none, like 2026-11-17")

    def handle(
        self,
        *,
        file: Path,
        club: str,
        members: bool,
        take_over: bool,
        copy: bool,
        on: str | None,
        **_: Any,
    ) -> None:
        prepare_texts()
        with override(language()):
            try:
                found = _club(club)
                content = _content(found, file, on)
                before = None if copy else file_there_already(found, content)
                self._bring_in(
                    found,
                    content,
                    before,
                    key=uuid4() if copy else None,
                    are_guests=not members,
                    takes_over=take_over,
                )
            except Refusal as refusal:
                raise CommandError(sentence(refusal)) from None

    def _bring_in(
        self,
        club: Club,
        content: Content,
        before: Event | None,
        *,
        key: UUID | None,
        are_guests: bool,
        takes_over: bool,
    ) -> None:
        """Import the event. A person whose name exactly one person of the club has is that person; others are
        new."""
        if before is not None and not self._is_otherwise(before, content, takes_over=takes_over):
            self.stdout.write(f"event {before.short}")
            return
        report = verify(content)
        if report.differences:
            lines = [describe_difference(difference, SENTENCES) for difference in report.differences]
            raise CommandError("\n".join([sentence(Refusal("event_file_differs")), *lines]))
        known = those_there(people_in_file(club, content["people"], copy_of=before))
        event = bring_in_event(
            club=club, content=content, known=known, are_guests=are_guests, key=key, instead_of=before
        )
        self.stdout.write(gettext("Imported: %(name)s.") % {"name": event.name})
        self.stdout.write(f"event {event.short}")

    def _is_otherwise(self, before: Event, content: Content, *, takes_over: bool) -> bool:
        """Print the differences between the file and the existing event, and return whether to replace it."""
        self.stdout.write(gettext("This event already exists: %(name)s.") % {"name": before.name})
        differences = differences_of(event_file_of(before), content)
        for difference in differences:
            self.stdout.write(describe_comparison(difference))
        if differences and not takes_over:
            self.stdout.write(gettext("Nothing was changed. To use the file’s version, add --take-over"))
        return bool(differences) and takes_over


def _content(club: Club, file: Path, on: str | None) -> Content:
    """Return the content of an event file or a chess report. Refuses: what ``read_event_path`` and
    ``content_of_trf`` refuse; not_a_date, day_out_of_range."""
    if file.suffix.lower() not in TRF:
        return in_newest_form(read_event_path(file))
    try:
        content = file.read_bytes()
    except OSError:
        raise Refusal("no_such_file", path=str(file)) from None
    return content_of_trf(club, content, held_on=None if on is None else read_day(on, field="on"))


def _club(slug: str) -> Club:
    """Return the club. Refuses: no_such_club."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise Refusal("no_such_club")
    return club
