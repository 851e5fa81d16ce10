"""After a game: each side agrees, or the table calls the desk."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clubs.models import Account
from errors import Refusal
from rules import Side
from scoring.fold import agreed_text, fold_match, log_of
from scoring.models import Agreement, Dispute

from .marks import checked_reason, device_name, plausible_wait
from .match_changes import lock_match, save_change


@transaction.atomic
def agree(
    *, match_id: int, side: Side, game: int, seen: str | None = None, device: str = "", waited: int = 0
) -> Agreement:
    """Record a side's agreement to the game of that number as it stands.

    ``seen`` is the ``agreed_text`` of the game that the side saw, ``waited`` the seconds that a phone had
    kept the agreement.

    Safe to repeat. Refuses: game_not_over; game_changed, if it is not what was seen.
    """
    match = lock_match(match_id)
    state = fold_match(match, log_of(match).places)
    finished = next((done for done in state.games if done.number == game), None)
    if finished is None:
        raise Refusal("game_not_over", field="game")
    agreed_to = agreed_text(finished)
    if seen not in (None, agreed_to):
        raise Refusal("game_changed", field="game")
    agreement, is_new = Agreement.objects.get_or_create(
        match=match,
        game=game,
        side=side.value,
        agreed_to=agreed_to,
        defaults={"device": device_name(device), "waited": plausible_wait(waited, match)},
    )
    if is_new:
        save_change(match)
    return agreement


@transaction.atomic
def dispute(*, match_id: int, note: str = "", device: str = "", entry_key: UUID | None = None) -> Dispute:
    """Call the desk.

    Safe to repeat: while a call is open, no second one is made, and a tap, known by its ``entry_key``, calls
    only once. Refuses: reason_too_long.
    """
    match = lock_match(match_id)
    note = checked_reason(note, is_required=False, field="note")
    known = None if entry_key is None else Dispute.objects.filter(entry_key=entry_key).first()
    if known is not None:
        return known
    call, is_new = Dispute.objects.get_or_create(
        match=match,
        settled_at=None,
        defaults={"note": note, "device": device_name(device), "entry_key": entry_key},
    )
    if is_new:
        save_change(match)
    return call


@transaction.atomic
def withdraw_dispute(*, match_id: int, call: UUID | None = None) -> None:
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
def settle_call(*, match_id: int, account: Account, ruling: str, call: UUID | None = None) -> None:
    """Settle the table's ``call`` with that entry key by the director's ruling.

    Safe to repeat: a later call stays open.

    Refuses: reason_required, reason_too_long; call_settled, if it was in other words or by somebody else;
    call_withdrawn.
    """
    match = lock_match(match_id)
    ruling = checked_reason(ruling, is_required=True, field="ruling")
    settled = match.disputes.filter(settled_at=None, entry_key=call).update(
        settled_at=timezone.now(), settled_by=account, ruling=ruling
    )
    if settled:
        save_change(match)
        return
    answered = match.disputes.filter(entry_key=call).order_by("pk").last()
    if answered is None or (answered.settled_by, answered.ruling) == (account, ruling):
        return
    if not answered.settler:
        raise Refusal("call_withdrawn", field="ruling", unkept=ruling)
    raise Refusal("call_settled", field="ruling", who=answered.settler, ruling=answered.ruling, unkept=ruling)
