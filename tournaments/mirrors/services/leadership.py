"""Change of the installation that leads an event: by a handover, or by an owner's choice here. The two copies
are never merged."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.services.changes import ClubChange, get_row
from clubs.services.clubs import find_unused_slug
from errors import Refusal, get_or_refuse
from live.revisions import raise_revision
from scoring.models import Terms
from tournaments.events.queries import has_event
from tournaments.mirrors.queries import find_public_site
from tournaments.models import Event, KnownSnapshot, Mirror, SentEvent
from tournaments.rounds.services.seatings import sync_matches

UNDELIVERABLE = frozenset({"snapshot_unreadable", "snapshot_not_signed", "pairing_over"})
"""Codes of the troubles with which no handover arrives until an owner has done something."""


@transaction.atomic
def hand_over(*, club_id: int, event_id: int, pairing_id: int | None = None, by: Actor) -> Event:
    """Hand the event over to the installation of the pairing, or to the public site for None. It leads as
    soon as it has everything done here. From now on nothing is changed here. Safe to repeat with the same
    key. Refuses: no_such_event, led_elsewhere, no_such_pairing, no_public_site; snapshot_unreadable,
    snapshot_not_signed or pairing_over, if the other refused the last snapshot so."""
    change = ClubChange(club_id, "hand_over", by)
    event = lock_event(event_id, club_id)
    if change.is_repeat:
        return event
    if event.is_mirror:
        raise Refusal("led_elsewhere")
    pairings = change.club.pairings.filter(ended_at=None).exclude(paired_at=None)
    pairing = pairing_id and get_row(pairings, pairing_id, refusal_code="no_such_pairing")
    site = find_public_site(change.club)
    if not pairing and (site is None or not site.key):
        raise Refusal("no_public_site")
    sent_event, _ = SentEvent.objects.get_or_create(event=event, defaults={"pairing": pairing or None})
    if sent_event.trouble is not None and sent_event.trouble["code"] in UNDELIVERABLE:
        raise Refusal(sent_event.trouble["code"])
    sent_event.handed_over, sent_event.pairing = "", pairing or None
    sent_event.epoch, sent_event.trouble = sent_event.epoch + 1, None
    sent_event.save(update_fields=["handed_over", "pairing", "epoch", "trouble"])
    now = timezone.now()
    Mirror.objects.update_or_create(
        event=event,
        defaults={"chain": sent_event.chain, "pairing": sent_event.pairing, "number": sent_event.number, "head": ""}
        | {"as_of": now, "led_since": None, "epoch": sent_event.epoch, "trouble": None},
    )
    _set_mirrored(event, now)
    change.record(name=event.name)
    raise_revision(event.topic)
    return event


@transaction.atomic
def take_over_lead(*, club_id: int, event_id: int, by: Actor) -> Event:
    """Make this installation lead the event, as of the last snapshot or of the moment when it was handed
    over. Anything done elsewhere since is missing, and no more snapshots are taken. Cards open tables again.
    Safe to repeat. Refuses: no_such_mirror."""
    change = ClubChange(club_id, "lead_here", by)
    event, mirror = _lock_mirror(event_id, club_id)
    if mirror.led_since is None and not change.is_repeat:
        mirror.epoch += 1
        become_leader(mirror, event)
        change.record(name=event.name)
        raise_revision(event.topic)
    return event


def become_leader(mirror: Mirror, event: Event) -> None:
    """Make this installation lead the event, and offer it to the other. Call it in a transaction that locks
    the event. The other may have any snapshot offered since it was last heard of."""
    mirror.led_since, mirror.trouble = timezone.now(), None
    mirror.save(update_fields=["led_since", "epoch", "trouble"])
    sent_event, _ = SentEvent.objects.get_or_create(event=event)
    last_offer = [(mirror.number, mirror.head)] if mirror.head else []
    if sent_event.handed_over is None:
        sent_event.offers = last_offer
    elif not sent_event.handed_over:
        last_offer = []
    sent_event.chain, sent_event.pairing, sent_event.handed_over = mirror.chain, mirror.pairing, None
    sent_event.number, sent_event.epoch = max(sent_event.number, mirror.number), mirror.epoch
    sent_event.revision, sent_event.attempts, sent_event.due_at = 0, 0, timezone.now()
    sent_event.behind_since = sent_event.trouble = None
    sent_event.save()
    _set_mirrored(event, None)
    sync_matches(event)


@transaction.atomic
def restart_mirror(*, club_id: int, event_id: int, by: Actor) -> Event:
    """Make the next snapshot start a new mirror, whatever it goes on from. The event here is put away whole,
    with all that was done here. Safe to repeat with the same key. Refuses: no_such_mirror."""
    change = ClubChange(club_id, "begin_mirror_anew", by)
    if change.is_repeat:
        return Event.objects.get(pk=event_id)
    event, _ = _lock_mirror(event_id, club_id)
    put_event_away(event, change)
    change.record(name=event.name)
    return event


def put_event_away(event: Event, change: ClubChange) -> None:
    """Put the event away whole, as part of this change. Its address and its place in the chain become
    free."""
    Mirror.objects.filter(event=event).delete()
    SentEvent.objects.filter(event=event).delete()
    KnownSnapshot.objects.filter(event=event).delete()
    _set_mirrored(event, None)
    free_slug = find_unused_slug(f"{event.short}-1", has_event)
    change.update(event, is_put_away=True, short=free_slug, night_id=None)
    Event.objects.filter(pk=event.pk).update(key=None)  # the next mirror takes it
    raise_revision(event.topic)
    raise_revision(event.club.calendar_topic)


def lock_event(event_id: int, club_id: int) -> Event:
    """Return the event, locked. Refuses: no_such_event."""
    events = Event.objects.select_for_update(of=("self",), no_key=True).select_related("club", "terms")
    return get_or_refuse(
        events.filter(pk=event_id, club=club_id, is_put_away=False, is_arriving=False).first(), "no_such_event"
    )


def _lock_mirror(event_id: int, club_id: int) -> tuple[Event, Mirror]:
    """Return the event, locked, and its mirror. Refuses: no_such_mirror."""
    mirror = get_or_refuse(
        Mirror.objects.filter(event=event_id, event__club=club_id, event__is_put_away=False).first(), "no_such_mirror"
    )
    return lock_event(event_id, club_id), mirror


def _set_mirrored(event: Event, mirrored_at: datetime | None) -> None:
    Terms.objects.filter(pk=event.terms_id).update(mirrored_at=mirrored_at)
    event.terms.mirrored_at = mirrored_at
