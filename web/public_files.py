"""Files that everybody may read, programs and the scripts of other sites too."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page


def public_file(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """With a tag of what it holds, by which whoever has it already is answered ``304``; a tag of the view's
    own stays."""
    tagged: Callable[..., HttpResponse] = conditional_page(view)

    @wraps(view)
    def answer(request: HttpRequest, **path: Any) -> HttpResponse:
        response = tagged(request, **path)
        response.headers["Access-Control-Allow-Origin"] = "*"
        return response

    return answer
