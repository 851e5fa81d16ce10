"""HTTP statuses of refusals, from the table in ``server.refusals``, and pages for refusals that have none."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.utils.deprecation import MiddlewareMixin

from clubs.pages import get_refusal
from errors import Refusal
from wording.sentences import get_http_status

MAX_INTEGER = 2**63 - 1
"""The largest number of a row in the database."""


class RefusalMiddleware(MiddlewareMixin):
    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Show the page of unknown addresses for one that only forms are sent to: Django's answer is empty."""
        if request.method != "GET" or not isinstance(response, HttpResponseNotAllowed):
            return response
        page = render(request, "404.html", status=response.status_code)
        page.headers["Allow"] = response.headers["Allow"]
        return page

    def process_view(self, request: HttpRequest, view: Any, args: Any, path: Mapping[str, Any]) -> None:
        """Answer 404 to a number that no row can have: databases refuse to compare it."""
        if any(isinstance(value, int) and value > MAX_INTEGER for value in path.values()):
            raise Http404

    def process_template_response(self, request: HttpRequest, response: TemplateResponse) -> TemplateResponse:
        """Set the status of a page that shows a refusal where it arose."""
        context: dict[str, Any] = response.context_data or {}
        refusal = context.get("refusal", get_refusal(request))
        if isinstance(refusal, Refusal):
            response.status_code = get_http_status(refusal)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Show a refusal that no page handled on a page of its own."""
        if not isinstance(error, Refusal):
            return None
        return render(request, "refusal.html", {"refusal": error}, status=get_http_status(error))
