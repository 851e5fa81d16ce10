"""The organizer's pages of one event: entries, tables, draws, cards. Each button calls one service."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext, override
from django.views.decorators.http import require_safe

from clubs.access import may
from clubs.actor import by_of
from clubs.audit.log import Actor
from clubs.policy import Permission
from clubs.post_only import posted_from
from engine.results import slots_ahead
from jobs.queries import jobs_of
from live.conditional_pages import asks_for_part, conditional_page, part_tag
from rules import Refusal
from scoring.models import TableCard
from scoring.parsing import whole_number
from scoring.presenters.rows import TableGroup
from scoring.qr import square_of
from tournaments.entries.presenters.entries import awaited_entries
from tournaments.entries.views import shown_entries
from tournaments.events.presenters.desk import desk_view
from tournaments.events.services.background_steps import DEFERRED, defer, is_large
from tournaments.events.services.lifecycle import end_event, resume_event, start_event
from tournaments.history.presenters.history import history_lines
from tournaments.lifecycle import EventState, RoundState
from tournaments.models import PROOFS, Event, Round
from tournaments.money.services.fees import PAYMENTS
from tournaments.rounds.clock import clock_of
from tournaments.rounds.presenters.contradictions import contradiction_views
from tournaments.rounds.presenters.drafts import draft_view
from tournaments.rounds.presenters.rounds import next_places
from tournaments.rounds.queries.event_snapshot import event_snapshot
from tournaments.rounds.queries.rounds import undecided_tables
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
from tournaments.standings.queries.lateness import watched_revision
from web.qr import is_only_here, origin_for_phones

from .access import for_directors, for_helpers

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


RECENT = 20
"""Lines of the history among which the desk looks for the last one that stands."""


@require_safe
@for_helpers
def desk(request: HttpRequest, event: Event) -> HttpResponse:
    """Every table with its state; for who directs, the draft of the next round too, and the next button."""
    if event.state == EventState.PREPARING:
        return redirect("entries" if may(request, Permission.DIRECT) else "check-in", short=event.short)
    revision = _revision(request, event)
    return conditional_page(request, revision, partial(_desk, request, event, revision))


def _revision(request: HttpRequest, event: Event) -> str:
    """What is on the page: every change, how long a table has been silent, which grows by the minute, and
    for whom."""
    minute = int(timezone.now().timestamp() // 60)
    return f"desk.{event.pk}.{watched_revision(event)}.{minute}.{may(request, Permission.DIRECT):d}"


def _desk(request: HttpRequest, event: Event, revision: str, refusal: Refusal | None = None) -> HttpResponse:
    is_part = request.method == "GET" and asks_for_part(request)
    now = timezone.now()
    shown = desk_view(event, now=now, group=_group(request))
    return TemplateResponse(
        request,
        "tournaments/events/desk.html" + ("#live" if is_part else ""),
        {
            "event": event,
            "desk": shown,
            "clock": shown.round and clock_of(shown.round, event.terms.match_format),
            "now": now,
            "minutes": _usual_minutes(event, shown.round),
            "typed": request.POST,
            "etag": part_tag(request, revision),
            "refusal": refusal,
            **(_for_the_director(event, shown.round) if may(request, Permission.DIRECT) else {}),
        },
    )


def _usual_minutes(event: Event, last_round: Round | None) -> int | None:
    """What the clock of the round before counted down; one query where it is about to begin."""
    if last_round is None or last_round.state != RoundState.PUBLISHED:
        return None
    before = event.rounds.filter(number=last_round.number - 1)
    return before.values_list("clock_minutes", flat=True).first()


def _group(request: HttpRequest) -> TableGroup | None:
    """Which tables are asked for, if not all."""
    asked = request.GET.get("group", "")
    return TableGroup(asked) if asked in set(TableGroup) else None


def _for_the_director(event: Event, last_round: Round | None) -> dict[str, Any]:
    """What a helper does not see: the draft, what was done last, and what waits for a decision."""
    draft = event.rounds.filter(state=RoundState.DRAFT).defer(*PROOFS).first()
    done = history_lines(event, most=RECENT, but=PAYMENTS)
    return {
        "draft": draft and draft_view(event, draft),
        "last": next((line for line in done if not line.is_undone and line.kind != "undo"), None),
        "awaited": awaited_entries(event),
        **_next_round(event, last_round, draft),
        "undecided": undecided_tables(event),
        "contradictions": contradiction_views(event),
        "jobs": [job for job in jobs_of(event.topic) if job.is_under_way],
        "jobs_address": reverse("jobs", args=[event.short]),
    }


def _draw_first(event: Event, by: Actor) -> None:
    """The draft that a started event shows at once."""
    if is_large(event):
        defer(event=event, step="draw", by=by)
    else:
        draw_round(event_id=event.pk, by=by)


def _next_round(event: Event, last: Round | None, draft: Round | None) -> dict[str, Any]:
    """Whether no round is left to draw, and what its matches will be."""
    if draft is not None or last is None or last.state != RoundState.CLOSED:
        return {"is_over": False, "next_places": ()}
    known = event_snapshot(event)
    slots = slots_ahead(known)
    return {"is_over": not slots, "next_places": next_places(known, slots)}


@posted_from("desk", "short")
@for_directors
def take_step(request: HttpRequest, event: Event, step: str) -> HttpResponse:
    """One of the event's buttons."""
    return _stepped(request, event, step, STEPS.get(step), event_id=event.pk)


