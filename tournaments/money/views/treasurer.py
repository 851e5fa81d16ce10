"""Views for the treasurer: the money of an event on one page, and its rules."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clubs.pages import is_submitted, show_refusals
from tournaments.cash_rules import ROUNDING_STEPS, CashRules
from tournaments.events.views.access import event_directors_only
from tournaments.fee_rates import Rates
from tournaments.history.views.shown_values import ShownValues, build_form_versions, get_form_actor
from tournaments.models import Event
from tournaments.money.presenters.treasurer import build_treasurer_view
from tournaments.money.services.fees import change_cash_rules, change_rates
from tournaments.papers.typesetting.documents import Size
from web.forms import AmountField, ChoiceField, Form, NumberField


class RatesForm(Form):
    """The form of the fees."""

    member_fee = AmountField(_("Member fee, in dollars"), help_text=_("Leave empty if free."), empty=0)
    guest_fee = AmountField(_("Guest fee, in dollars"), help_text=_("Leave empty if free."), empty=0)

    def build_rates(self) -> Rates:
        """Return the fees. Refuses: form_refused."""
        values = self.read()
        return Rates(member=values["member_fee"], guest=values["guest_fee"])


class FundForm(Form):
    """The form of the prize fund."""

    prize_share = NumberField(
        _("Share of fees for prizes, in percent"), help_text=_("For example, 60. Leave at 0 for no prize fund.")
    )
    rounding_step = ChoiceField(
        _("Round prizes to"), values=tuple(map(str, ROUNDING_STEPS)), template="partials/select.html"
    )
    starting_cash = AmountField(
        _("Starting cash, in dollars"),
        help_text=_("The change in the box before anyone pays. Leave empty for none."),
        empty=0,
    )

    def build_rules(self) -> CashRules:
        """Return the cash rules. Refuses: form_refused."""
        values = self.read()
        return CashRules(
            prize_share=values["prize_share"] or 0,
            rounding_step=int(values["rounding_step"]),
            starting_cash=values["starting_cash"],
        )


@require_safe
@event_directors_only
def treasurer_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show fees by pair and by club, the prize fund, the cash in the box, and the sheet to sign."""
    context = {"event": event, "view": build_treasurer_view(event), "sizes": tuple(Size)}
    return TemplateResponse(request, "tournaments/money/treasurer.html", context)


@event_directors_only
@show_refusals
def rates_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Change the fees of members and guests, and in a separate form the prize fund."""
    is_fund_form = "prize_share" in request.POST
    rates_form = RatesForm.from_stored(event) if is_fund_form else RatesForm.from_request(request, stored=event)
    fund_form = FundForm.from_request(request, stored=event) if is_fund_form else FundForm.from_stored(event)
    shown = {
        "rates": ShownValues(event=event, row=event, columns=("member_fee", "guest_fee")),
        "fund": ShownValues(event=event, row=event, columns=("prize_share", "rounding_step", "starting_cash")),
    }
    if is_submitted(request):
        if is_fund_form:
            by = get_form_actor(request, shown["fund"])
            change_cash_rules(event_id=event.pk, rules=fund_form.build_rules(), by=by)
        else:
            by = get_form_actor(request, shown["rates"])
            change_rates(event_id=event.pk, rates=rates_form.build_rates(), by=by)
        return redirect("treasurer" if is_fund_form else "fees", short=event.short)
    context = {
        "event": event,
        "rates_form": rates_form,
        "fund_form": fund_form,
        "is_of_fund": is_fund_form,
        "form_version": build_form_versions(request, shown, posted="fund" if is_fund_form else "rates"),
    }
    return TemplateResponse(request, "tournaments/money/rates.html", context)
