"""Prizes won at an event: noted, and public only where the director chose so."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Person
from errors import Refusal, get_or_refuse
from tournaments.history.services.changes import Change
from tournaments.lifecycle import EventState
from tournaments.models import Action, Event, Prize
from tournaments.money.queries.fees import list_fees
from tournaments.standings.queries.validity import get_prize_rank
from web.money import validate_amount
from web.names import validate_title

from .door_prizes import MAX_PRIZE_LENGTH

MAX_WINNERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeDetails:
    """Name and amount of a prize, in cents, and whether everybody may see it, and its amount."""

    name: str
    amount: int = 0
    is_public: bool = False
    shows_amount: bool = False


@transaction.atomic
def give_prize(
    *,
    event_id: int,
    winners: Collection[int],
    details: PrizeDetails,
    rank: int | None = None,
    by: Actor = NOBODY,
) -> Prize | None:
    """Give a prize to one person, or to two together, by their ids. It keeps their ``rank`` if that is given,
    or if the event has ended. Safe to repeat with the same idempotency key: a repeat gives the same prize, or
    no id if it was removed.

    Refuses: winner_required, too_many_winners, not_at_the_event, rank_changed where they have another rank by
    now, and what ``_check_details`` refuses.
    """
    change = Change(event_id, "give_prize", by)
    if change.is_repeat:
        details_stored = Action.objects.get(key=by.key).details
        return change.event.prizes.filter(pk=details_stored.get("prize_id")).first()
    values = _check_details(details)
    people = _find_winners(change.event, winners)
    prize = Prize(event=change.event, winner_1=people[0], winner_2=people[1] if len(people) > 1 else None, **values)
    current_rank = get_prize_rank(prize)
    if rank is not None and (current_rank is None or current_rank.after != rank):
        raise Refusal("rank_changed", field="winner", rank=rank)
    is_complete = change.event.state == EventState.ENDED or change.event.final is not None
    prize.rank = current_rank.after if current_rank is not None and (is_complete or rank is not None) else None
    change.add(prize)
    change.record(**_prize_to_json(prize))
    return prize


@transaction.atomic
def change_prize(*, event_id: int, prize_id: int, details: PrizeDetails, by: Actor = NOBODY) -> Prize:
    """Change the name, amount or visibility of a prize. Safe to repeat.

    Refuses: no_such_prize, and what ``_check_details`` refuses.
    """
    change = Change(event_id, "change_prize", by)
    prize = _find_prize(change.event, prize_id)
    if change.is_repeat:
        return prize
    change.update(prize, **_check_details(details))
    if change.rows:
        change.record(**_prize_to_json(prize))
    return prize


@transaction.atomic
def take_back_prize(*, event_id: int, prize_id: int, by: Actor = NOBODY) -> None:
    """Withdraw a prize. The history keeps it. Safe to repeat."""
    change = Change(event_id, "take_back_prize", by)
    prize = change.event.prizes.filter(pk=prize_id).select_related("winner_1", "winner_2").first()
    if prize is not None and not change.is_repeat:
        prize_data = _prize_to_json(prize)
        change.remove(prize)
        change.record(**prize_data)


def _find_winners(event: Event, ids: Collection[int]) -> list[Person]:
    """Return the winners. Refuses: winner_required, too_many_winners, not_at_the_event."""
    winner_ids = list(dict.fromkeys(ids))
    if not winner_ids:
        raise Refusal("winner_required", field="winner")
    if len(winner_ids) > MAX_WINNERS:
        raise Refusal("too_many_winners", field="winner", most=MAX_WINNERS)
    people_by_id = {line.person.pk: line.person for line in list_fees(event)}
    if any(pk not in people_by_id for pk in winner_ids):
        raise Refusal("not_at_the_event", field="winner")
    return [people_by_id[pk] for pk in winner_ids]


def _find_prize(event: Event, prize_id: int) -> Prize:
    return get_or_refuse(
        event.prizes.select_related("winner_1", "winner_2").filter(pk=prize_id).first(), "no_such_prize"
    )


def _check_details(details: PrizeDetails) -> dict[str, Any]:
    """Return the values to store. Refuses: prize_required, prize_too_long, not_an_amount,
    amount_too_large."""
    name = validate_title(details.name, field="prize")
    if not name:
        raise Refusal("prize_required", field="prize")
    if len(name) > MAX_PRIZE_LENGTH:
        raise Refusal("prize_too_long", field="prize", most=MAX_PRIZE_LENGTH)
    return {
        "name": name,
        "amount": validate_amount(details.amount, field="amount"),
        "is_public": details.is_public,
        "shows_amount": details.is_public and details.shows_amount,
    }


def _prize_to_json(prize: Prize) -> dict[str, Any]:
    """Serialize a prize for the history, with the names of the time, since people may be deleted."""
    return {
        "prize": prize.name,
        "prize_id": prize.pk,
        "winners": [person.name for person in prize.winners],
        "amount": prize.amount,
    }
