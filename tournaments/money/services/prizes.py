"""Prizes won at an event: noted, and public only where the director chose so."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Person
from errors import Refusal
from tournaments.history.services.changes import Change
from tournaments.lifecycle import EventState
from tournaments.models import Action, Event, Prize
from tournaments.money.queries.fees import fee_lines
from tournaments.standings.queries.validity import rank_of
from web.money import checked_amount
from web.names import checked_title

from .door_prizes import PRIZE_LENGTH

MOST_WINNERS = 2


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
        known = Action.objects.get(key=by.key).details
        return change.event.prizes.filter(pk=known.get("prize_id")).first()
    values = _check_details(details)
    people = _winners(change.event, winners)
    prize = Prize(
        event=change.event, winner_1=people[0], winner_2=people[1] if len(people) > 1 else None, **values
    )
    now = rank_of(prize)
    if rank is not None and (now is None or now.after != rank):
        raise Refusal("rank_changed", field="winner", rank=rank)
    is_complete = change.event.state == EventState.ENDED or change.event.final is not None
    prize.rank = now.after if now is not None and (is_complete or rank is not None) else None
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
    change.alter(prize, **_check_details(details))
    if change.rows:
        change.record(**_prize_to_json(prize))
    return prize


@transaction.atomic
def take_back_prize(*, event_id: int, prize_id: int, by: Actor = NOBODY) -> None:
    """Withdraw a prize. The history keeps it. Safe to repeat."""
    change = Change(event_id, "take_back_prize", by)
    prize = change.event.prizes.filter(pk=prize_id).select_related("winner_1", "winner_2").first()
    if prize is not None and not change.is_repeat:
        told = _prize_to_json(prize)
        change.remove(prize)
        change.record(**told)


def _winners(event: Event, ids: Collection[int]) -> list[Person]:
    """Return the winners. Refuses: winner_required, too_many_winners, not_at_the_event."""
    wanted = list(dict.fromkeys(ids))
    if not wanted:
        raise Refusal("winner_required", field="winner")
    if len(wanted) > MOST_WINNERS:
        raise Refusal("too_many_winners", field="winner", most=MOST_WINNERS)
    there = {line.person.pk: line.person for line in fee_lines(event)}
    if any(pk not in there for pk in wanted):
        raise Refusal("not_at_the_event", field="winner")
    return [there[pk] for pk in wanted]


def _find_prize(event: Event, prize_id: int) -> Prize:
    prize = event.prizes.select_related("winner_1", "winner_2").filter(pk=prize_id).first()
    if prize is None:
        raise Refusal("no_such_prize")
    return prize


def _check_details(details: PrizeDetails) -> dict[str, Any]:
    """Return the values to store. Refuses: prize_required, prize_too_long, not_an_amount,
    amount_too_large."""
    name = checked_title(details.name, field="prize")
    if not name:
        raise Refusal("prize_required", field="prize")
    if len(name) > PRIZE_LENGTH:
        raise Refusal("prize_too_long", field="prize", most=PRIZE_LENGTH)
    return {
        "name": name,
        "amount": checked_amount(details.amount, field="amount"),
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
