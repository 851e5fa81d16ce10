"""View that takes logs saved on phones, after the server was restored from an older backup."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

from live.conditional_pages import get_part_etag

from . import queries
from .models import Match
from .phone import PhoneMatch, build_phone_match
from .phone_logs import PhoneLog, parse_phone_logs
from .presenters.table import table_screen
from .services import log_restore
from .table_access import TableSession, open_by_card
from .views import require_card_post


def receive_phone_logs(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Take the logs that a phone has saved of this table.

    For each log, in order, the answer has the match as it is now (null if there is none) and, by key, the
    refusal code of each mark not taken. It also has the match now played.
    """
    phone_logs = parse_phone_logs(request.POST.get("logs", ""), device=session.device)
    logs = [_restore_log(request, session, phone_log) for phone_log in phone_logs]
    return JsonResponse({"logs": logs, "known": _build_current_match(request, session, session.match)})


def _restore_log(request: HttpRequest, session: TableSession, phone_log: PhoneLog) -> dict[str, Any]:
    match = queries.find_saved_match(session.match.card, phone_log.opened_at, phone_log.round_number, phone_log.names)
    if match is None:
        return {"known": None, "not_taken": {}}
    refusals = log_restore.restore_log(match_id=match.pk, phone_log=phone_log, device=session.device)
    codes = {str(key): refusal.code for key, refusal in refusals.items()}
    return {"known": _build_current_match(request, session, match), "not_taken": codes}


def _build_current_match(request: HttpRequest, session: TableSession, match: Match) -> PhoneMatch:
    """Return the match as it is now, in the form that a phone keeps."""
    current_session = replace(session, match=queries.find_card_match(session.match.card, match.pk) or match)
    return build_phone_match(
        current_session,
        table_screen(current_session.match),
        call=queries.find_latest_call(current_session.match),
        etag=get_part_etag(request, current_session.revision),
    )


card_restore_log_view = require_card_post(open_by_card(receive_phone_logs))
