"""The answer to a request with a host name that is not this installation's (``server.hosts``)."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import render
from rest_framework.renderers import JSONRenderer

from errors import Refusal
from operations.up.addresses import bracket_address
from operations.up.reach import note_arrival
from web.client_address import client_address
from wording.sentences import status_of

from .hosts import host_sent, is_address
from .not_found import is_for_programs
from .refusals import PROBLEM_TYPE, in_each_language, problem

LONGEST = 100
"""Maximum number of characters of a name that are shown."""

Answer = Callable[[HttpRequest], HttpResponse]


class HostsMiddleware:
    """Middleware that passes on requests with the installation's own host names, and explains what to do for
    others."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        reached = request.META["SERVER_NAME"]
        domain = host_sent(sent := request.META.get("HTTP_HOST", reached))
        if not domain or not settings.NAMES.have(domain):
            return refuse_host(request, domain[:LONGEST] or "?")
        if not split_domain_port(sent)[0]:  # Django reads neither `_` nor accents
            port = sent.rpartition(":")[2]
            vars(request)["get_host"] = lambda: f"{domain}:{port}" if port.isdecimal() else domain
        if settings.NAMES.is_hall:
            note_arrival(reached=reached, name=domain.strip("[]"), client=client_address(request))
        return self.get_response(request)


def refuse_host(request: HttpRequest, host: str) -> HttpResponse:
    refusal = Refusal("host_unknown", host=host)
    if is_for_programs(request):
        body = JSONRenderer().render(problem(refusal))
        return HttpResponse(body, content_type=PROBLEM_TYPE, status=status_of(refusal))
    said = {"said": in_each_language(refusal), "host": host, "is_hall": settings.NAMES.is_hall}
    return render(
        request, "host_unknown.html", said | {"address": _address(request)}, status=status_of(refusal)
    )


def _address(request: HttpRequest) -> str:
    """Return the page's address by IP, as it was reached; "" behind a proxy, which has another."""
    reached, port = request.META["SERVER_NAME"], request.META["SERVER_PORT"]
    if not settings.NAMES.is_hall or not is_address(reached):
        return ""
    return f"{request.scheme}://{bracket_address(reached)}:{port}{request.get_full_path()}"
