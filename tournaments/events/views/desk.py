"""The desk page of an event. Each of its buttons calls one service."""

from collections.abc import Callable
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

from clubs.access import may
from clubs.actor import actor_from
from clubs.audit.log import Actor
from clubs.policy import Permission
from clubs.post_only import posted_from
from engine.results import slots_ahead
from errors import Refusal
from jobs.queries import jobs_of
from live.conditional_pages import asks_for_part, conditional_page, part_tag
from scoring.parsing import whole_number
from scoring.presenters.rows import TableGroup
from scoring.queries import damaged_hands
from tournaments.entries.presenters.entries import awaited_entries
from tournaments.entries.queries.entries import entries_of
from tournaments.entries.views import render_entries
from tournaments.events.presenters.desk import desk_view, unfinished_games
from tournaments.events.services.background_steps import DEFERRED, defer, is_large
from tournaments.events.services.lifecycle import end_event, resume_event, start_event
from tournaments.history.presenters.history import history_lines
from tournaments.history.queries import PAYMENTS
from tournaments.history.services.optimistic import check_unchanged
from tournaments.history.views.confirmation import confirm_then_run
from tournaments.lifecycle import EventState, RoundState
from tournaments.models import PROOFS, Event, Round
from tournaments.rounds.clock import clock_of
from tournaments.rounds.presenters.changes import ChangesView, changes_view
from tournaments.rounds.presenters.contradictions import contradiction_views
from tournaments.rounds.presenters.drafts import draft_view
from tournaments.rounds.presenters.rounds import next_places
from tournaments.rounds.queries.drafts import draft_digest, draft_of
from tournaments.rounds.queries.event_snapshot import event_snapshot
from tournaments.rounds.queries.messages import messages_mark, messages_of
from tournaments.rounds.queries.phases import round_length
from tournaments.rounds.queries.rounds import rounds_of, undecided_tables
from tournaments.rounds.services.clock import (
    add_minutes,
    begin_round,
    call_last_hand,
    pause_clock,
    resume_clock,
    take_back_last_hand,
)
from tournaments.rounds.services.rounds import (
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
from tournaments.standings.presenters import final_snapshot
from tournaments.standings.presenters.publication import changes_since_final
from tournaments.standings.queries.delays import watched_revision
from tournaments.standings.queries.validity import changes_since
from web.forms import digits_in

from .access import for_directors, for_helpers
from .phones import phones_now

STEPS: dict[str, Callable[..., object]] = {
    "start": start_event,
    "end": end_event,
    "resume": resume_event,
    "draw": draw_round,
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


CLOSING = "closing"
"""Query parameter of the desk: the round is to be closed, so tables without a result are listed."""

ORDER = "order"
"""Query parameter of live updates: the order in which the desk shows its tables."""

RECENT = 20
"""Lines of the history in which the desk looks for the last change not undone."""


@require_safe
@for_helpers
def desk(request: HttpRequest, event: Event) -> HttpResponse:
    """Show every table with its state. Directors also see the draft of the next round and the next button."""
    if event.state == EventState.PREPARING:
        return redirect("entries" if may(request, Permission.DIRECT) else "check-in", short=event.short)
    revision = _revision(request, event)
    return conditional_page(request, revision, partial(_desk, request, event, revision))


def _revision(request: HttpRequest, event: Event) -> str:
    """Return the revision of the desk page. It depends on every change, on the minute, because silent tables
    show their time, and on the reader's role."""
    minute = int(timezone.now().timestamp() // 60)
    watched = watched_revision(event, is_public=False)
    mark = messages_mark(event, now=timezone.now())
    return f"desk.{event.pk}.{watched}.{minute}{mark}.{may(request, Permission.DIRECT):d}"


def _desk(request: HttpRequest, event: Event, revision: str, refusal: Refusal | None = None) -> HttpResponse:
    is_part = request.method == "GET" and asks_for_part(request)
    now = timezone.now()
    rounds = list(event.rounds.defer(*PROOFS).order_by("number"))
    draft = next((each for each in rounds if each.state == RoundState.DRAFT), None)
    before, last = ([None, None, *(each for each in rounds if each is not draft)])[-2:]
    shown = desk_view(event, last, now=now, group=_group(request), order=_order(request) if is_part else ())
    length = round_length(event, shown.round)
    clock = clock_of(shown.round, length)
    is_time_over = clock is not None and clock.is_time_over(now)
    heard = phones_now(event)
    is_closing = CLOSING in request.GET or (refusal is not None and refusal.code == "tables_missing")
    asked: dict[str, Any] = {"group": shown.group} if shown.group else {}
    asked |= {CLOSING: 1} if is_closing else {}
    asked |= {ORDER: ".".join(str(table.row.number) for table in shown.tables_in_order)} if shown.rows else {}
    return TemplateResponse(
        request,
        "tournaments/events/desk.html" + ("#live" if is_part else ""),
        {
            "event": event,
            "desk": shown,
            "address": f"{reverse('desk', args=[event.short])}?{urlencode(asked)}",
            "waiting": shown.tables_waiting([each.table for each in heard.notices if each.is_silent]),
            "missing": shown.missing_tables if is_closing and may(request, Permission.DIRECT) else [],
            "phones": heard,
            "messages": messages_of(event, last_round=shown.round.number if shown.round else 0, now=now),
            "clock": clock,
            "length": length,
            "counts_games": event.counts_games,
            "now": now,
            "minutes": before and before.clock_minutes,
            "typed": request.POST,
            "etag": part_tag(request, revision),
            "refusal": refusal,
            **DESK.values(event, now),
            "damaged": damaged_hands(pks) if (pks := shown.damaged_matches) else [],
            "is_time_over": is_time_over,
            "unfinished": unfinished_games(event, shown) if is_time_over else None,
            **(_for_the_director(event, last, draft) if may(request, Permission.DIRECT) else {}),
        },
    )


def _group(request: HttpRequest) -> TableGroup | None:
    """Return the group of tables asked for; None for all."""
    asked = request.GET.get("group", "")
    return TableGroup(asked) if asked in set(TableGroup) else None


def _order(request: HttpRequest) -> list[int]:
    """Return the table numbers in the order in which the page asking for an update shows them."""
    numbers = (digits_in(text, most=5) for text in request.GET.get(ORDER, "").split("."))
    return [number for number in numbers if number is not None]


def _for_the_director(event: Event, last_round: Round | None, draft: Round | None) -> dict[str, Any]:
    """Return what only directors see: the draft, the last change, and open decisions."""
    entries = entries_of(event)
    done = history_lines(event, entries, most=RECENT, but=PAYMENTS)
    return {
        "draft": draft and draft_view(event, draft),
        "draft_seen": draft_digest(draft),
        "last": next((line for line in done if not line.is_undone and line.kind != "undo"), None),
        "awaited": awaited_entries(entries),
        **_next_round(event, last_round, draft),
        "undecided": undecided_tables(event),
        "contradictions": contradiction_views(event),
        "outdated": _published_but_outdated(event, last_round),
        "is_final_outdated": changes_since_final(event, final_snapshot(event)) is not None,
        "jobs": [job for job in jobs_of(event.topic) if job.is_under_way],
        "jobs_address": reverse("jobs", args=[event.short]),
    }


def _published_but_outdated(event: Event, last: Round | None) -> ChangesView | None:
    """Return the changes since a published round that has not begun was drawn. One query, or none; two more
    to name who it is about."""
    changes = None if last is None or last.state != RoundState.PUBLISHED else changes_since(last)
    return None if changes is None else changes_view(changes, entries_of(event))


def _draw_first(event: Event, by: Actor) -> None:
    """Draw the first round of an event just started, in the worker if the event is large."""
    if is_large(event):
        defer(event=event, step="draw", by=by)
    else:
        draw_round(event_id=event.pk, by=by)


def _next_round(event: Event, last: Round | None, draft: Round | None) -> dict[str, Any]:
    """Return whether all rounds are played, and the matches of the next one."""
    if draft is not None or last is None or last.state != RoundState.CLOSED:
        return {"is_over": False, "next_places": ()}
    known = event_snapshot(event)
    slots = slots_ahead(known)
    return {"is_over": not slots, "next_places": next_places(known, slots)}


@posted_from("desk", "short")
@for_directors
def take_step(request: HttpRequest, event: Event, step: str) -> HttpResponse:
    """Start, end or resume the event, or draw a round."""
    return _take_step(request, event, step, STEPS.get(step), event_id=event.pk)


@posted_from("desk", "short")
@for_directors
def take_round_step(request: HttpRequest, event: Event, number: int, step: str) -> HttpResponse:
    """Publish, begin, close or reopen a round, or operate its clock."""
    return _take_step(request, event, step, ROUND_STEPS.get(step), event_id=event.pk, number=number)


@posted_from("desk", "short")
@for_directors
def count_games(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Count the unfinished games of a round as they stand, after a preview of the effects."""
    shown = desk_view(event, rounds_of(event).last(), now=timezone.now())
    if shown.round is None or shown.round.number != number:
        return redirect("desk", short=event.short)
    found = unfinished_games(event, shown)
    return confirm_then_run(
        request,
        event,
        lambda by: count_unfinished(event_id=event.pk, number=number, by=by),
        context={
            "question": _("Time: count these games as they stand?"),
            "button": _("Count games"),
            "back": reverse("desk", args=[event.short]),
            "unfinished": found,
            "counts_games": event.counts_games,
        },
        refused=lambda refusal: _desk(request, event, _revision(request, event), refusal),
        done=reverse("desk", args=[event.short]),
    )


def _check_draft_is_seen(request: HttpRequest, event: Event, by: Actor) -> None:
    """Check that the draft is still the one that the form shows; another director may have drawn again, or
    swapped seats. Refuses: changed_since."""
    check_unchanged(event, by, seen=request.POST.get("seen", ""), now=draft_digest(draft_of(event)))


def _check_seen_is_published(request: HttpRequest, event: Event, by: Actor) -> None:
    """Check that the draft to publish is the one that the form shows; a round already published is accepted.
    Refuses: changed_since."""
    if now := draft_digest(draft_of(event)):
        check_unchanged(event, by, seen=request.POST.get("seen", now), now=now)


_CHECKS: dict[Callable[..., object], Callable[[HttpRequest, Event, Actor], None]] = {
    draw_round: _check_draft_is_seen,
    publish_round: _check_seen_is_published,
}
"""Checks of a step that depends on the draft that its form shows."""


def _take_step(
    request: HttpRequest, event: Event, step: str, service: Callable[..., object] | None, **arguments: Any
) -> HttpResponse:
    """Take the step, or queue it for the worker if the event is large."""
    if service is None:
        raise Http404
    try:
        by = actor_from(request)
        if service in _CHECKS:
            check = partial(_CHECKS[service], request, event, by)
            check()
            by = replace(by, precondition=check)  # again under the lock
        if service is draw_round and request.POST.get("seed"):
            arguments["seed"] = whole_number(request.POST, "seed")
        if service is publish_round:
            arguments["as_drawn"] = "as_drawn" in request.POST
        if service is begin_round and request.POST.get("minutes", "").strip():
            arguments["minutes"] = whole_number(request.POST, "minutes")
        if step in DEFERRED and is_large(event):
            del arguments["event_id"]
            defer(event=event, step=step, by=by, **arguments)
            return redirect("desk", short=event.short)
        service(**arguments, by=by)
        if service is start_event and not event.rounds.exists():
            _draw_first(event, replace(by, key=None))
    except Refusal as refusal:
        event.refresh_from_db()
        if event.state == EventState.PREPARING:
            return render_entries(request, event, refusal)
        return _desk(request, event, _revision(request, event), refusal)
    return redirect("desk", short=event.short)
