"""Public pages of a club's results log, with files and proofs; and the signing key, which owners change."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import for_everybody, for_owners
from clubs.audit.history import club_line
from clubs.models import Club
from clubs.views.history import run_or_show_refusal
from engine.signed_logs import SignedLog, consistency_proof, inclusion_proof, root_of, signed_log_to_json
from errors import Refusal
from web.public_files import public_file
from web.qr import origin_for_phones

from . import services
from .presenters import log_view
from .queries import signed_log_of


@require_safe
@for_everybody
def public_log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the entries of the results log, and how to verify them."""
    club = get_object_or_404(Club, slug=slug)
    context = {"club": club, "view": log_view(club), "origin": origin_for_phones(request).rstrip("/")}
    return TemplateResponse(request, "tournaments/signing/log.html", context)


@require_safe
@for_everybody
@public_file
def log_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the whole results log, as ``verify --log`` reads it."""
    club, log = _log_at(slug)
    return JsonResponse(signed_log_to_json(log, club=club.name))


@require_safe
@for_everybody
@public_file
def log_head(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the latest signed checkpoint, to be kept and compared with a later log."""
    _, log = _log_at(slug)
    return HttpResponse(log.checkpoint, content_type="text/plain; charset=utf-8")


@require_safe
@for_everybody
@public_file
def inclusion(request: HttpRequest, slug: str, number: int, size: int) -> HttpResponse:
    """Download the proof that an entry is in the tree of this size: RFC 6962, section 2.1.1."""
    _, log = _log_at(slug)
    leaves = _leaves(log, size)
    if not 1 <= number <= size:
        raise Http404
    return JsonResponse(
        {
            "leaf": leaves[number - 1].hex(),
            "place": number - 1,
            "size": size,
            "root": root_of(leaves).hex(),
            "proof": [each.hex() for each in inclusion_proof(leaves, number - 1)],
        }
    )


@require_safe
@for_everybody
@public_file
def consistency(request: HttpRequest, slug: str, older: int, newer: int) -> HttpResponse:
    """Download the proof that the tree of this size extends a smaller one: RFC 6962, section 2.1.2."""
    _, log = _log_at(slug)
    leaves = _leaves(log, newer)
    if not 1 <= older <= newer:
        raise Http404
    return JsonResponse(
        {
            "older": older,
            "older_root": root_of(leaves[:older]).hex(),
            "newer": newer,
            "newer_root": root_of(leaves).hex(),
            "proof": [each.hex() for each in consistency_proof(leaves, older)],
        }
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def key_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the signing key of the club, and replace it."""
    if request.method != "POST":
        return _key_page(request, club)
    return run_or_show_refusal(
        request,
        club,
        "signing-key",
        lambda by: services.change_signing_key(club_id=club.pk, by=by),
        refused=partial(_key_page, request, club),
    )


def _key_page(request: HttpRequest, club: Club, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "club": club,
        "view": log_view(club),
        "refusal": refusal,
        "done": club_line(club, request.GET.get("done", "")),
    }
    return TemplateResponse(request, "tournaments/signing/key.html", context)


def _log_at(slug: str) -> tuple[Club, SignedLog]:
    club = get_object_or_404(Club, slug=slug)
    log = signed_log_of(club)
    if log is None:
        raise Http404
    return club, log


def _leaves(log: SignedLog, size: int) -> list[bytes]:
    """Return the hashes of the first ``size`` entries."""
    if not 1 <= size <= len(log.entries):
        raise Http404
    return [each.hash for each in log.entries[:size]]
