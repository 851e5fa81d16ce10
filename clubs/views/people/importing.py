"""The import of people from a list, with a preview."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs import services
from clubs.access import for_directors_of_the_club
from clubs.actor import actor_from
from clubs.list_layouts import UploadedList, uploaded_list
from clubs.models import Club, Person
from clubs.name_matching import Likeness, NameMatch
from clubs.people import compare_with_people, other_contacts
from clubs.people_import import COLUMNS, ListedPerson
from clubs.uploads import PARAMETER, shows_waiting_uploads
from clubs.views.history import to_list
from errors import Refusal
from jobs.models import Job
from web.forms import digits_in
from web.names import usual_spelling

MOST_BYTES = 4 * 1024 * 1024
MOST_NEW = 60
MOST_ALIKE = 300
_ORDER = (Likeness.PERHAPS, Likeness.TWICE, Likeness.THERE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportLine:
    """A line of the list with the names of known people that resemble it."""

    listed: ListedPerson
    match: NameMatch
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The effect of an import: the first of the ``new`` people, and those ``alike`` others,
    added only if ticked.

    ``merged`` are variant spellings of a family or group; ``in_capitals`` are names with their
    usual spelling. ``contacts`` are the first known people whose telephone or e-mail differs in
    the list, with the listed one.
    """

    new: tuple[ListedPerson, ...]
    alike: tuple[ImportLine, ...]
    counts: Mapping[Likeness, int]
    unread: tuple[str, ...]
    above: tuple[str, ...]
    nobody: tuple[str, ...]
    merged: tuple[tuple[str, str], ...]
    in_capitals: tuple[tuple[str, str], ...]
    contacts: tuple[tuple[Person, str], ...]
    contacts_count: int

    @property
    def contacts_left(self) -> int:
        return self.contacts_count - len(self.contacts)

    @property
    def new_count(self) -> int:
        return self.counts[Likeness.NEW]

    @property
    def new_left(self) -> int:
        return self.new_count - len(self.new)

    @property
    def alike_left(self) -> int:
        return sum(self.counts[each] for each in _ORDER) - len(self.alike)


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
@shows_waiting_uploads
def import_people_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Import people from a pasted list or a file, after a preview."""
    refusal, preview, sent = None, None, None
    if request.method == "POST" or PARAMETER in request.GET:
        try:
            sent = uploaded_list(request, club, "people", COLUMNS, most=MOST_BYTES)
            if sent.is_confirmed:
                by = actor_from(request)
                added = services.bring_in_people(
                    club_id=club.pk,
                    text=sent.text,
                    file=sent.file,
                    layout=sent.layout,
                    also=_ticked_places(request),
                    is_respelled="respelled" in request.POST,
                    takes_contacts="contacts" in request.POST,
                    by=by,
                )
                sent.remember(club)
                if isinstance(added, Job):
                    return redirect("bringing-in", slug=club.slug)
                return to_list(request, club, "people", by)
            preview = _preview(club, sent)
        except Refusal as refused:
            refusal = refused
            if refused.code == "nobody_new" and sent is not None:
                preview = _preview(club, sent)
    context = {
        "club": club,
        "preview": preview,
        "sent": sent,
        "text": request.POST.get("text", "") if sent is None else sent.text,
        "file": "" if sent is None else sent.file,
        "is_respelled": "respelled" in request.POST,
        "takes_contacts": "contacts" in request.POST,
        "refusal": refusal,
    }
    return TemplateResponse(request, "clubs/people/import.html", context)


def _ticked_places(request: HttpRequest) -> set[int]:
    """Return the keys of people to add although they resemble somebody."""
    keys = (digits_in(key, most=8) for key in request.POST.getlist("also"))
    return {key for key in keys if key is not None}


def _by_line(match: NameMatch, lines: Mapping[int, int]) -> NameMatch:
    """Return the match with the line of the earlier namesake instead of their key."""
    return match if match.earlier is None else replace(match, earlier=lines[match.earlier])


def _preview(club: Club, sent: UploadedList) -> Preview:
    """Return what an import of this list would do. Three queries. Refuses: what
    ``read_people_list`` refuses."""
    listed = services.read_people_list(club, sent.text, file=sent.file, layout=sent.layout)
    alike = compare_with_people(club, listed.people)
    new = [one for one in listed.people if alike[one.key].likeness == Likeness.NEW]
    others = [one for one in listed.people if alike[one.key].likeness != Likeness.NEW]
    others.sort(key=lambda one: (_ORDER.index(alike[one.key].likeness), one.line))
    shown = others[:MOST_ALIKE]
    lines = {one.key: one.line for one in listed.people}
    spelled = [(one.name, usual_spelling(one.name)) for one in listed.people]
    contacts = other_contacts(club, listed.people, alike)
    people = club.people.in_bulk([pk for one in shown for pk in alike[one.key].known])
    return Preview(
        new=tuple(new[:MOST_NEW]),
        alike=tuple(
            ImportLine(
                listed=one,
                match=_by_line(alike[one.key], lines),
                known=tuple(people[pk].name for pk in alike[one.key].known),
            )
            for one in shown
        ),
        counts=Counter(match.likeness for match in alike.values()),
        unread=listed.unread,
        above=listed.above,
        nobody=listed.nobody,
        merged=listed.merged,
        in_capitals=tuple((name, usual) for name, usual in spelled if name != usual),
        contacts=tuple(contacts[:MOST_NEW]),
        contacts_count=len(contacts),
    )
