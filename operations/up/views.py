"""The page with the addresses of this computer for phones: which ones work, and which one QR codes have."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.access import for_directors_of_the_club, for_members
from clubs.models import Club
from clubs.post_only import posted_from
from live.conditional_pages import asks_for_part, conditional_page, part_tag
from web.qr import origin_for_phones, square

from .reach import choose_address, last_reached, phone_addresses


@require_safe
@for_members
def phones(request: HttpRequest, club: Club) -> HttpResponse:
    """Show every address of this computer with its QR code, and when a phone last arrived there."""
    if not settings.NAMES.is_hall:
        raise Http404
    origin = urlsplit(origin_for_phones(request))
    found = phone_addresses()
    revision = f"phones.{found}.{origin}"
    shown = [
        {
            "phone": one,
            "host": urlsplit(url).netloc,
            "qr": square(url),
            "is_used": one.host == origin.hostname,
        }
        for one in found
        for url in [one.address.url(origin.port or 80, origin.scheme)]
    ]
    context = {
        "club": club,
        "addresses": shown,
        "reached": last_reached(found),
        "etag": part_tag(request, revision),
    }
    template = "operations/phones.html" + ("#live" if asks_for_part(request) else "")
    return conditional_page(request, revision, lambda: TemplateResponse(request, template, context))


@posted_from("phones", "slug")
@for_directors_of_the_club
def choose_phone_address(request: HttpRequest, club: Club) -> HttpResponse:
    """Let QR codes lead to an address of this computer; to its likeliest again, without one."""
    hosts = {one.host for one in phone_addresses()}
    host = request.POST.get("host", "")
    choose_address(host if host in hosts else "")
    return redirect("phones", slug=club.slug)
