"""Pages of a round for the organizer: swaps, comparisons, held tables and rulings."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.audit.log import Actor
from clubs.pages import (
    get_actor,
    get_refusal,
    is_submitted,
    note_refusal,
    require_post_from,
    show_refusals,
    show_refusals_on,
)
from errors import Refusal
from rules import GameTotals, Side
from scoring.models import Match
from scoring.parsing import parse_mark, parse_whole_number
from scoring.services.marks import record_hand
from tournaments.entries.queries.entries import get_entries
from tournaments.events.views.access import event_directors_only
from tournaments.history.presenters.effects import build_effects_view
from tournaments.history.services.effects import compute_effects
from tournaments.history.services.optimistic import check_unchanged
from tournaments.history.views.confirmation import ActorCallback, confirm_then_run
from tournaments.lifecycle import OPEN_STATES, RoundState
from tournaments.models import PROOFS, Event, Round
from tournaments.rounds.presenters.draft_comparisons import (
    build_comparison_view,
    build_meeting_view,
    build_swap_view,
)
from tournaments.rounds.presenters.rounds import TableView, build_round_view, list_free_entries
from tournaments.rounds.queries.drafts import compute_draft_digest, get_draft
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.tables import adjust_table, forfeit_table, hold_table, let_cards_count, swap_entries
from tournaments.rounds.services.team_matches import postpone_match, reinstate_match
from web.forms import parse_day, parse_digits
from web.not_found import get_or_404

from .services import tables

REASON_PLACEHOLDER = "-"
"""Placeholder for a reason not yet written."""

RULINGS = ("forfeit_a", "forfeit_b", "forfeit_both", "adjust", "cards")
"""Rulings that the page of a table offers."""

POSTPONEMENTS = ("postpone", "reinstate")

SCORE_FIELDS = frozenset({"games", "games_a", "games_b", "points", "points_a", "points_b"})
"""Fields of a score set by the director, for one side or both."""


@event_directors_only
@show_refusals
def swap(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Swap two entries of a round: choose both, see what it costs, confirm."""
    round_row = _get_round(event, number)
    if not is_submitted(request):
        return _render_swap(request, event, round_row)
    first_number, second_number = (parse_whole_number(request.POST, name) for name in ("one", "other"))

    def action(by: Actor) -> object:
        return swap_entries(event_id=event.pk, number=number, one=first_number, other=second_number, by=by)

    if round_row.state == RoundState.DRAFT:
        by = get_actor(request)

        def check_draft_is_seen() -> None:
            current_digest = compute_draft_digest(get_draft(event))
            check_unchanged(event, by, expected=request.POST.get("seen", current_digest), current=current_digest)

        action(replace(by, precondition=check_draft_is_seen))
        return redirect("desk", short=event.short)
    return confirm_then_run(
        request,
        event,
        action,
        question=_("Did these two swap seats?"),
        button=_("Swap their seats"),
        back=_get_round_url(event, number),
    )


def _render_swap(request: HttpRequest, event: Event, round_row: Round) -> HttpResponse:
    swap_preview: dict[str, Any] | None = None
    lineup, entrants = lineup_of(round_row), get_entries(event)
    first_number, second_number = _read_chosen_entries(request)
    if first_number is not None and second_number is not None and get_refusal(request) is None:
        try:
            swap_preview = build_swap_view(round_row, lineup, entrants, first_number, second_number)
        except Refusal as refusal:
            note_refusal(request, refusal)
    context = {
        "event": event,
        "round": build_round_view(round_row, is_public=False, lineup=lineup, entrants=entrants),
        "one": first_number,
        "other": swap_preview and swap_preview["other"],
        "swap": swap_preview,
        "seen": compute_draft_digest(round_row) if round_row.state == RoundState.DRAFT else "",
    }
    return TemplateResponse(request, "tournaments/rounds/swap.html", context)


