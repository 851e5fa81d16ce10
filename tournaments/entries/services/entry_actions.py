"""Changes of one entry during the event, and the details that the director notes at any time."""

from typing import Any, Unpack

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Person
from clubs.services.people import correct_name, find_or_add_people
from engine.ranking import ADJUSTABLE
from errors import Refusal, check_choice
from live.news import public_change
from live.revisions import raise_revision
from tournaments.entries.entry_import.values import MAX_ROUND, check_names, check_not_entered
from tournaments.entries.queries.entries import last_published_round
from tournaments.events.services.lifecycle import check_not_ended, check_running
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import get_event
from tournaments.lifecycle import EventState
from tournaments.models import REASON_LENGTH, Adjustment, Entry, Event
from tournaments.rounds.queries.rounds import forfeit_by, forfeitable_seating
from web.names import clean_text

from .descriptions import Description, check_table, clean_description
from .entries import PLAYER_FIELDS, get_entry, map_taken_names
from .identities import NO_IDENTITIES, Identities, check_not_entered_twice
from .teams import mark_guests

MAX_ADJUSTMENT = 999


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
    check_running(change.event, field="after")
    if entry.is_waiting:
        raise Refusal("still_waiting", field="after")
    last_round = last_published_round(change.event)
    has_left = entry.has_left(last_round + 1)
    if has_left and not forfeits_table:
        return entry
    if has_left or after is None:
        after = entry.leaves_after if has_left else last_round
    elif after < last_round:
        raise Refusal("withdraws_too_early", field="after", round=last_round)
    elif after > MAX_ROUND:
        raise Refusal("round_out_of_range", field="after", most=MAX_ROUND)
    forfeit_details = _forfeit_table(change, entry) if forfeits_table else {}
    if forfeit_details or entry.leaves_after != after:
        change.update(entry, leaves_after=after)
        change.record(entry=number, after=after, **forfeit_details)
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
    check_running(event, field="return")
    last_round = last_published_round(event)
    if entry.has_left(last_round + 1):
        names = [("return", person.name) for person in entry.players]
        check_not_entered(names, seen_names=map_taken_names(event, excluded_ids=[entry.pk]), line=1)
        if entry.table is not None:
            check_table(event, entry.table, entry=entry)
    arrives = last_round + 1 if entry.is_awaited else entry.arrives
    missed_rounds = range(max(entry.leaves_after + 1, arrives), last_round + 1)
    change.update(
        entry,
        leaves_after=None,
        arrives=arrives,
        withdrawn=[*entry.withdrawn, *missed_rounds],
        disqualification="",
    )
    change.record(entry=number, round=last_round + 1)
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
    last_round = last_published_round(change.event)
    last_played = last_round if entry.leaves_after is None else min(last_round, entry.leaves_after)
    forfeit_details = _forfeit_table(change, entry) if forfeits_table else {}
    change.update(entry, leaves_after=last_played, disqualification=reason)
    change.record(entry=number, why=reason, **forfeit_details)
    return entry


def _forfeit_table(change: Change, entry: Entry) -> dict[str, Any]:
    """Forfeit the table where the entry is playing, if any. Return details for the history."""
    seating = forfeitable_seating(entry)
    if seating is None or seating.table is None:
        return {}
    change.set_ruling(seating.table, forfeit_by(seating, seating.table))
    return {"table": seating.table.number}


@transaction.atomic
def substitute_player(
    *,
    event_id: int,
    number: int,
    place: int,
    name: str,
    identities: Identities = NO_IDENTITIES,
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
    check_not_ended(event, field="name")
    if not 1 <= place <= len(entry.players):
        raise Refusal("no_such_place", field="place")
    name = clean_text(name)
    if not name:
        raise Refusal("name_required", field="name")
    check_names([("name", name)])
    check_not_entered([("name", name)], seen_names=map_taken_names(event), line=1)
    previous_player = entry.players[place - 1]
    (person,) = find_or_add_people(
        club=event.club,
        full_names=[name],
        is_guest=event.state == EventState.RUNNING,
        identities=identities,
    )
    check_not_entered_twice(event, [person], field="name")
    change.update(entry, **{PLAYER_FIELDS[place - 1]: person})
    change.record(entry=number, before=previous_player.name, after=person.name)
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


@transaction.atomic
def describe_entry(*, event_id: int, number: int, by: Actor = NOBODY, **description: Unpack[Description]) -> Entry:
    """Update the section, team, labels, rating or table of an entry. Safe to repeat.

    A value that is not given is cleared.

    Refuses: no_such_entry_now, and what ``clean_description`` refuses.
    """
    change = Change(event_id, "describe_entry", by)
    event = change.event
    entry = get_entry(event, number)
    if change.is_repeat:
        return entry
    values = clean_description(event, description, entry=entry)
    previous_values = {field: getattr(entry, field) for field in values}
    changed_fields = [field for field in values if previous_values[field] != values[field]]
    if changed_fields:
        change.update(entry, **values)
        mark_guests(change, [entry])
        change.record(
            entry=number,
            before={field: previous_values[field] for field in changed_fields},
            after={field: values[field] for field in changed_fields},
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
    check_choice(metric, ADJUSTABLE, field="metric")
    if not 1 <= abs(amount) <= MAX_ADJUSTMENT:
        raise Refusal("amount_out_of_range", field="amount", most=MAX_ADJUSTMENT)
    if round_number is not None and not 1 <= round_number <= MAX_ROUND:
        raise Refusal("round_out_of_range", field="in_round", most=MAX_ROUND)
    if not by.reason:
        raise Refusal("reason_required", field="reason")
    adjustment = Adjustment(
        event=change.event,
        entry=entry,
        metric=metric,
        amount=amount,
        round=round_number,
        reason=by.reason,
    )
    change.add(adjustment)
    change.record(entry=number, metric=metric, amount=amount, round=round_number)
    return entry


@transaction.atomic
def remove_adjustment(*, event_id: int, number: int, adjustment_id: int, by: Actor = NOBODY) -> None:
    """Remove a bonus or penalty from an entry. Safe to repeat.

    Refuses: no_such_entry_now.
    """
    change = Change(event_id, "remove_adjustment", by)
    adjustment = get_entry(change.event, number).adjustments.filter(pk=adjustment_id).first()
    if adjustment is not None:
        change.remove(adjustment)
        change.record(entry=number, metric=adjustment.metric, amount=adjustment.amount, round=adjustment.round)
