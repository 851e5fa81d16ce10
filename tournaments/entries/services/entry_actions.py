"""Changes of one entry during the event, and the details that the director notes at any time."""

from typing import Any, TypedDict, Unpack

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Person
from clubs.services import correct_name, find_or_add_people
from engine.ranking import ADJUSTABLE
from errors import Refusal
from live.news import public_change
from live.revisions import raise_revision
from rules import Side
from tournaments.entries.entry_import import (
    check_names,
    check_new,
    checked_label,
    checked_team,
    section_named,
)
from tournaments.entries.entry_import.values import LAST_ROUND, MOST_RATING
from tournaments.entries.queries.entries import last_published_round, section_names
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import get_event
from tournaments.lifecycle import EventState
from tournaments.models import REASON_LENGTH, Adjustment, Entry, Event
from tournaments.rounds.queries.rounds import forfeit_by, forfeitable_seating
from web.names import clean_text

from .entries import PLAYER_FIELDS, entry_of_each_name, get_entry
from .identities import AS_KNOWN, Identities, check_apart
from .teams import receive_guests

MOST_ADJUSTED = 999


@transaction.atomic
def withdraw_entry(
    *, event_id: int, number: int, after: int | None = None, forfeits_table: bool = False, by: Actor = NOBODY
) -> Entry:
    """Withdraw an entry after a round, by default the last one published. With ``forfeits_table`` it forfeits
    the match in play, also if it had left already. Safe to repeat.

    Refuses: no_such_entry_now, event_not_running, still_waiting, withdraws_too_early, round_out_of_range.
    """
    change = Change(event_id, "withdraw_entry", by)
    entry = get_entry(change.event, number)
    if change.is_repeat:
        return entry
    _check_running(change.event, field="after")
    if entry.is_waiting:
        raise Refusal("still_waiting", field="after")
    last = last_published_round(change.event)
    has_left = entry.has_left(last + 1)
    if has_left and not forfeits_table:
        return entry
    if has_left or after is None:
        after = entry.leaves_after if has_left else last
    elif after < last:
        raise Refusal("withdraws_too_early", field="after", round=last)
    elif after > LAST_ROUND:
        raise Refusal("round_out_of_range", field="after", most=LAST_ROUND)
    forfeited = _forfeit_table(change, entry) if forfeits_table else {}
    if forfeited or entry.leaves_after != after:
        change.alter(entry, leaves_after=after)
        change.record(entry=number, after=after, **forfeited)
    return entry


@transaction.atomic
def return_entry(*, event_id: int, number: int, by: Actor = NOBODY) -> Entry:
    """Bring a withdrawn or disqualified entry back from the next round. The rounds that it missed count as
    withdrawn. Safe to repeat.

    Refuses: no_such_entry_now, event_not_running, entered_twice, table_is_anothers.
    """
    change = Change(event_id, "return_entry", by)
    event = change.event
    entry = get_entry(event, number)
    if change.is_repeat or entry.leaves_after is None:
        return entry
    _check_running(event, field="return")
    last = last_published_round(event)
    if entry.has_left(last + 1):
        names = [("return", person.name) for person in entry.players]
        check_new(names, seen=entry_of_each_name(event, but=[entry.pk]), line=1)
        if entry.table is not None:
            _check_table(event, entry, entry.table)
    arrives = last + 1 if entry.is_awaited else entry.arrives
    missed = range(max(entry.leaves_after + 1, arrives), last + 1)
    change.alter(
        entry,
        leaves_after=None,
        arrives=arrives,
        withdrawn=[*entry.withdrawn, *missed],
        disqualification="",
    )
    change.record(entry=number, round=last + 1)
    return entry