@require_safe
@event_directors_only
def meeting(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """See why two entries do not meet: choose both, then see what a draw with their meeting costs."""
    round_row = _get_round(event, number)
    meeting_result: dict[str, Any] | None = None
    lineup, entrants = lineup_of(round_row), get_entries(event)
    first_number, second_number = _read_chosen_entries(request)
    if first_number is not None and second_number is not None and first_number != second_number:
        try:
            meeting_result = build_meeting_view(round_row, lineup, entrants, first_number, second_number)
        except Refusal as refusal:
            note_refusal(request, refusal)
    context = {
        "event": event,
        "round": build_round_view(round_row, is_public=False, lineup=lineup, entrants=entrants),
        "back": reverse("desk", args=[event.short])
        if round_row.state == RoundState.DRAFT
        else _get_round_url(event, number),
        "one": first_number,
        "other": meeting_result and meeting_result["other"],
        "meeting": meeting_result,
    }
    return TemplateResponse(request, "tournaments/rounds/meeting.html", context)


def _read_chosen_entries(request: HttpRequest) -> list[int | None]:
    """Return the numbers of the first and second entry chosen so far."""
    texts = (request.GET.get(name) or request.POST.get(name, "") for name in ("one", "other"))
    return [parse_digits(text, max_digits=5) for text in texts]


@require_safe
@event_directors_only
def comparison(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Compare the draft with the program's own draw: the costs of both and the tables that differ."""
    round_row = _get_round(event, number)
    if round_row.state != RoundState.DRAFT:
        raise Http404
    context: dict[str, Any] = {"event": event, "round": round_row}
    try:
        context["comparison"] = build_comparison_view(event, round_row)
    except Refusal as refusal:
        note_refusal(request, refusal)
    return TemplateResponse(request, "tournaments/rounds/comparison.html", context)


@require_post_from("desk", "short")
@event_directors_only
def hold(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Keep a table of the draft when the rest is drawn again, or release it."""
    hold_table(
        event_id=event.pk,
        number=number,
        table=parse_whole_number(request.POST, "table"),
        is_held=request.POST.get("held") == "1",
        by=get_actor(request),
    )
    return redirect(f"{reverse('desk', args=[event.short])}#table-{request.POST['table']}")


@require_safe
@event_directors_only
def round_page(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show a published round, table by table, with links to correct it."""
    round_row = _get_round(event, number)
    if round_row.state == RoundState.DRAFT:
        return redirect("desk", short=event.short)
    return _render_round(request, event, round_row)


def _render_round(request: HttpRequest, event: Event, round_row: Round) -> HttpResponse:
    may_seat_more = round_row.state in OPEN_STATES and not event.draws_partners
    lineup, entrants = lineup_of(round_row), get_entries(event)
    context = {
        "event": event,
        "counts_games": event.counts_games,
        "round": build_round_view(round_row, is_public=False, lineup=lineup, entrants=entrants),
        "rounds": range(1, event.rounds.exclude(state=RoundState.DRAFT).count() + 1),
        "free": list_free_entries(round_row, lineup, entrants) if may_seat_more else [],
    }
    return TemplateResponse(request, "tournaments/rounds/round.html", context)


@require_safe
@event_directors_only
def correction(request: HttpRequest, event: Event, number: int, table_number: int) -> HttpResponse:
    """Show what a correction of a hand would change. The fields are those of the mark."""
    round_row = _get_round(event, number)
    match = get_or_404(_get_match_id(round_row, table_number))
    context: dict[str, Any] = {"event": event}
    try:
        mark = parse_mark(request.GET)
        effects = compute_effects(
            event.pk,
            lambda: record_hand(
                match_id=match, account=get_actor(request).account, reason=REASON_PLACEHOLDER, **mark.record
            ),
            marked_table=(number, table_number),
        )
        context["effects"] = build_effects_view(event, effects)
    except Refusal as refusal:
        note_refusal(request, refusal)
    return TemplateResponse(request, "tournaments/rounds/correction.html", context)


def _render_seats(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    return _render_round(request, event, _get_round(event, number))


@require_post_from("desk-round", "short", "number")
@event_directors_only
@show_refusals_on(_render_seats)
def seat_more(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Add a table for two entries that sit out or came late."""
    first_number, second_number = (parse_whole_number(request.POST, name) for name in ("one", "other"))
    return confirm_then_run(
        request,
        event,
        lambda by: tables.seat_more(event_id=event.pk, number=number, one=first_number, other=second_number, by=by),
        question=_("Add a table for these two?"),
        button=_("Add table"),
        back=_get_round_url(event, number),
    )


@event_directors_only
@show_refusals
def table(request: HttpRequest, event: Event, number: int, table_number: int) -> HttpResponse:
    """Rule on a table of a published round: forfeit, adjusted score, or the played result again. If another
    director has ruled on it meanwhile, the page shows it as it is now."""
    round_row = _get_round(event, number)
    table_view = next(
        (
            candidate
            for candidate in build_round_view(round_row, is_public=False).tables
            if candidate.number == table_number
        ),
        None,
    )
    if table_view is None or round_row.state == RoundState.DRAFT:
        raise Http404
    if not is_submitted(request):
        return _render_table(request, event, round_row, table_view)
    if request.POST.get("what") in POSTPONEMENTS:
        return _change_postponement(request, event, number, table_number)
    seen_ruling = request.POST.get("seen", table_view.ruling_digest)
    check_unchanged(event, get_actor(request), expected=seen_ruling, current=table_view.ruling_digest)
    apply, question = _read_ruling(request, event, number, table_view)
    return confirm_then_run(
        request,
        event,
        apply,
        question=question,
        button=_("Apply ruling"),
        back=request.path,
        is_of_a_score=True,
        success_url=_get_round_url(event, number),
    )


def _change_postponement(request: HttpRequest, event: Event, number: int, table_number: int) -> HttpResponse:
    """Postpone the team match of a table, or play it in its round after all."""
    target = {"event_id": event.pk, "number": number, "table": table_number}
    if request.POST["what"] == "reinstate":
        reinstate_match(**target, by=get_actor(request))
    else:
        text = request.POST.get("day", "").strip()
        day = parse_day(text, field="day") if text else None
        postpone_match(**target, day=day, by=get_actor(request))
    return redirect(_get_round_url(event, number))


def _render_table(request: HttpRequest, event: Event, round_row: Round, table_view: TableView) -> HttpResponse:
    found = round_row.tables.select_related("match").get(number=table_view.number)
    match = found.match
    context = {
        "event": event,
        "round": round_row,
        "counts_games": event.counts_games,
        "table": table_view,
        "match_id": found.match_id,
        "award": _build_award_fields(match) if match is not None and not table_view.is_over else None,
        "so_far": found.ruling or (match.summary if match is not None else {}),
        "typed": request.POST,
        "is_score_refused": (refusal := get_refusal(request)) is not None and refusal.field in SCORE_FIELDS,
    }
    return TemplateResponse(request, "tournaments/rounds/table.html", context)


def _build_award_fields(match: Match) -> dict[str, Any]:
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


def _read_ruling(request: HttpRequest, event: Event, number: int, table_view: TableView) -> tuple[ActorCallback, str]:
    """Return the change that the form asks for, and its question. Refuses: no_such_choice, not_a_number."""
    target = {"event_id": event.pk, "number": number, "table": table_view.number}
    names = {"table": table_view.number, "a": table_view.sides[0].names, "b": table_view.sides[1].names}
    ruling = request.POST.get("what", "")
    if ruling == "cards":
        return (
            lambda by: let_cards_count(**target, may_be_undecided=True, by=by),
            _("Table %(table)s: restore the played result?") % names,
        )
    if ruling in ("forfeit_a", "forfeit_b", "forfeit_both"):
        winner = {"forfeit_a": Side.B, "forfeit_b": Side.A, "forfeit_both": None}[ruling]
        questions = {
            "forfeit_a": _("Table %(table)s: forfeit by %(a)s?"),
            "forfeit_b": _("Table %(table)s: forfeit by %(b)s?"),
            "forfeit_both": _("Table %(table)s: forfeit by both sides?"),
        }
        return (
            lambda by: forfeit_table(**target, winner=winner, by=by),
            questions[ruling] % names,
        )
    if ruling == "adjust":
        games, points = (
            [parse_whole_number(request.POST, f"{name}_{side}") for side in ("a", "b")] for name in ("games", "points")
        )
        return (
            lambda by: adjust_table(**target, games=games, points=points, by=by),
            _("Table %(table)s: change the score to %(points)s (games %(games)s)?")
            % {**names, "points": "–".join(map(str, points)), "games": "–".join(map(str, games))},
        )
    raise Refusal("no_such_choice", field="what", value=ruling, choices=RULINGS)


def _get_round(event: Event, number: int) -> Round:
    return get_or_404(event.rounds.defer(*PROOFS).filter(number=number).first())


def _get_match_id(round_row: Round, table_number: int) -> int | None:
    return round_row.tables.filter(number=table_number).values_list("match", flat=True).first()


def _get_round_url(event: Event, number: int) -> str:
    return reverse("desk-round", args=[event.short, number])
