"""Replacement of an event by a corrected copy. The event is put away; the club's history can undo it."""

from django.db import transaction

from clubs.audit.log import Actor
from clubs.models import Club
from clubs.services.changes import ClubChange
from clubs.services.clubs import find_unused_slug
from errors import Refusal, get_or_refuse
from live.news import public_change
from live.revisions import raise_revision
from scoring.services.cards import lead_cards
from tournaments.events.queries import has_event
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Season, SharedNight
from tournaments.seasons.queries import find_closed_season


def check_replaceable(event: Event) -> None:
    """Check that the event can be replaced. Refuses: no_such_event, where it is put away by now;
    led_elsewhere; round_not_closed, while tables play; counts_in_closed_season."""
    if event.is_put_away:
        raise Refusal("no_such_event")
    if event.is_mirror:
        raise Refusal("led_elsewhere")
    open_round = event.rounds.filter(state=RoundState.PUBLISHED).first()
    if open_round is not None:
        raise Refusal("round_not_closed", round=open_round.number)
    closed_season = find_closed_season(event)
    if closed_season is not None:
        raise Refusal("counts_in_closed_season", season=closed_season.name)


@transaction.atomic
def replace_event(*, event: Event, copy: Event, by: Actor) -> None:
    """Replace the event with the copy. The copy takes its address, its night of the calendar, its place in
    seasons and series, and its fees and prizes unless it has its own. The event is put away, with its history
    and its published final standings.

    Refuses: what ``check_replaceable`` refuses.
    """
    change = ClubChange(event.club_id, "take_over_event", Actor(account=by.account, origin=by.origin))
    check_replaceable(event)
    short, night = event.short, event.night_id
    retired_slug = find_unused_slug(f"{short}-1", has_event)
    change.update(event, is_put_away=True, short=retired_slug, night_id=None)
    copy.is_put_away = True  # as it is once this is undone
    change.update(copy, is_put_away=False, short=short, night_id=night)
    change.update_all(SharedNight.objects.filter(event=event), event_id=copy.pk)
    for here, there in ((event.fees, copy.fees), (event.prizes, copy.prizes)):
        if not there.exists():
            change.update_all(here.all(), event_id=copy.pk)
    for season in Season.objects.filter(club=event.club_id, closed_at=None):
        if event.pk in season.left_out:
            change.update(season, left_out=sorted({*season.left_out, copy.pk}))
    change.record(name=copy.name, event=event.pk, copy=copy.pk)
    lead_cards(topic=copy.topic, public_page=copy.public_page, silent_from=copy.visible.first_hidden_round)
    raise_revision(event.topic)
    public_change.send(Event, topic=copy.topic, club_id=copy.club_id)


def find_event_to_replace(club: Club, pk: int | None) -> Event | None:
    """Return the club's event that is to be replaced, if any. Refuses: no_such_event."""
    if pk is None:
        return None
    return get_or_refuse(club.events.filter(pk=pk, is_arriving=False).first(), "no_such_event")
