"""Parts of an event's file as rows, each a piece of a long write. Rounds are in a module of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from clubs.models import Club
from clubs.services.changes import lock_club
from clubs.services.clubs import create_with_slug
from engine.phases import phases_to_json
from engine.ranking import ranking_rules_to_json
from errors import Refusal
from jobs.models import LongWrite
from rules import Side, match_format_to_json, ruleset_to_json
from scoring.models import Terms
from tournaments.announcement import announcement_to_json
from tournaments.event_files.columns import ADJUSTMENT_COLUMNS
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.schema import COPY_SPECIFIC_PARTS, PLACE_PART, Content
from tournaments.event_files.writer import compute_part_digests
from tournaments.events.event_settings import EventSettings, event_settings_from_json
from tournaments.events.queries import has_event
from tournaments.lifecycle import EventState
from tournaments.models import Adjustment, Entry, Event, release_columns
from tournaments.rounds.services.seatings import issue_event_cards
from tournaments.slots import COPIED_PARTS

from .arrival import hide_until_complete
from .rounds import RoundImport

JsonObject = Mapping[str, Any]


def create_event_from_file(club: Club, data: JsonObject, long_write: LongWrite) -> None:
    """Add the event, hidden until it is complete."""
    hide_until_complete(long_write, create_event(club, data))


def create_event(club: Club, data: JsonObject) -> Event:
    """Add the row of an event, and that of its terms."""
    settings = event_settings_from_json(data["settings"])
    terms = Terms.objects.create(**get_terms_columns(settings))
    lock_club(club.pk)
    columns = get_event_columns(data, settings)
    return create_with_slug(
        data["name"],
        has_event,
        lambda short: Event.objects.create(club=club, short=short, terms=terms, **columns),
    )


def get_terms_columns(settings: EventSettings) -> dict[str, Any]:
    return {
        "ruleset_data": ruleset_to_json(settings.ruleset),
        "rules_name": settings.rules_name,
        "format_data": match_format_to_json(settings.match_format),
        "details": list(settings.details),
    }


def get_event_columns(data: JsonObject, settings: EventSettings) -> dict[str, Any]:
    """Return the columns of an event's row from its file."""
    return {
        "name": data["name"],
        "held_on": data["held_on"],
        "table_count": settings.table_count,
        "stages": [dict(stage) for stage in settings.stages],
        "sections": [dict(section) for section in settings.sections],
        "phase_data": phases_to_json(settings.phases) or None,
        "ranking": ranking_rules_to_json(settings.ranking),
        "lot": data["lot"],
        "hand_counts": data.get("hand_counts"),
        "is_seeded": settings.is_seeded,
        "member_fee": settings.rates.member,
        "guest_fee": settings.rates.guest,
        **asdict(settings.cash),
        "announcement_data": announcement_to_json(settings.announcement),
        "state": data["state"],
        **release_columns(settings.release),
    }


def add_entries(lines: Sequence[JsonObject], long_write: LongWrite) -> None:
    people = long_write.state["listed"]
    Entry.objects.bulk_create(
        Entry(event_id=long_write.state["event"], **get_entry_columns(line, people)) for line in lines
    )


def get_entry_columns(line: JsonObject, people: Sequence[int]) -> dict[str, Any]:
    """Return the columns of an entry's row from its file; ``people`` are the players' keys, in the file's
    order."""
    player_1, player_2 = (*(people[number - 1] for number in line["players"]), None)[:2]
    values = {name: value for name, value in line.items() if name != "players"}
    if "side" in values:
        values["side"] = Side[values["side"]].value
    return values | {"player_1_id": player_1, "player_2_id": player_2}


def add_adjustments(adjustments: Sequence[JsonObject], long_write: LongWrite) -> None:
    entries = dict(Entry.objects.filter(event=long_write.state["event"]).values_list("number", "pk"))
    Adjustment.objects.bulk_create(
        Adjustment(
            event_id=long_write.state["event"],
            entry_id=entries[adjustment["entry"]],
            **ADJUSTMENT_COLUMNS.read(adjustment),
        )
        for adjustment in adjustments
    )


def add_separations(separations: Sequence[JsonObject], long_write: LongWrite) -> None:
    entries = dict(Entry.objects.filter(event=long_write.state["event"]).values_list("number", "pk"))
    event = Event.objects.get(pk=long_write.state["event"])
    event.kept_apart = [
        {**separation, "entries": sorted(entries[number] for number in separation["entries"])}
        for separation in separations
    ]
    event.save(update_fields=["kept_apart"])


def add_prizes(prizes: JsonObject, long_write: LongWrite) -> None:
    COPIED_PARTS["prizes"].write(Event.objects.get(pk=long_write.state["event"]), prizes)


def count_table_cards(content: Content) -> int:
    """Return how many tables have a card."""
    settings = event_settings_from_json(content["event"]["settings"])
    planned_count = 0 if content["event"]["state"] == EventState.PREPARING else settings.table_count
    return max(planned_count, RoundImport(content).highest_table)


def issue_cards(count: int, codes: Mapping[int, str], long_write: LongWrite) -> None:
    issue_event_cards(Event.objects.select_related("club").get(pk=long_write.state["event"]), count, codes)


def build_origin_details(content: Content) -> dict[str, Any]:
    """Return the details of the history line of an import: its origin, and what the director did there by
    hand."""
    earlier_actions = {
        str(round_data["number"]): {"by_hand": round_data["by_hand"], "rulings": round_data["rulings"]}
        for round_data in content["rounds"]
        if round_data["by_hand"] or round_data["rulings"]
    }
    return {"club": content[PLACE_PART]["club"], "short": content[PLACE_PART]["short"], "earlier": earlier_actions}


def check_import_matches(event: Event, content: Content) -> None:
    """Check that the event's own file would be the same. Refuses: event_file_unsound."""
    imported_digests = build_event_file(Event.objects.select_related("club", "terms").get(pk=event.pk))["sums"]
    ignored_parts = COPY_SPECIFIC_PARTS | ({"people"} if content["standings"] is not None else {"people", "standings"})
    expected_digests = compute_part_digests(content)
    for part in sorted((expected_digests.keys() | imported_digests.keys()) - ignored_parts):
        if expected_digests.get(part) != imported_digests.get(part):
            raise Refusal("event_file_unsound", field="file", part=part)
