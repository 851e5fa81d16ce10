"""Pages of a round for the organizer: swaps, comparisons, held tables and rulings."""

from dataclasses import replace
from functools import partial
from typing import Any
from uuid import uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.actor import actor_from
from clubs.audit.log import Actor
from clubs.post_only import posted_from
from errors import Refusal
from rules import GameTotals, Side
from scoring.models import Match
from scoring.parsing import posted_mark, whole_number
from scoring.services import record_hand
from tournaments.entries.queries.entries import entries_of
from tournaments.events.views.access import for_directors
from tournaments.history.presenters.effects import effects_view
from tournaments.history.services.effects import effects_of
from tournaments.history.services.optimistic import check_unchanged
from tournaments.history.views.confirmation import Deed, confirm_then_run
from tournaments.lifecycle import OPEN, RoundState
from tournaments.models import PROOFS, Event, Round
from tournaments.rounds.presenters.draft_comparisons import (
    MeetingView,
    SwapView,
    comparison_view,
    meeting_view,
    swap_view,
)
from tournaments.rounds.presenters.rounds import TableView, free_entries, round_view
from tournaments.rounds.queries.drafts import draft_digest, draft_of
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.services.tables import (
    adjust_table,
    forfeit_table,
    hold_table,
    let_cards_count,
    swap_entries,
)
from web.forms import digits_in

from .services import tables

CORRECTED = "-"
"""Placeholder for a reason not yet written."""

RULINGS = ("forfeit_a", "forfeit_b", "forfeit_both", "adjust", "cards")
"""Rulings that the page of a table offers."""

OF_A_SCORE = frozenset({"games", "games_a", "games_b", "points", "points_a", "points_b"})
"""Fields of a score set by the director, for one side or both."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def swap(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Swap two entries of a round: choose both, see what it costs, confirm."""
    drawn = _round(event, number)
    if request.method != "POST":
        return _swap(request, event, drawn)
    one, other = (whole_number(request.POST, name) for name in ("one", "other"))

    def deed(by: Actor) -> object:
        return swap_entries(event_id=event.pk, number=number, one=one, other=other, by=by)

    if drawn.state == RoundState.DRAFT:
        by = actor_from(request)

        def check_draft_is_seen() -> None:
            now = draft_digest(draft_of(event))
            check_unchanged(event, by, seen=request.POST.get("seen", now), now=now)

        try:
            deed(replace(by, precondition=check_draft_is_seen))
        except Refusal as refusal:
            return _swap(request, event, drawn, refusal)
        return redirect("desk", short=event.short)
    return confirm_then_run(
        request,
        event,
        deed,
        context={
            "question": _("Did these two swap seats?"),
            "button": _("Swap their seats"),
            "back": _here(event, number),
        },
        refused=partial(_swap, request, event, drawn),
        done=_here(event, number),
    )


