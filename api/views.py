"""View of an API path: it checks access, reads the body, runs the operation and serializes the result."""

from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.module_loading import import_string
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from errors import Refusal
from live.conditional_pages import shared_conditional_page
from web.json_body import JsonBody
from web.sheets import Sheet

from .authentication import TokenAuthentication
from .fields import MOST
from .operation import SAFE, Operation, ProgramCall, tag_of
from .pages import page_of
from .sheets import sheet_data
from .throttles import Throttle

READABLE = "ETag, Link, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After"


class OperationsView(APIView):
    """View of one API path with its methods."""

    operations: ClassVar[Mapping[str, Operation]] = {}
    authentication_classes = [TokenAuthentication]
    throttle_classes = [Throttle]
    parser_classes = [JsonBody]
    renderer_classes = [JSONRenderer]

    def get_exception_handler(self) -> Any:
        return import_string(settings.PROBLEMS_ARE_ANSWERED_BY)

    def answer(self, request: Request, **path: Any) -> HttpResponseBase:
        method = "get" if request.method == "HEAD" else str(request.method).lower()
        operation = self.operations[method]
        call = ProgramCall(request=request, operation=operation, path=path)
        if any(isinstance(value, int) and value > MOST for value in path.values()):
            raise Http404  # larger than any table, or any integer of the database
        call.check()
        if operation.takes is not None:
            if not isinstance(request.data, Mapping):
                raise Refusal("not_an_object")
            body = operation.takes(data=request.data)
            body.is_valid(raise_exception=True)
            call.body = body.validated_data
        if operation.revision is not None and not call.is_staff:
            make = partial(self._render_data, call)
            revision = f"api.{operation.revision(call)}"
            return shared_conditional_page(request, revision, make, reads=operation.asks)
        return self._build_response(call)

    def _build_response(self, call: ProgramCall) -> HttpResponseBase:
        data = _data_of(call)
        response = Response(data, status=_status(call, data))
        if call.operation.method in SAFE:
            response.headers["ETag"] = tag_of(data)
            return get_conditional_response(call.request, tag_of(data), response=response) or response
        if isinstance(data, Mapping) and "next" in data and data["next"]:
            response.headers["Link"] = f'<{data["next"]}>; rel="next"'
        return response

    def _render_data(self, call: ProgramCall) -> HttpResponse:
        return HttpResponse(JSONRenderer().render(_data_of(call)), content_type="application/json")

    def finalize_response(self, request: Request, response: Any, *rest: Any, **named: Any) -> Any:
        """Add the headers for rate limits, CORS and caching."""
        response = super().finalize_response(request, response, *rest, **named)
        for name, value in zip(("Limit", "Remaining", "Reset"), _rate(request), strict=False):
            response.headers[f"RateLimit-{name}"] = str(value)
        if request.method in ("GET", "HEAD", "OPTIONS"):
            response.headers["Access-Control-Allow-Origin"] = "*"
            response.headers["Access-Control-Expose-Headers"] = READABLE
        patch_vary_headers(response, ["Accept-Language", "Authorization"])
        patch_cache_control(response, no_cache=True, private=True)
        return response

    def options(self, request: Any, *arguments: Any, **named: Any) -> Response:
        """Answer a CORS preflight request: other sites may read, with an API key and an ETag."""
        return Response(
            status=204,
            headers={
                "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
                "Access-Control-Allow-Headers": "Authorization, If-None-Match, Accept-Language",
                "Access-Control-Max-Age": "86400",
            },
        )

    def throttled(self, request: Request, wait: float | None) -> NoReturn:
        """Refuse the request. Refuses: too_many_requests."""
        raise Refusal("too_many_requests", seconds=int(wait or 1) + 1)


def _status(call: ProgramCall, data: Any) -> int:
    if call.is_deferred:
        return HTTPStatus.ACCEPTED
    return HTTPStatus.NO_CONTENT if data is None else call.operation.status


def _rate(request: Request) -> Sequence[int]:
    found: Sequence[int] = vars(request).get("rate_limit", ())
    return found


def _data_of(call: ProgramCall) -> Any:
    """Run the operation and return its result as JSON values."""
    found = call.operation.run(call)
    gives = call.operation.gives
    if isinstance(found, Sheet):
        return sheet_data(found)
    if gives is None:
        return found if isinstance(found, dict) else None
    if call.operation.is_paged:
        return page_of(call, found, gives)
    return gives(found, context={"call": call}).data
