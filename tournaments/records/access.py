"""Lookups for pages of ratings and records, and their revisions."""

from django.http import Http404

from clubs.models import Club, Person
from clubs.people import find_person
from tournaments.models import get_records_topic
from tournaments.records.presenters import PersonView, build_pair_view
from tournaments.records.queries import compute_pair_record, has_public_page
from tournaments.standings.queries.delays import get_watched_revision
from web.not_found import get_or_404


def find_pair(club: Club, pks: tuple[int, int], *, is_public: bool) -> tuple[tuple[Person, Person], PersonView]:
    """Return two people and their joint record. Http404 if this reader may see none."""
    one, other = (find_person(club, pk) for pk in pks)
    if one is None or other is None or one == other:
        raise Http404
    if is_public and not (has_public_page(club, one) and has_public_page(club, other)):
        raise Http404
    figures = get_or_404(compute_pair_record(club, one, other))
    return (one, other), build_pair_view(club, (one, other), figures, is_public=is_public)


def get_records_revision(club: Club, page: str, key: int | None) -> str:
    return f"{page}.{get_watched_revision(club, get_records_topic(club), club.topic)}.{key or 0}"


def get_club_or_404(slug: str) -> Club:
    return get_or_404(Club.objects.filter(slug=slug).first())
