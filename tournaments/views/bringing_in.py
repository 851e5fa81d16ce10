"""What was played elsewhere, brought into the club: an event from its file, or a recorded night."""

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import for_directors_of_the_club
from clubs.acting import by_of
from clubs.calendar import today_in
from clubs.job_pages import job_buttons, jobs_watched
from clubs.matching import Likeness
from clubs.models import Club
from clubs.services.people_lists import brought_topic
from jobs.models import Job
from jobs.selectors import jobs_of
from live.watching import asks_for_part, page_anew
from rules import Refusal
from tournaments.brought_files import MOST_BYTES, BroughtFile, file_of
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.nights import FILES, files_in_zip
from tournaments.selectors.brought import NamedInFile, people_in_file, there_already
from tournaments.services.brought_files import bring_in_file, receive_event_file
from tournaments.services.importing import bring_in_night

MOST_UPLOADED = 10 * 1024 * 1024
NEW = "new"
"""The choice of somebody new, in the place of a key."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def import_page(request: HttpRequest, club: Club) -> HttpResponse:
    """An event from its file, which is looked at first; or a recorded night, as its files or as one zip."""
    refusal = None
    if request.method == "POST":
        try:
            if "event" in request.POST:
                return redirect("brought", slug=club.slug, token=_received(request, club).token)
            made = _imported_night(request, club)
            if isinstance(made, Job):
                return redirect("bringing-in", slug=club.slug)
            return redirect("desk", short=made.short)
        except Refusal as refused:
            refusal = refused
    context = {"club": club, "refusal": refusal, "typed": request.POST}
    return TemplateResponse(request, "tournaments/bringing_in/import.html", context)


def _received(request: HttpRequest, club: Club) -> BroughtFile:
    upload = request.FILES.get("file")
    if upload is None:
        raise Refusal("file_required", field="file")
    return receive_event_file(club=club, content=upload.read(MOST_BYTES + 1))


def _imported_night(request: HttpRequest, club: Club) -> Event | Job:
    today = today_in(club)
    return bring_in_night(
        club=club,
        name=request.POST.get("name", "") or today.isoformat(),
        held_on=today,
        files=_uploaded(request),
        by=by_of(request),
    )


def _uploaded(request: HttpRequest) -> dict[str, bytes]:
    """The night's files from the form. Refuses: files_required, files_too_large, not_a_zip."""
    uploads = request.FILES.getlist("files")
    if sum(upload.size or 0 for upload in uploads) > MOST_UPLOADED:
        raise Refusal("files_too_large", field="files", most=MOST_UPLOADED // 1024 // 1024)
    files: dict[str, bytes] = {}
    for upload in uploads:
        name = (upload.name or "").lower()
        if name.endswith(".zip"):
            files |= files_in_zip(upload.read())
        elif name in FILES:
            files[name] = upload.read()
    if not files:
        raise Refusal("files_required", field="files")
    return files


@require_safe
@for_directors_of_the_club
def bringing_in_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Large nights and long lists of people, while the worker brings them in."""
    topic = brought_topic(club)
    context = {"club": club, "address": reverse("bringing-in", args=[club.slug])}
    return jobs_watched(request, topic, jobs_of(topic), "tournaments/bringing_in/under_way.html", context)


stop_bringing_in, bring_in_again = job_buttons(
    "bringing-in", "slug", door=for_directors_of_the_club, topic_of=brought_topic
)


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def brought_page(request: HttpRequest, club: Club, token: str) -> HttpResponseBase:
    """What a file would bring in, once it was looked at; and the button that does."""
    file = _file(club, token)
    found = file.examined()
    if request.method == "POST" and found is not None:
        return _brought_in(request, club, file, found)
    jobs = jobs_of(file.topic)
    address = reverse("brought", args=[club.slug, token])
    if found is None or (jobs and jobs[0].is_under_way):
        context = {"club": club, "address": address}
        return jobs_watched(request, file.topic, jobs, "tournaments/bringing_in/waiting.html", context)
    if asks_for_part(request):
        return page_anew()
    return _shown(request, club, found, jobs=jobs, address=address)


def _shown(
    request: HttpRequest, club: Club, found: dict[str, Any], refusal: Refusal | None = None, **more: Any
) -> HttpResponse:
    people = people_in_file(club, found["people"])
    context = {
        "club": club,
        "found": found,
        "held_on": date.fromisoformat(found["held_on"]),
        "state": EventState(found["state"]).label,
        "there": _there(club, found),
        "new": [each for each in people if each.likeness == Likeness.NEW],
        "known": [each for each in people if each.likeness == Likeness.THERE],
        "unclear": [
            (each, request.POST.get(each.field, "")) for each in people if each.likeness == Likeness.PERHAPS
        ],
        "others": request.POST.getlist("other"),
        "are_members": "members" in request.POST,
        "refusal": refusal,
        **more,
    }
    return TemplateResponse(request, "tournaments/bringing_in/preview.html", context)


def _brought_in(
    request: HttpRequest, club: Club, file: BroughtFile, found: dict[str, Any]
) -> HttpResponseBase:
    there = _there(club, found)
    if there is not None and "copy" not in request.POST:
        return redirect("desk", short=there.short)
    try:
        made = bring_in_file(
            club=club,
            file=file,
            known=_chosen(request, people_in_file(club, found["people"])),
            are_guests="members" not in request.POST,
            is_copy="copy" in request.POST,
            by=by_of(request),
        )
    except Refusal as refused:
        return _shown(request, club, found, refused)
    if isinstance(made, Event):
        return redirect("desk", short=made.short)
    return redirect("brought", slug=club.slug, token=file.token)


def _chosen(request: HttpRequest, people: list[NamedInFile]) -> dict[int, int]:
    """Who of the file is whom the club knows. Refuses: choose_who, no_such_person."""
    others = set(request.POST.getlist("other"))
    chosen: dict[int, int] = {}
    for each in people:
        if each.likeness == Likeness.THERE and str(each.number) not in others:
            chosen[each.number] = each.known[0].pk
        elif each.likeness == Likeness.PERHAPS:
            pk = _choice(request, each)
            if pk is not None:
                chosen[each.number] = pk
    return chosen


def _choice(request: HttpRequest, asked: NamedInFile) -> int | None:
    """Whom somebody of the file was said to be; None for somebody new.

    Refuses: choose_who, no_such_person.
    """
    choice = request.POST.get(asked.field, "")
    if not choice:
        raise Refusal("choose_who", field=asked.field, name=asked.name)
    if choice == NEW:
        return None
    for person in asked.known:
        if str(person.pk) == choice:
            return person.pk
    raise Refusal("no_such_person", field=asked.field)


def _there(club: Club, found: dict[str, Any]) -> Event | None:
    return there_already(club, **{name: found[name] for name in ("key", "short", "name", "held_on", "lot")})


def _file(club: Club, token: str) -> BroughtFile:
    file = file_of(club, token)
    if file is None:
        raise Http404
    return file


stop_brought, brought_again = job_buttons(
    "brought",
    "slug",
    "token",
    door=for_directors_of_the_club,
    topic_of=lambda club, token: _file(club, token).topic,
)
