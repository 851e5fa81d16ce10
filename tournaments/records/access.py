"""Lookups for pages of ratings and records, and their revisions."""

from django.http import Http404

from clubs.models import Club, Person
from clubs.people import person_of
from tournaments.models import records_topic
from tournaments.records.presenters import PersonView, pair_view
from tournaments.records.queries import has_a_page, record_of_pair
from tournaments.standings.queries.delays import watched_revision


def find_pair(
    club: Club, pks: tuple[int, int], *, is_public: bool
) -> tuple[tuple[Person, Person], PersonView]:
    """Return two people and their joint record. Http404 if this reader may see none."""
    one, other = (person_of(club, pk) for pk in pks)
    if one is None or other is None or one == other:
        raise Http404
    if is_public and not (has_a_page(club, one) and has_a_page(club, other)):
        raise Http404
    figures = record_of_pair(club, one, other)
    if figures is None:
        raise Http404
    return (one, other), pair_view(club, (one, other), figures, is_public=is_public)


def records_revision(club: Club, page: str, which: int | None) -> str:
    return f"{page}.{watched_revision(club, records_topic(club), club.topic)}.{which or 0}"


def club_at(slug: str) -> Club:
    found = Club.objects.filter(slug=slug).first()
    if found is None:
        raise Http404
    return found
