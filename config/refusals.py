"""HTTP answers for refusals: one table of statuses, and the JSON for programs."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from django.utils.translation import override
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler, set_rollback

from errors import Refusal
from wording.sentences import sentence

UNPROCESSABLE = 422
STATUSES = {
    "entry_key_reused": 409,
    "match_closed": 409,
    "match_over": 409,
    "log_is_behind": 409,
    "game_changed": 409,
    "dealer_changed": 409,
    "call_settled": 409,
    "call_withdrawn": 409,
    "bundle_old": 409,
    "number_skips": 409,
    "not_last_hand": 409,
    "no_such_mark": 409,
    "round_not_closed": 409,
    "event_running": 409,
    "event_has_hands": 409,
    "later_round_published": 409,
    "step_not_allowed": 409,
    "event_started": 409,
    "event_called_off": 409,
    "event_not_running": 409,
    "tables_missing": 409,
    "tables_undecided": 409,
    "nobody_goes_on": 409,
    "nobody_can_meet": 409,
    "nothing_left_to_draw": 409,
    "changed_since": 409,
    "rank_changed": 409,
    "later_steps_rest_on_it": 409,
    "rulings_stand": 409,
    "no_such_action": 404,
    "no_such_webhook": 404,
    "no_such_federation": 404,
    "no_such_feed": 404,
    "feed_is_off": 409,
    "no_such_delivery": 404,
    "webhook_is_off": 409,
    "led_elsewhere": 409,
    "no_such_pairing": 409,
    "no_such_mirror": 409,
    "no_public_site": 409,
    "no_snapshot_there": 409,
    "sign_up_closed": 409,
    "form_used": 409,
    "event_ended": 409,
    "round_is_published": 409,
    "table_is_anothers": 409,
    "no_such_entry_now": 404,
    "has_a_partner": 409,
    "has_no_partner": 409,
    "too_many_sign_ups": 429,
    "too_many_own_letters": 429,
    "said_too_late": 409,
    "sign_off_closed": 409,
    "not_in_an_entry": 409,
    "director_only": 403,
    "past_night": 403,
    "owner_only": 403,
    "last_owner": 409,
    "member_of_other_clubs": 409,
    "already_in_club": 409,
    "no_such_member": 404,
    "no_such_invitation": 404,
    "club_not_invited": 404,
    "already_invited": 409,
    "entries_stand": 409,
    "draw_has_begun": 409,
    "plays_already": 409,
    "invitation_over": 410,
    "link_used": 410,
    "unknown_code": 404,
    "evening_over": 404,
    "no_match_yet": 404,
    "card_replaced": 403,
    "phone_turned_away": 403,
    "too_many_guesses": 429,
    "letters_are_others": 429,
    "too_many_tries": 429,
    "too_many_plans": 429,
    "sign_in_again": 409,
    "passkeys_not_here": 409,
    "no_mail_here": 409,
    "no_such_passkey": 409,
    "second_factor_there": 409,
    "no_second_factor": 409,
    "app_sealed_elsewhere": 409,
    "app_square_over": 409,
    "last_way_in": 409,
    "mailed_link_over": 410,
    "no_such_match": 404,
    "no_such_round": 404,
    "no_such_event": 404,
    "no_such_club": 404,
    "no_such_house_rules": 404,
    "no_such_season": 404,
    "no_such_prize": 404,
    "no_such_dues": 404,
    "not_at_the_event": 404,
    "no_such_incident": 404,
    "person_anonymized": 409,
    "still_taking_part": 409,
    "incident_unfinished": 409,
    "no_such_usual_night": 404,
    "no_such_recurring_night": 404,
    "no_such_date": 404,
    "stored_by_newer_program": 409,
    "token_required": 401,
    "token_unknown": 401,
    "scope_too_small": 403,
    "no_such_token": 404,
    "not_found": 404,
    "method_not_allowed": 405,
    "not_acceptable": 406,
    "unsupported_media_type": 415,
    "too_many_requests": 429,
    "key_not_a_uuid": 400,
    "precondition_failed": 412,
    "no_such_limit": 400,
    "no_such_cursor": 400,
    "not_json": 400,
    "not_an_object": 400,
    "body_too_large": 413,
    "host_unknown": 421,
    "body_too_slow": 408,
    "workbook_too_large": 413,
    "picture_too_large": 413,
    "workbooks_wait": 503,
    "file_too_large": 413,
    "files_too_large": 413,
    "database_away": 503,
    "database_busy": 503,
    "database_damaged": 503,
    "disk_full": 503,
    "club_disk_full": 507,
    "disk_failing": 503,
}
"""HTTP status by code. All other refusals are about input that can be corrected: 422."""


def status_of(refusal: Refusal) -> int:
    return STATUSES.get(refusal.code, UNPROCESSABLE)


def in_each_language(refusal: Refusal) -> dict[str, str]:
    """Return the sentence in each language."""
    said = {}
    for language, _ in settings.LANGUAGES:
        with override(language):
            said[language] = sentence(refusal)
    return said


PROBLEM_TYPE = "application/problem+json"

OF_THE_FRAMEWORK: Mapping[str, Refusal] = {
    "not_found": Refusal("not_found"),
    "method_not_allowed": Refusal("method_not_allowed"),
    "not_acceptable": Refusal("not_acceptable"),
    "unsupported_media_type": Refusal("unsupported_media_type"),
}
"""Errors of Django REST framework itself, as refusals."""


def problem(refusal: Refusal) -> dict[str, Any]:
    """Return a refusal after RFC 9457, with each of the ``errors`` of a form that has several."""
    status = status_of(refusal)
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        **refusal_to_json(refusal),
    }
    if "current" in refusal.details:
        body["current"] = refusal.details["current"]
    several = [each for each in refusal.details.get("refusals", ()) if isinstance(each, Refusal)]
    return body | {"errors": [refusal_to_json(each) for each in several]} if several else body


def refusal_to_json(refusal: Refusal) -> dict[str, Any]:
    """Return the code of a refusal, its field, and its sentence in the reader's language."""
    return {"code": refusal.code, "field": refusal.field or None, "detail": sentence(refusal)}


