"""Views about linked installations: the page for a club's owners, and the requests between installations."""

import json
from collections.abc import Callable
from functools import partial, wraps

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from clubs.access import for_its_link, for_owners
from clubs.actor import actor_from
from clubs.audit.history import club_line
from clubs.audit.log import Actor
from clubs.job_pages import job_buttons, tasks_of_forms, watch_forms
from clubs.models import Club
from clubs.policy import admitting
from clubs.post_only import posted_from
from clubs.services.rate_limit import count_miss, has_missed_too_often
from clubs.views.history import run_or_show_refusal
from errors import Refusal
from tournaments.signing.services import key_to_sign
from web.client_address import client_address
from web.forms import FormReader
from web.qr import square

from .presenters import shared_nights_of
from .queries import events_to_hand, pairings_of, public_site_of, requests_topic
from .services.admission import admit_request
from .services.answering import answer_question
from .services.asking import MOST_BYTES, ask_to_follow
from .services.files import snapshot_file, take_snapshot_file
from .services.leading import begin_mirror_anew, hand_over, lead_here
from .services.pairing import (
    accept_pairing,
    ask_pairing,
    end_pairing,
    leave_site,
    make_pairing_link,
)
from .services.receive import answer_snapshot

GUESSES = "links of pairings"
CONFLICT = 409


@require_safe
@for_owners
def mirrors(request: HttpRequest, club: Club) -> HttpResponse:
    """Show where the club's events are mirrored, and which events of others are mirrored here."""
    return watch_forms(request, requests_topic(club), _address_of(club)) or _page(request, club)


@posted_from("mirrors", "slug")
@for_owners
def new_link(request: HttpRequest, club: Club) -> HttpResponse:
    """Make a link for the other installation; it is shown only once."""
    made = make_pairing_link(club_id=club.pk, by=actor_from(request))
    address = request.build_absolute_uri(reverse("accept-pairing"))
    return _page(request, club, link=f"{address}#{made.secret}" if made.secret else "")


@posted_from("mirrors", "slug")
@for_owners
def pair_site(request: HttpRequest, club: Club) -> HttpResponse:
    """Link the club to a public site, by the link that was made there."""
    link = request.POST.get("link", "")
    return _done_or_page(request, club, lambda by: ask_pairing(club=club, link=link, by=by))


stop_request, request_again = job_buttons("mirrors", "slug", door=for_owners, topic_of=requests_topic)


@posted_from("mirrors", "slug")
@for_owners
def leave_public_site(request: HttpRequest, club: Club) -> HttpResponse:
    """Stop sending events to the public site."""
    return _done_or_page(request, club, lambda by: leave_site(club_id=club.pk, by=by))


