"""Offline support, where browsers allow it: the service worker, and the page that it shows without a network.

What the worker does is described in ``static/js/offline_policy.js``; where browsers allow one, in
``docs/operating/offline.md``.
"""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.pages import public_page

from .answers import installation_id


@require_safe
@public_page
def show_offline_page(request: HttpRequest) -> HttpResponse:
    """Show that there is no network: saved on the phone, and shown for any page that is out of reach."""
    return TemplateResponse(request, "offline.html")


@require_safe
@public_page
def serve_service_worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker: at the root, as it handles everything below its own address."""
    values = json.dumps({"installation": installation_id(), "version": _compute_version()})
    return HttpResponse(f"const KEPT = {values};\n{_load_source()}", content_type="text/javascript; charset=utf-8")


@cache
def _load_source() -> str:
    """Return its source, with adapted import paths."""
    text = Path(str(finders.find("js/service_worker.js"))).read_text(encoding="utf-8")
    return text.replace('from "./', f'from "{settings.STATIC_URL}js/')


@cache
def _compute_version() -> str:
    """Return a version that changes with the worker or any static file."""
    files = getattr(staticfiles_storage, "manifest_hash", "")
    return sha256(f"{files} {_load_source()}".encode()).hexdigest()[:12]
