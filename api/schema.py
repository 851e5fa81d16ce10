"""The operations as OpenAPI 3.1, by drf-spectacular."""

from functools import cache
from http import HTTPStatus
from importlib import import_module
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers as s

from clubs.policy import Audience

from .examples import examples, name_of_answer, page_name
from .operation import IDEMPOTENCY_KEY, IF_MATCH, SAFE, Operation
from .operations import OPERATIONS

URLS = "api.urls"
REFUSED = "#/components/responses/Problem"


class Wrong(s.Serializer[Any]):
    """One error: its code, the field concerned (null for the whole request), and a sentence."""

    code = s.CharField()
    field = s.CharField(allow_null=True)
    detail = s.CharField()


class Problem(Wrong):
    """An error, as in RFC 9457. `code` is stable; `detail` is in the language of the request."""

    type = s.CharField()
    title = s.CharField()
    status = s.IntegerField()
    current = s.JSONField(
        required=False, help_text="With a 412, the resource as it is now; null if there is none."
    )
    errors = Wrong(many=True, required=False)  # type: ignore[assignment]  # a serializer has errors of its own


def refusal_statuses(operation: Operation) -> list[int]:
    """List the error statuses that an operation can return."""
    found = {401, 406, 429, 503}
    if "<" in operation.path or operation.is_paged:
        found |= {404}
    if operation.asks:
        found |= {422}
    if operation.method not in SAFE:
        found |= {400, 409, 422}
    if operation.takes is not None:
        found |= {413, 415}
    if operation.resource is not None:
        found |= {412}
    if operation.needs is not Audience.PUBLIC:
        found |= {403}
    return sorted(found)


class OperationSchema(AutoSchema):
    """OpenAPI description of an ``Operation``."""

    @property
    def operation(self) -> Operation:
        found: Operation = vars(type(self.view))["operations"][self.method.lower()]
        return found

    def get_operation_id(self) -> str:
        return self.operation.name

    def get_summary(self) -> str:
        return self.operation.says.partition(". ")[0].removesuffix(".")

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular calls it
        scope = self.operation.least_scope
        return self.operation.says + (f" Needs an API key with the `{scope}` scope." if scope else "")

    def get_tags(self) -> list[str]:
        first, *rest = self.operation.path.split("/")
        last = rest[1] if len(rest) > 1 else first
        return [last if last in ("people", "entries", "rounds", "calendar", "seasons") else first]

    def get_auth(self) -> list[dict[str, list[str]]]:
        is_open = isinstance(self.operation.needs, Audience) and self.operation.needs is not Audience.LINK
        return [{}, {"token": []}] if is_open else [{"token": []}]

    def get_override_parameters(self) -> list[Any]:
        query = [OpenApiParameter(name, str, description=says) for name, says in self.operation.asks.items()]
        if self.method.lower() in SAFE:
            return query
        key = OpenApiParameter(
            IDEMPOTENCY_KEY,
            {"type": "string", "format": "uuid"},
            OpenApiParameter.HEADER,
            description="A UUID chosen for this request. A repeat with the same key changes nothing twice.",
        )
        seen = OpenApiParameter(
            IF_MATCH,
            str,
            OpenApiParameter.HEADER,
            description="The ETag of the round or table that you have read. If it has changed since, nothing"
            " is done, and a 412 has it as it is now.",
        )
        return [*query, key, *([seen] if self.operation.resource is not None else [])]

    def get_filter_backends(self) -> list[Any]:
        return []

    def get_request_serializer(self) -> Any:
        return self.operation.takes

    def get_response_serializers(self) -> Any:
        operation = self.operation
        gives: Any = operation.gives
        if operation.is_paged:
            gives = _page(operation.gives)
        answer = OpenApiResponse(gives, description=self.get_summary())
        later = OpenApiResponse(
            gives, description="Accepted: the event is large, and a background task completes the request."
        )
        deferred = {HTTPStatus.ACCEPTED.value: later} if operation.may_be_deferred else {}
        refused = OpenApiResponse(Problem, description="The error.")
        return {operation.status: answer, **deferred, **dict.fromkeys(refusal_statuses(operation), refused)}


@cache
def _page(gives: Any) -> Any:
    name = page_name(gives)
    links = {name: s.CharField(allow_null=True) for name in ("next", "previous")}
    return type(name, (s.Serializer,), {"results": gives(many=True), **links})


def _addresses() -> list[Any]:
    """List the URL patterns of the API alone."""
    return list(vars(import_module(URLS))["urlpatterns"])


@cache
def openapi() -> dict[str, Any]:
    """Build the schema from the code, the same in both languages. Cached, as it takes a third of a second."""
    generator: Any = SchemaGenerator
    schema: dict[str, Any] = generator(patterns=_addresses()).get_schema(request=None, public=True)
    by_name = {one.name: one for one in OPERATIONS}
    for methods in schema["paths"].values():
        for said in methods.values():
            operation = by_name[said["operationId"]]
            refused = {status: {"$ref": REFUSED} for status in said["responses"] if int(status) >= 400}
            said["responses"] |= refused
            if operation.takes is not None:
                _show(said["requestBody"], operation.takes.__name__)
            _show(said["responses"][str(operation.status)], name_of_answer(operation))
    schema["components"]["examples"] = {name: {"value": value} for name, value in examples().items()}
    schema["components"]["responses"] = {
        "Problem": {
            "description": "The error.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    }
    return schema


def _show(said: dict[str, Any], name: str) -> None:
    """Add the example of this name, if there is one."""
    if name in examples():
        said["content"]["application/json"]["examples"] = {name: {"$ref": f"#/components/examples/{name}"}}


FILE: Path = settings.BASE_DIR / "docs" / "api" / "openapi.yaml"


def openapi_text() -> str:
    """Render the schema in English, as stored in ``FILE``."""
    with override("en"):
        renderer: Any = OpenApiYamlRenderer()
        written: bytes = renderer.render(openapi(), renderer_context={})
    return written.decode()
