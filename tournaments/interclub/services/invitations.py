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
from clubs.services import ClubChange
from clubs.services.validators import lock_club
from errors import Refusal
from live.revisions import raise_revision
from tournaments.history.services.changes import Change
from tournaments.interclub.queries import entries_for, invited_by_link, visitors_in
from tournaments.lifecycle import EventState
from tournaments.models import InvitationAnswer, InvitedClub, Season
from tournaments.standings.queries.delays import SEASONS
from tournaments.standings.services import request_of_club
from web.one_time_links import LASTS, new_secret, secret_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class To:
    """Event or series to which a club is invited."""

    event_id: int | None = None
    season_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedLink:
    """An invitation link, as handed over. The secret is known only once; "" when the request is repeated."""

    invited: InvitedClub
    secret: str


@transaction.atomic
def invite_club(*, to: To, club_id: int, by: Actor = NOBODY) -> InvitedClub:
    """Invite a club of this installation, again if it declined or its invitation was withdrawn. Safe to
    repeat with the same key.

    Refuses: no_such_event, no_such_season, no_such_club, event_ended, season_closed, invites_itself,
    already_invited.
    """
    change = _change(to, "invite_club", by, guest=club_id)
    known = _rows(to).filter(club=club_id).select_related("club").first()
    if change.is_repeat and known is not None:
        return known
    _check_goes_on(change, to)
    guest = lock_club(club_id)
    host = _host(change)
    if guest == host:
        raise Refusal("invites_itself", field="search")
    if known is not None and known.answer in (InvitationAnswer.WAITING, InvitationAnswer.ACCEPTED):
        raise Refusal("already_invited", field="search", club=guest.name)
    invited = known or InvitedClub(**_ends(to), club=guest)
    invited.answer = InvitationAnswer.WAITING
    invited.save()
    _record_in_both(change, "invited_elsewhere", guest, invited)
    return invited


@transaction.atomic
def invite_by_link(*, to: To, by: Actor = NOBODY) -> HandedLink:
    """Create a link that a director of any club can open once, within two weeks, to take part. Safe to repeat
    with the same key.

    Refuses: no_such_event, no_such_season, event_ended, season_closed.
    """
    change = _change(to, "invite_by_link", by)
    known = None if by.key is None else _rows(to).filter(key=by.key).first()
    if known is not None:
        return HandedLink(invited=known, secret="")
    _check_goes_on(change, to)
    secret = new_secret()
    invited = InvitedClub.objects.create(
        **_ends(to), digest=secret_digest(secret), key=by.key, lasts_until=timezone.now() + LASTS
    )
    change.record(name=invited.occasion)
    return HandedLink(invited=invited, secret=secret)


@transaction.atomic
def withdraw_club(*, to: To, invited_id: int, by: Actor = NOBODY) -> None:
    """Withdraw the invitation of a club, or a link. Its entries stay, and the organizing club manages them.
    Safe to repeat. Refuses: no_such_event, no_such_season, club_not_invited."""
    guest_id = _rows(to).filter(pk=invited_id).values_list("club", flat=True).first()
    change = _change(to, "withdraw_link" if guest_id is None else "withdraw_club", by, guest=guest_id)
    invited = _rows(to).select_related("club").filter(pk=invited_id).first()
    if invited is None:
        raise Refusal("club_not_invited")
    if invited.answer == InvitationAnswer.WITHDRAWN:
        return
    invited.answer = InvitationAnswer.WITHDRAWN
    invited.save(update_fields=["answer"])
    if invited.club is None:
        change.record(name=invited.occasion)
    else:
        _record_in_both(change, "withdrawn_elsewhere", invited.club, invited)


@transaction.atomic
def accept_for_club(*, club_id: int, invited_id: int, by: Actor = NOBODY) -> InvitedClub:
    """Accept the invitation for the club. Safe to repeat. Refuses: club_not_invited."""
    guest, invited, change = _begin_answer(club_id, "club_accepted", invited_id, by)
    if invited.answer == InvitationAnswer.ACCEPTED:
        return invited
    if invited.answer != InvitationAnswer.WAITING:
        raise Refusal("club_not_invited")
    return _accept(change, guest, invited, by)


@transaction.atomic
def decline_for_club(*, club_id: int, invited_id: int, by: Actor = NOBODY) -> None:
    """Decline the invitation for the club, also after it was accepted. Safe to repeat.

    Refuses: club_not_invited, entries_stand where it has entered somebody.
    """
    guest, invited, change = _begin_answer(club_id, "club_declined", invited_id, by)
    if invited.answer == InvitationAnswer.DECLINED:
        return
    if invited.answer == InvitationAnswer.WITHDRAWN:
        raise Refusal("club_not_invited")
    event = invited.event
    if event is not None and entries_for(event, visitors_in(event, guest)):
        raise Refusal("entries_stand")
    invited.answer = InvitationAnswer.DECLINED
    invited.save(update_fields=["answer"])
    _record_in_both(change, "decline_elsewhere", guest, invited, by=replace(by, key=None))


