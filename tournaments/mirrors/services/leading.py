"""Change of the installation that leads an event: by a handover, or by an owner's choice here. The two copies
are never merged."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.services import unused_slug
from clubs.services.changes import ClubChange
from clubs.services.validators import row_or_refuse
from errors import Refusal
from live.revisions import raise_revision
from scoring.models import Terms
from tournaments.events.queries import has_event
from tournaments.mirrors.queries import public_site_of
from tournaments.models import Event, KnownSnapshot, Mirror, SentEvent
from tournaments.rounds.services.seatings import sync_matches


@transaction.atomic
def hand_over(*, club_id: int, event_id: int, pairing_id: int | None = None, by: Actor) -> Event:
    """Hand the event over to the installation of the pairing, or to the public site for None. It leads as
    soon as it has everything done here. From now on nothing is changed here. Safe to repeat with the same
    key. Refuses: no_such_event, led_elsewhere, no_such_pairing, no_public_site."""
    change = ClubChange(club_id, "hand_over", by)
    event = held_event(event_id, club_id)
    if change.is_repeat:
        return event
    if event.is_mirror:
        raise Refusal("led_elsewhere")
    pairings = change.club.pairings.filter(ended_at=None).exclude(paired_at=None)
    pairing = pairing_id and row_or_refuse(pairings, pairing_id, otherwise="no_such_pairing")
    site = public_site_of(change.club)
    if not pairing and (site is None or not site.key):
        raise Refusal("no_public_site")
    sent, _ = SentEvent.objects.get_or_create(event=event, defaults={"pairing": pairing or None})
    sent.handed_over, sent.pairing = "", pairing or None
    sent.epoch, sent.trouble = sent.epoch + 1, None
    sent.save(update_fields=["handed_over", "pairing", "epoch", "trouble"])
    now = timezone.now()
    Mirror.objects.update_or_create(
        event=event,
        defaults={"chain": sent.chain, "pairing": sent.pairing, "number": sent.number, "head": ""}
        | {"as_of": now, "led_since": None, "epoch": sent.epoch, "trouble": None},
    )
    _set_mirrored(event, now)
    change.record(name=event.name)
    raise_revision(event.topic)
    return event


@transaction.atomic
def lead_here(*, club_id: int, event_id: int, by: Actor) -> Event:
    """Make this installation lead the event, as of the last snapshot or of the moment when it was handed
    over. Anything done elsewhere since is missing, and no more snapshots are taken. Cards open tables again.
    Safe to repeat. Refuses: no_such_mirror."""
    change = ClubChange(club_id, "lead_here", by)
    event, mirror = _held_mirror(event_id, club_id)
    if mirror.led_since is None and not change.is_repeat:
        mirror.epoch += 1
        take_lead(mirror, event)
        change.record(name=event.name)
        raise_revision(event.topic)
    return event


def take_lead(mirror: Mirror, event: Event) -> None:
    """Make this installation lead the event, and offer it to the other. Call it in a transaction that locks
    the event. The other may have any snapshot offered since it was last heard of."""
    mirror.led_since, mirror.trouble = timezone.now(), None
    mirror.save(update_fields=["led_since", "epoch", "trouble"])
    sent, _ = SentEvent.objects.get_or_create(event=event)
    last = [(mirror.number, mirror.head)] if mirror.head else []
    if sent.handed_over is None:
        sent.offers = last
    elif not sent.handed_over:
        last = []
    sent.chain, sent.pairing, sent.handed_over = mirror.chain, mirror.pairing, None
    sent.number, sent.epoch = max(sent.number, mirror.number), mirror.epoch
    sent.revision, sent.attempts, sent.due_at = 0, 0, timezone.now()
    sent.behind_since = sent.trouble = None
    sent.save()
    _set_mirrored(event, None)
    sync_matches(event)


@transaction.atomic
def begin_mirror_anew(*, club_id: int, event_id: int, by: Actor) -> Event:
    """Make the next snapshot start a new mirror, whatever it goes on from. The event here is put away whole,
    with all that was done here. Safe to repeat with the same key. Refuses: no_such_mirror."""
    change = ClubChange(club_id, "begin_mirror_anew", by)
    if change.is_repeat:
        return Event.objects.get(pk=event_id)
    event, _ = _held_mirror(event_id, club_id)
    put_aside(event, change)
    change.record(name=event.name)
    return event


def put_aside(event: Event, change: ClubChange) -> None:
    """Put the event away whole, as part of this change. Its address and its place in the chain become
    free."""
    Mirror.objects.filter(event=event).delete()
    SentEvent.objects.filter(event=event).delete()
    KnownSnapshot.objects.filter(event=event).delete()
    _set_mirrored(event, None)
    aside = unused_slug(f"{event.short}-1", has_event)
    change.alter(event, is_put_away=True, short=aside, night_id=None)
    Event.objects.filter(pk=event.pk).update(key=None)  # the next mirror takes it
    raise_revision(event.topic)
    raise_revision(event.club.calendar_topic)


def held_event(event_id: int, club_id: int) -> Event:
    """Return the event, locked. Refuses: no_such_event."""
    events = Event.objects.select_for_update(of=("self",), no_key=True).select_related("club", "terms")
    event = events.filter(pk=event_id, club=club_id, is_put_away=False, is_arriving=False).first()
    if event is None:
        raise Refusal("no_such_event")
    return event


def _held_mirror(event_id: int, club_id: int) -> tuple[Event, Mirror]:
    """Return the event, locked, and its mirror. Refuses: no_such_mirror."""
    mirror = Mirror.objects.filter(event=event_id, event__club=club_id, event__is_put_away=False).first()
    if mirror is None:
        raise Refusal("no_such_mirror")
    return held_event(event_id, club_id), mirror


def _set_mirrored(event: Event, at: datetime | None) -> None:
    Terms.objects.filter(pk=event.terms_id).update(mirrored_at=at)
    event.terms.mirrored_at = at
