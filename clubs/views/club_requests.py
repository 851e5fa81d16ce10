"""The page on which anybody requests a club, if the operator takes requests."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import get_language

from clubs.pages import get_refusal, is_submitted, public_page, show_refusals
from clubs.services import club_requests, login_throttle
from errors import Refusal
from web.client_address import get_client_address


@public_page
@show_refusals
def request_club(request: HttpRequest) -> HttpResponse:
    """Request a club from the operator of this server."""
    if is_submitted(request):
        login_throttle.begin_attempt(
            login_throttle.build_mail_counters(address=get_client_address(request)), field="email"
        )
        club_requests.request_club(
            name=request.POST.get("club_name", ""),
            email=request.POST.get("email", ""),
            language=request.POST.get("language", ""),
            accepts_terms="terms" in request.POST,
        )
        response = redirect("request-club")
        response.headers["Location"] += "?sent=1"
        return response
    context = {
        "typed": request.POST or {"language": get_language()},
        "closed": None if settings.TAKES_CLUB_REQUESTS else Refusal("requests_closed"),
        "is_sent": "sent" in request.GET and get_refusal(request) is None,
        "quota": settings.CLUB_QUOTA,
        "terms": settings.CLUB_TERMS,
    }
    return TemplateResponse(request, "clubs/request_club.html", context)