@posted_from("mirrors", "slug")
@for_owners
def end_mirrors(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Stop taking events from an installation."""
    return _done_or_page(request, club, lambda by: end_pairing(club_id=club.pk, pairing_id=pk, by=by))


@posted_from("mirrors", "slug")
@for_owners
def lead(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Make this installation lead a mirrored event."""
    return _done_or_page(request, club, lambda by: lead_here(club_id=club.pk, event_id=pk, by=by))


@posted_from("mirrors", "slug")
@for_owners
def begin_anew(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Put a mirrored event away here, and mirror it again from the start."""
    return _done_or_page(request, club, lambda by: begin_mirror_anew(club_id=club.pk, event_id=pk, by=by))


@posted_from("mirrors", "slug")
@for_owners
def hand_over_event(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Hand an event over to the other installation, which leads it from now on."""

    def give_up_lead(by: Actor) -> None:
        form = FormReader(request.POST.dict())
        pairing = form.number("pairing")
        form.finish()
        hand_over(club_id=club.pk, event_id=pk, pairing_id=pairing, by=by)

    return _done_or_page(request, club, give_up_lead)


@posted_from("mirrors", "slug")
@for_owners
def follow_public_site(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Replace an event by the one that the public site leads; the event here is put away."""
    return _done_or_page(request, club, lambda by: ask_to_follow(club=club, event_id=pk, by=by))


@posted_from("mirrors", "slug")
@for_owners
def save_file(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Download the event as it is now, signed for the other installation, to carry it there on a stick."""
    try:
        signed = snapshot_file(club=club, event_id=pk)
    except Refusal as refusal:
        return _page(request, club, refusal)
    headers = {"Content-Disposition": f'attachment; filename="{signed.head[:8]}.charlemagne"'}
    return HttpResponse(signed.gzipped_bytes, content_type="application/gzip", headers=headers)


@posted_from("mirrors", "slug")
@for_owners
def take_file(request: HttpRequest, club: Club) -> HttpResponse:
    """Upload such a file of the other installation."""
    upload = request.FILES.get("file")

    def receive(by: Actor) -> None:
        if upload is None:
            raise Refusal("file_required", field="file")
        if (upload.size or 0) > MOST_BYTES:
            raise Refusal("file_too_large", field="file", file=upload.name)
        take_snapshot_file(club=club, packed=upload.read(), by=by)

    return _done_or_page(request, club, receive)


@csrf_exempt  # another installation sends it, which has no page of ours
@require_POST
@for_its_link
def accept(request: HttpRequest) -> HttpResponse:
    """Accept another installation that presents a link."""
    address = client_address(request)
    if has_missed_too_often(GUESSES, address):
        return _refusal_response(Refusal("too_many_guesses"))
    try:
        asked = json.loads(request.body)
        said = {name: str(asked[name]) for name in ("secret", "key", "name")}
    except (ValueError, KeyError, TypeError, RequestDataTooBig):
        return _refusal_response(Refusal("pairing_unreadable"))
    try:
        pairing = accept_pairing(**said)
    except Refusal as refusal:
        if refusal.code == "link_over":
            count_miss(GUESSES, address)
        return _refusal_response(refusal)
    key = key_to_sign(pairing.club).public
    return JsonResponse({"pairing": str(pairing.public_id), "club": pairing.club.name, "key": key})


def _from_installation(view: Callable[[bytes], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Make a view of a request from another installation, admitted before it is unpacked; refusals are
    answered by their code."""

    @admitting
    @csrf_exempt  # it is signed
    @require_POST
    @for_its_link
    @wraps(view)
    def answer(request: HttpRequest) -> HttpResponse:
        try:
            packed = request.body
            admit_request(request.headers, packed, path=request.path_info)
            return view(packed)
        except RequestDataTooBig:
            return _refusal_response(Refusal("snapshot_unreadable"))
        except Refusal as refusal:
            return _refusal_response(refusal)

    return answer


@_from_installation
def take(packed: bytes) -> HttpResponse:
    """Take an event that another installation leads and sends."""
    mirror, said = answer_snapshot(packed)
    if mirror is None:
        return JsonResponse(said, status=CONFLICT)
    return JsonResponse({"head": mirror.head, "page": mirror.event.get_absolute_url()})


@_from_installation
def answer_mirror(packed: bytes) -> HttpResponse:
    """Answer another installation that asks for events led here."""
    return HttpResponse(answer_question(packed).gzipped_bytes, content_type="application/gzip")


def _refusal_response(refusal: Refusal) -> HttpResponse:
    """Answer with code and details: the other installation has the sentence, in its reader's language."""
    return JsonResponse({"code": refusal.code, **refusal.details}, status=CONFLICT)


def _done_or_page(request: HttpRequest, club: Club, deed: Callable[[Actor], object]) -> HttpResponse:
    return run_or_show_refusal(request, club, "mirrors", deed, refused=partial(_page, request, club))


def _page(
    request: HttpRequest, club: Club, refusal: Refusal | None = None, *, link: str = ""
) -> HttpResponse:
    tasks = tasks_of_forms(request, requests_topic(club), _address_of(club))
    nights, pairings = shared_nights_of(club, now=timezone.now()), pairings_of(club)
    context = {
        "club": club,
        "site": public_site_of(club),
        "sent": [night for night in nights if night.pairing is None],
        "pairings": pairings,
        "mirrors": [night for night in nights if night.pairing is not None],
        "to_hand": events_to_hand(club) if pairings else [],
        "link": link,
        "qr": square(link) if link else "",
        "typed": request.POST,
        "refusal": refusal,
        "done": club_line(club, request.GET.get("done", "")),
        **tasks,
    }
    return TemplateResponse(request, "tournaments/mirrors/page.html", context)


def _address_of(club: Club) -> str:
    return reverse("mirrors", args=[club.slug])
