from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.core.management.base import CommandError
from django.utils.translation import gettext

from clubs.models import Club
from config.management.terminal_command import TerminalCommand
from errors import Refusal, get_or_refuse
from tournaments.event_files.comparison import list_differences
from tournaments.event_files.conversion import upgrade_content
from tournaments.event_files.labels import describe_difference
from tournaments.event_files.parsing import read_event_path
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.schema import Content
from tournaments.event_files.verifying import verify_event_file
from tournaments.imports.queries.events import find_event_of_file, get_matched_ids, match_people
from tournaments.imports.services.event_import import bring_in_event
from tournaments.imports.services.uploaded_events import convert_trf
from tournaments.models import Event
from web.forms import parse_day
from wording.labels.comparisons import describe_comparison
from wording.sentences import SENTENCES, get_sentence

TRF = {".trf", ".trfx", ".txt"}


class Command(TerminalCommand):
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
        target_club = _get_club(club)
        content = _read_content(target_club, file, on)
        existing_event = None if copy else find_event_of_file(target_club, content)
        self._import_event(
            target_club,
            content,
            existing_event,
            key=uuid4() if copy else None,
            are_guests=not members,
            replaces_existing=take_over,
        )

    def _import_event(
        self,
        club: Club,
        content: Content,
        existing_event: Event | None,
        *,
        key: UUID | None,
        are_guests: bool,
        replaces_existing: bool,
    ) -> None:
        """Import the event. A person whose name exactly one person of the club has is that person; others are
        new."""
        if existing_event is not None and not self._is_to_replace(
            existing_event, content, replaces_existing=replaces_existing
        ):
            self.stdout.write(f"event {existing_event.short}")
            return
        report = verify_event_file(content)
        if report.differences:
            lines = [describe_difference(difference, SENTENCES) for difference in report.differences]
            raise CommandError("\n".join([get_sentence(Refusal("event_file_differs")), *lines]))
        known_people = get_matched_ids(match_people(club, content["people"], copy_of=existing_event))
        event = bring_in_event(
            club=club,
            content=content,
            matched_ids=known_people,
            are_guests=are_guests,
            key=key,
            event_to_replace=existing_event,
        )
        self.stdout.write(gettext("Imported: %(name)s.") % {"name": event.name})
        self.stdout.write(f"event {event.short}")

    def _is_to_replace(self, existing_event: Event, content: Content, *, replaces_existing: bool) -> bool:
        """Print the differences between the file and the existing event, and return whether to replace it."""
        self.stdout.write(gettext("This event already exists: %(name)s.") % {"name": existing_event.name})
        differences = list_differences(build_event_file(existing_event), content)
        for difference in differences:
            self.stdout.write(describe_comparison(difference))
        if differences and not replaces_existing:
            self.stdout.write(gettext("Nothing was changed. To use the file’s version, add --take-over"))
        return bool(differences) and replaces_existing


def _read_content(club: Club, file: Path, day: str | None) -> Content:
    """Return the content of an event file or a chess report. Refuses: what ``read_event_path`` and
    ``convert_trf`` refuse; not_a_date, day_out_of_range."""
    if file.suffix.lower() not in TRF:
        return upgrade_content(read_event_path(file))
    try:
        content = file.read_bytes()
    except OSError:
        raise Refusal("no_such_file", path=str(file)) from None
    return convert_trf(club, content, held_on=None if day is None else parse_day(day, field="on"))


def _get_club(slug: str) -> Club:
    """Return the club. Refuses: no_such_club."""
    return get_or_refuse(Club.objects.filter(slug=slug).first(), "no_such_club")
