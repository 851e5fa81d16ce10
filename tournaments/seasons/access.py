"""Lookups for the pages of seasons, and their revisions."""

from django.http import Http404

from clubs.models import Club
from live.revisions import public_revision_of
from tournaments.interclub.queries import clubs_of_series
from tournaments.models import Season
from tournaments.standings.queries.delays import watched_revision


def season_revision(season: Season) -> str:
    """Return the revision of a season, with its standings and their names. A series has the names of all its
    clubs."""
    clubs = clubs_of_series(season) if season.is_shared else [season.club]
    return f"{watched_revision(season, season.topic)}.{public_revision_of(*(club.topic for club in clubs))}"


def season_of_club(club: Club, pk: int) -> Season:
    """Return a season of the club, without its standings; Http404 if there is none. One query."""
    found = club.seasons.defer("rows", "scores").filter(pk=pk).first()
    if found is None:
        raise Http404
    return found


def season_for_everybody(slug: str, pk: int, place: int) -> Season:
    """Return the season with this standings list; Http404 if there is none. One query."""
    found = Season.objects.select_related("club").defer("scores").filter(club__slug=slug, pk=pk).first()
    if found is None or place >= len(found.ladders):
        raise Http404
    return found
