"""Fees: one tap records a payment; the line of a person takes any other amount."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from clubs.access import may
from clubs.actor import actor_from
from clubs.amounts import amounts_as_typed, amounts_seen, read_asked_amount
from clubs.audit.log import Actor
from clubs.policy import Permission
from clubs.post_only import posted_from
from errors import Refusal
from live.conditional_pages import asks_for_part
from scoring.parsing import whole_number
from tournaments.events.views.access import for_helpers
from tournaments.history.presenters.history import HistoryLine, history_line
from tournaments.history.queries import PAYMENTS, actions_of
from tournaments.models import Action, Event
from tournaments.money.presenters.fees import OWING, fees_part, fees_view
from tournaments.money.queries.fees import FeeLine, fee_line
from tournaments.money.services.fees import pay_family, pay_fee, record_fee, undo_payment
from web.forms import FormReader, digits_in


@require_http_methods(["GET", "HEAD", "POST"])
@for_helpers
def fees_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a box for each person and record payments; a script updates only the boxes paid, and the
    totals."""
    if request.method != "POST":
        return _render_fees(request, event)
    try:
        action = _record_payment(request, event, actor_from(request))
    except Refusal as refusal:
        return _render_fees(request, event, refusal)
    if asks_for_part(request):
        return _part(request, event, action)
    return _back(request, event, action, place=_place(request))


def _record_payment(request: HttpRequest, event: Event, by: Actor) -> Action | None:
    if "family" in request.POST:
        return pay_family(event_id=event.pk, family_id=whole_number(request.POST, "family"), by=by)
    return pay_fee(event_id=event.pk, person_id=whole_number(request.POST, "person"), by=by)


def _place(request: HttpRequest) -> str:
    kind = "family" if "family" in request.POST else "person"
    return f"#{kind}-{request.POST[kind]}"


@posted_from("fees", "short")
@for_helpers
def undo_fee(request: HttpRequest, event: Event, action_id: int) -> HttpResponse:
    """Undo the last payment, or redo it."""
    try:
        action = undo_payment(event_id=event.pk, action_id=action_id, by=actor_from(request))
    except Refusal as refusal:
        return _render_fees(request, event, refusal)
    return _back(request, event, action)


@require_http_methods(["GET", "HEAD", "POST"])
@for_helpers
def fee_page(request: HttpRequest, event: Event, person_id: int) -> HttpResponse:
    """Record what a person has paid; a director also sets what they owe. If somebody else noted a payment
    meanwhile, the page shows the new state."""
    line = fee_line(event, person_id)
    if line is None:
        raise Http404
    if request.method != "POST":
        return _line(request, event, line)
    try:
        action = _record_form(request, event, line)
    except Refusal as refusal:
        if refusal.code == "changed_since":
            return _line(request, event, fee_line(event, person_id) or line, refusal=refusal)
        return _line(request, event, line, request.POST.dict(), refusal)
    return _back(request, event, action, place=f"#person-{person_id}")


def _record_form(request: HttpRequest, event: Event, line: FeeLine) -> Action | None:
    """Record the form's payment. Refuses: form_refused, amount_required, and what ``record_fee`` does."""
    form = FormReader(request.POST.dict())
    paid = line.due.asked if "in_full" in request.POST else form.amount("paid") or 0
    other = line.attendee.other
    if may(request, Permission.DIRECT) and "asked" in request.POST:
        other = read_asked_amount(form)
    form.finish()
    if "refund" in request.POST:
        paid, other = line.after_refund
    return record_fee(
        event_id=event.pk,
        person_id=line.person.pk,
        paid=paid,
        other=other,
        seen=amounts_seen(request.POST.dict()),
        by=actor_from(request),
    )


def _asked_for(request: HttpRequest) -> dict[str, str]:
    """Return the filters of the list, as query parameters."""
    wanted = request.POST or request.GET
    asked = {name: wanted.get(name, "") for name in ("search", "only")}
    return {name: value for name, value in asked.items() if value}


def _back(request: HttpRequest, event: Event, action: Action | None, *, place: str = "") -> HttpResponse:
    """Redirect to the list, which shows what was done."""
    asked = _asked_for(request) | ({} if action is None else {"done": str(action.pk)})
    return redirect(reverse("fees", args=[event.short]) + (f"?{urlencode(asked)}" if asked else "") + place)


def _part(request: HttpRequest, event: Event, action: Action | None) -> HttpResponse:
    """Render what a payment changed: its own box first, in the place of the one that was tapped."""
    by_family = "family" in request.POST
    people = action.details.get("people", [action.details.get("person")]) if action is not None else []
    if not by_family:
        people = [whole_number(request.POST, "person")]
    view = fees_part(event, people)
    context = {
        "event": event,
        "view": view,
        "by_family": by_family,
        "done": action and _payment_recorded(event, str(action.pk)),
        "asked_for": _asked_for(request),
    }
    return TemplateResponse(request, "tournaments/money/tapped.html", context)


def _render_fees(request: HttpRequest, event: Event, refusal: Refusal | None = None) -> HttpResponse:
    asked = _asked_for(request)
    only_owing = asked.get("only") == OWING
    context: dict[str, Any] = {
        "event": event,
        "view": fees_view(event, asked.get("search", ""), only_owing=only_owing),
        "search": asked.get("search", ""),
        "only": OWING if only_owing else "",
        "asked_for": asked,
        "done": _payment_recorded(event, request.GET.get("done", "")),
        "refusal": refusal,
    }
    is_search = asks_for_part(request) and request.method != "POST"
    template = "tournaments/money/fees.html" + ("#lists" if is_search else "")
    return TemplateResponse(request, template, context)


def _payment_recorded(event: Event, asked: str) -> HistoryLine | None:
    """Return the payment whose number the address has. At most one query."""
    pk = digits_in(asked, most=18)
    action = None if pk is None else actions_of(event).filter(pk=pk).first()
    if action is None or action.details.get("of", action.kind) not in PAYMENTS:
        return None
    return history_line(action, {})


def _line(
    request: HttpRequest,
    event: Event,
    line: FeeLine,
    typed: dict[str, str] | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    """Render the form as it was ``typed``, else with the current values."""
    stands = amounts_as_typed(paid=line.attendee.paid, other=line.attendee.other)
    context = {"event": event, "line": line, "typed": typed or stands, "refusal": refusal}
    return TemplateResponse(request, "tournaments/money/fee.html", context)
