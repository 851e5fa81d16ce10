"""After a game: each side agrees, or the table calls the desk."""

from django.db import transaction
from django.utils import timezone

from clubs.models import Account
from rules import Refusal, Side
from scoring.fold import agreed_text, fold_match, log_of
from scoring.models import Agreement, Dispute

from .marks import checked_reason, kept_device
from .saving import lock_match, save_change


@transaction.atomic
def agree(*, match_id: int, side: Side, game: int, seen: str | None = None, device: str = "") -> Agreement:
    """The side agrees to the game of that number as it stands; ``seen`` says in its ``agreed_text`` how it
    stood when the side looked.

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
        defaults={"device": kept_device(device)},
    )
    if is_new:
        save_change(match)
    return agreement


@transaction.atomic
def dispute(*, match_id: int, note: str = "", device: str = "") -> Dispute:
    """Calls the desk. Safe to repeat: while one call is open, it stays the one. Refuses: reason_too_long."""
    match = lock_match(match_id)
    note = checked_reason(note, is_required=False, field="note")
    call, is_new = Dispute.objects.get_or_create(
        match=match, settled_at=None, defaults={"note": note, "device": kept_device(device)}
    )
    if is_new:
        save_change(match)
    return call


@transaction.atomic
def withdraw_dispute(*, match_id: int) -> None:
    """The table takes back its call, which nobody has ruled on: it stays in the match's history. Safe to
    repeat."""
    match = lock_match(match_id)
    if match.disputes.filter(settled_at=None).update(settled_at=timezone.now()):
        save_change(match)


@transaction.atomic
def settle(*, match_id: int, account: Account, ruling: str) -> None:
    """The director answers the table's call, with what was ruled. Safe to repeat.

    Refuses: reason_required, reason_too_long.
    """
    match = lock_match(match_id)
    ruling = checked_reason(ruling, is_required=True, field="ruling")
    settled = match.disputes.filter(settled_at=None).update(
        settled_at=timezone.now(), settled_by=account, ruling=ruling
    )
    if settled:
        save_change(match)
