"""The operations as OpenAPI 3.1, by drf-spectacular."""

import json
from collections.abc import Mapping
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

from api.sheets import SheetOut
from clubs.policy import Audience

from .operation import IDEMPOTENCY_KEY, IF_MATCH, SAFE, Operation
from .operations import OPERATIONS

EXAMPLES_FILE = Path(__file__).with_name("examples.json")


@cache
def load_examples() -> Mapping[str, Any]:
    """Return bodies and responses by the name of their schema, and tables by the operation."""
    data: dict[str, Any] = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    return data


def get_example_name(operation: Operation) -> str:
    """Return the name under which the example of the response is stored."""
    if operation.response_shape is None or operation.response_shape is SheetOut:
        return operation.name[0].upper() + operation.name[1:]
    return get_page_name(operation.response_shape) if operation.is_paged else operation.response_shape.__name__


def get_page_name(response_shape: type[Any]) -> str:
    return response_shape.__name__.removesuffix("Out") + "Page"


URLS = "api.urls"
PROBLEM_REF = "#/components/responses/Problem"


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
    current = s.JSONField(required=False, help_text="With a 412, the resource as it is now; null if there is none.")
    errors = Wrong(many=True, required=False)  # type: ignore[assignment]  # a serializer has errors of its own


def list_refusal_statuses(operation: Operation) -> list[int]:
    """List the error statuses that an operation can return."""
    statuses = {401, 406, 429, 503}
    if "<" in operation.path or operation.is_paged:
        statuses |= {404}
    if operation.asks:
        statuses |= {422}
    if operation.method not in SAFE:
        statuses |= {400, 409, 413, 415, 422}
    if operation.resource is not None:
        statuses |= {412}
    if operation.access is not Audience.PUBLIC:
        statuses |= {403}
    return sorted(statuses)


class OperationSchema(AutoSchema):
    """OpenAPI description of an ``Operation``."""

    @property
    def operation(self) -> Operation:
        found: Operation = vars(type(self.view))["operations"][self.method.lower()]
        return found

    def get_operation_id(self) -> str:
        return self.operation.name

    def get_summary(self) -> str:
        return self.operation.description.partition(". ")[0].removesuffix(".")

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular calls it
        scope = self.operation.minimum_scope
        return self.operation.description + (f" Needs an API key with the `{scope}` scope." if scope else "")

    def get_tags(self) -> list[str]:
        first, *rest = self.operation.path.split("/")
        last = rest[1] if len(rest) > 1 else first
        return [last if last in ("people", "entries", "rounds", "calendar", "seasons") else first]

    def get_auth(self) -> list[dict[str, list[str]]]:
        is_open = isinstance(self.operation.access, Audience) and self.operation.access is not Audience.LINK
        return [{}, {"token": []}] if is_open else [{"token": []}]

    def get_override_parameters(self) -> list[Any]:
        query = [
            OpenApiParameter(name, str, description=description) for name, description in self.operation.asks.items()
        ]
        if self.method.lower() in SAFE:
            return query
        key = OpenApiParameter(
            IDEMPOTENCY_KEY,
            {"type": "string", "format": "uuid"},
            OpenApiParameter.HEADER,
            description="A UUID chosen for this request. A repeat with the same key changes nothing twice.",
        )
        if self.operation.resource is None:
            return [*query, key]
        etag = OpenApiParameter(
            IF_MATCH,
            str,
            OpenApiParameter.HEADER,
            description=f"The ETag of what you have read and change, from `{self.operation.resource.name}`. If it has"
            " changed since, nothing is done, and a 412 has it as it is now.",
        )
        return [*query, key, etag]

    def get_filter_backends(self) -> list[Any]:
        return []

    def get_request_serializer(self) -> Any:
        return self.operation.request_shape

    def get_response_serializers(self) -> Any:
        operation = self.operation
        response_shape: Any = operation.response_shape
        if operation.is_paged:
            response_shape = _build_page_shape(operation.response_shape)
        answer = OpenApiResponse(response_shape, description=self.get_summary())
        deferred_response = OpenApiResponse(
            response_shape, description="Accepted: the event is large, and a background task completes the request."
        )
        deferred_responses = {HTTPStatus.ACCEPTED.value: deferred_response} if operation.can_be_deferred else {}
        problem_response = OpenApiResponse(Problem, description="The error.")
        return {
            operation.status: answer,
            **deferred_responses,
            **dict.fromkeys(list_refusal_statuses(operation), problem_response),
        }


@cache
def _build_page_shape(response_shape: Any) -> Any:
    name = get_page_name(response_shape)
    links = {name: s.CharField(allow_null=True) for name in ("next", "previous")}
    return type(name, (s.Serializer,), {"results": response_shape(many=True), **links})


def _list_patterns() -> list[Any]:
    """List the URL patterns of the API alone."""
    return list(vars(import_module(URLS))["urlpatterns"])


@cache
def build_openapi() -> dict[str, Any]:
    """Build the schema from the code, the same in both languages. Cached, as it takes a third of a second."""
    generator: Any = SchemaGenerator
    schema: dict[str, Any] = generator(patterns=_list_patterns()).get_schema(request=None, public=True)
    operations_by_name = {one.name: one for one in OPERATIONS}
    for methods in schema["paths"].values():
        for description in methods.values():
            operation = operations_by_name[description["operationId"]]
            problem_responses = {
                status: {"$ref": PROBLEM_REF} for status in description["responses"] if int(status) >= 400
            }
            description["responses"] |= problem_responses
            if operation.request_shape is not None:
                _add_example(description["requestBody"], operation.request_shape.__name__)
            _add_example(description["responses"][str(operation.status)], get_example_name(operation))
    schema["components"]["examples"] = {name: {"value": value} for name, value in load_examples().items()}
    schema["components"]["responses"] = {
        "Problem": {
            "description": "The error.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    }
    return schema


def _add_example(part: dict[str, Any], name: str) -> None:
    """Add the example of this name, if there is one."""
    if name in load_examples():
        part["content"]["application/json"]["examples"] = {name: {"$ref": f"#/components/examples/{name}"}}


FILE: Path = settings.BASE_DIR / "docs" / "api" / "openapi.yaml"


def render_openapi() -> str:
    """Render the schema in English, as stored in ``FILE``."""
    with override("en"):
        renderer: Any = OpenApiYamlRenderer()
        content: bytes = renderer.render(build_openapi(), renderer_context={})
    return content.decode()
