"""Services for an event's visibility and its final standings."""

from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from engine.visibility import Release
from errors import Refusal, get_or_refuse
from live.revisions import raise_revision
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import get_event
from tournaments.history.services.optimistic import is_done, write_optimistically
from tournaments.lifecycle import OPEN_STATES
from tournaments.models import (
    ClubRecord,
    Event,
    PersonRecord,
    PublishedStandings,
    Standings,
    get_records_topic,
    release_columns,
)
from tournaments.rounds.queries.rounds import get_published_rounds
from tournaments.rounds.services.results import check_played
from tournaments.seasons.queries import find_closed_season, select_open_event_seasons
from tournaments.signing.services import ResultSums, compute_result_sums
from tournaments.standings.services import compute_standings_values


@transaction.atomic
def change_release(*, event_id: int, release: Release, by: Actor = NOBODY) -> Event:
    """Set what everybody sees of an event, from the next request on. Safe to repeat.

    Refuses: no_such_round_to_keep_back; counts_in_closed_season, where its standings would still tell of it.
    """
    change = Change(event_id, "change_release", by)
    if change.is_repeat or release == change.event.release:
        return change.event
    if release.silent_from is not None and release.silent_from < 1:
        raise Refusal("no_such_round_to_keep_back", field="silent_from")
    appears = release.is_public and not change.event.release.is_public
    change.update(change.event, **release_columns(release))
    change.record(appears=appears)
    return change.event


def publish_final(*, event_id: int, by: Actor = NOBODY) -> Event:
    """Publish the current standings as final. Later corrections do not change them until they are published
    again, as a correction. Safe to repeat.

    Refuses: rounds_still_open, nothing_to_publish; tables_undecided, where a closed round has lost a result;
    matches_postponed.
    """
    event = get_event(event_id)
    if is_done(event, by):
        return event
    return write_optimistically(event_id, _compute_final, partial(_publish_final, event_id, by))


@dataclass(frozen=True, slots=True, kw_only=True)
class _FinalStandings:
    """The standings to be published, and the sums to sign with them if they are public."""

    standings: PublishedStandings
    sums_to_sign: ResultSums | None


def _compute_final(event: Event) -> _FinalStandings:
    open_round = event.rounds.filter(state__in=OPEN_STATES).values_list("number", flat=True).first()
    if open_round is not None:
        raise Refusal("rounds_still_open", round=open_round)
    rounds = get_or_refuse(get_published_rounds(event).aggregate(last=Max("number"))["last"], "nothing_to_publish")
    check_played(event)
    current = compute_standings_values(event)
    standings = PublishedStandings(
        rounds=rounds, rows=current["rows"], counted=current["counted"], charts=current["charts"]
    )
    return _FinalStandings(standings=standings, sums_to_sign=compute_result_sums(event) if event.public_page else None)


def _publish_final(event_id: int, by: Actor, final: _FinalStandings) -> Event:
    standings = final.standings
    change = Change(event_id, "publish_final", by)
    event = change.event
    if change.is_repeat:
        return event
    earlier_standings = event.published_standings
    if event.final is not None:
        if earlier_standings.get(number=event.final).rows == standings.rows:
            return event
        change.kind = "publish_correction"
    number = (earlier_standings.aggregate(last=Max("number"))["last"] or 0) + 1
    standings.event, standings.number, standings.corrects, standings.published_at = (
        event,
        number,
        event.final,
        timezone.now(),
    )
    standings.save(force_insert=True)
    change.update(event, final=number)
    change.prepared = final.sums_to_sign
    change.record()
    return event


@transaction.atomic
def unpublish_final(*, event_id: int, by: Actor = NOBODY) -> Event:
    """Withdraw the final standings. The standings are shown as before. Safe to repeat.

    Refuses: counts_in_closed_season.
    """
    change = Change(event_id, "unpublish_final", by)
    if change.event.final is not None:
        change.update(change.event, final=None)
        change.record()
    return change.event


def apply_release(event: Event, *, stops_counting: bool) -> None:
    """Remove everything that would reveal more of the event than is public now. If it ``stops_counting``, data
    computed from several events is emptied until it is recomputed.

    Refuses: counts_in_closed_season.
    """
    Standings.objects.filter(event=event).update(before_silence=None)
    raise_revision(event.club.topic)
    if not stops_counting:
        return
    closed_season = find_closed_season(event)
    if closed_season is not None:
        raise Refusal("counts_in_closed_season", season=closed_season.name)
    for season in select_open_event_seasons(event).select_for_update():
        season.rows, season.scores, season.computed_at = [], [], None
        season.save(update_fields=["rows", "scores", "computed_at"])
        raise_revision(season.topic)
    # A process that is computing the records may have read this event: it starts again.
    ClubRecord.objects.filter(club=event.club_id).update(
        everything=None, years={}, computed_at=None, begun_at=timezone.now()
    )
    PersonRecord.objects.filter(club=event.club_id).delete()
    raise_revision(get_records_topic(event.club))
