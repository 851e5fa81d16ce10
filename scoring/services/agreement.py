"""After a game: each side agrees, or the table calls the desk."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clubs.models import Account
from errors import Refusal, get_or_refuse
from rules import Side
from scoring.fold import fold_match, format_game_result, load_log
from scoring.models import Agreement, Dispute

from .marks import clean_device_name, clean_reason, compute_late_wait
from .match_changes import lock_match, save_change


@transaction.atomic
def record_agreement(
    *, match_id: int, side: Side, game: int, expected: str | None = None, device: str = "", wait_seconds: int = 0
) -> Agreement:
    """Record a side's agreement to the current result of the game of that number.

    ``expected`` is the result that the side saw, from ``format_game_result``. ``wait_seconds`` is how long the
    phone kept the agreement before sending it.

    Safe to repeat. Refuses: game_not_over; game_changed, if the result is not the ``expected`` one.
    """
    match = lock_match(match_id)
    state = fold_match(match, load_log(match).places)
    finished_game = get_or_refuse(
        next((candidate for candidate in state.games if candidate.number == game), None), "game_not_over", field="game"
    )
    result_text = format_game_result(finished_game)
    if expected not in (None, result_text):
        raise Refusal("game_changed", field="game")
    agreement, is_new = Agreement.objects.get_or_create(
        match=match,
        game=game,
        side=side.value,
        agreed_to=result_text,
        defaults={"device": clean_device_name(device), "waited": compute_late_wait(wait_seconds, match)},
    )
    if is_new:
        save_change(match)
    return agreement


@transaction.atomic
def call_desk(*, match_id: int, note: str = "", device: str = "", entry_key: UUID | None = None) -> Dispute:
    """Call the desk.

    Safe to repeat: while a call is open, no second one is made, and a tap, known by its ``entry_key``, calls
    only once. Refuses: reason_too_long.
    """
    match = lock_match(match_id)
    note = clean_reason(note, is_required=False, field="note")
    existing_call = None if entry_key is None else Dispute.objects.filter(entry_key=entry_key).first()
    if existing_call is not None:
        return existing_call
    call, is_new = Dispute.objects.get_or_create(
        match=match,
        settled_at=None,
        defaults={"note": note, "device": clean_device_name(device), "entry_key": entry_key},
    )
    if is_new:
        save_change(match)
    return call


@transaction.atomic
def withdraw_call(*, match_id: int, call: UUID | None = None) -> None:
    """Withdraw the table's ``call`` with that entry key, if nobody has ruled on it.

    The call stays in the match's history. Safe to repeat: a later call stays open.
    """
    match = lock_match(match_id)
    if match.disputes.filter(settled_at=None, entry_key=call).update(settled_at=timezone.now()):
        save_change(match)


@transaction.atomic
def open_call(*, match_id: int) -> None:
    """Note that somebody at the desk is looking at the calling table; its phones then show it. Safe to
    repeat."""
    match = lock_match(match_id)
    if match.disputes.filter(settled_at=None, opened_at=None).update(opened_at=timezone.now()):
        save_change(match)


@transaction.atomic
def settle_call(*, match_id: int, account: Account | None, ruling: str, call: UUID | None = None) -> None:
    """Settle the table's ``call`` with that entry key by the director's ruling.

    Safe to repeat: a later call stays open.

    Refuses: reason_required, reason_too_long; call_settled, if it was in other words or by somebody else;
    call_withdrawn.
    """
    match = lock_match(match_id)
    ruling = clean_reason(ruling, is_required=True, field="ruling")
    settled_count = match.disputes.filter(settled_at=None, entry_key=call).update(
        settled_at=timezone.now(), settled_by=account, ruling=ruling
    )
    if settled_count:
        save_change(match)
        return
    earlier_call = match.disputes.filter(entry_key=call).order_by("pk").last()
    if earlier_call is None or (earlier_call.settled_by, earlier_call.ruling) == (account, ruling):
        return
    if not earlier_call.settler:
        raise Refusal("call_withdrawn", field="ruling", unkept=ruling)
    raise Refusal("call_settled", field="ruling", who=earlier_call.settler, ruling=earlier_call.ruling, unkept=ruling)
