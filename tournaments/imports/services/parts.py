"""Parts of an event's file as rows, each a piece of a course. Rounds are in a module of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from clubs.models import Club
from clubs.services import create_with_slug
from clubs.services.validators import lock_club
from engine.phases import phases_to_json
from engine.ranking import ranking_rules_to_json
from errors import Refusal
from jobs.models import Course
from rules import Side, match_format_to_json, ruleset_to_json
from scoring.models import Terms
from tournaments.announcement import announcement_to_json
from tournaments.event_files import OF_A_COPY, PLACE, Content, digests_of
from tournaments.event_files.queries import event_file_of
from tournaments.events.event_settings import EventSettings, event_settings_from_json
from tournaments.events.queries import has_event
from tournaments.lifecycle import EventState
from tournaments.models import Adjustment, Entry, Event, release_columns
from tournaments.rounds.services.seatings import issue_cards_of
from tournaments.slots import COPIED

from .arrival import begin_arrival
from .rounds import RoundsOfFile

Plain = Mapping[str, Any]


def make_event_of_file(club: Club, plain: Plain, course: Course) -> None:
    """Add the event, hidden until it is complete."""
    begin_arrival(course, new_event(club, plain))


def new_event(club: Club, plain: Plain) -> Event:
    """Add the row of an event, and that of its terms."""
    settings = event_settings_from_json(plain["settings"])
    terms = Terms.objects.create(**terms_columns(settings))
    lock_club(club.pk)
    columns = event_columns(plain, settings)
    return create_with_slug(
        plain["name"],
        has_event,
        lambda short: Event.objects.create(club=club, short=short, terms=terms, **columns),
    )


def terms_columns(settings: EventSettings) -> dict[str, Any]:
    return {
        "ruleset_data": ruleset_to_json(settings.ruleset),
        "rules_name": settings.rules_name,
        "format_data": match_format_to_json(settings.match_format),
        "details": list(settings.details),
    }


def event_columns(plain: Plain, settings: EventSettings) -> dict[str, Any]:
    """Return the columns of an event's row from its file."""
    return {
        "name": plain["name"],
        "held_on": plain["held_on"],
        "table_count": settings.table_count,
        "stages": [dict(stage) for stage in settings.stages],
        "sections": [dict(section) for section in settings.sections],
        "phase_data": phases_to_json(settings.phases) or None,
        "ranking": ranking_rules_to_json(settings.ranking),
        "lot": plain["lot"],
        "is_seeded": settings.is_seeded,
        "member_fee": settings.rates.member,
        "guest_fee": settings.rates.guest,
        **asdict(settings.cash),
        "announcement_data": announcement_to_json(settings.announcement),
        "state": plain["state"],
        **release_columns(settings.release),
    }


def add_entries_of_file(lines: Sequence[Plain], course: Course) -> None:
    people = course.kept["listed"]
    Entry.objects.bulk_create(
        Entry(event_id=course.kept["event"], **entry_columns(line, people)) for line in lines
    )


def entry_columns(line: Plain, people: Sequence[int]) -> dict[str, Any]:
    """Return the columns of an entry's row from its file; ``people`` are the players' keys, in the file's
    order."""
    first, second = (*(people[number - 1] for number in line["players"]), None)[:2]
    values = {name: value for name, value in line.items() if name != "players"}
    if "side" in values:
        values["side"] = Side[values["side"]].value
    return values | {"player_1_id": first, "player_2_id": second}


def add_adjustments(adjustments: Sequence[Plain], course: Course) -> None:
    entries = dict(Entry.objects.filter(event=course.kept["event"]).values_list("number", "pk"))
    Adjustment.objects.bulk_create(
        Adjustment(
            event_id=course.kept["event"],
            entry_id=entries[given["entry"]],
            round=given["round"],
            metric=given["metric"],
            amount=given["amount"],
            reason=given["reason"],
        )
        for given in adjustments
    )


def keep_apart(kept: Sequence[Plain], course: Course) -> None:
    entries = dict(Entry.objects.filter(event=course.kept["event"]).values_list("number", "pk"))
    event = Event.objects.get(pk=course.kept["event"])
    event.kept_apart = [
        {**each, "entries": sorted(entries[number] for number in each["entries"])} for each in kept
    ]
    event.save(update_fields=["kept_apart"])


def add_prizes(prizes: Plain, course: Course) -> None:
    COPIED["prizes"].write(Event.objects.get(pk=course.kept["event"]), prizes)


def tables_of_file(content: Content) -> int:
    """Return how many tables have a card."""
    settings = event_settings_from_json(content["event"]["settings"])
    planned = 0 if content["event"]["state"] == EventState.PREPARING else settings.table_count
    return max(planned, RoundsOfFile(content).highest_table)


def issue_cards_of_file(count: int, codes: Mapping[int, str], course: Course) -> None:
    issue_cards_of(Event.objects.select_related("club").get(pk=course.kept["event"]), count, codes)


def earlier_line(content: Content) -> dict[str, Any]:
    """Return the details of the history line of an import: its origin, and what the director did there by
    hand."""
    done = {
        str(drawn["number"]): {"by_hand": drawn["by_hand"], "rulings": drawn["rulings"]}
        for drawn in content["rounds"]
        if drawn["by_hand"] or drawn["rulings"]
    }
    return {"club": content[PLACE]["club"], "short": content[PLACE]["short"], "earlier": done}


def check_same(event: Event, content: Content) -> None:
    """Check that the event's own file would be the same. Refuses: event_file_unsound."""
    again = event_file_of(Event.objects.select_related("club", "terms").get(pk=event.pk))["sums"]
    left_out = OF_A_COPY | ({"people"} if content["standings"] is not None else {"people", "standings"})
    wanted = digests_of(content)
    for part in sorted((wanted.keys() | again.keys()) - left_out):
        if wanted.get(part) != again.get(part):
            raise Refusal("event_file_unsound", field="file", part=part)
