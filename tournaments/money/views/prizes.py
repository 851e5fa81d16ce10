"""Prizes: one tap for the first of the standings, a form for anybody; each prize can be withdrawn."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from clubs.pages import get_actor, is_submitted, note_refusal, show_refusals
from errors import Refusal
from scoring.parsing import parse_whole_number
from tournaments.events.views.access import event_directors_only
from tournaments.models import Event
from tournaments.money.forms import PublicPrizeForm
from tournaments.money.presenters.prizes import build_prizes_view
from tournaments.money.queries.door_prizes import find_door_prize, list_door_prize_candidates
from tournaments.money.queries.fees import select_prizes
from tournaments.money.services.door_prizes import clear_door_prize, draw_door_prize
from tournaments.money.services.prize_categories import set_prizes_add_up
from tournaments.money.services.prizes import PrizeDetails, change_prize, give_prize, take_back_prize
from web.forms import AmountField, TextField, parse_digits
from web.not_found import get_or_404


class PrizeForm(PublicPrizeForm):
    """The form of a prize."""

    prize = TextField(_("Prize"), help_text=_("For example, a ham, or best hand."), required="prize_required")
    amount = AmountField(
        _("Value, in dollars"),
        help_text=_("Counted as cash on the treasurer’s page. Leave empty for a ham or a trophy."),
        empty=0,
    )

    def build_details(self) -> PrizeDetails:
        """Return the prize. Refuses: form_refused."""
        values = self.read()
        return PrizeDetails(name=values.pop("prize"), **values)


@event_directors_only
def prizes_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the prizes given, and give more."""
    form = PrizeForm.from_request(request)
    if "add_up" in request.POST:
        set_prizes_add_up(event_id=event.pk, add_up=request.POST["add_up"] == "yes", by=get_actor(request))
        return redirect("prizes", short=event.short)
    if request.method == "POST":
        try:
            winners = [parse_digits(pk, max_digits=18) or 0 for pk in request.POST.get("winner", "").split("-") if pk]
            rank = parse_whole_number(request.POST, "rank") if "rank" in request.POST else None
            details = form.build_details()
            give_prize(event_id=event.pk, winners=winners, details=details, rank=rank, by=get_actor(request))
            return redirect("prizes", short=event.short)
        except Refusal as refusal:
            note_refusal(request, refusal)
    context = {
        "event": event,
        "view": build_prizes_view(event),
        "form": form,
        "winner": request.POST.get("winner"),
    }
    return TemplateResponse(request, "tournaments/money/prizes.html", context)


@event_directors_only
@show_refusals
def prize_page(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """Change the name, amount or visibility of a prize, or withdraw it."""
    prize = get_or_404(select_prizes(event).filter(pk=pk).first())
    form = PrizeForm.from_request(request, stored=prize, prize=prize.name)
    if is_submitted(request):
        if "remove" in request.POST:
            take_back_prize(event_id=event.pk, prize_id=pk, by=get_actor(request))
        else:
            change_prize(event_id=event.pk, prize_id=pk, details=form.build_details(), by=get_actor(request))
        return redirect("prizes", short=event.short)
    context = {"event": event, "prize": prize, "form": form}
    return TemplateResponse(request, "tournaments/money/prize.html", context)


@event_directors_only
@show_refusals
def door_prize_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the winner of the door prize, and draw the next one."""
    if is_submitted(request):
        if "clear" in request.POST:
            clear_door_prize(event_id=event.pk, by=get_actor(request))
        else:
            draw_door_prize(event_id=event.pk, prize=request.POST.get("prize", ""), by=get_actor(request))
        return redirect("door-prize", short=event.short)
    context = {
        "event": event,
        "drawn": find_door_prize(event),
        "in_the_hat": len(list_door_prize_candidates(event)),
        "typed": request.POST,
    }
    return TemplateResponse(request, "tournaments/entries/door_prize.html", context)
