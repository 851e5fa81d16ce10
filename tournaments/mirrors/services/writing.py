"""Writing of a mirrored event from its file; unchanged rounds stay untouched."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from engine.sums import digest_of
from jobs.models import Course
from scoring.models import Agreement, Dispute, Mark, Match, Player, RefusedMark
from scoring.services import close_cards
from tournaments.event_files import Content, digests_of
from tournaments.event_files.queries import BROUGHT_IN
from tournaments.events.event_settings import event_settings_from_json
from tournaments.imports.services.parts import (
    add_adjustments,
    add_prizes,
    earlier_line,
    entry_columns,
    event_columns,
    issue_cards_of_file,
    keep_apart,
    tables_of_file,
    terms_columns,
)
from tournaments.imports.services.rounds import RoundsOfFile
from tournaments.models import Action, Entry, Event, PublishedStandings, Seating, Table, Tally
from tournaments.models.standings import moment_of

Plain = Mapping[str, Any]


def sums_by_round(content: Content) -> dict[str, str]:
    """Return the digests of the file's parts, with one for each round."""
    sums = {name: each for name, each in digests_of(content).items() if not name.startswith("rounds.")}
    return sums | {f"rounds.{drawn['number']}": digest_of(drawn) for drawn in content["rounds"]}


def write_event(event: Event, content: Content, *, before: Mapping[str, str], people: Sequence[int]) -> None:
    """Write the whole file, within a transaction. ``before`` are the digests of what is here already, empty
    for a new event; ``people`` are the keys of the file's people, in its order."""
    now = sums_by_round(content)
    changed = {
        int(part.removeprefix("rounds."))
        for part in now.keys() | before.keys()
        if part.startswith("rounds.") and now.get(part) != before.get(part)
    }
    course = Course(kept={"event": event.pk, "listed": list(people)})
    _clear(event, changed)
    _write_settings(event, content["event"])
    _write_entries(event, content["entries"], people)
    event.adjustments.all().delete()
    add_adjustments(content["adjustments"], course)
    keep_apart(content["event"].get("kept_apart", ()), course)
    if before.get("event") != now["event"]:
        event.prize_categories.all().delete()
        add_prizes(content["event"].get("prizes", {}), course)
    issue_cards_of_file(tables_of_file(content), {}, course)
    close_cards(topic=event.topic)
    rounds = [drawn for drawn in content["rounds"] if drawn["number"] in changed]
    for piece in RoundsOfFile({**content, "rounds": rounds}).pieces():
        piece(course)
    _keep_line(event, content)


def write_beside(event: Event, beside: Plain, *, ahead: timedelta) -> None:
    """Write what no file has: final standings as published, clocks, and the desk's messages. The clock of the
    sender is ``ahead``."""
    event.refresh_from_db()
    event.final, event.is_put_away = beside["final"], beside["is_put_away"]
    event.messages = beside["messages"]
    event.save(update_fields=["final", "is_put_away", "messages"])
    for kept in beside["published"]:
        values = {**kept, "published_at": moment_of(kept["published_at"])}
        PublishedStandings.objects.get_or_create(event=event, number=values.pop("number"), defaults=values)
    for number, clock in beside["clocks"].items():
        event.rounds.filter(number=int(number)).update(
            clock_minutes=clock["minutes"],
            added_minutes=clock["added"],
            paused_at=_here(clock["paused_at"], ahead),
            paused_seconds=clock["paused_seconds"],
            last_hand_at=_here(clock["last_hand_at"], ahead),
            clock_shift=clock["shift"] - ahead // timedelta(seconds=1),
        )


def _here(moment: str | None, ahead: timedelta) -> datetime | None:
    """Return a moment of the sender by the clock here."""
    found = moment_of(moment)
    return None if found is None else found - ahead


def _clear(event: Event, rounds: Collection[int]) -> None:
    """Delete all rows of these rounds, and all matches that were set aside: they are written again."""
    anew = Q(round_number__in=rounds) | Q(withdrawn_at__isnull=False)
    matches = Match.objects.filter(anew, terms=event.terms_id)
    for kind in (Agreement, Dispute, Player, RefusedMark, Tally, Mark):
        rows = kind._default_manager.filter(match__in=matches)
        rows._raw_delete(rows.db)  # noqa: SLF001 - keys are checked when the transaction ends
    Seating.objects.filter(round__event=event, round__number__in=rounds).delete()
    Table.objects.filter(round__event=event, round__number__in=rounds).delete()
    matches._raw_delete(matches.db)  # noqa: SLF001
    event.rounds.filter(number__in=rounds).delete()


def _write_settings(event: Event, plain: Plain) -> None:
    settings = event_settings_from_json(plain["settings"])
    for row, values in (
        (event.terms, terms_columns(settings)),
        (event, event_columns(plain, settings)),
    ):
        for name, value in values.items():
            setattr(row, name, value)
        row.save(update_fields=list(values))


def _write_entries(event: Event, lines: Sequence[Plain], people: Sequence[int]) -> None:
    """Write the entries by starting number, so that people who follow one go on following it."""
    there = {entry.number: entry for entry in event.entries.all()}
    usual: Plain = {
        "family": "",
        "car": "",
        "labels": "",
        "side": None,
        "excused": [],
        "withdrawn": [],
        "disqualification": "",
        "is_house": False,
    }
    for line in lines:
        values = {**usual, **entry_columns(line, people)}
        entry = there.pop(line["number"], None) or Entry(event=event)
        for name, value in values.items():
            setattr(entry, name, value)
        entry.save()
    for entry in there.values():
        Seating.objects.filter(entry=entry).delete()
        entry.delete()


def _keep_line(event: Event, content: Content) -> None:
    """Write the last line of the history, which says what was done elsewhere until then. There is one such
    line, however many snapshots arrive in a row."""
    last = Action.objects.filter(event=event).order_by("pk").last()
    line = last if last is not None and last.kind == BROUGHT_IN else Action(event=event, kind=BROUGHT_IN)
    line.details = earlier_line(content)
    line.save()
