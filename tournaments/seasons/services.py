"""Services of seasons: open, change and close them, and recompute standings when a night or a person
changed."""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club, ClubAction
from clubs.services.changes import ClubChange
from engine.ladders import LadderUnit, ladder_to_json, ladders_from_json
from errors import Refusal, get_or_refuse
from live.conditional_pages import read_snapshot
from live.revisions import raise_revision
from tournaments.models import Season
from web.names import validate_title

from .queries import compute_season_standings, select_seasons

MAX_NAME_LENGTH = 80
MAX_LENGTH = datetime.timedelta(days=731)


@transaction.atomic
def open_season(
    *,
    club: Club,
    name: str,
    starts: datetime.date,
    ends: datetime.date,
    ladders: Sequence[Mapping[str, Any]],
    is_shared: bool = False,
    by: Actor = NOBODY,
) -> Season:
    """Open a season. Nights already held in it count. Safe to repeat with the same client id.

    With ``is_shared`` it is a series of several clubs, without nights yet.

    Refuses: season_name_required, season_ends_before, season_too_long, clubs_in_a_series_only, and what
    ``ladders_from_json`` does.
    """
    change = ClubChange(club.pk, "open_season", by)
    if change.is_repeat and by.key is not None:
        return _get_opened_season(by.key)
    values = _check_values(name, starts, ends, ladders, is_shared=is_shared)
    season = Season(club=change.club, left_out=[], is_shared=is_shared, **values)
    change.add(season)
    change.record(season=season.pk, name=season.name)
    return season


@transaction.atomic
def change_season(
    *,
    season_id: int,
    name: str,
    starts: datetime.date,
    ends: datetime.date,
    ladders: Sequence[Mapping[str, Any]],
    by: Actor = NOBODY,
) -> Season:
    """Update the dates, name or standings of a season. Safe to repeat.

    Refuses: no_such_season, season_closed, and what ``open_season`` does.
    """
    change, season = _begin_change(season_id, "change_season", by)
    if not change.is_repeat:
        _check_open(season)
        change.update(season, **_check_values(name, starts, ends, ladders, is_shared=season.is_shared))
        _record_season(change, season)
    return season


@transaction.atomic
def count_nights(*, season_id: int, left_out: Iterable[int], by: Actor = NOBODY) -> Season:
    """Set which events of a season do not count. All others count. Safe to repeat.

    Refuses: no_such_season, season_closed.
    """
    change, season = _begin_change(season_id, "count_nights", by)
    if not change.is_repeat:
        _check_open(season)
        change.update(season, left_out=sorted(set(left_out)))
        _record_season(change, season)
    return season


@transaction.atomic
def close_season(*, season_id: int, by: Actor = NOBODY) -> Season:
    """Close a season. Later changes to its nights do not change its standings. Safe to repeat.

    Refuses: no_such_season.
    """
    change, season = _begin_change(season_id, "close_season", by)
    if season.closed_at is None:
        _compute_standings(season)
        _save_standings(season)
        change.update(season, closed_at=timezone.now())
        _record_season(change, season)
    return season


@transaction.atomic
def reopen_season(*, season_id: int, by: Actor = NOBODY) -> Season:
    """Reopen a closed season. Its standings follow its nights again. Safe to repeat.

    Refuses: no_such_season.
    """
    change, season = _begin_change(season_id, "reopen_season", by)
    if season.closed_at is not None:
        change.update(season, closed_at=None)
        _record_season(change, season)
    return season


def refresh_seasons(*, club_id: int) -> None:
    """Recompute every open season of the club, and the series in which it takes part. Safe to repeat.

    They are computed from a snapshot, outside the transaction that stores them, and again if they changed
    meanwhile.
    """
    for season_id in select_seasons(club_id).filter(closed_at=None).values_list("pk", flat=True):
        while not _refresh_season(season_id):
            pass


def _refresh_season(season_id: int) -> bool:
    """Recompute one season; return False if it changed meanwhile."""
    with read_snapshot():
        season = Season.objects.filter(pk=season_id).first()
        if season is None:
            return True
        state_before = season.computed_at, season.ladders, season.left_out, season.starts, season.ends
        _compute_standings(season)
    with transaction.atomic():
        locked_season = Season.objects.select_for_update().filter(pk=season_id, closed_at=None).first()
        if locked_season is None:
            return True
        if (
            locked_season.computed_at,
            locked_season.ladders,
            locked_season.left_out,
            locked_season.starts,
            locked_season.ends,
        ) != state_before:
            return False
        _save_standings(season)
    return True


def _save_standings(season: Season) -> None:
    season.save(update_fields=["rows", "scores", "computed_at"])
    raise_revision(season.topic)


def _compute_standings(season: Season) -> None:
    """Compute the standings as of now, without saving them."""
    season.rows, season.scores = compute_season_standings(season)
    season.computed_at = timezone.now()


def _begin_change(season_id: int, kind: str, by: Actor) -> tuple[ClubChange, Season]:
    club_id = get_or_refuse(
        Season.objects.filter(pk=season_id).values_list("club", flat=True).first(), "no_such_season"
    )
    change = ClubChange(club_id, kind, by)
    return change, Season.objects.select_for_update().get(pk=season_id)


def _record_season(change: ClubChange, season: Season) -> None:
    """Record the change. Pages that watch the season notice it by the revision of its club."""
    change.record(season=season.pk, name=season.name)


def _check_open(season: Season) -> None:
    if season.closed_at is not None:
        raise Refusal("season_closed")


def _get_opened_season(key: UUID) -> Season:
    return Season.objects.get(pk=ClubAction.objects.get(key=key).details["season"])


def _check_values(
    name: str,
    starts: datetime.date,
    ends: datetime.date,
    ladders: Sequence[Mapping[str, Any]],
    *,
    is_shared: bool,
) -> dict[str, Any]:
    name = validate_title(name, field="name")[:MAX_NAME_LENGTH]
    if not name:
        raise Refusal("season_name_required", field="name")
    if ends < starts:
        raise Refusal("season_ends_before", field="ends")
    if ends - starts > MAX_LENGTH:
        raise Refusal("season_too_long", field="ends", days=MAX_LENGTH.days)
    parsed_ladders = ladders_from_json(ladders)
    for place, ladder in enumerate(parsed_ladders):
        if ladder.unit is LadderUnit.CLUB and not is_shared:
            raise Refusal("clubs_in_a_series_only", field=f"ladders.{place}.unit")
    ladders_json = [ladder_to_json(ladder) for ladder in parsed_ladders]
    return {"name": name, "starts": starts, "ends": ends, "ladders": ladders_json}