@transaction.atomic
def accept_by_link(*, secret: str, club_id: int, by: Actor = NOBODY) -> InvitedClub:
    """Accept the invitation of a link for a club, which uses up the link. Safe to repeat.

    Refuses: invitation_over, invites_itself, already_invited.
    """
    lock_club(club_id)
    used = InvitedClub.objects.filter(
        digest=secret_digest(secret), club=club_id, answer=InvitationAnswer.ACCEPTED
    ).first()
    if used is not None:
        return used
    found = invited_by_link(secret)
    if found is None:
        raise Refusal("invitation_over")
    change = _change(_to(found), "club_accepted", _quietly(by), guest=club_id)
    invited = invited_by_link(secret)
    if invited is None:
        raise Refusal("invitation_over")
    guest = lock_club(club_id)
    if guest == invited.host:
        raise Refusal("invites_itself", field="club")
    known = _rows(_to(invited)).filter(club=guest).first()
    if known is not None and known.answer == InvitationAnswer.ACCEPTED:
        raise Refusal("already_invited", field="club", club=guest.name)
    if known is not None:
        known.delete()
    invited.club = guest
    return _accept(change, guest, invited, by)


def _accept(change: Change | ClubChange, guest: Club, invited: InvitedClub, by: Actor) -> InvitedClub:
    invited.answer = InvitationAnswer.ACCEPTED
    invited.save()
    _record_in_both(change, "accept_elsewhere", guest, invited, by=replace(by, key=None))
    return invited


def _begin_answer(
    club_id: int, kind: str, invited_id: int, by: Actor
) -> tuple[Club, InvitedClub, Change | ClubChange]:
    """Return the club, its invitation, and the change in the host's history, which names no person.

    Refuses: club_not_invited.
    """
    asked = InvitedClub.objects.filter(pk=invited_id, club=club_id).first()
    if asked is None:
        raise Refusal("club_not_invited")
    change = _change(_to(asked), kind, _quietly(by), guest=club_id)
    rows = InvitedClub.objects.select_related("club", "event__club", "season__club")
    invited = rows.filter(pk=invited_id, club=club_id).first()
    if invited is None or invited.club is None:
        raise Refusal("club_not_invited")
    return invited.club, invited, change


def _change(to: To, kind: str, by: Actor, *, guest: int | None = None) -> Change | ClubChange:
    """Begin the change in the host's history. Clubs are locked before events, and in one order."""
    if to.event_id is not None:
        if guest is not None:
            lock_club(guest)
        return Change(to.event_id, kind, by)
    host = Season.objects.filter(pk=to.season_id or 0, is_shared=True).values_list("club", flat=True).first()
    if host is None:
        raise Refusal("no_such_season")
    for pk in sorted({host, guest or host}):
        lock_club(pk)
    return ClubChange(host, kind, by)


def _record_in_both(
    change: Change | ClubChange, kind: str, guest: Club, invited: InvitedClub, *, by: Actor = NOBODY
) -> None:
    """Record the change in both histories, and renew the pages of both clubs; a series is added up again."""
    if invited.season is not None:
        request_of_club(SEASONS, invited.season.club_id)
        raise_revision(invited.season.topic)
    change.record(club=guest.name, name=invited.occasion)
    ClubChange(guest.pk, kind, by).record(club=invited.host.name, name=invited.occasion)
    raise_revision(guest.calendar_topic)


def _quietly(by: Actor) -> Actor:
    """Return an actor without the person, for another club's history. Only the idempotency key stays."""
    return Actor(key=by.key)


def _rows(to: To) -> QuerySet[InvitedClub]:
    return InvitedClub.objects.select_related("event__club", "season__club").filter(**_ends(to))


def _ends(to: To) -> dict[str, int | None]:
    return {"event_id": to.event_id, "season_id": to.season_id}


def _to(invited: InvitedClub) -> To:
    return To(event_id=invited.event_id, season_id=invited.season_id)


def _host(change: Change | ClubChange) -> Club:
    return change.event.club if isinstance(change, Change) else change.club


def _check_goes_on(change: Change | ClubChange, to: To) -> None:
    """Check that the event or series is still open. Refuses: event_ended, season_closed."""
    if isinstance(change, Change):
        if change.event.state == EventState.ENDED:
            raise Refusal("event_ended", field="search")
    elif Season.objects.filter(pk=to.season_id or 0).exclude(closed_at=None).exists():
        raise Refusal("season_closed", field="search")
