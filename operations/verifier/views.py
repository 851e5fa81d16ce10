"""The page on which a browser checks an event's file by itself, and the files that it needs for that."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.access import for_everybody
from clubs.models import Club
from tournaments.events.views.access import for_directors
from tournaments.models import Event
from tournaments.signing.queries import key_of_club
from web.device_access import with_compiled_programs
from web.qr import origin_for_phones

from . import release
from .program import program

PROGRAM, WORKER = "program.zip", "worker.js"
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
FOR_EVER = "public, max-age=31536000, immutable"
"""Another content has another address."""


@require_safe
@for_everybody
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Checks an event's file, or the club's log, in the reader's own browser."""
    club = get_object_or_404(Club, slug=slug)
    return _page(request, club)


@require_safe
@for_directors
def page_of_event(request: HttpRequest, event: Event) -> HttpResponse:
    """The same for directors, who take the file of this event with one tap."""
    return _page(request, event.club, event)


def _page(request: HttpRequest, club: Club, event: Event | None = None) -> HttpResponse:
    key = key_of_club(club)
    context: dict[str, Any] = {
        "club": club,
        "event": event,
        "has_log": key is not None and key.head != "",
        "origin": origin_for_phones(request).rstrip("/"),
    }
    if release.is_installed():
        files = f"{vars(request)['site_prefix']}verifier"  # the same in each language: they are kept once
        context |= {
            "size": release.size() + len(program()),
            "release": f"{files}/{release.EDITION}/pyodide.mjs",
            "worker": f"{files}/{edition()}/{WORKER}",
            "program": f"{files}/{edition()}/{PROGRAM}",
        }
    return TemplateResponse(request, "operations/verifier.html", context)


@require_safe
@for_everybody
@with_compiled_programs
def file(request: HttpRequest, edition: str, name: str) -> HttpResponse:
    """A part of the program that checks, by the edition of what it is a part of."""
    answer = _of_release(name) if edition == release.EDITION else _of_program(edition, name)
    answer.headers["Cache-Control"] = FOR_EVER
    return answer


def _of_release(name: str) -> HttpResponse:
    if name not in release.FILES or not release.is_installed():
        raise Http404
    content = release.compressed(name).read_bytes()
    return HttpResponse(content, content_type=_type_of(name), headers={"Content-Encoding": "gzip"})


def _of_program(of: str, name: str) -> HttpResponse:
    files = {PROGRAM: program, WORKER: _worker}
    if of != edition() or name not in files:
        raise Http404
    return HttpResponse(files[name](), content_type=_type_of(name))


def _type_of(name: str) -> str:
    return TYPES[Path(name).suffix]


@cache
def _worker() -> bytes:
    return Path(str(finders.find("js/verifier_worker.js"))).read_bytes()


@cache
def edition() -> str:
    """Of our part: another one whenever that is."""
    return sha256(program() + _worker()).hexdigest()[:12]
