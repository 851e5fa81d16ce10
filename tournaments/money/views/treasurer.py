"""Views for the treasurer: the money of an event on one page, and its rules."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods, require_safe

from clubs.actor import actor_from
from clubs.money_words import amount_as_typed
from errors import Refusal
from tournaments.cash_rules import STEPS, CashRules
from tournaments.events.views.access import for_directors
from tournaments.fee_rates import Rates
from tournaments.models import Event
from tournaments.money.presenters.treasurer import treasurer_view
from tournaments.money.services.fees import change_cash_rules, change_rates
from tournaments.papers.typesetting import Size
from web.forms import FormReader

AMOUNTS = ("member_fee", "guest_fee", "starting_cash")


@require_safe
@for_directors
def treasurer_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show fees by pair and by club, the prize fund, the cash in the box, and the sheet to sign."""
    context = {"event": event, "view": treasurer_view(event), "sizes": tuple(Size)}
    return TemplateResponse(request, "tournaments/money/treasurer.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def rates_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Change the fees of members and guests, and in a separate form the prize fund."""
    kept = {name: amount_as_typed(getattr(event, name) or None) for name in AMOUNTS}
    kept |= {name: str(getattr(event, name)) for name in ("prize_share", "rounding_step")}
    is_of_fund = "prize_share" in request.POST
    refusal = None
    if request.method == "POST":
        try:
            form = FormReader(request.POST.dict())
            if is_of_fund:
                change_cash_rules(event_id=event.pk, rules=_cash_rules(form), by=actor_from(request))
            else:
                change_rates(event_id=event.pk, rates=_rates(form), by=actor_from(request))
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("treasurer" if is_of_fund else "fees", short=event.short)
    context = {
        "event": event,
        "typed": kept | request.POST.dict(),
        "is_of_fund": is_of_fund,
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/money/rates.html", context)


def _rates(form: FormReader) -> Rates:
    """Read the fees from the form. Refuses: form_refused."""
    member, guest = (form.amount(name) or 0 for name in ("member_fee", "guest_fee"))
    form.finish()
    return Rates(member=member, guest=guest)


def _cash_rules(form: FormReader) -> CashRules:
    """Read the cash rules from the form. Refuses: form_refused."""
    share, start = form.number("prize_share") or 0, form.amount("starting_cash") or 0
    step = form.choice("rounding_step", [str(step) for step in STEPS])
    form.finish()
    return CashRules(prize_share=share, rounding_step=int(step), starting_cash=start)
