"""The desk page of an event. Each of its buttons calls one service."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.audit.log import Actor
from clubs.pages import get_actor, get_refusal, has_permission, note_refusal, require_post_from, show_refusals_on
from clubs.policy import Permission
from engine.results import find_tied_leaders, list_missed_tables, list_upcoming_slots
from errors import Refusal
from jobs.queries import list_jobs
from live.conditional_pages import conditional_page, get_part_etag, is_partial_request, read_snapshot
from scoring.parsing import parse_whole_number
from scoring.presenters.phones import build_phones_view
from scoring.presenters.rows import TableGroup
from scoring.queries import list_damage
from tournaments.entries.presenters.entries import list_awaited_entries
from tournaments.entries.queries.entries import get_entries
from tournaments.entries.views.lists import render_entries
from tournaments.events.presenters.desk import build_desk_view, build_unfinished_games
from tournaments.events.presenters.names import build_full_entry_formatter
from tournaments.events.services.background_steps import DEFERRED_SERVICES, defer, is_large_event
from tournaments.events.services.lifecycle import end_event, resume_event, start_event
from tournaments.history.presenters.history import list_history_lines
from tournaments.history.queries import PAYMENT_KINDS
from tournaments.history.services.optimistic import check_unchanged
from tournaments.history.views.confirmation import confirm_then_run
from tournaments.lifecycle import OPEN_STATES, EventState, RoundState
from tournaments.models import PROOFS, Entry, Event, Round
from tournaments.rounds.clock import build_clock
from tournaments.rounds.presenters.changes import ChangesView, build_changes_view
from tournaments.rounds.presenters.contradictions import build_contradiction_views
from tournaments.rounds.presenters.drafts import build_draft_view
from tournaments.rounds.presenters.rounds import list_next_places
from tournaments.rounds.queries.drafts import compute_draft_digest, get_draft
from tournaments.rounds.queries.event_snapshot import read_event_snapshot
from tournaments.rounds.queries.messages import compute_messages_mark, list_current_messages
from tournaments.rounds.queries.phases import get_round_length
from tournaments.rounds.queries.ready_matches import find_ready_matches
from tournaments.rounds.queries.rounds import get_published_rounds, list_undecided_tables
from tournaments.rounds.queries.team_matches import list_open_requests, list_postponed_matches
from tournaments.rounds.services.clock import (
    add_minutes,
    begin_round,
    call_last_hand,
    pause_clock,
    resume_clock,
    take_back_last_hand,
)
from tournaments.rounds.services.rounds import (
    call_matches,
    close_round,
    discard_draft,
    draw_round,
    hold_round,
    publish_round,
    reopen_round,
    unpublish_round,
)
from tournaments.rounds.services.tables import count_unfinished
from tournaments.slots import DESK
from tournaments.standings.presenters import get_final_snapshot
from tournaments.standings.presenters.publication import find_changes_since_final
from tournaments.standings.queries.delays import get_watched_revision
from tournaments.standings.queries.validity import find_changes
from web.forms import parse_digits

from .access import event_directors_only, event_helpers_only
from .phones import save_phone_reports_first

EVENT_STEPS: dict[str, Callable[..., object]] = {
    "start": start_event,
    "end": end_event,
    "resume": resume_event,
    "draw": draw_round,
    "call-matches": call_matches,
}
ROUND_STEPS: dict[str, Callable[..., object]] = {
    "publish": publish_round,
    "unpublish": unpublish_round,
    "discard": discard_draft,
    "begin": begin_round,
    "hold": hold_round,
    "pause": pause_clock,
    "go-on": resume_clock,
    "more-minutes": add_minutes,
    "last-hand": call_last_hand,
    "more-hands": take_back_last_hand,
    "close": close_round,
    "reopen": reopen_round,
}


CLOSING_PARAMETER = "closing"
"""Query parameter of the desk: the round is to be closed, so tables without a result are listed."""

ORDER_PARAMETER = "order"
"""Query parameter of live updates: the order in which the desk shows its tables."""

MAX_RECENT_LINES = 20
"""Lines of the history in which the desk looks for the last change not undone."""


@require_safe
@save_phone_reports_first
@read_snapshot()
@event_helpers_only
def desk(request: HttpRequest, event: Event) -> HttpResponse:
    """Show every table with its state. Directors also see the draft of the next round and the next button."""
    if event.state == EventState.PREPARING:
        return redirect("entries" if has_permission(request, Permission.DIRECT) else "check-in", short=event.short)
    revision = _get_revision(request, event)
    return conditional_page(request, revision, partial(_render_desk, request, event, revision))


def _get_revision(request: HttpRequest, event: Event) -> str:
    """Return the revision of the desk page. It depends on every change, on the minute, because silent tables
    show their time, and on the reader's role."""
    minute = int(timezone.now().timestamp() // 60)
    revision = get_watched_revision(event, is_public=False)
    mark = compute_messages_mark(event, now=timezone.now())
    return f"desk.{event.pk}.{revision}.{minute}{mark}.{has_permission(request, Permission.DIRECT):d}"


def _render_current_desk(request: HttpRequest, event: Event) -> HttpResponse:
    return _render_desk(request, event, _get_revision(request, event))


def _render_desk(request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    is_part = request.method == "GET" and is_partial_request(request)
    now = timezone.now()
    rounds = list(event.rounds.defer(*PROOFS).order_by("number"))
    drafts = [each for each in rounds if each.state == RoundState.DRAFT]
    draft = drafts[0] if drafts and event.state != EventState.ENDED else None
    previous_round, last_round = ([None, None, *(each for each in rounds if each not in drafts)])[-2:]
    entries = get_entries(event)
    desk_page = build_desk_view(
        event, last_round, entries, now=now, group=_read_group(request), order=_read_order(request) if is_part else ()
    )
    length = get_round_length(event, desk_page.round)
    clock = build_clock(desk_page.round, length)
    is_time_over = clock is not None and clock.is_time_over(now)
    phone_reports = build_phones_view(event.topic, now=now)
    refusal = get_refusal(request)
    is_closing = CLOSING_PARAMETER in request.GET or (refusal is not None and refusal.code == "tables_missing")
    parameters: dict[str, Any] = {"group": desk_page.group} if desk_page.group else {}
    parameters |= {CLOSING_PARAMETER: 1} if is_closing else {}
    parameters |= (
        {ORDER_PARAMETER: ".".join(str(table.row.number) for table in desk_page.ordered_tables)}
        if desk_page.rows
        else {}
    )
    return TemplateResponse(
        request,
        "tournaments/events/desk.html" + ("#live" if is_part else ""),
        {
            "event": event,
            "desk": desk_page,
            "address": f"{reverse('desk', args=[event.short])}?{urlencode(parameters)}",
            "waiting": desk_page.list_waiting_tables([each.table for each in phone_reports.notices if each.is_silent]),
            "missing": desk_page.missing_tables if is_closing and has_permission(request, Permission.DIRECT) else [],
            "phones": phone_reports,
            "messages": list_current_messages(
                event, last_round=desk_page.round.number if desk_page.round else 0, now=now
            ),
            "clock": clock,
            "length": length,
            "counts_games": event.counts_games,
            "now": now,
            "minutes": previous_round and previous_round.clock_minutes,
            "typed": request.POST,
            "etag": get_part_etag(request, revision),
            **DESK.collect_values(event, now),
            "damaged": list_damage(pks) if (pks := desk_page.damaged_matches) else [],
            "is_time_over": is_time_over,
            "unfinished": build_unfinished_games(event, desk_page) if is_time_over else None,
            **(
                _build_director_context(event, entries, last_round, draft)
                if has_permission(request, Permission.DIRECT)
                else {}
            ),
        },
    )


def _read_group(request: HttpRequest) -> TableGroup | None:
    """Return the group of tables asked for; None for all."""
    value = request.GET.get("group", "")
    return TableGroup(value) if value in set(TableGroup) else None


def _read_order(request: HttpRequest) -> list[int]:
    """Return the table numbers in the order in which the page asking for an update shows them."""
    numbers = (parse_digits(text, max_digits=5) for text in request.GET.get(ORDER_PARAMETER, "").split("."))
    return [number for number in numbers if number is not None]


def _build_director_context(
    event: Event, entries: Sequence[Entry], last_round: Round | None, draft: Round | None
) -> dict[str, Any]:
    """Return what only directors see: the draft, the last change, and open decisions."""
    lines = list_history_lines(event, entries, max_lines=MAX_RECENT_LINES, excluded_kinds=PAYMENT_KINDS)
    return {
        "draft": draft and build_draft_view(event, draft),
        "draft_seen": compute_draft_digest(draft),
        "last": next((line for line in lines if not line.is_undone and line.kind != "undo"), None),
        "awaited": list_awaited_entries(entries),
        **_build_next_round_context(event, entries, last_round, draft),
        "ready": _count_ready(event, last_round),
        "undecided": list_undecided_tables(event),
        "postponed": list_postponed_matches(event, get_published_rounds(event)) if event.has_team_matches else (),
        "requests": list_open_requests(event, draft or last_round),
        "contradictions": build_contradiction_views(event),
        "outdated": _find_outdated_changes(event, last_round),
        "is_final_outdated": find_changes_since_final(event, get_final_snapshot(event)) is not None,
        "jobs": [job for job in list_jobs(event.topic) if job.is_under_way],
        "jobs_address": reverse("jobs", args=[event.short]),
    }


def _count_ready(event: Event, last: Round | None) -> int:
    """Return how many matches of a bracket can be called while the round is played."""
    unfinished = find_ready_matches(event, last) if last is not None and last.state in OPEN_STATES else None
    return len(unfinished.slots) if unfinished is not None and unfinished.snapshot.locked_tables else 0


def _find_outdated_changes(event: Event, round_row: Round | None) -> ChangesView | None:
    """Return the changes since a published round that has not begun was drawn. One query, or none; two more
    to name who it is about."""
    changes = None if round_row is None or round_row.state != RoundState.PUBLISHED else find_changes(round_row)
    return None if changes is None else build_changes_view(changes, get_entries(event))


def _draw_first_round(event: Event, by: Actor) -> None:
    """Draw the first round of an event just started, in the worker if the event is large."""
    if is_large_event(event):
        defer(event=event, step="draw", by=by)
    else:
        draw_round(event_id=event.pk, by=by)


def _build_next_round_context(
    event: Event, entries: Sequence[Entry], last_round: Round | None, draft: Round | None
) -> dict[str, Any]:
    """Return whether all rounds are played, the matches of the next one, and who shares first place."""
    if draft is not None or last_round is None or last_round.state != RoundState.CLOSED:
        return {"is_over": False, "next_places": (), "tied": (), "missed": ()}
    snapshot = read_event_snapshot(event)
    slots, tied = list_upcoming_slots(snapshot), find_tied_leaders(snapshot)
    named, entries_by_id = build_full_entry_formatter(entries), {entry.pk: entry for entry in entries}
    return {
        "is_over": not slots,
        "next_places": list_next_places(snapshot, slots),
        "tied": [named(entry) for entry in entries if entry.pk in tied],
        "missed": [[named(entries_by_id[pk]) for pk in (*table.a, *table.b)] for table in list_missed_tables(snapshot)],
    }


@require_post_from("desk", "short")
@event_directors_only
def take_step(request: HttpRequest, event: Event, step: str) -> HttpResponse:
    """Start, end or resume the event, or draw a round."""
    return _take_step(request, event, step, EVENT_STEPS.get(step), event_id=event.pk)


@require_post_from("desk", "short")
@event_directors_only
def take_round_step(request: HttpRequest, event: Event, number: int, step: str) -> HttpResponse:
    """Publish, begin, close or reopen a round, or operate its clock."""
    return _take_step(request, event, step, ROUND_STEPS.get(step), event_id=event.pk, number=number)


@require_post_from("desk", "short")
@event_directors_only
@show_refusals_on(_render_current_desk)
def count_games(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Count the unfinished games of a round as they stand, after a preview of the effects."""
    desk_page = build_desk_view(event, get_published_rounds(event).last(), get_entries(event), now=timezone.now())
    if desk_page.round is None or desk_page.round.number != number:
        return redirect("desk", short=event.short)
    unfinished = build_unfinished_games(event, desk_page)
    return confirm_then_run(
        request,
        event,
        lambda by: count_unfinished(event_id=event.pk, number=number, by=by),
        question=_("Time’s up: count these games as they stand?"),
        button=_("Count games"),
        back=reverse("desk", args=[event.short]),
        unfinished=unfinished,
        counts_games=event.counts_games,
    )


def _check_draft_unchanged(request: HttpRequest, event: Event, by: Actor) -> None:
    """Check that the draft is still the one that the form shows; another director may have drawn again, or
    swapped seats. Refuses: changed_since."""
    check_unchanged(event, by, expected=request.POST.get("seen", ""), current=compute_draft_digest(get_draft(event)))


def _check_shown_draft_unchanged(request: HttpRequest, event: Event, by: Actor) -> None:
    """Check that the draft to publish or discard is the one that the form shows; one that is none any more is
    accepted. Refuses: changed_since."""
    if current_digest := compute_draft_digest(get_draft(event)):
        check_unchanged(event, by, expected=request.POST.get("seen", current_digest), current=current_digest)


_CHECKS: dict[Callable[..., object], Callable[[HttpRequest, Event, Actor], None]] = {
    draw_round: _check_draft_unchanged,
    publish_round: _check_shown_draft_unchanged,
    discard_draft: _check_shown_draft_unchanged,
}
"""Checks of a step that depends on the draft that its form shows."""


_NUMBERS: dict[Callable[..., object], str] = {draw_round: "seed", begin_round: "minutes"}
_SWITCHES: dict[Callable[..., object], tuple[str, ...]] = {
    draw_round: ("is_play_off", "plays_missed"),
    publish_round: ("as_drawn",),
}
"""Arguments of a step that its form may set."""


def _posted_arguments(request: HttpRequest, service: Callable[..., object]) -> dict[str, Any]:
    """Return the arguments that the form of a step sets. Refuses: not_a_number."""
    number = _NUMBERS.get(service, "")
    arguments: dict[str, Any] = {switch: switch in request.POST for switch in _SWITCHES.get(service, ())}
    if request.POST.get(number, "").strip():
        arguments[number] = parse_whole_number(request.POST, number)
    return arguments


def _take_step(
    request: HttpRequest, event: Event, step: str, service: Callable[..., object] | None, **arguments: Any
) -> HttpResponse:
    """Take the step, or queue it for the worker if the event is large."""
    if service is None:
        raise Http404
    try:
        by = get_actor(request)
        if service in _CHECKS:
            check = partial(_CHECKS[service], request, event, by)
            check()
            by = replace(by, precondition=check)  # again under the lock
        arguments |= _posted_arguments(request, service)
        if step in DEFERRED_SERVICES and is_large_event(event):
            del arguments["event_id"]
            defer(event=event, step=step, by=by, **arguments)
            return redirect("desk", short=event.short)
        service(**arguments, by=by)
        if service is start_event and not event.rounds.exists():
            _draw_first_round(event, replace(by, key=None))
    except Refusal as refusal:
        note_refusal(request, refusal)
        event.refresh_from_db()
        if event.state == EventState.PREPARING:
            return render_entries(request, event)
        return _render_current_desk(request, event)
    return redirect("desk", short=event.short)
