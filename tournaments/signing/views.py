"""Public pages of a club's results log, with files and proofs; and the signing key, which owners change."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.pages import owners_only, public_page
from clubs.views.history import run_or_render_refusal
from engine.signed_logs import (
    SignedLog,
    build_consistency_proof,
    build_inclusion_proof,
    compute_root,
    signed_log_to_json,
)
from live.conditional_pages import read_snapshot
from web.not_found import get_or_404
from web.public_files import public_file
from web.qr import get_phone_origin

from . import services
from .presenters import build_log_view
from .queries import find_signed_log


@require_safe
@read_snapshot()
@public_page
def public_log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the entries of the results log, and how to verify them."""
    club = get_object_or_404(Club, slug=slug)
    context = {"club": club, "view": build_log_view(club), "origin": get_phone_origin(request).rstrip("/")}
    return TemplateResponse(request, "tournaments/signing/log.html", context)


@require_safe
@public_page
@public_file
def log_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the whole results log, as ``verify --log`` reads it."""
    club, log = _get_log_or_404(slug)
    return JsonResponse(signed_log_to_json(log, club=club.name))


@require_safe
@public_page
@public_file
def log_checkpoint(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the latest signed checkpoint, to be kept and compared with a later log."""
    _, log = _get_log_or_404(slug)
    return HttpResponse(log.checkpoint, content_type="text/plain; charset=utf-8")


@require_safe
@public_page
@public_file
def inclusion_proof_file(request: HttpRequest, slug: str, number: int, size: int) -> HttpResponse:
    """Download the proof that an entry is in the tree of this size: RFC 6962, section 2.1.1."""
    _, log = _get_log_or_404(slug)
    leaves = _get_leaves(log, size)
    if not 1 <= number <= size:
        raise Http404
    return JsonResponse(
        {
            "leaf": leaves[number - 1].hex(),
            "place": number - 1,
            "size": size,
            "root": compute_root(leaves).hex(),
            "proof": [step.hex() for step in build_inclusion_proof(leaves, number - 1)],
        }
    )


@require_safe
@public_page
@public_file
def consistency_proof_file(request: HttpRequest, slug: str, older: int, newer: int) -> HttpResponse:
    """Download the proof that the tree of this size extends a smaller one: RFC 6962, section 2.1.2."""
    _, log = _get_log_or_404(slug)
    leaves = _get_leaves(log, newer)
    if not 1 <= older <= newer:
        raise Http404
    return JsonResponse(
        {
            "older": older,
            "older_root": compute_root(leaves[:older]).hex(),
            "newer": newer,
            "newer_root": compute_root(leaves).hex(),
            "proof": [step.hex() for step in build_consistency_proof(leaves, older)],
        }
    )


@owners_only
def key_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the signing key of the club, and replace it."""
    if request.method != "POST":
        return _render_key_page(request, club)
    change = services.change_signing_key
    return run_or_render_refusal(request, club, "signing-key", change, _render_key_page, club_id=club.pk)


def _render_key_page(request: HttpRequest, club: Club) -> HttpResponse:
    context = {
        "club": club,
        "view": build_log_view(club),
    }
    return TemplateResponse(request, "tournaments/signing/key.html", context)


def _get_log_or_404(slug: str) -> tuple[Club, SignedLog]:
    club = get_object_or_404(Club, slug=slug)
    log = get_or_404(find_signed_log(club))
    return club, log


def _get_leaves(log: SignedLog, size: int) -> list[bytes]:
    """Return the hashes of the first ``size`` entries."""
    if not 1 <= size <= len(log.entries):
        raise Http404
    return [entry.hash for entry in log.entries[:size]]
