"""Views about linked installations: the page for a club's owners, and the requests between installations."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from clubs.audit.log import Actor
from clubs.job_pages import build_form_jobs_context, build_job_actions, render_form_jobs
from clubs.models import Club
from clubs.pages import get_actor, link_page, owners_only, require_post_from, show_refusals_on
from clubs.policy import mark_self_limiting
from clubs.services.rate_limit import exceeds_miss_limit, record_miss
from clubs.views.history import run_or_render_refusal
from errors import Refusal
from tournaments.signing.services import get_signing_key
from web.client_address import get_client_address
from web.forms import FormReader
from web.qr import render_qr_code

from .presenters import list_shared_nights
from .queries import find_public_site, get_requests_topic, list_handover_candidates, list_pairings
from .services.admission import admit_request
from .services.delivery import parse_json_object
from .services.files import build_snapshot_file, import_snapshot_file
from .services.leadership import hand_over, restart_mirror, take_over_lead
from .services.pairing import accept_pairing, create_pairing_link, end_pairing, enqueue_pairing, leave_site
from .services.polling import MAX_BYTES, enqueue_follow
from .services.receiver import receive_snapshot
from .services.responder import answer_question

GUESS_LIMIT_KEY = "links of pairings"


@require_safe
@owners_only
def mirrors_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show where the club's events are mirrored, and which events of others are mirrored here."""
    return render_form_jobs(request, get_requests_topic(club), _get_page_url(club)) or _render_page(request, club)


@require_post_from("mirrors", "slug")
@owners_only
def create_link(request: HttpRequest, club: Club) -> HttpResponse:
    """Make a link for the other installation; it is shown only once."""
    secret = create_pairing_link(club_id=club.pk, by=get_actor(request))
    address = request.build_absolute_uri(reverse("accept-pairing"))
    return _render_page(request, club, link=f"{address}#{secret}" if secret else "")


@require_post_from("mirrors", "slug")
@owners_only
def pair_site(request: HttpRequest, club: Club) -> HttpResponse:
    """Link the club to a public site, by the link that was made there."""
    link = request.POST.get("link", "")
    return _run_action(request, club, lambda by: enqueue_pairing(club=club, link=link, by=by))


stop_request, retry_request = build_job_actions("mirrors", "slug", access=owners_only, get_topic=get_requests_topic)


@require_post_from("mirrors", "slug")
@owners_only
def leave_public_site(request: HttpRequest, club: Club) -> HttpResponse:
    """Stop sending events to the public site."""
    return _run_action(request, club, lambda by: leave_site(club_id=club.pk, by=by))


