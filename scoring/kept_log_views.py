"""View that takes logs saved on phones, after the server was restored from an older backup."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

from live.conditional_pages import part_tag

from . import queries, services
from .kept_logs import KeptLog, read_kept_logs
from .models import Match
from .phone import PhoneMatch, match_for_phone
from .presenters import table_screen
from .table_access import TableSession, by_card
from .views import posted_on_the_card


def receive_kept_logs(request: HttpRequest, door: TableSession) -> HttpResponse:
    """Take the logs that a phone has saved of this table.

    For each log, in order, the answer has the match as it is now (null if there is none) and, by key, the
    refusal code of each mark not taken. It also has the match now played.
    """
    kept = read_kept_logs(request.POST.get("logs", ""), device=door.device)
    logs = [_answer_of_log(request, door, each) for each in kept]
    return JsonResponse({"logs": logs, "known": _match_for_phone(request, door, door.match)})


def _answer_of_log(request: HttpRequest, door: TableSession, kept: KeptLog) -> dict[str, Any]:
    match = queries.match_kept(door.match.card, kept.opened_at, kept.round_number, kept.names)
    if match is None:
        return {"known": None, "not_taken": {}}
    not_taken = services.bring_back_log(match_id=match.pk, kept=kept, device=door.device)
    codes = {str(key): refusal.code for key, refusal in not_taken.items()}
    return {"known": _match_for_phone(request, door, match), "not_taken": codes}


def _match_for_phone(request: HttpRequest, door: TableSession, match: Match) -> PhoneMatch:
    """Return the match as it is now, in the form that a phone keeps."""
    fresh = replace(door, match=queries.match_of_card(door.match.card, match.pk) or match)
    return match_for_phone(
        fresh,
        table_screen(fresh.match),
        call=queries.latest_call(fresh.match),
        etag=part_tag(request, fresh.revision),
    )


bring_back_by_card = posted_on_the_card(by_card(receive_kept_logs))
