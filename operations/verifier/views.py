"""The page on which a browser verifies an event file by itself, and the files that it needs."""

import gzip
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import get_template, render_to_string
from django.template.response import TemplateResponse
from django.utils.translation import get_language, gettext, override
from django.views.decorators.http import require_safe

from clubs.access import for_everybody
from clubs.models import Club
from server.inline_assets import inline_text
from tournaments.events.views.access import for_directors
from tournaments.models import Event
from tournaments.signing.queries import key_of_club
from web.device_access import with_compiled_programs
from web.qr import origin_for_phones
from web.render_cache import written_once

from . import release
from .program import program_archive

PROGRAM, WORKER = "program.zip", "worker.js"
KEPT = {f"{language}.html": language for language in ("en", "fr")}
"""Downloadable verifier pages, by name in an address, with their language."""
KEPT_PAGE = "operations/kept_verifier.html"
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
FOR_EVER = "public, max-age=31536000, immutable"
"""Cache header for ever: other content has another address."""


@require_safe
@for_everybody
def verifier_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Verify an event file, or the club's log, in the reader's own browser."""
    club = get_object_or_404(Club, slug=slug)
    return _page(request, club)


@require_safe
@for_directors
def page_of_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Verify the file of this event, loaded with one tap, or any other."""
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
        files = f"{vars(request)['site_prefix']}verifier"  # the same in every language, to be cached once
        context |= {
            "size": release.size() + len(program_archive()),
            "release": f"{files}/{release.EDITION}/pyodide.mjs",
            "worker": f"{files}/{edition()}/{WORKER}",
            "program": f"{files}/{edition()}/{PROGRAM}",
            "kept": f"{files}/{edition()}/{get_language()}.html",
            "size_kept": _kept_size(),
        }
    return TemplateResponse(request, "operations/verifier.html", context)


@require_safe
@for_everybody
@with_compiled_programs
def verifier_file(request: HttpRequest, edition: str, name: str) -> HttpResponse:
    """Serve a file of the verifier, by its edition."""
    answer = _of_release(name) if edition == release.EDITION else _of_program(edition, name)
    answer.headers["Cache-Control"] = FOR_EVER
    return answer


def _of_release(name: str) -> HttpResponse:
    if name not in release.FILES or not release.is_installed():
        raise Http404
    content = release.compressed_path(name).read_bytes()
    return HttpResponse(content, content_type=_type_of(name), headers={"Content-Encoding": "gzip"})


def _of_program(of: str, name: str) -> HttpResponse:
    if of != edition():
        raise Http404
    if name in KEPT and release.is_installed():
        return _kept_file(KEPT[name])
    files: dict[str, Callable[[], bytes]] = {PROGRAM: program_archive, WORKER: _worker}
    if name not in files:
        raise Http404
    return HttpResponse(files[name](), content_type=_type_of(name))


def _kept_file(language: str) -> HttpResponse:
    """Return the page with all of its parts inside, which needs no website; written once for each edition."""
    with override(language):
        path = release.release_folder() / f"{edition()}-{language}.html.gz"
        content = written_once(path, lambda: gzip.compress(_kept_page(_parts()).encode(), 1, mtime=0))
        name = gettext("verify-results")
    headers = {"Content-Encoding": "gzip", "Content-Disposition": f'attachment; filename="{name}.html"'}
    return HttpResponse(content, content_type="text/html; charset=utf-8", headers=headers)


def _kept_size() -> int:
    """Return its size in bytes before it is written: base64 turns three bytes into four characters."""
    return len(_kept_page(()).encode()) + (release.size() + len(program_archive()) + len(_worker())) * 4 // 3


def _kept_page(parts: Iterable[tuple[str, bytes]]) -> str:
    context = {
        "style": inline_text("css/base.css") + inline_text("css/event.css"),
        "script": _script("verify.js").decode(),
        "parts": [(name, b64encode(content).decode()) for name, content in parts],
    }
    return render_to_string(KEPT_PAGE, context)


def _parts() -> Iterator[tuple[str, bytes]]:
    """Yield the parts, each compressed."""
    for name in release.FILES:
        yield name, release.compressed_path(name).read_bytes()
    for name, content in {PROGRAM: program_archive(), WORKER: _worker()}.items():
        yield name, gzip.compress(content, mtime=0)


def _type_of(name: str) -> str:
    return TYPES[Path(name).suffix]


def _worker() -> bytes:
    return _script("verifier_worker.js")


@cache
def _script(name: str) -> bytes:
    return Path(str(finders.find(f"js/{name}"))).read_bytes()


@cache
def edition() -> str:
    """Return the edition of our own part, which changes with its content."""
    page = Path(str(get_template(KEPT_PAGE).origin)).read_bytes()  # type: ignore[attr-defined]
    return sha256(program_archive() + _worker() + _script("verify.js") + page).hexdigest()[:12]
