"""Pages to merge two people: a preview, and the merge."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.access import for_directors_of_the_club
from clubs.actor import actor_from
from clubs.models import Club, Person
from clubs.people import people_named, person_of
from clubs.views.history import to_list
from errors import Refusal
from tournaments.entries.queries.people import events_of_both, events_of_person
from tournaments.entries.services.merging import merge_people
from tournaments.models import Entry, Event
from web.forms import digits_in

MOST_OFFERED = 20
MOST_ENTRIES = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Preview of a merge: the latest ``entries`` of the ``count`` that move, and the events with ``both``,
    which forbid it."""

    entries: tuple[Entry, ...]
    count: int
    both: tuple[Event, ...]


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def merge_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Choose the duplicate of a person, see what changes, and merge the two."""
    person = person_of(club, pk)
    if person is None:
        raise Http404
    other = _other(club, request.POST.get("other", request.GET.get("other", "")), person)
    refusal = None
    if request.method == "POST":
        try:
            by = actor_from(request)
            merged_id = 0 if other is None else other.pk
            merge_people(club_id=club.pk, kept_id=pk, merged_id=merged_id, by=by)
        except Refusal as refused:
            refusal = refused
        else:
            return to_list(request, club, "people", by)
    search = request.GET.get("search", "")
    words = search or " ".join(person.name.split()[-1:])
    known = club.people.exclude(pk=pk).filter(anonymized_at=None).select_related("family")
    others = people_named(known, words).order_by("folded_name", "pk")
    context = {
        "club": club,
        "person": person,
        "other": other,
        "merge": None if other is None else _merge(person, other),
        "search": search,
        "others": () if other is not None else others[:MOST_OFFERED],
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/privacy/merge.html", context)


def _other(club: Club, asked: str, person: Person) -> Person | None:
    pk = digits_in(asked, most=18)
    other = None if pk is None else person_of(club, pk)
    return None if other == person else other


def _merge(person: Person, other: Person) -> Merge:
    """Return the preview of a merge. Three queries."""
    entries = events_of_person(other)
    return Merge(
        entries=tuple(entries[:MOST_ENTRIES]),
        count=entries.count(),
        both=tuple(events_of_both(person, other)[:MOST_ENTRIES]),
    )
