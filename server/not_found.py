"""The answer for an unknown address: a page for people, and a problem in JSON for programs."""

from django.http import HttpRequest, HttpResponse
from django.views.defaults import page_not_found
from rest_framework.renderers import JSONRenderer

from errors import Refusal

from .refusals import PROBLEM_TYPE, build_problem

API_PREFIX = "/api/"


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
