"""Fees: one tap records a payment; the line of a person takes any other amount."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode

from clubs.amounts import build_amount_fields, parse_seen_amounts, read_charged_amount
from clubs.audit.log import Actor
from clubs.pages import (
    get_actor,
    has_permission,
    is_submitted,
    note_refusal,
    require_post_from,
    show_refusals,
    show_refusals_on,
)
from clubs.policy import Permission
from errors import Refusal
from live.conditional_pages import is_partial_request
from scoring.parsing import parse_whole_number
from tournaments.events.views.access import event_helpers_only
from tournaments.history.presenters.history import HistoryLine, build_history_line
from tournaments.history.queries import PAYMENT_KINDS, get_actions
from tournaments.models import Action, Event
from tournaments.money.presenters.fees import UNPAID, build_fees_part, build_fees_view
from tournaments.money.queries.fees import FeeLine, find_fee
from tournaments.money.services.fees import pay_family, pay_fee, record_fee, undo_payment
from web.forms import FormReader, parse_digits
from web.not_found import get_or_404


@event_helpers_only
@show_refusals
def fees_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a box for each person and record payments; a script updates only the boxes paid, and the
    totals."""
    if not is_submitted(request):
        return _render_fees(request, event)
    action = _record_payment(request, event, get_actor(request))
    if is_partial_request(request):
        return _render_part(request, event, action)
    return _redirect_to_list(request, event, action, place=_get_anchor(request))


def _record_payment(request: HttpRequest, event: Event, by: Actor) -> Action | None:
    if "family" in request.POST:
        return pay_family(event_id=event.pk, family_id=parse_whole_number(request.POST, "family"), by=by)
    return pay_fee(event_id=event.pk, person_id=parse_whole_number(request.POST, "person"), by=by)


def _get_anchor(request: HttpRequest) -> str:
    kind = "family" if "family" in request.POST else "person"
    return f"#{kind}-{request.POST[kind]}"


def _render_fees(request: HttpRequest, event: Event) -> HttpResponse:
    filters = _read_filters(request)
    only_unpaid = filters.get("only") == UNPAID
    context: dict[str, Any] = {
        "event": event,
        "view": build_fees_view(event, filters.get("search", ""), only_unpaid=only_unpaid),
        "search": filters.get("search", ""),
        "only": UNPAID if only_unpaid else "",
        "filters": filters,
        "done": _find_payment(event, request.GET.get("done", "")),
    }
    is_search = is_partial_request(request) and request.method != "POST"
    template = "tournaments/money/fees.html" + ("#lists" if is_search else "")
    return TemplateResponse(request, template, context)


@require_post_from("fees", "short")
@event_helpers_only
@show_refusals_on(_render_fees)
def undo_fee(request: HttpRequest, event: Event, action_id: int) -> HttpResponse:
    """Undo the last payment, or redo it."""
    action = undo_payment(event_id=event.pk, action_id=action_id, by=get_actor(request))
    return _redirect_to_list(request, event, action)


@event_helpers_only
def fee_page(request: HttpRequest, event: Event, person_id: int) -> HttpResponse:
    """Record what a person has paid; a director also sets what they owe. If somebody else noted a payment
    meanwhile, the page shows the new state."""
    line = get_or_404(find_fee(event, person_id))
    if request.method != "POST":
        return _render_fee(request, event, line)
    try:
        action = _record_from_form(request, event, line)
    except Refusal as refusal:
        note_refusal(request, refusal)
        if refusal.code == "changed_since":
            return _render_fee(request, event, find_fee(event, person_id) or line)
        return _render_fee(request, event, line, request.POST.dict())
    return _redirect_to_list(request, event, action, place=f"#person-{person_id}")


def _record_from_form(request: HttpRequest, event: Event, line: FeeLine) -> Action | None:
    """Record the form's payment. Refuses: form_refused, amount_required, and what ``record_fee`` does."""
    form = FormReader(request.POST.dict())
    paid = line.due.amount if "in_full" in request.POST else form.read_amount_field("paid") or 0
    other = line.attendee.other
    if has_permission(request, Permission.DIRECT) and "asked" in request.POST:
        other = read_charged_amount(form)
    form.raise_refusals()
    if "refund" in request.POST:
        paid, other = line.amounts_after_refund
    return record_fee(
        event_id=event.pk,
        person_id=line.person.pk,
        paid=paid,
        other=other,
        seen=parse_seen_amounts(request.POST.dict()),
        by=get_actor(request),
    )


def _read_filters(request: HttpRequest) -> dict[str, str]:
    """Return the filters of the list, as query parameters."""
    query = request.POST or request.GET
    filters = {name: query.get(name, "") for name in ("search", "only")}
    return {name: value for name, value in filters.items() if value}


def _redirect_to_list(request: HttpRequest, event: Event, action: Action | None, *, place: str = "") -> HttpResponse:
    """Redirect to the list, which shows what was done."""
    filters = _read_filters(request) | ({} if action is None else {"done": str(action.pk)})
    return redirect(reverse("fees", args=[event.short]) + (f"?{urlencode(filters)}" if filters else "") + place)


def _render_part(request: HttpRequest, event: Event, action: Action | None) -> HttpResponse:
    """Render what a payment changed: its own box first, in the place of the one that was tapped."""
    is_family = "family" in request.POST
    people = action.details.get("people", [action.details.get("person")]) if action is not None else []
    if not is_family:
        people = [parse_whole_number(request.POST, "person")]
    view = build_fees_part(event, people)
    context = {
        "event": event,
        "view": view,
        "by_family": is_family,
        "done": action and _find_payment(event, str(action.pk)),
        "filters": _read_filters(request),
    }
    return TemplateResponse(request, "tournaments/money/payment_update.html", context)


def _find_payment(event: Event, text: str) -> HistoryLine | None:
    """Return the payment whose number the address has. At most one query."""
    pk = parse_digits(text, max_digits=18)
    action = None if pk is None else get_actions(event).filter(pk=pk).first()
    if action is None or action.details.get("of", action.kind) not in PAYMENT_KINDS:
        return None
    return build_history_line(action, {})


def _render_fee(
    request: HttpRequest,
    event: Event,
    line: FeeLine,
    typed: dict[str, str] | None = None,
) -> HttpResponse:
    """Render the form as it was ``typed``, else with the current values."""
    current_values = build_amount_fields(paid=line.attendee.paid, other=line.attendee.other)
    context = {"event": event, "line": line, "typed": typed or current_values}
    return TemplateResponse(request, "tournaments/money/fee.html", context)
