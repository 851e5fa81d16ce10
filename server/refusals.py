"""HTTP answers for refusals, and the JSON for programs."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from django.utils.translation import override
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import exception_handler, set_rollback

from errors import Refusal
from wording.sentences import get_http_status, get_sentence


def translate_refusal(refusal: Refusal) -> dict[str, str]:
    """Return the sentence in each language."""
    sentences = {}
    for language, _ in settings.LANGUAGES:
        with override(language):
            sentences[language] = get_sentence(refusal)
    return sentences


PROBLEM_TYPE = "application/problem+json"

DRF_REFUSALS: Mapping[str, Refusal] = {
    "not_found": Refusal("not_found"),
    "method_not_allowed": Refusal("method_not_allowed"),
    "not_acceptable": Refusal("not_acceptable"),
    "unsupported_media_type": Refusal("unsupported_media_type"),
}
"""Errors of Django REST framework itself, as refusals."""


def build_problem(refusal: Refusal) -> dict[str, Any]:
    """Return a refusal after RFC 9457, with each of the ``errors`` of a form that has several."""
    status = get_http_status(refusal)
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        **refusal_to_json(refusal),
    }
    if "current" in refusal.details:
        body["current"] = refusal.details["current"]
    field_refusals = [
        field_refusal for field_refusal in refusal.details.get("refusals", ()) if isinstance(field_refusal, Refusal)
    ]
    return (
        body | {"errors": [refusal_to_json(field_refusal) for field_refusal in field_refusals]}
        if field_refusals
        else body
    )


def refusal_to_json(refusal: Refusal) -> dict[str, Any]:
    """Return the code of a refusal, its field, and its sentence in the reader's language."""
    return {"code": refusal.code, "field": refusal.field or None, "detail": get_sentence(refusal)}


def problem_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer an error of a request to the API as ``application/problem+json``."""
    if isinstance(error, RequestDataTooBig):
        error = Refusal("body_too_large", most=settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024)
    if isinstance(error, ValidationError):
        return _build_form_response(error)
    if isinstance(error, Http404):
        error = NotFound()
    if isinstance(error, APIException):
        error = DRF_REFUSALS.get(error.default_code, Refusal("not_json"))
    if not isinstance(error, Refusal):
        return None
    body = build_problem(error)
    response = Response(body, status=body["status"], content_type=PROBLEM_TYPE)
    if body["status"] == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    _set_retry_after(response, error)
    set_rollback()
    return response


def _set_retry_after(response: Response, refusal: Refusal) -> None:
    """Set after how many seconds to retry, if the refusal knows."""
    if "seconds" in refusal.details:
        response.headers["Retry-After"] = str(refusal.details["seconds"])


def _build_form_response(error: ValidationError) -> Response:
    """Answer with every field that could not be read, by its place in the body: ``players.0``."""
    errors = [
        {"code": detail.code, "field": field or None, "detail": _replace_surrogates(str(detail))}
        for field, detail in _iter_details(error.detail, "")
    ]
    body = build_problem(Refusal("form_refused")) | {"errors": errors, "field": errors[0]["field"]}
    return Response(body, status=body["status"], content_type=PROBLEM_TYPE)


def _replace_surrogates(text: str) -> str:
    """Replace each lone surrogate by ?, as JSON input can have them and no answer can."""
    return text.encode("utf-8", "replace").decode()


def _iter_details(error_detail: Any, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(error_detail, Mapping):
        for name, inner in error_detail.items():
            parts = [place, "" if name == api_settings.NON_FIELD_ERRORS_KEY else str(name)]
            yield from _iter_details(inner, ".".join(filter(None, parts)))
    elif isinstance(error_detail, list):
        for inner in error_detail:
            yield from _iter_details(inner, place)
    else:
        yield place, error_detail


def api_exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer a refusal as ``{"code", "field", "detail"}``; the framework's other errors in its own form."""
    if isinstance(error, RequestDataTooBig):
        error = Refusal("body_too_large", most=settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024)
    if isinstance(error, Refusal):
        body = {"code": error.code, "field": error.field, "detail": get_sentence(error)}
        response = Response(body, status=get_http_status(error))
        _set_retry_after(response, error)
        vars(response)["refusal"] = error
        return response
    return exception_handler(error, context)
