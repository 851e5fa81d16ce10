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

from clubs.models import Club
from clubs.pages import public_page
from server.inline_assets import read_minified
from tournaments.events.views.access import event_directors_only
from tournaments.models import Event
from tournaments.signing.queries import find_signing_key
from web.device_access import allow_webassembly
from web.qr import get_phone_origin
from web.render_cache import get_or_render

from . import release
from .program import build_program_archive

PROGRAM, WORKER = "program.zip", "worker.js"
DOWNLOAD_PAGES = {f"{language}.html": language for language in ("en", "fr")}
"""Downloadable verifier pages, by name in an address, with their language."""
DOWNLOAD_TEMPLATE = "operations/verifier_file.html"
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
IMMUTABLE = "public, max-age=31536000, immutable"
"""Cache header for ever: other content has another address."""


@require_safe
@public_page
def show_verifier(request: HttpRequest, slug: str) -> HttpResponse:
    """Verify an event file, or the club's log, in the reader's own browser."""
    club = get_object_or_404(Club, slug=slug)
    return _render_page(request, club)


@require_safe
@event_directors_only
def show_event_verifier(request: HttpRequest, event: Event) -> HttpResponse:
    """Verify the file of this event, loaded with one tap, or any other."""
    return _render_page(request, event.club, event)


def _render_page(request: HttpRequest, club: Club, event: Event | None = None) -> HttpResponse:
    key = find_signing_key(club)
    context: dict[str, Any] = {
        "club": club,
        "event": event,
        "has_log": key is not None and key.head != "",
        "origin": get_phone_origin(request).rstrip("/"),
    }
    if release.is_installed():
        files = f"{vars(request)['site_prefix']}verifier"  # the same in every language, to be cached once
        context |= {
            "size": release.compute_download_size() + len(build_program_archive()),
            "release": f"{files}/{release.RELEASE_NAME}/pyodide.mjs",
            "worker": f"{files}/{compute_edition()}/{WORKER}",
            "program": f"{files}/{compute_edition()}/{PROGRAM}",
            "download_address": f"{files}/{compute_edition()}/{get_language()}.html",
            "download_size": _compute_download_size(),
        }
    return TemplateResponse(request, "operations/verifier.html", context)


@require_safe
@public_page
@allow_webassembly
def serve_verifier_file(request: HttpRequest, edition: str, name: str) -> HttpResponse:
    """Serve a file of the verifier, by its edition."""
    answer = _serve_release_file(name) if edition == release.RELEASE_NAME else _serve_program_file(edition, name)
    answer.headers["Cache-Control"] = IMMUTABLE
    return answer


def _serve_release_file(name: str) -> HttpResponse:
    if name not in release.FILES or not release.is_installed():
        raise Http404
    content = release.get_compressed_path(name).read_bytes()
    return HttpResponse(content, content_type=_get_content_type(name), headers={"Content-Encoding": "gzip"})


def _serve_program_file(edition_name: str, name: str) -> HttpResponse:
    if edition_name != compute_edition():
        raise Http404
    if name in DOWNLOAD_PAGES and release.is_installed():
        return _serve_download_page(DOWNLOAD_PAGES[name])
    files: dict[str, Callable[[], bytes]] = {PROGRAM: build_program_archive, WORKER: _read_worker}
    if name not in files:
        raise Http404
    return HttpResponse(files[name](), content_type=_get_content_type(name))


def _serve_download_page(language: str) -> HttpResponse:
    """Return the page with all of its parts inside, which needs no website; written once for each edition."""
    with override(language):
        path = release.get_release_folder() / f"{compute_edition()}-{language}.html.gz"
        content = get_or_render(path, lambda: gzip.compress(_render_download_page(_iter_parts()).encode(), 1, mtime=0))
        name = gettext("verify-results")
    headers = {"Content-Encoding": "gzip", "Content-Disposition": f'attachment; filename="{name}.html"'}
    return HttpResponse(content, content_type="text/html; charset=utf-8", headers=headers)


def _compute_download_size() -> int:
    """Return its size in bytes before it is written: base64 turns three bytes into four characters."""
    sizes = {name: release.get_compressed_path(name).stat().st_size for name in release.FILES}
    sizes |= {name: len(content) for name, content in _compress_program().items()}
    page = _render_download_page((name, b"") for name in sizes)
    return len(page.encode()) + sum((size + 2) // 3 * 4 for size in sizes.values())


def _render_download_page(parts: Iterable[tuple[str, bytes]]) -> str:
    context = {
        "style": read_minified("css/base.css") + read_minified("css/event.css"),
        "script": _read_script("verify.js").decode(),
        "parts": [(name, b64encode(content).decode()) for name, content in parts],
    }
    return render_to_string(DOWNLOAD_TEMPLATE, context)


def _iter_parts() -> Iterator[tuple[str, bytes]]:
    """Yield the parts, each compressed."""
    for name in release.FILES:
        yield name, release.get_compressed_path(name).read_bytes()
    yield from _compress_program().items()


@cache
def _compress_program() -> dict[str, bytes]:
    files = {PROGRAM: build_program_archive(), WORKER: _read_worker()}
    return {name: gzip.compress(content, mtime=0) for name, content in files.items()}


def _get_content_type(name: str) -> str:
    return TYPES[Path(name).suffix]


def _read_worker() -> bytes:
    return _read_script("verifier_worker.js")


@cache
def _read_script(name: str) -> bytes:
    return Path(str(finders.find(f"js/{name}"))).read_bytes()


@cache
def compute_edition() -> str:
    """Return the edition of our own part, which changes with its content."""
    page = Path(str(get_template(DOWNLOAD_TEMPLATE).origin)).read_bytes()  # type: ignore[attr-defined]
    return sha256(build_program_archive() + _read_worker() + _read_script("verify.js") + page).hexdigest()[:12]
