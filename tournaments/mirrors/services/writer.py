"""Writing of a mirrored event from its file; unchanged rounds stay untouched."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db.models import Q

from engine.checksums import compute_digest
from jobs.models import LongWrite
from scoring.models import Agreement, Dispute, Mark, Match, Player, RefusedMark
from scoring.services.cards import close_cards
from tournaments.event_files.columns import ENTRY_COLUMNS
from tournaments.event_files.queries import IMPORT_KIND
from tournaments.event_files.schema import DESK_PART, Content
from tournaments.event_files.writer import compute_part_digests
from tournaments.events.event_settings import event_settings_from_json
from tournaments.imports.services.desk import write_desk
from tournaments.imports.services.parts import (
    add_adjustments,
    add_prizes,
    add_separations,
    build_origin_details,
    count_table_cards,
    get_entry_columns,
    get_event_columns,
    get_terms_columns,
    issue_cards,
)
from tournaments.imports.services.rounds import RoundImport
from tournaments.models import Action, Entry, Event, Seating, Table, Tally

JsonObject = Mapping[str, Any]


def compute_digests(content: Content) -> dict[str, str]:
    """Return the digests of the file's parts, with one for each round."""
    sums = {name: digest for name, digest in compute_part_digests(content).items() if not name.startswith("rounds.")}
    return sums | {f"rounds.{round_data['number']}": compute_digest(round_data) for round_data in content["rounds"]}


def write_event(event: Event, content: Content, *, stored_digests: Mapping[str, str], people: Sequence[int]) -> None:
    """Write the whole file, within a transaction. ``stored_digests`` are the digests of the parts that are here
    already, empty for a new event; ``people`` are the keys of the file's people, in its order."""
    now = compute_digests(content)
    changed_rounds = {
        int(part.removeprefix("rounds."))
        for part in now.keys() | stored_digests.keys()
        if part.startswith("rounds.") and now.get(part) != stored_digests.get(part)
    }
    long_write = LongWrite(state={"event": event.pk, "listed": list(people)})
    _delete_rounds(event, changed_rounds)
    _write_settings(event, content["event"])
    _write_entries(event, content["entries"], people)
    event.adjustments.all().delete()
    add_adjustments(content["adjustments"], long_write)
    add_separations(content["event"].get("kept_apart", ()), long_write)
    if stored_digests.get("event") != now["event"]:
        event.prize_categories.all().delete()
        add_prizes(content["event"].get("prizes", {}), long_write)
    issue_cards(count_table_cards(content), {}, long_write)
    close_cards(topic=event.topic)
    rounds = [round_data for round_data in content["rounds"] if round_data["number"] in changed_rounds]
    for piece in RoundImport({**content, "rounds": rounds}).iter_pieces():
        piece(long_write)
    if DESK_PART in content:
        write_desk(event, content[DESK_PART], people=people)
    _record_import(event, content)


def _delete_rounds(event: Event, rounds: Collection[int]) -> None:
    """Delete all rows of these rounds, and all matches that were set aside: they are written again."""
    is_rewritten = Q(round_number__in=rounds) | Q(withdrawn_at__isnull=False)
    matches = Match.objects.filter(is_rewritten, terms=event.terms_id)
    for kind in (Agreement, Dispute, Player, RefusedMark, Tally, Mark):
        rows = kind._default_manager.filter(match__in=matches)
        rows._raw_delete(rows.db)  # noqa: SLF001 - keys are checked when the transaction ends
    Seating.objects.filter(round__event=event, round__number__in=rounds).delete()
    Table.objects.filter(round__event=event, round__number__in=rounds).delete()
    matches._raw_delete(matches.db)  # noqa: SLF001
    event.rounds.filter(number__in=rounds).delete()


def _write_settings(event: Event, data: JsonObject) -> None:
    settings = event_settings_from_json(data["settings"])
    for row, values in (
        (event.terms, get_terms_columns(settings)),
        (event, get_event_columns(data, settings)),
    ):
        for name, value in values.items():
            setattr(row, name, value)
        row.save(update_fields=list(values))


def _write_entries(event: Event, lines: Sequence[JsonObject], people: Sequence[int]) -> None:
    """Write the entries by starting number, so that people who follow one go on following it."""
    entries_by_number = {entry.number: entry for entry in event.entries.all()}
    details: list[Any] = [Entry._meta.get_field(name) for name in ("side", *ENTRY_COLUMNS.optional)]
    for line in lines:
        values = {field.name: field.get_default() for field in details} | get_entry_columns(line, people)
        entry = entries_by_number.pop(line["number"], None) or Entry(event=event)
        for name, value in values.items():
            setattr(entry, name, value)
        entry.save()
    for entry in entries_by_number.values():
        Seating.objects.filter(entry=entry).delete()
        entry.delete()


def _record_import(event: Event, content: Content) -> None:
    """Write the last line of the history, which says what was done elsewhere until then. There is one such
    line, however many snapshots arrive in a row."""
    last_action = Action.objects.filter(event=event).order_by("pk").last()
    action = (
        last_action
        if last_action is not None and last_action.kind == IMPORT_KIND
        else Action(event=event, kind=IMPORT_KIND)
    )
    action.details = build_origin_details(content)
    action.save()