def _swap(request: HttpRequest, event: Event, drawn: Round, refusal: Refusal | None = None) -> HttpResponse:
    asked: SwapView | None = None
    lineup, entrants = lineup_of(drawn), entries_of(event)
    one, other = _chosen(request)
    if one is not None and other is not None and refusal is None:
        try:
            asked = swap_view(drawn, lineup, entrants, one, other)
        except Refusal as refused:
            refusal = refused
    context = {
        "event": event,
        "round": round_view(drawn, is_public=False, lineup=lineup, entrants=entrants),
        "one": one,
        "other": asked and asked.other,
        "swap": asked,
        "seen": draft_digest(drawn) if drawn.state == RoundState.DRAFT else "",
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/rounds/swap.html", context)


@require_safe
@for_directors
def meeting(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """See why two entries do not meet: choose both, then see what a draw with their meeting costs."""
    drawn = _round(event, number)
    asked: MeetingView | None = None
    refusal: Refusal | None = None
    lineup, entrants = lineup_of(drawn), entries_of(event)
    one, other = _chosen(request)
    if one is not None and other is not None and one != other:
        try:
            asked = meeting_view(drawn, lineup, entrants, one, other)
        except Refusal as refused:
            refusal = refused
    context = {
        "event": event,
        "round": round_view(drawn, is_public=False, lineup=lineup, entrants=entrants),
        "back": reverse("desk", args=[event.short])
        if drawn.state == RoundState.DRAFT
        else _here(event, number),
        "one": one,
        "other": asked and asked.other,
        "meeting": asked,
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/rounds/meeting.html", context)


def _chosen(request: HttpRequest) -> list[int | None]:
    """Return the numbers of the first and second entry chosen so far."""
    named = (request.GET.get(name) or request.POST.get(name, "") for name in ("one", "other"))
    return [digits_in(text, most=5) for text in named]


@require_safe
@for_directors
def comparison(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Compare the draft with the program's own draw: the costs of both and the tables that differ."""
    drawn = _round(event, number)
    if drawn.state != RoundState.DRAFT:
        raise Http404
    context: dict[str, Any] = {"event": event, "round": drawn}
    try:
        context["comparison"] = comparison_view(event, drawn)
    except Refusal as refusal:
        context["refusal"] = refusal
    return TemplateResponse(request, "tournaments/rounds/comparison.html", context)


@posted_from("desk", "short")
@for_directors
def hold(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Keep a table of the draft when the rest is drawn again, or release it."""
    hold_table(
        event_id=event.pk,
        number=number,
        table=whole_number(request.POST, "table"),
        is_held=request.POST.get("held") == "1",
        by=actor_from(request),
    )
    return redirect(f"{reverse('desk', args=[event.short])}#table-{request.POST['table']}")


@require_safe
@for_directors
def round_page(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show a published round, table by table, with links to correct it."""
    drawn = _round(event, number)
    if drawn.state == RoundState.DRAFT:
        return redirect("desk", short=event.short)
    return _round_page(request, event, drawn)


def _round_page(
    request: HttpRequest, event: Event, drawn: Round, refusal: Refusal | None = None
) -> HttpResponse:
    may_seat_more = drawn.state in OPEN and not event.draws_partners
    lineup, entrants = lineup_of(drawn), entries_of(event)
    context = {
        "event": event,
        "counts_games": event.counts_games,
        "round": round_view(drawn, is_public=False, lineup=lineup, entrants=entrants),
        "rounds": range(1, event.rounds.exclude(state=RoundState.DRAFT).count() + 1),
        "free": free_entries(drawn, lineup, entrants) if may_seat_more else [],
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/rounds/round.html", context)


@require_safe
@for_directors
def correction(request: HttpRequest, event: Event, number: int, table_number: int) -> HttpResponse:
    """Show what a correction of a hand would change. The fields are those of the mark."""
    drawn = _round(event, number)
    match = _match_at(drawn, table_number)
    if match is None:
        raise Http404
    context: dict[str, Any] = {"event": event}
    try:
        posted = posted_mark(request.GET)
        effects = effects_of(
            event.pk,
            lambda: record_hand(
                match_id=match,
                entry_key=posted.entry_key,
                number=posted.number,
                hand=posted.hand,
                supersedes=posted.supersedes,
                saw_only=posted.saw_only,
                account=actor_from(request).account,
                reason=CORRECTED,
            ),
            marked=(number, table_number),
        )
        context["effects"] = effects_view(event, effects)
    except Refusal as refusal:
        context["refusal"] = refusal
    return TemplateResponse(request, "tournaments/rounds/correction.html", context)


@posted_from("desk-round", "short", "number")
@for_directors
def seat_more(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Add a table for two entries that sit out or came late."""
    here = _here(event, number)
    refused = partial(_round_page, request, event, _round(event, number))
    try:
        one, other = (whole_number(request.POST, name) for name in ("one", "other"))
    except Refusal as refusal:
        return refused(refusal)
    return confirm_then_run(
        request,
        event,
        lambda by: tables.seat_more(event_id=event.pk, number=number, one=one, other=other, by=by),
        context={
            "question": _("Add a table for these two?"),
            "button": _("Add table"),
            "back": here,
        },
        refused=refused,
        done=here,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def table(request: HttpRequest, event: Event, number: int, table_number: int) -> HttpResponse:
    """Rule on a table of a published round: forfeit, adjusted score, or the played result again. If another
    director has ruled on it meanwhile, the page shows it as it is now."""
    drawn = _round(event, number)
    shown = next(
        (each for each in round_view(drawn, is_public=False).tables if each.number == table_number), None
    )
    if shown is None or drawn.state == RoundState.DRAFT:
        raise Http404
    refused = partial(_table, request, event, drawn, shown)
    if request.method != "POST":
        return refused(None)
    try:
        seen = request.POST.get("seen", shown.ruling_in_brief)
        check_unchanged(event, actor_from(request), seen=seen, now=shown.ruling_in_brief)
        deed, question = _ruling(request, event, number, shown)
    except Refusal as refusal:
        return refused(refusal)
    return confirm_then_run(
        request,
        event,
        deed,
        context={
            "question": question,
            "button": _("Apply ruling"),
            "back": request.path,
            "is_of_a_score": True,
        },
        refused=refused,
        done=_here(event, number),
    )


def _table(
    request: HttpRequest, event: Event, drawn: Round, shown: TableView, refusal: Refusal | None
) -> HttpResponse:
    found = drawn.tables.select_related("match").get(number=shown.number)
    match = found.match
    context = {
        "event": event,
        "round": drawn,
        "counts_games": event.counts_games,
        "table": shown,
        "match_id": found.match_id,
        "award": _award(match) if match is not None and not shown.is_over else None,
        "so_far": found.ruling or (match.summary if match is not None else {}),
        "typed": request.POST,
        "refusal": refusal,
        "is_score_refused": refusal is not None and refusal.field in OF_A_SCORE,
    }
    return TemplateResponse(request, "tournaments/rounds/table.html", context)


def _award(match: Match) -> dict[str, Any]:
    """Return the fields of the mark by which the desk awards the current game, except the winner."""
    points_a, points_b = match.summary["running"]
    return {
        "match": match.pk,
        "entry_key": uuid4(),
        "number": match.summary["next"],
        "kind": GameTotals.kind,
        "awarded": 1,
        "points_a": points_a,
        "points_b": points_b,
    }


def _ruling(request: HttpRequest, event: Event, number: int, shown: TableView) -> tuple[Deed, str]:
    """Return the change that the form asks for, and its question. Refuses: no_such_choice, not_a_number."""
    where = {"event_id": event.pk, "number": number, "table": shown.number}
    names = {"table": shown.number, "a": shown.sides[0].names, "b": shown.sides[1].names}
    what = request.POST.get("what", "")
    if what == "cards":
        return (
            lambda by: let_cards_count(**where, may_be_undecided=True, by=by),
            _("Table %(table)s: restore the played result?") % names,
        )
    if what in ("forfeit_a", "forfeit_b", "forfeit_both"):
        winner = {"forfeit_a": Side.B, "forfeit_b": Side.A, "forfeit_both": None}[what]
        questions = {
            "forfeit_a": _("Table %(table)s: forfeit by %(a)s?"),
            "forfeit_b": _("Table %(table)s: forfeit by %(b)s?"),
            "forfeit_both": _("Table %(table)s: forfeit by both sides?"),
        }
        return (
            lambda by: forfeit_table(**where, winner=winner, by=by),
            questions[what] % names,
        )
    if what == "adjust":
        games, points = (
            [whole_number(request.POST, f"{name}_{side}") for side in ("a", "b")]
            for name in ("games", "points")
        )
        return (
            lambda by: adjust_table(**where, games=games, points=points, by=by),
            _("Table %(table)s: set %(points)s points, %(games)s games?")
            % {**names, "points": "–".join(map(str, points)), "games": "–".join(map(str, games))},
        )
    raise Refusal("no_such_choice", field="what", value=what, choices=RULINGS)


def _round(event: Event, number: int) -> Round:
    found = event.rounds.defer(*PROOFS).filter(number=number).first()
    if found is None:
        raise Http404
    return found


def _match_at(drawn: Round, table_number: int) -> int | None:
    return drawn.tables.filter(number=table_number).values_list("match", flat=True).first()


def _here(event: Event, number: int) -> str:
    return reverse("desk-round", args=[event.short, number])