@transaction.atomic
def disqualify_entry(
    *, event_id: int, number: int, disqualification: str, forfeits_table: bool = True, by: Actor = NOBODY
) -> Entry:
    """Disqualify an entry, with the reason: it is not drawn any more. With ``forfeits_table`` it forfeits the
    match in play. Its rank, prizes and season points follow the ranking rules. Safe to repeat.

    Refuses: no_such_entry_now, event_not_running, still_waiting, reason_required, reason_too_long.
    """
    change = Change(event_id, "disqualify_entry", by)
    entry = get_entry(change.event, number)
    if change.is_repeat or entry.disqualification:
        return entry
    if change.event.state == EventState.PREPARING:
        raise Refusal("event_not_running", field="disqualification")
    if entry.is_waiting:
        raise Refusal("still_waiting", field="disqualification")
    reason = clean_text(disqualification)
    if not reason:
        raise Refusal("reason_required", field="disqualification")
    if len(reason) > REASON_LENGTH:
        raise Refusal("reason_too_long", field="disqualification", most=REASON_LENGTH)
    last = last_published_round(change.event)
    after = last if entry.leaves_after is None else min(last, entry.leaves_after)
    forfeited = _forfeit_table(change, entry) if forfeits_table else {}
    change.alter(entry, leaves_after=after, disqualification=reason)
    change.record(entry=number, why=reason, **forfeited)
    return entry


def _forfeit_table(change: Change, entry: Entry) -> dict[str, Any]:
    """Forfeit the table where the entry is playing, if any. Return details for the history."""
    seating = forfeitable_seating(entry)
    if seating is None or seating.table is None:
        return {}
    change.rule(seating.table, forfeit_by(seating, seating.table))
    return {"table": seating.table.number}


@transaction.atomic
def substitute_player(
    *,
    event_id: int,
    number: int,
    place: int,
    name: str,
    identities: Identities = AS_KNOWN,
    by: Actor = NOBODY,
) -> Entry:
    """Replace the player in place 1 or 2 by a substitute, from now on. Earlier rounds keep the previous
    player. In a running event, a name unknown to the club is added as a guest. Safe to repeat with the same
    idempotency key.

    ``identities`` says which person each name means.

    Refuses: no_such_entry_now, event_ended, no_such_place, name_required, strange_character, name_too_long,
    entered_twice, no_such_person.
    """
    change = Change(event_id, "substitute_player", by)
    event = change.event
    entry = get_entry(event, number)
    if change.is_repeat:
        return entry
    if event.state == EventState.ENDED:
        raise Refusal("event_ended", field="name")
    if not 1 <= place <= len(entry.players):
        raise Refusal("no_such_place", field="place")
    name = clean_text(name)
    if not name:
        raise Refusal("name_required", field="name")
    check_names([("name", name)])
    check_new([("name", name)], seen=entry_of_each_name(event), line=1)
    before = entry.players[place - 1]
    (person,) = find_or_add_people(
        club=event.club,
        full_names=[name],
        are_guests=event.state == EventState.RUNNING,
        identities=identities,
    )
    check_apart(event, [person], field="name")
    change.alter(entry, **{PLAYER_FIELDS[place - 1]: person})
    change.record(entry=number, before=before.name, after=person.name)
    return entry


@transaction.atomic
def correct_player_name(*, event_id: int, number: int, place: int, name: str, by: Actor = NOBODY) -> Person:
    """Correct the spelling of a player's name, here and everywhere in the club. It is recorded in the club's
    history. Safe to repeat with the same idempotency key.

    Refuses: no_such_entry_now, no_such_place, and what ``correct_name`` refuses, of a field ``spelling``.
    """
    event = get_event(event_id)
    entry = get_entry(event, number)
    if not 1 <= place <= len(entry.players):
        raise Refusal("no_such_place", field="place")
    player = entry.players[place - 1]
    try:
        person = correct_name(club_id=player.club_id, person_id=player.pk, name=name, by=by)
    except Refusal as refusal:
        raise Refusal(refusal.code, field="spelling", **refusal.details) from None
    raise_revision(event.topic)
    public_change.send(Event, topic=event.topic, club_id=event.club_id)
    return person


class Description(TypedDict, total=False):
    """Details of an entry noted by the director.

    These are its section, its team, its rating, the fixed table and side where it sits, the families and cars
    that it shares with others, and its labels for prize categories.
    """

    section: str
    team: str
    rating: int | None
    table: int | None
    family: str
    car: str
    labels: str
    side: Side | None


