"""Answers to requests for another host than this installation (``server.hosts``), and for pages that are not there."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin
from django.views.defaults import page_not_found
from rest_framework.renderers import JSONRenderer

from errors import Refusal
from operations.up.addresses import format_url_host
from operations.up.reach import record_arrival
from server.hosts import is_address, parse_host
from server.refusals import PROBLEM_TYPE, build_problem, translate_refusal
from web.client_address import get_client_address
from wording.sentences import get_http_status

API_PREFIX = "/api/"
MAX_NAME_LENGTH = 100
"""Maximum number of characters of a name that are shown."""


class HostsMiddleware(MiddlewareMixin):
    """Middleware that passes on requests with the installation's own host names, and explains what to do for
    others."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        server_address = request.META["SERVER_NAME"]
        domain = parse_host(host_header := request.META.get("HTTP_HOST", server_address))
        if not domain or not settings.NAMES.have(domain):
            return refuse_host(request, domain[:MAX_NAME_LENGTH] or "?")
        if not split_domain_port(host_header)[0]:  # Django reads neither `_` nor accents
            port = host_header.rpartition(":")[2]
            vars(request)["get_host"] = lambda: f"{domain}:{port}" if port.isdecimal() else domain
        if settings.NAMES.is_hall:
            record_arrival(server_address=server_address, name=domain.strip("[]"), client=get_client_address(request))
        return None


def refuse_host(request: HttpRequest, host: str) -> HttpResponse:
    refusal = Refusal("host_unknown", host=host)
    if is_api_request(request):
        body = JSONRenderer().render(build_problem(refusal))
        return HttpResponse(body, content_type=PROBLEM_TYPE, status=get_http_status(refusal))
    context = {"sentences": translate_refusal(refusal), "host": host, "is_hall": settings.NAMES.is_hall}
    return render(
        request, "unknown_host.html", context | {"address": _build_ip_url(request)}, status=get_http_status(refusal)
    )


def _build_ip_url(request: HttpRequest) -> str:
    """Return the page's address by IP, as it was reached; "" behind a proxy, which has another."""
    server_address, port = request.META["SERVER_NAME"], request.META["SERVER_PORT"]
    if not settings.NAMES.is_hall or not is_address(server_address):
        return ""
    return f"{request.scheme}://{format_url_host(server_address)}:{port}{request.get_full_path()}"


def is_api_request(request: HttpRequest) -> bool:
    """Check by the address whether a program sent the request."""
    return request.path_info.startswith(API_PREFIX) or request.path_info.endswith(".json")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not is_api_request(request):
        return page_not_found(request, exception)
    body = JSONRenderer().render(build_problem(Refusal("not_found")))
    response = HttpResponse(body, content_type=PROBLEM_TYPE, status=404)
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
