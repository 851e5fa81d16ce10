"""The import of people from a list, with a preview."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from clubs.list_layouts import UploadedList, read_uploaded_list_form
from clubs.models import Club, Person
from clubs.name_matching import MatchKind, NameMatch
from clubs.pages import directors_only, get_actor, note_refusal
from clubs.people import find_different_contacts, match_with_people
from clubs.people_import import COLUMNS, ListedPerson, PeopleList
from clubs.services import people_import
from clubs.uploads import UPLOAD_PARAMETER, redirect_pending_uploads
from clubs.views.history import redirect_with_notice
from errors import Refusal
from jobs.models import Job
from web.forms import parse_digits
from web.names import normalize_capitals

MAX_BYTES = 4 * 1024 * 1024
MAX_NEW_SHOWN = 60
MAX_SIMILAR_SHOWN = 300
_ORDER = (MatchKind.UNCERTAIN, MatchKind.DUPLICATE, MatchKind.KNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarLine:
    """A line of the list with the names of known people that resemble it."""

    listed: ListedPerson
    match: NameMatch
    similar_names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPreview:
    """Preview of an import: the first ``new`` people, and ``similar`` ones, who are added only if selected.

    ``normalized_names`` are names in capitals, with their usual spelling. ``contacts`` are the first known people
    whose telephone or e-mail differs in the list, with the listed one.
    """

    listed: PeopleList
    new: tuple[ListedPerson, ...]
    similar: tuple[SimilarLine, ...]
    counts: Mapping[MatchKind, int]
    normalized_names: tuple[tuple[str, str], ...]
    contacts: tuple[tuple[Person, str], ...]
    contacts_count: int

    @property
    def hidden_contacts_count(self) -> int:
        return self.contacts_count - len(self.contacts)

    @property
    def new_count(self) -> int:
        return self.counts[MatchKind.NEW]

    @property
    def hidden_new_count(self) -> int:
        return self.new_count - len(self.new)

    @property
    def hidden_similar_count(self) -> int:
        return sum(self.counts[each] for each in _ORDER) - len(self.similar)


@directors_only
@redirect_pending_uploads
def import_people_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Import people from a pasted list or a file, after a preview."""
    preview, uploaded = None, None
    if request.method == "POST" or UPLOAD_PARAMETER in request.GET:
        try:
            uploaded = read_uploaded_list_form(request, club, "people", COLUMNS, max_bytes=MAX_BYTES)
            if uploaded.is_confirmed:
                by = get_actor(request)
                result = people_import.start_people_import(
                    club_id=club.pk,
                    text=uploaded.text,
                    file=uploaded.file,
                    layout=uploaded.layout,
                    forced_keys=_read_forced_keys(request),
                    normalizes_names="respelled" in request.POST,
                    updates_contacts="contacts" in request.POST,
                    by=by,
                )
                uploaded.remember(club)
                if isinstance(result, Job):
                    return redirect("bringing-in", slug=club.slug)
                return redirect_with_notice(request, club, "people", by)
            preview = _build_preview(club, uploaded)
        except Refusal as refusal:
            note_refusal(request, refusal)
            if refusal.code == "nobody_new" and uploaded is not None:
                preview = _build_preview(club, uploaded)
    context = {
        "club": club,
        "preview": preview,
        "sent": uploaded,
        "text": request.POST.get("text", "") if uploaded is None else uploaded.text,
        "file": "" if uploaded is None else uploaded.file,
        "is_respelled": "respelled" in request.POST,
        "takes_contacts": "contacts" in request.POST,
    }
    return TemplateResponse(request, "clubs/people/import.html", context)


def _read_forced_keys(request: HttpRequest) -> set[int]:
    """Return the keys of people to add although they resemble somebody."""
    keys = (parse_digits(key, max_digits=8) for key in request.POST.getlist("also"))
    return {key for key in keys if key is not None}


def _replace_key_by_line(match: NameMatch, lines: Mapping[int, int]) -> NameMatch:
    """Return the match with the line of the earlier namesake instead of their key."""
    return match if match.earlier is None else replace(match, earlier=lines[match.earlier])


def _build_preview(club: Club, uploaded: UploadedList) -> ImportPreview:
    """Return the preview of an import of this list. Three queries. Refuses: what ``parse_people_list``
    refuses."""
    parsed = people_import.parse_people_list(club, uploaded.text, file=uploaded.file, layout=uploaded.layout)
    matches = match_with_people(club, parsed.people)
    new = [one for one in parsed.people if matches[one.key].likeness == MatchKind.NEW]
    others = [one for one in parsed.people if matches[one.key].likeness != MatchKind.NEW]
    others.sort(key=lambda one: (_ORDER.index(matches[one.key].likeness), one.line))
    shown = others[:MAX_SIMILAR_SHOWN]
    lines = {one.key: one.line for one in parsed.people}
    spellings = [(one.name, normalize_capitals(one.name)) for one in parsed.people]
    contacts = find_different_contacts(club, parsed.people, matches)
    people = club.people.in_bulk([pk for one in shown for pk in matches[one.key].person_ids])
    return ImportPreview(
        listed=parsed,
        new=tuple(new[:MAX_NEW_SHOWN]),
        similar=tuple(
            SimilarLine(
                listed=one,
                match=_replace_key_by_line(matches[one.key], lines),
                similar_names=tuple(people[pk].name for pk in matches[one.key].person_ids),
            )
            for one in shown
        ),
        counts=Counter(match.likeness for match in matches.values()),
        normalized_names=tuple((name, usual) for name, usual in spellings if name != usual),
        contacts=tuple(contacts[:MAX_NEW_SHOWN]),
        contacts_count=len(contacts),
    )