def problem_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer an error of a request to the API as ``application/problem+json``."""
    if isinstance(error, RequestDataTooBig):
        error = Refusal("body_too_large", most=settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024)
    if isinstance(error, ValidationError):
        return _of_fields(error)
    if isinstance(error, Http404):
        error = NotFound()
    if isinstance(error, APIException):
        error = OF_THE_FRAMEWORK.get(error.default_code, Refusal("not_json"))
    if not isinstance(error, Refusal):
        return None
    body = problem(error)
    response = Response(body, status=body["status"], content_type=PROBLEM_TYPE)
    if body["status"] == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    _say_when(response, error)
    set_rollback()
    return response


def _say_when(response: Response, refusal: Refusal) -> None:
    """Set after how many seconds to retry, if the refusal knows."""
    if "seconds" in refusal.details:
        response.headers["Retry-After"] = str(refusal.details["seconds"])


def _of_fields(error: ValidationError) -> Response:
    """Answer with every field that could not be read, by its place in the body: ``players.0``."""
    errors = [
        {"code": detail.code, "field": field or None, "detail": _with_whole_letters(str(detail))}
        for field, detail in _details(error.detail, "")
    ]
    body = problem(Refusal("form_refused")) | {"errors": errors, "field": errors[0]["field"]}
    return Response(body, status=body["status"], content_type=PROBLEM_TYPE)


def _with_whole_letters(text: str) -> str:
    """Replace each lone surrogate by ?, as JSON input can have them and no answer can."""
    return text.encode("utf-8", "replace").decode()


def _details(found: Any, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(found, Mapping):
        for name, inner in found.items():
            yield from _details(inner, f"{place}.{name}" if place else str(name))
    elif isinstance(found, list):
        for inner in found:
            yield from _details(inner, place)
    else:
        yield place, found


def api_exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer a refusal as ``{"code", "field", "detail"}``; the framework's other errors in its own form."""
    if isinstance(error, RequestDataTooBig):
        error = Refusal("body_too_large", most=settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024)
    if isinstance(error, Refusal):
        body = {"code": error.code, "field": error.field, "detail": sentence(error)}
        response = Response(body, status=status_of(error))
        _say_when(response, error)
        vars(response)["refusal"] = error
        return response
    return exception_handler(error, context)
