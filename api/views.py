"""View of an API path: it checks access, reads the body, runs the operation and serializes the result."""

from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from math import ceil
from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.module_loading import import_string
from rest_framework.authentication import BaseAuthentication
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from api.fields import check_field_names
from api.operation import SAFE, ApiCall, Operation, compute_etag
from api.pages import build_page
from clubs.models import ApiToken
from clubs.queries import find_token
from clubs.services.rate_limit import count_tokens, exceeds_miss_limit, record_miss
from clubs.services.tokens import record_use
from errors import Refusal
from live.conditional_pages import read_snapshot, shared_conditional_page
from web.client_address import get_client_address
from web.json_body import JsonBody
from web.link_secrets import hash_secret

RATE_LIMIT_KEY = "tokens of the api"


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the account and the API key of the request; None without a key. A valid key is accepted even
        after many wrong ones from its address, as keys cannot be guessed. Refuses: token_unknown,
        too_many_requests."""
        kind, _, secret = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != "bearer":
            return None
        token = find_token(hash_secret(secret.strip()))
        if token is None:
            address = get_client_address(request)
            if exceeds_miss_limit(RATE_LIMIT_KEY, address):
                raise Refusal("too_many_requests", seconds=600)
            record_miss(RATE_LIMIT_KEY, address)
            raise Refusal("token_unknown")
        record_use(token)
        return token.account, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


ANYBODY, A_TOKEN = 600, 1200
"""Requests per minute from one network and with one API key: ten times what a screen needs."""


class Throttle(BaseThrottle):
    """Throttle that stores the remaining requests on the request, for ``RateLimit-…`` headers."""

    seconds = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        if isinstance(request.auth, ApiToken):
            capacity, target, address = A_TOKEN, f"api token {request.auth.pk}", ""
        else:
            capacity, target, address = ANYBODY, "api", get_client_address(request)
        tokens = count_tokens(target, address, 1, capacity=capacity)
        self.seconds = tokens.reset_seconds
        remaining = max(0, capacity - tokens.counted - tokens.uncounted)
        vars(request)["rate_limit"] = (capacity, remaining, tokens.reset_seconds)
        return tokens.is_taken

    def wait(self) -> float:
        return self.seconds


EXPOSED_HEADERS = "ETag, Link, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After"


class OperationsView(APIView):
    """View of one API path with its methods."""

    operations: ClassVar[Mapping[str, Operation]] = {}
    authentication_classes = [TokenAuthentication]
    throttle_classes = [Throttle]
    parser_classes = [JsonBody]
    renderer_classes = [JSONRenderer]

    def get_exception_handler(self) -> Any:
        return import_string(settings.PROBLEM_HANDLER)

    def handle_operation(self, request: Request, **path: Any) -> HttpResponseBase:
        method = "get" if request.method == "HEAD" else str(request.method).lower()
        operation = self.operations[method]
        call = ApiCall(request=request, operation=operation, path=path)
        call.check_access()
        if method not in SAFE:
            call.body = _read_body(request, operation)
        if operation.revision is None:
            return self._build_response(call)
        with read_snapshot():
            if call.is_staff:
                return self._build_response(call)
            render = partial(self._render_data, call)
            revision = f"api.{operation.revision(call)}"
            return shared_conditional_page(request, revision, render, query_params=operation.asks)

    def _build_response(self, call: ApiCall) -> HttpResponseBase:
        data = _run_operation(call)
        response = Response(data, status=_get_status(call, data))
        if call.operation.method in SAFE:
            response.headers["ETag"] = compute_etag(data)
            return get_conditional_response(call.request, compute_etag(data), response=response) or response
        if isinstance(data, Mapping) and "next" in data and data["next"]:
            response.headers["Link"] = f'<{data["next"]}>; rel="next"'
        return response

    def _render_data(self, call: ApiCall) -> HttpResponse:
        return HttpResponse(JSONRenderer().render(_run_operation(call)), content_type="application/json")

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Add the headers for rate limits, CORS and caching."""
        response = super().finalize_response(request, response, *args, **kwargs)
        for name, value in zip(("Limit", "Remaining", "Reset"), _get_rate_limit(request), strict=False):
            response.headers[f"RateLimit-{name}"] = str(value)
        if request.method in ("GET", "HEAD", "OPTIONS"):
            response.headers["Access-Control-Allow-Origin"] = "*"
            response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        patch_vary_headers(response, ["Accept-Language", "Authorization"])
        patch_cache_control(response, no_cache=True, private=True)
        return response

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
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
        raise Refusal("too_many_requests", seconds=ceil(wait or 1))


def _read_body(request: Request, operation: Operation) -> Mapping[str, Any]:
    """Return the valid values of the body. Refuses: not_an_object, field_unknown."""
    if not isinstance(request.data, Mapping):
        raise Refusal("not_an_object")
    body: Serializer[Any] = (operation.request_shape or Serializer)(data=request.data)
    check_field_names(body, request.data)
    body.is_valid(raise_exception=True)
    values: Mapping[str, Any] = body.validated_data
    return values


def _get_status(call: ApiCall, data: Any) -> int:
    if call.is_deferred:
        return HTTPStatus.ACCEPTED
    return HTTPStatus.NO_CONTENT if data is None else call.operation.status


def _get_rate_limit(request: Request) -> Sequence[int]:
    limits: Sequence[int] = vars(request).get("rate_limit", ())
    return limits


def _run_operation(call: ApiCall) -> Any:
    """Run the operation and return its result as JSON values."""
    result = call.operation.run(call)
    if call.operation.is_paged and call.operation.response_shape is not None:
        return build_page(call, result, call.operation.response_shape)
    return call.serialize(result)
