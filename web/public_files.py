"""Files for everybody, including programs and scripts on other sites."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page


def public_file(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Add an entity tag of the content, so that clients that have it get ``304``. A tag set by
    the view is kept."""
    conditional_view: Callable[..., HttpResponse] = conditional_page(view)

    @wraps(view)
    def answer(request: HttpRequest, **path: Any) -> HttpResponse:
        response = conditional_view(request, **path)
        response.headers["Access-Control-Allow-Origin"] = "*"
        return response

    return answer
