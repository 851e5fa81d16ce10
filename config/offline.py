"""What a phone keeps of the site where it may: the service worker, and the page that it shows without a
network. What the worker does is said in ``static/js/offline_policy.js``; where browsers allow one, in
``docs/operating/offline.md``."""

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

from clubs.access import for_everybody

from .answers import installation_id


@require_safe
@for_everybody
def offline_page(request: HttpRequest) -> HttpResponse:
    """There is no network: kept on the phone, and shown at the address of any page that is out of reach."""
    return TemplateResponse(request, "offline.html")


@require_safe
@for_everybody
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker: at the root, for it answers for what lies beside it and below."""
    told = json.dumps({"installation": installation_id(), "version": _version()})
    return HttpResponse(f"const KEPT = {told};\n{_program()}", content_type="text/javascript; charset=utf-8")


@cache
def _program() -> str:
    """As it is in its folder, but for where it finds what it imports."""
    text = Path(str(finders.find("js/service_worker.js"))).read_text(encoding="utf-8")
    return text.replace('from "./', f'from "{settings.STATIC_URL}js/')


@cache
def _version() -> str:
    """Another one whenever the worker or a static file is."""
    files = getattr(staticfiles_storage, "manifest_hash", "")
    return sha256(f"{files} {_program()}".encode()).hexdigest()[:12]
