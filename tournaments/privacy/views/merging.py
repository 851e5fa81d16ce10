"""Pages to merge two people: a preview, and the merge."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.access import directors_only
from clubs.actor import get_actor
from clubs.models import Club, Person
from clubs.people import find_person, search_people
from clubs.views.history import redirect_with_notice
from errors import Refusal
from tournaments.entries.queries.people import list_common_events, list_entries_of_person
from tournaments.entries.services.merging import merge_people
from tournaments.models import Entry, Event
from web.forms import parse_digits
from web.not_found import get_or_404

MAX_CANDIDATES = 20
MAX_ENTRIES = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePreview:
    """Preview of a merge: the latest ``entries`` of the ``count`` that move, and the ``shared_events``, which forbid
    it."""

    entries: tuple[Entry, ...]
    count: int
    shared_events: tuple[Event, ...]


@require_http_methods(["GET", "HEAD", "POST"])
@directors_only
def merge_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Choose the duplicate of a person, see what changes, and merge the two."""
    person = get_or_404(find_person(club, pk))
    other = _find_other(club, request.POST.get("other", request.GET.get("other", "")), person)
    refusal = None
    if request.method == "POST":
        try:
            by = get_actor(request)
            merged_id = 0 if other is None else other.pk
            merge_people(club_id=club.pk, target_id=pk, source_id=merged_id, by=by)
        except Refusal as refused:
            refusal = refused
        else:
            return redirect_with_notice(request, club, "people", by)
    search = request.GET.get("search", "")
    query = search or " ".join(person.name.split()[-1:])
    candidates = club.people.exclude(pk=pk).filter(anonymized_at=None).select_related("family")
    others = search_people(candidates, query).order_by("folded_name", "pk")
    context = {
        "club": club,
        "person": person,
        "other": other,
        "merge": None if other is None else _build_preview(person, other),
        "search": search,
        "others": () if other is not None else others[:MAX_CANDIDATES],
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/privacy/merge.html", context)


def _find_other(club: Club, text: str, person: Person) -> Person | None:
    pk = parse_digits(text, max_digits=18)
    other = None if pk is None else find_person(club, pk)
    return None if other == person else other


def _build_preview(person: Person, other: Person) -> MergePreview:
    """Return the preview of a merge. Three queries."""
    entries = list_entries_of_person(other)
    return MergePreview(
        entries=tuple(entries[:MAX_ENTRIES]),
        count=entries.count(),
        shared_events=tuple(list_common_events(person, other)[:MAX_ENTRIES]),
    )
