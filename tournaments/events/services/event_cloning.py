"""Creation of an event from another one or from a night template."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club, RecurringNight
from engine.draws.schedules.foursomes import BYE, has_table_for_two
from errors import Refusal
from rules import Ruleset, has_two_player_rules
from tournaments.announcement import announcement_to_json
from tournaments.entries.services.entries import save_entries
from tournaments.entries.services.teams import move_teams
from tournaments.events.event_settings import EventSettings
from tournaments.events.queries import list_returning_entries
from tournaments.history.services.changes import Change
from tournaments.models import Entry, Event, release_columns
from tournaments.slots import COPIED_PARTS

from .creation import create_event, create_once

HALL_COLUMNS = ("boards", "hall_row", "hall_snakes")
"""Event columns that describe the hall."""


@transaction.atomic
def make_event(  # noqa: PLR0913 (all that a copy may differ in)
    *,
    club: Club,
    settings: EventSettings,
    like: str,
    name: str,
    held_on: datetime.date,
    people_of: Event | None = None,
    new_sections: Mapping[str, str] | None = None,
    parts: Mapping[str, Mapping[str, Any]] | None = None,
    night: RecurringNight | None = None,
    by: Actor = NOBODY,
) -> Event:
    """Create an event in preparation from these settings; ``like`` is the name of the original. Safe to
    repeat with the same key.

    The entries of ``people_of`` are added, not checked in, with its wall screens and hall plan; the teams of
    ``new_sections``, by name, are promoted or relegated. ``parts`` of features are as from ``read_copied_parts``,
    and ``night`` is the night of the calendar.
    Refuses: entries_of_other_size, what ``create_event`` refuses.
    """

    def create() -> Event:
        event = create_event(
            club=club,
            name=name,
            held_on=held_on,
            ruleset=settings.ruleset,
            rules_name=settings.rules_name,
            match_format=settings.match_format,
            table_count=settings.table_count,
            details=settings.details,
            stages=_replace_tables_for_two(settings.stages, settings.ruleset),
            ranking=settings.ranking,
            sections=settings.sections,
            phases=settings.phases,
        )
        announcement = settings.announcement.copy_to_other_day(is_of_calendar=night is not None)
        values = {
            "is_seeded": settings.is_seeded,
            "night": night,
            "member_fee": settings.rates.member,
            "guest_fee": settings.rates.guest,
            **asdict(settings.cash),
            "announcement_data": announcement_to_json(announcement),
            **release_columns(settings.release),
            **({} if people_of is None else {column: getattr(people_of, column) for column in HALL_COLUMNS}),
        }
        for column, value in values.items():
            setattr(event, column, value)
        event.save(update_fields=[*values])
        for key, part in (parts or {}).items():
            COPIED_PARTS[key].write(event, part)
        Change(event.pk, "make_event", by).record(like=like)
        if people_of is not None:
            _copy_entries(event, people_of, by)
            if new_sections:
                move_teams(event_id=event.pk, sections=new_sections, by=replace(by, key=None, precondition=None))
        return event

    return create_once(club=club, create=create, by=by)


def _replace_tables_for_two(stages: Sequence[Mapping[str, Any]], ruleset: Ruleset) -> list[dict[str, Any]]:
    """Replace tables for two by byes if the ruleset has no rules for two; earlier versions allowed such
    stages."""
    new_stages = [dict(stage) for stage in stages]
    for stage in () if has_two_player_rules(ruleset) else new_stages:
        if has_table_for_two(stage.get("settings") or {}):
            stage["settings"] = {**stage["settings"], "odd": BYE}
    return new_stages


def _copy_entries(event: Event, entry_source: Event, by: Actor) -> None:
    if entry_source.entry_size != event.entry_size:
        raise Refusal("entries_of_other_size", field="people")
    rows = [
        Entry(
            event=event,
            number=number,
            player_1=entry.player_1,
            player_2=entry.player_2,
            section=entry.section,
            team=entry.team,
            rating=entry.rating,
            table=entry.table,
            labels=entry.labels,
            is_house=entry.is_house,
        )
        for number, entry in enumerate(list_returning_entries(entry_source), start=1)
    ]
    if rows:
        save_entries(Change(event.pk, "add_entries", replace(by, key=None)), rows)
