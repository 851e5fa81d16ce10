"""Who leads a mirrored event, chosen by an owner here: never both, and never something of each."""

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.services import unused_slug
from clubs.services.changes import ClubChange
from live.revisions import raise_revision
from rules import Refusal
from scoring.models import Terms
from tournaments.models import Event, Mirror
from tournaments.rounds.services.seatings import bring_in_line


@transaction.atomic
def lead_here(*, club_id: int, event_id: int, by: Actor) -> Event:
    """The event goes on here, as of the last snapshot: whatever was done elsewhere since is not in it, and
    nothing more is taken. Cards open tables again. Safe to repeat. Refuses: no_such_mirror."""
    change = ClubChange(club_id, "lead_here", by)
    mirror, event = _held(event_id, club_id)
    if mirror.led_since is None and not change.is_repeat:
        mirror.led_since = timezone.now()
        mirror.save(update_fields=["led_since"])
        _end_mirror(event)
        bring_in_line(event)
        change.done(name=event.name)
        raise_revision(event.topic)
    return event


@transaction.atomic
def begin_mirror_anew(*, club_id: int, event_id: int, by: Actor) -> Event:
    """The next snapshot makes another mirror, whatever it goes on from. The event as it is here is put away
    whole, with all that was done here. Safe to repeat with the same key. Refuses: no_such_mirror."""
    change = ClubChange(club_id, "begin_mirror_anew", by)
    if change.is_repeat:
        return Event.objects.get(pk=event_id)
    mirror, event = _held(event_id, club_id)
    mirror.delete()
    _end_mirror(event)
    aside = unused_slug(f"{event.short}-1", Event.objects.values_list("short", flat=True))
    change.alter(event, is_put_away=True, short=aside)
    Event.objects.filter(pk=event.pk).update(key=None)  # the next mirror has it
    change.done(name=event.name)
    raise_revision(event.topic)
    raise_revision(event.club.calendar_topic)
    return event


def _held(event_id: int, club_id: int) -> tuple[Mirror, Event]:
    """Refuses: no_such_mirror."""
    events = Event.objects.select_for_update(of=("self",), no_key=True).select_related("club", "terms")
    event = events.filter(pk=event_id, club=club_id).first()
    mirror = None if event is None else Mirror.objects.filter(event=event).first()
    if event is None or mirror is None:
        raise Refusal("no_such_mirror")
    return mirror, event


def _end_mirror(event: Event) -> None:
    Terms.objects.filter(pk=event.terms_id).update(mirrored_at=None)
    event.terms.mirrored_at = None
