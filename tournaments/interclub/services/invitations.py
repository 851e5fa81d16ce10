"""Invitations of clubs to an event or a series, recorded in the histories of both clubs.

The other club sees only the names of clubs, not of people. There is no undo, as a club must not write to
another's history alone; each change has an opposite, which is recorded, too.
"""

from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club
from clubs.services.changes import ClubChange, lock_club
from errors import Refusal, get_or_refuse
from live.revisions import raise_revision
from tournaments.history.services.changes import Change
from tournaments.interclub.queries import (
    find_link_invitation,
    find_used_invitation,
    get_visitors,
    list_guest_entries,
    list_open_series,
)
from tournaments.lifecycle import EventState
from tournaments.models import InvitationAnswer, InvitedClub, Season, SharedNight
from tournaments.standings.queries.delays import SEASONS_KIND
from tournaments.standings.services import enqueue_club_task
from web.link_secrets import LINK_LIFETIME, generate_secret, hash_secret


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationTarget:
    """Event or series to which a club is invited."""

    event_id: int | None = None
    season_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationLink:
    """An invitation link, as handed over. The secret is known only once; "" when the request is repeated."""

    invitation: InvitedClub
    secret: str


@transaction.atomic
def invite_club(*, target: InvitationTarget, club_id: int, by: Actor = NOBODY) -> InvitedClub:
    """Invite a club of this installation, again if it declined or its invitation was withdrawn. Safe to
    repeat with the same key.

    Refuses: no_such_event, no_such_season, no_such_club, event_ended, season_closed, invites_itself,
    already_invited.
    """
    change = _begin_interclub_change(target, "invite_club", by, guest=club_id)
    existing = _select_invitations(target).filter(club=club_id).select_related("club").first()
    if change.is_repeat and existing is not None:
        return existing
    _check_open(change, target)
    guest = lock_club(club_id)
    host = _get_host(change)
    if guest == host:
        raise Refusal("invites_itself", field="search")
    if existing is not None and existing.answer in (InvitationAnswer.WAITING, InvitationAnswer.ACCEPTED):
        raise Refusal("already_invited", field="search", club=guest.name)
    invitation = existing or InvitedClub(**_get_target_ids(target), club=guest)
    invitation.answer = InvitationAnswer.WAITING
    invitation.save()
    _record_for_both_clubs(change, "invited_elsewhere", guest, invitation)
    return invitation


@transaction.atomic
def create_invitation_link(*, target: InvitationTarget, by: Actor = NOBODY) -> InvitationLink:
    """Create a link that a director of any club can open once, within two weeks, to take part. Safe to repeat
    with the same key.

    Refuses: no_such_event, no_such_season, event_ended, season_closed.
    """
    change = _begin_interclub_change(target, "invite_by_link", by)
    existing = None if by.key is None else _select_invitations(target).filter(key=by.key).first()
    if existing is not None:
        return InvitationLink(invitation=existing, secret="")
    _check_open(change, target)
    secret = generate_secret()
    invitation = InvitedClub.objects.create(
        **_get_target_ids(target), digest=hash_secret(secret), key=by.key, lasts_until=timezone.now() + LINK_LIFETIME
    )
    change.record(name=invitation.occasion)
    return InvitationLink(invitation=invitation, secret=secret)


@transaction.atomic
def withdraw_invitation(*, target: InvitationTarget, invited_id: int, by: Actor = NOBODY) -> None:
    """Withdraw the invitation of a club, or a link. Its entries stay, and the organizing club manages them.
    Safe to repeat. Refuses: no_such_event, no_such_season, club_not_invited."""
    guest_id = _select_invitations(target).filter(pk=invited_id).values_list("club", flat=True).first()
    change = _begin_interclub_change(
        target, "withdraw_link" if guest_id is None else "withdraw_club", by, guest=guest_id
    )
    invitation = get_or_refuse(
        _select_invitations(target).select_related("club").filter(pk=invited_id).first(), "club_not_invited"
    )
    if invitation.answer == InvitationAnswer.WITHDRAWN:
        return
    invitation.answer = InvitationAnswer.WITHDRAWN
    invitation.save(update_fields=["answer"])
    if invitation.club is None:
        change.record(name=invitation.occasion)
    else:
        _record_for_both_clubs(change, "withdrawn_elsewhere", invitation.club, invitation)


@transaction.atomic
def accept_for_club(*, club_id: int, invited_id: int, by: Actor = NOBODY) -> InvitedClub:
    """Accept the invitation for the club. Safe to repeat. Refuses: club_not_invited."""
    guest, invitation, change = _begin_answer(club_id, "club_accepted", invited_id, by)
    if invitation.answer == InvitationAnswer.ACCEPTED:
        return invitation
    if invitation.answer != InvitationAnswer.WAITING:
        raise Refusal("club_not_invited")
    return _accept(change, guest, invitation, by)


@transaction.atomic
def decline_for_club(*, club_id: int, invited_id: int, by: Actor = NOBODY) -> None:
    """Decline the invitation for the club, also after it was accepted. Safe to repeat.

    Refuses: club_not_invited, entries_stand where it has entered somebody.
    """
    guest, invitation, change = _begin_answer(club_id, "club_declined", invited_id, by)
    if invitation.answer == InvitationAnswer.DECLINED:
        return
    if invitation.answer == InvitationAnswer.WITHDRAWN:
        raise Refusal("club_not_invited")
    event = invitation.event
    if event is not None and list_guest_entries(event, get_visitors(event, guest)):
        raise Refusal("entries_stand")
    invitation.answer = InvitationAnswer.DECLINED
    invitation.save(update_fields=["answer"])
    _record_for_both_clubs(change, "decline_elsewhere", guest, invitation, by=replace(by, key=None))


