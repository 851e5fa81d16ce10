"""The answer for an unknown address: a page for people, and a problem in JSON for programs."""

from django.http import HttpRequest, HttpResponse
from django.views.defaults import page_not_found
from rest_framework.renderers import JSONRenderer

from errors import Refusal

from .refusals import PROBLEM_TYPE, problem

API = "/api/"


def is_for_programs(request: HttpRequest) -> bool:
    """Check by the address whether a program sent the request."""
    return request.path_info.startswith(API) or request.path_info.endswith(".json")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not is_for_programs(request):
        return page_not_found(request, exception)
    body = JSONRenderer().render(problem(Refusal("not_found")))
    response = HttpResponse(body, content_type=PROBLEM_TYPE, status=404)
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
