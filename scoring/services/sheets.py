"""A paper sheet typed at the desk: the totals of a game, and the end of its match."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction

from clubs.models import Account
from errors import Refusal
from rules import GameTotals, TimeCall, read_record
from scoring.models import Match

from .marks import record_hand
from .match_changes import lock_match


@transaction.atomic
def record_sheet(
    *,
    match_id: int,
    entry_key: UUID,
    number: int,
    hand: Mapping[str, Any],
    goes_on: bool = False,
    device: str = "",
    account: Account | None = None,
    reason: str = "",
) -> Match:
    """Write the totals of a game, or only the end of the match.

    A game that neither side has won ends a match by the clock or by hands. In any other match it is taken for
    a typing error, unless it ``goes_on``. Safe to repeat with the same ``entry_key``.

    Refuses: game_not_won; and whatever ``record_hand`` refuses.
    """
    match = lock_match(match_id)
    record = read_record(match.ruleset, hand)
    is_unfinished = isinstance(record, GameTotals) and not _is_won(record, match.ruleset.target)
    may_stop = match.match_format.may_stop_in_a_game
    if is_unfinished and not goes_on and not may_stop:
        raise Refusal("game_not_won", field="points_a", target=match.ruleset.target)
    places = [(entry_key, hand)]
    if is_unfinished and not goes_on:
        places.append((uuid5(entry_key, TimeCall.kind), {"kind": TimeCall.kind}))
    for place, (key, record_data) in enumerate(places, start=number):
        mark = record_hand(
            match_id=match_id,
            entry_key=key,
            number=place,
            hand=record_data,
            device=device,
            account=account,
            reason=reason,
        )
    return mark.match


def _is_won(totals: GameTotals, target: int) -> bool:
    return totals.winner is not None or max(totals.points) >= target