@transaction.atomic
def accept_by_link(*, secret: str, club_id: int, by: Actor = NOBODY) -> InvitedClub:
    """Accept the invitation of a link for a club, which uses up the link. Safe to repeat.

    Refuses: invitation_over, invites_itself, already_invited.
    """
    lock_club(club_id)
    earlier = find_used_invitation(secret, [club_id])
    if earlier is not None:
        return earlier
    unlocked = get_or_refuse(find_link_invitation(secret), "invitation_over")
    change = _begin_interclub_change(_get_target(unlocked), "club_accepted", _hide_actor(by), guest=club_id)
    invitation = get_or_refuse(find_link_invitation(secret), "invitation_over")
    guest = lock_club(club_id)
    if guest == invitation.host:
        raise Refusal("invites_itself", field="club")
    existing = _select_invitations(_get_target(invitation)).filter(club=guest).first()
    if existing is not None and existing.answer == InvitationAnswer.ACCEPTED:
        raise Refusal("already_invited", field="club", club=guest.name)
    if existing is not None:
        existing.delete()
    invitation.club = guest
    return _accept(change, guest, invitation, by)


def _accept(change: Change | ClubChange, guest: Club, invitation: InvitedClub, by: Actor) -> InvitedClub:
    invitation.answer = InvitationAnswer.ACCEPTED
    invitation.save()
    _record_for_both_clubs(change, "accept_elsewhere", guest, invitation, by=replace(by, key=None))
    return invitation


def _begin_answer(club_id: int, kind: str, invited_id: int, by: Actor) -> tuple[Club, InvitedClub, Change | ClubChange]:
    """Return the club, its invitation, and the change in the host's history, which names no person.

    Refuses: club_not_invited.
    """
    unlocked = get_or_refuse(InvitedClub.objects.filter(pk=invited_id, club=club_id).first(), "club_not_invited")
    change = _begin_interclub_change(_get_target(unlocked), kind, _hide_actor(by), guest=club_id)
    rows = InvitedClub.objects.select_related("club", "event__club", "season__club")
    invitation = rows.filter(pk=invited_id, club=club_id).first()
    if invitation is None or invitation.club is None:
        raise Refusal("club_not_invited")
    return invitation.club, invitation, change


def _begin_interclub_change(
    target: InvitationTarget, kind: str, by: Actor, *, guest: int | None = None
) -> Change | ClubChange:
    """Begin the change in the host's history. Clubs are locked before events, and in one order."""
    if target.event_id is not None:
        if guest is not None:
            lock_club(guest)
        return Change(target.event_id, kind, by)
    host = get_or_refuse(
        Season.objects.filter(pk=target.season_id or 0, is_shared=True).values_list("club", flat=True).first(),
        "no_such_season",
    )
    for pk in sorted({host, guest or host}):
        lock_club(pk)
    return ClubChange(host, kind, by)


def _record_for_both_clubs(
    change: Change | ClubChange, kind: str, guest: Club, invitation: InvitedClub, *, by: Actor = NOBODY
) -> None:
    """Record the change in both histories, and renew the pages of both clubs; a series is added up again."""
    if invitation.season is not None:
        enqueue_club_task(SEASONS_KIND, invitation.season.club_id)
        raise_revision(invitation.season.topic)
    change.record(club=guest.name, name=invitation.occasion)
    ClubChange(guest.pk, kind, by).record(club=invitation.host.name, name=invitation.occasion)
    raise_revision(guest.calendar_topic)


def _hide_actor(by: Actor) -> Actor:
    """Return an actor without the person, for another club's history. Only the idempotency key stays."""
    return Actor(key=by.key)


def _select_invitations(target: InvitationTarget) -> QuerySet[InvitedClub]:
    return InvitedClub.objects.select_related("event__club", "season__club").filter(**_get_target_ids(target))


def _get_target_ids(target: InvitationTarget) -> dict[str, int | None]:
    return {"event_id": target.event_id, "season_id": target.season_id}


def _get_target(invitation: InvitedClub) -> InvitationTarget:
    return InvitationTarget(event_id=invitation.event_id, season_id=invitation.season_id)


def _get_host(change: Change | ClubChange) -> Club:
    return change.event.club if isinstance(change, Change) else change.club


def _check_open(change: Change | ClubChange, target: InvitationTarget) -> None:
    """Check that the event or series is still open. Refuses: event_ended, season_closed."""
    if isinstance(change, Change):
        if change.event.state == EventState.ENDED:
            raise Refusal("event_ended", field="search")
    elif Season.objects.filter(pk=target.season_id or 0).exclude(closed_at=None).exists():
        raise Refusal("season_closed", field="search")


@transaction.atomic
def assign_to_series(*, event_id: int, season_id: int | None, by: Actor = NOBODY) -> None:
    """Count the event in this series, or in none. Safe to repeat.

    Refuses: no_such_event, no_such_season where its club takes part in no such series; season_closed where it
    would leave one that is closed.
    """
    change = Change(event_id, "put_in_series", by)
    if change.is_repeat:
        return
    night = SharedNight.objects.select_related("season").filter(event=change.event).first()
    if season_id == (None if night is None else night.season_id):
        return
    if night is not None and night.season.closed_at is not None:
        raise Refusal("season_closed", field="series")
    if night is not None:
        change.remove(night)
    season = next((candidate for candidate in list_open_series(change.event.club) if candidate.pk == season_id), None)
    if season is not None:
        change.add(SharedNight(season=season, event=change.event))
    elif season_id is not None:
        raise Refusal("no_such_season", field="series")
    change.record(series="–" if season is None else season.name)
