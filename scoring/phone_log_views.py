"""View that takes logs saved on phones, after the server was restored from an older backup."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

from live.conditional_pages import part_tag

from . import queries, services
from .models import Match
from .phone import PhoneMatch, match_for_phone
from .phone_logs import PhoneLog, parse_phone_logs
from .presenters import table_screen
from .table_access import TableSession, by_card
from .views import posted_on_the_card


def receive_phone_logs(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Take the logs that a phone has saved of this table.

    For each log, in order, the answer has the match as it is now (null if there is none) and, by key, the
    refusal code of each mark not taken. It also has the match now played.
    """
    kept = parse_phone_logs(request.POST.get("logs", ""), device=session.device)
    logs = [_answer_of_log(request, session, each) for each in kept]
    return JsonResponse({"logs": logs, "known": _match_for_phone(request, session, session.match)})


def _answer_of_log(request: HttpRequest, session: TableSession, kept: PhoneLog) -> dict[str, Any]:
    match = queries.match_kept(session.match.card, kept.opened_at, kept.round_number, kept.names)
    if match is None:
        return {"known": None, "not_taken": {}}
    not_taken = services.bring_back_log(match_id=match.pk, kept=kept, device=session.device)
    codes = {str(key): refusal.code for key, refusal in not_taken.items()}
    return {"known": _match_for_phone(request, session, match), "not_taken": codes}


def _match_for_phone(request: HttpRequest, session: TableSession, match: Match) -> PhoneMatch:
    """Return the match as it is now, in the form that a phone keeps."""
    fresh = replace(session, match=queries.match_of_card(session.match.card, match.pk) or match)
    return match_for_phone(
        fresh,
        table_screen(fresh.match),
        call=queries.latest_call(fresh.match),
        etag=part_tag(request, fresh.revision),
    )


restore_log_by_card = posted_on_the_card(by_card(receive_phone_logs))