@posted_from("desk", "short")
@for_directors
def take_round_step(request: HttpRequest, event: Event, number: int, step: str) -> HttpResponse:
    """One of a round's buttons."""
    return _stepped(request, event, step, ROUND_STEPS.get(step), event_id=event.pk, number=number)


def _stepped(
    request: HttpRequest, event: Event, step: str, service: Callable[..., object] | None, **arguments: int
) -> HttpResponse:
    """Takes the step, or has the worker take it where that may take a while."""
    if service is None:
        raise Http404
    try:
        by = by_of(request)
        if service is draw_round and request.POST.get("seed"):
            arguments["seed"] = whole_number(request.POST, "seed")
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
            return shown_entries(request, event, refusal)
        return _desk(request, event, _revision(request, event), refusal)
    return redirect("desk", short=event.short)


@require_safe
@for_helpers
def card(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """The card of one table for a phone to scan, as large as the screen, and the way to the next one."""
    laid = list(TableCard.objects.filter(topic=event.topic).order_by("number"))
    place = next((place for place, one in enumerate(laid) if one.number == number), None)
    if place is None:
        raise Http404
    origin = origin_for_phones(request)
    context = {
        "event": event,
        "card": laid[place],
        "qr": square_of(origin, laid[place].code),
        "host": urlsplit(origin).netloc,
        "is_only_here": is_only_here(origin),
        "before": laid[place - 1] if place else None,
        "after": laid[place + 1] if place + 1 < len(laid) else None,
        "of": len(laid),
    }
    return TemplateResponse(request, "tournaments/events/card.html", context)


@require_safe
@for_helpers
def cards(request: HttpRequest, event: Event) -> HttpResponse:
    """The cards to lay on the tables, two to a printed page."""
    origin = origin_for_phones(request)
    laid = TableCard.objects.filter(topic=event.topic).order_by("number")
    other = "en" if get_language() == "fr" else "fr"
    with override(other):
        other_words = gettext("Scan to keep score. No app, no account.")
    context = {
        "event": event,
        "cards": [{"card": card, "qr": square_of(origin, card.code)} for card in laid],
        "host": urlsplit(origin).netloc,
        "is_only_here": is_only_here(origin),
        "other_language": other,
        "other_words": other_words,
    }
    return TemplateResponse(request, "tournaments/events/cards.html", context)