@transaction.atomic
def describe_entry(*, event_id: int, number: int, by: Actor = NOBODY, **said: Unpack[Description]) -> Entry:
    """Update the section, team, labels, rating or table of an entry. Safe to repeat.

    A value that is not given is cleared.

    Refuses: no_such_entry_now, no_sections, no_such_section, team_too_long, entry_label_too_long,
    rating_out_of_range, no_table_of_that_number, table_is_anothers.
    """
    change = Change(event_id, "describe_entry", by)
    event = change.event
    entry = get_entry(event, number)
    if change.is_repeat:
        return entry
    rating, table = said.get("rating"), said.get("table")
    if rating is not None and rating > MOST_RATING:
        raise Refusal("rating_out_of_range", field="rating", value=rating, most=MOST_RATING)
    values: dict[str, str | int | None] = {
        "section": section_named(said.get("section", ""), section_names(event)),
        "team": checked_team(said.get("team", "")),
        "rating": rating,
        "table": table,
        **{name: checked_label(name, str(said.get(name, ""))) for name in ("family", "car", "labels")},
        "side": said.get("side"),
    }
    if table is not None:
        _check_table(event, entry, table)
    before = {field: getattr(entry, field) for field in values}
    changed = [field for field in values if before[field] != values[field]]
    if changed:
        change.alter(entry, **values)
        receive_guests(change, [entry])
        change.record(
            entry=number,
            before={field: before[field] for field in changed},
            after={field: values[field] for field in changed},
        )
    return entry


@transaction.atomic
def adjust_entry(
    *,
    event_id: int,
    number: int,
    metric: str,
    amount: int,
    round_number: int | None = None,
    by: Actor,
) -> Entry:
    """Give an entry a bonus, or a penalty below 0, with a reason for the history. Safe to repeat with the
    same idempotency key.

    Refuses: no_such_entry_now, no_such_choice, amount_out_of_range, round_out_of_range, reason_required.
    """
    change = Change(event_id, "adjust_entry", by)
    entry = get_entry(change.event, number)
    if change.is_repeat:
        return entry
    if metric not in ADJUSTABLE:
        raise Refusal("no_such_choice", field="metric", value=metric, choices=tuple(ADJUSTABLE))
    if not 1 <= abs(amount) <= MOST_ADJUSTED:
        raise Refusal("amount_out_of_range", field="amount", most=MOST_ADJUSTED)
    if round_number is not None and not 1 <= round_number <= LAST_ROUND:
        raise Refusal("round_out_of_range", field="in_round", most=LAST_ROUND)
    if not by.reason:
        raise Refusal("reason_required", field="reason")
    given = Adjustment(
        event=change.event,
        entry=entry,
        metric=metric,
        amount=amount,
        round=round_number,
        reason=by.reason,
    )
    change.add(given)
    change.record(entry=number, metric=metric, amount=amount, round=round_number)
    return entry


@transaction.atomic
def remove_adjustment(*, event_id: int, number: int, adjustment_id: int, by: Actor = NOBODY) -> None:
    """Remove a bonus or penalty from an entry. Safe to repeat.

    Refuses: no_such_entry_now.
    """
    change = Change(event_id, "remove_adjustment", by)
    given = get_entry(change.event, number).adjustments.filter(pk=adjustment_id).first()
    if given is not None:
        change.remove(given)
        change.record(entry=number, metric=given.metric, amount=given.amount, round=given.round)


def _check_running(event: Event, *, field: str) -> None:
    if event.state != EventState.RUNNING:
        raise Refusal("event_not_running", field=field)


def _check_table(event: Event, entry: Entry, table: int) -> None:
    if not 1 <= table <= event.table_count:
        raise Refusal("no_table_of_that_number", field="table", most=event.table_count)
    following = last_published_round(event) + 1
    for other in event.entries.filter(table=table).exclude(pk=entry.pk):
        if not other.has_left(following):
            raise Refusal("table_is_anothers", field="table", table=table, entry=other.number)
