"""Lookups for the pages of seasons, and their revisions."""

from django.http import Http404

from clubs.models import Club
from live.revisions import get_public_revision
from tournaments.interclub.queries import list_series_clubs
from tournaments.models import Season, get_records_topic
from tournaments.standings.queries.delays import get_watched_revision
from web.not_found import get_or_404


def get_season_revision(season: Season) -> str:
    """Return the revision of a season, with its standings, their names and its comeback. A series has the names of
    all its clubs."""
    clubs = list_series_clubs(season) if season.is_shared else [season.club]
    topics = [topic for club in clubs for topic in (club.topic, get_records_topic(club))]
    return f"{get_watched_revision(season, season.topic)}.{get_public_revision(*topics)}"


def get_season_or_404(club: Club, pk: int) -> Season:
    """Return a season of the club, without its standings; Http404 if there is none. One query."""
    return get_or_404(club.seasons.defer("rows", "scores").filter(pk=pk).first())


def get_public_season_or_404(slug: str, pk: int, place: int) -> Season:
    """Return the season with this standings list; Http404 if there is none. One query."""
    season = Season.objects.select_related("club").defer("scores").filter(club__slug=slug, pk=pk).first()
    if season is None or place >= len(season.ladders):
        raise Http404
    return season
