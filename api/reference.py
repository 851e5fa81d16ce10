"""OpenAPI schema, and the API reference: a plain HTML page that loads nothing from other sites."""

import json
from collections import defaultdict
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import get_language
from django.views.decorators.http import conditional_page, require_safe

from clubs.access import for_everybody
from wording.labels.operations import IN_FRENCH

from .schema import openapi

ROOT = "/api/v1/"


@require_safe
@for_everybody
@conditional_page
def schema(request: HttpRequest) -> HttpResponse:
    """Download the OpenAPI schema of the API."""
    response = JsonResponse(openapi())
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
@for_everybody
def reference_page(request: HttpRequest) -> HttpResponse:
    """Show the API reference, with examples and a field to try an address."""
    asked = request.GET.get("address", "")
    if asked.startswith(ROOT):
        return redirect(asked)
    return TemplateResponse(request, "api/reference.html", {"groups": _groups(openapi()), "refusal": None})


def _groups(found: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Group the operations by tag."""
    groups = defaultdict(list)
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            body = _json(operation.get("requestBody", {}))
            answer = next(said for status, said in operation["responses"].items() if status.startswith("2"))
            name = body.get("schema", {}).get("$ref", "").rpartition("/")[2]
            fields = found["components"]["schemas"].get(name, {})
            groups[operation["tags"][0]].append(
                {
                    "method": method.upper(),
                    "path": path,
                    "summary": _summary(operation),
                    "says": operation["description"],
                    "query": [one for one in operation.get("parameters", ()) if one["in"] == "query"],
                    "body": _fields(fields),
                    "sent": _example(found, body),
                    "answered": _example(found, _json(answer)),
                }
            )
    return dict(groups)


def _summary(operation: dict[str, Any]) -> str:
    """Return the summary in the reader's language; the rest of the schema is in English."""
    return IN_FRENCH[operation["operationId"]] if get_language() == "fr" else str(operation["summary"])


def _json(said: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = said.get("content", {}).get("application/json", {})
    return content


def _example(found: dict[str, Any], content: dict[str, Any]) -> str:
    """Return the example of a request or response; "" without one."""
    shown = [found["components"]["examples"][name]["value"] for name in content.get("examples", {})]
    return json.dumps(shown[0], ensure_ascii=False, indent=1) if shown else ""


def _fields(shape: dict[str, Any]) -> list[dict[str, Any]]:
    required = shape.get("required", ())
    return [
        {"name": name, "says": value.get("description", ""), "is_required": name in required}
        for name, value in shape.get("properties", {}).items()
        if name != "reason"
    ]
