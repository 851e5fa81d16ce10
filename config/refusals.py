"""From refusal to HTTP: one table of statuses, and the answer that programs get."""

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.response import Response
from rest_framework.views import exception_handler

from rules import Refusal
from wording.sentences import sentence

UNPROCESSABLE = 422
STATUSES = {
    "entry_key_reused": 409,
    "match_closed": 409,
    "match_over": 409,
    "game_changed": 409,
    "number_skips": 409,
    "not_last_hand": 409,
    "no_such_mark": 409,
    "round_not_closed": 409,
    "event_running": 409,
    "event_has_hands": 409,
    "later_round_published": 409,
    "step_not_allowed": 409,
    "event_started": 409,
    "event_not_running": 409,
    "tables_missing": 409,
    "tables_undecided": 409,
    "nobody_goes_on": 409,
    "nothing_left_to_draw": 409,
    "changed_since": 409,
    "later_steps_rest_on_it": 409,
    "rulings_stand": 409,
    "no_such_action": 404,
    "sign_up_closed": 409,
    "form_used": 409,
    "event_ended": 409,
    "round_is_published": 409,
    "table_is_anothers": 409,
    "no_such_entry_now": 404,
    "too_many_sign_ups": 429,
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
    "too_many_guesses": 429,
    "letters_are_others": 429,
    "too_many_tries": 429,
    "sign_in_again": 409,
    "passkeys_not_here": 409,
    "no_mail_here": 409,
    "no_such_passkey": 409,
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
    "not_json": 400,
    "not_an_object": 400,
    "body_too_large": 413,
    "workbook_too_large": 413,
    "file_too_large": 413,
    "files_too_large": 413,
    "database_away": 503,
    "database_busy": 503,
    "database_damaged": 503,
    "disk_full": 503,
    "disk_failing": 503,
}
"""Everything that is not here is input that can be corrected: 422."""


def status_of(refusal: Refusal) -> int:
    return STATUSES.get(refusal.code, UNPROCESSABLE)


def api_exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """A refusal as ``{"code", "field", "detail"}``; whatever else the framework knows, in its own form."""
    if isinstance(error, RequestDataTooBig):
        error = Refusal("body_too_large", most=settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024**2)
    if isinstance(error, Refusal):
        body = {"code": error.code, "field": error.field, "detail": sentence(error)}
        response = Response(body, status=status_of(error))
        vars(response)["refusal"] = error
        return response
    return exception_handler(error, context)
