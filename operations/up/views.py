"""The page with the addresses of this computer for phones: which ones work, and which one QR codes have."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.pages import directors_only, members_only, require_post_from
from live.conditional_pages import conditional_page, get_part_etag, is_partial_request
from web.qr import get_phone_origin, render_qr_code

from .reach import find_last_reached, phone_addresses, save_chosen_address


@require_safe
@members_only
def show_phone_addresses(request: HttpRequest, club: Club) -> HttpResponse:
    """Show every address of this computer with its QR code, and when a phone last arrived there."""
    if not settings.NAMES.is_hall:
        raise Http404
    origin = urlsplit(get_phone_origin(request))
    known_addresses = phone_addresses()
    revision = f"phones.{known_addresses}.{origin}"
    address_rows = [
        {
            "phone": phone_address,
            "host": urlsplit(url).netloc,
            "qr": render_qr_code(url),
            "is_used": phone_address.host == origin.hostname,
        }
        for phone_address in known_addresses
        for url in [phone_address.address.build_url(origin.port or 80, origin.scheme)]
    ]
    context = {
        "club": club,
        "addresses": address_rows,
        "reached": find_last_reached(known_addresses),
        "etag": get_part_etag(request, revision),
    }
    template = "operations/phones.html" + ("#live" if is_partial_request(request) else "")
    return conditional_page(request, revision, lambda: TemplateResponse(request, template, context))


@require_post_from("phones", "slug")
@directors_only
def choose_phone_address(request: HttpRequest, club: Club) -> HttpResponse:
    """Let QR codes lead to an address of this computer; to its likeliest again, without one."""
    hosts = {phone_address.host for phone_address in phone_addresses()}
    host = request.POST.get("host", "")
    save_chosen_address(host if host in hosts else "")
    return redirect("phones", slug=club.slug)
