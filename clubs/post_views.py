"""Pages with forms: refusals shown on the page, and URLs that only forms post to."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from errors import Refusal

from .access import View


def show_refusals(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Open the page again, with the ``refusal``, if what its form posted is refused."""

    @wraps(view)
    def show(request: HttpRequest, *place: object, **address: object) -> HttpResponse:
        try:
            return view(request, *place, **address)
        except Refusal as refusal:
            if request.method != "POST":
                raise
            return view(request, *place, **address, refusal=refusal)

    return show


def require_post_from(page: str, *names: str) -> Callable[[View], View]:
    """Accept only POST. Reloading after a refusal redirects to the page with the button, which takes those
    ``names`` of the URL."""

    def decorate(view: View) -> View:
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def answer(request: HttpRequest, **address: object) -> HttpResponseBase:
            if request.method != "POST":
                return redirect(reverse(page, kwargs={name: address[name] for name in names}))
            return view(request, **address)

        return answer

    return decorate
