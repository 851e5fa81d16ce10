"""Prizes: one tap for the first of the standings, a form for anybody; each prize can be withdrawn."""

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.actor import actor_from
from clubs.money_words import amount_as_typed
from errors import Refusal
from scoring.parsing import whole_number
from tournaments.events.views.access import for_directors
from tournaments.models import Event
from tournaments.money.presenters.prizes import prizes_view
from tournaments.money.queries.fees import prizes_of
from tournaments.money.services.prize_categories import set_prizes_add_up
from tournaments.money.services.prizes import PrizeDetails, change_prize, give_prize, take_back_prize
from web.forms import FormReader, digits_in


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def prizes_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the prizes given, and give more."""
    refusal = None
    if "add_up" in request.POST:
        set_prizes_add_up(event_id=event.pk, add_up=request.POST["add_up"] == "yes", by=actor_from(request))
        return redirect("prizes", short=event.short)
    if request.method == "POST":
        try:
            winners = [digits_in(pk, most=18) or 0 for pk in request.POST.get("winner", "").split("-") if pk]
            rank = whole_number(request.POST, "rank") if "rank" in request.POST else None
            details = _details(request)
            give_prize(event_id=event.pk, winners=winners, details=details, rank=rank, by=actor_from(request))
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("prizes", short=event.short)
    context = {"event": event, "view": prizes_view(event), "typed": request.POST, "refusal": refusal}
    return TemplateResponse(request, "tournaments/money/prizes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def prize_page(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """Change the name, amount or visibility of a prize, or withdraw it."""
    prize = prizes_of(event).filter(pk=pk).first()
    if prize is None:
        raise Http404
    typed: Mapping[str, object] = {
        "prize": prize.name,
        "amount": amount_as_typed(prize.amount or None),
        "is_public": prize.is_public,
        "shows_amount": prize.shows_amount,
    }
    refusal = None
    if request.method == "POST":
        typed = request.POST
        try:
            if "remove" in request.POST:
                take_back_prize(event_id=event.pk, prize_id=pk, by=actor_from(request))
            else:
                change_prize(
                    event_id=event.pk, prize_id=pk, details=_details(request), by=actor_from(request)
                )
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("prizes", short=event.short)
    context = {"event": event, "prize": prize, "typed": typed, "refusal": refusal}
    return TemplateResponse(request, "tournaments/money/prize.html", context)


def _details(request: HttpRequest) -> PrizeDetails:
    """Read a prize from the form. Refuses: form_refused."""
    form = FormReader(request.POST.dict())
    name = form.text("prize", required="prize_required")
    amount = form.amount("amount") or 0
    form.finish()
    return PrizeDetails(
        name=name,
        amount=amount,
        is_public="is_public" in request.POST,
        shows_amount="shows_amount" in request.POST,
    )