@require_post_from("mirrors", "slug")
@owners_only
def end_mirrors(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Stop taking events from an installation."""
    return _run_action(request, club, lambda by: end_pairing(club_id=club.pk, pairing_id=pk, by=by))


@require_post_from("mirrors", "slug")
@owners_only
def lead_event(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Make this installation lead a mirrored event."""
    return _run_action(request, club, lambda by: take_over_lead(club_id=club.pk, event_id=pk, by=by))


@require_post_from("mirrors", "slug")
@owners_only
def restart(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Put a mirrored event away here, and mirror it again from the start."""
    return _run_action(request, club, lambda by: restart_mirror(club_id=club.pk, event_id=pk, by=by))


@require_post_from("mirrors", "slug")
@owners_only
def hand_over_event(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Hand an event over to the other installation, which leads it from now on."""

    def hand_over_chosen(by: Actor) -> None:
        form = FormReader(request.POST.dict())
        pairing = form.read_number("pairing")
        form.raise_refusals()
        hand_over(club_id=club.pk, event_id=pk, pairing_id=pairing, by=by)

    return _run_action(request, club, hand_over_chosen)


@require_post_from("mirrors", "slug")
@owners_only
def follow_public_site(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Replace an event by the one that the public site leads; the event here is put away."""
    return _run_action(request, club, lambda by: enqueue_follow(club=club, event_id=pk, by=by))


def _render_page(request: HttpRequest, club: Club, *, link: str = "") -> HttpResponse:
    tasks = build_form_jobs_context(request, get_requests_topic(club), _get_page_url(club))
    nights, pairings, site = list_shared_nights(club, now=timezone.now()), list_pairings(club), find_public_site(club)
    context = {
        "club": club,
        "site": site,
        "sent": [night for night in nights if night.pairing is None and (site or night.event.is_mirror)],
        "pairings": pairings,
        "mirrors": [night for night in nights if night.pairing is not None],
        "to_hand": list_handover_candidates(club) if pairings else [],
        "link": link,
        "qr": render_qr_code(link) if link else "",
        "typed": request.POST,
        **tasks,
    }
    return TemplateResponse(request, "tournaments/mirrors/page.html", context)


@require_post_from("mirrors", "slug")
@owners_only
@show_refusals_on(_render_page)
def download_snapshot(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Download the event as it is now, signed for the other installation, to carry it there on a stick."""
    message = build_snapshot_file(club=club, event_id=pk)
    headers = {"Content-Disposition": f'attachment; filename="{message.head[:8]}.charlemagne"'}
    return HttpResponse(message.gzipped_bytes, content_type="application/gzip", headers=headers)


@require_post_from("mirrors", "slug")
@owners_only
def upload_snapshot(request: HttpRequest, club: Club) -> HttpResponse:
    """Upload such a file of the other installation."""
    upload = request.FILES.get("file")

    def receive(by: Actor) -> None:
        if upload is None:
            raise Refusal("file_required", field="file")
        if (upload.size or 0) > MAX_BYTES:
            raise Refusal("file_too_large", field="file", file=upload.name)
        import_snapshot_file(club=club, compressed=upload.read(), by=by)

    return _run_action(request, club, receive)


@csrf_exempt  # another installation sends it, which has no page of ours
@require_POST
@link_page
def accept_installation(request: HttpRequest) -> HttpResponse:
    """Accept another installation that presents a link."""
    address = get_client_address(request)
    if exceeds_miss_limit(GUESS_LIMIT_KEY, address):
        return _build_refusal_response(Refusal("too_many_guesses"))
    try:
        request_data = parse_json_object(request.body.decode(errors="replace"))
        values = {name: str(request_data[name]) for name in ("secret", "key", "name")}
    except (KeyError, RequestDataTooBig):
        return _build_refusal_response(Refusal("pairing_unreadable"))
    try:
        pairing = accept_pairing(**values)
    except Refusal as refusal:
        if refusal.code == "link_over":
            record_miss(GUESS_LIMIT_KEY, address)
        return _build_refusal_response(refusal)
    key = get_signing_key(pairing.club).public
    return JsonResponse({"pairing": str(pairing.public_id), "club": pairing.club.name, "key": key})


def _signed_request_view(view: Callable[[bytes], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Make a view of a request from another installation, admitted before it is unpacked; refusals are
    answered by their code."""

    @mark_self_limiting
    @csrf_exempt  # it is signed
    @require_POST
    @link_page
    @wraps(view)
    def respond(request: HttpRequest) -> HttpResponse:
        try:
            compressed = request.body
            admit_request(request.headers, compressed, path=request.path_info)
            return view(compressed)
        except RequestDataTooBig:
            return HttpResponse(status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        except Refusal as refusal:
            return _build_refusal_response(refusal)

    return respond


@_signed_request_view
def receive_event(compressed: bytes) -> HttpResponse:
    """Take an event that another installation leads and sends."""
    mirror, answer = receive_snapshot(compressed)
    if mirror is None:
        return JsonResponse(answer, status=HTTPStatus.CONFLICT)
    return JsonResponse({"head": mirror.head, "page": mirror.event.get_absolute_url()})


@_signed_request_view
def answer_poll(compressed: bytes) -> HttpResponse:
    """Answer another installation that asks for events led here."""
    return HttpResponse(answer_question(compressed).gzipped_bytes, content_type="application/gzip")


def _build_refusal_response(refusal: Refusal) -> HttpResponse:
    """Answer with code and details: the other installation has the sentence, in its reader's language."""
    return JsonResponse({"code": refusal.code, **refusal.details}, status=HTTPStatus.CONFLICT)


def _run_action(request: HttpRequest, club: Club, action: Callable[[Actor], object]) -> HttpResponse:
    return run_or_render_refusal(request, club, "mirrors", action, _render_page)


def _get_page_url(club: Club) -> str:
    return reverse("mirrors", args=[club.slug])
