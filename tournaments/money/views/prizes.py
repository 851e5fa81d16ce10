"""Prizes and their categories."""

from collections.abc import Sequence
from typing import Self

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from clubs.pages import get_actor, is_submitted, note_refusal, show_refusals
from clubs.people import list_labels
from engine.awards import split_by_percentages
from errors import Refusal
from scoring.parsing import parse_whole_number
from tournaments.entries.queries.entries import get_entries
from tournaments.events.views.access import event_directors_only
from tournaments.history.views.shown_values import ShownRows, ShownValues, build_form_version, get_form_actor
from tournaments.models import Entry, Event, PrizeCategory, PrizeScope
from tournaments.money.presenters.awards import has_label, is_in_group
from tournaments.money.presenters.prizes import build_prizes_view
from tournaments.money.presenters.treasurer import get_cash
from tournaments.money.queries.door_prizes import find_door_prize, list_door_prize_candidates
from tournaments.money.queries.fees import select_prize_categories, select_prizes
from tournaments.money.services.door_prizes import clear_door_prize, draw_door_prize
from tournaments.money.services.prize_categories import (
    CategoryDetails,
    add_prize_category,
    change_prize_category,
    label_entries,
    remove_prize_category,
    set_prizes_add_up,
)
from tournaments.money.services.prizes import PrizeDetails, change_prize, give_prize, take_back_prize
from web.forms import AmountField, CheckboxField, ChoiceField, FieldError, Form, NumberField, TextField, parse_digits
from web.money import parse_amount
from web.money_words import amount_as_typed
from web.not_found import get_or_404


class PublicPrizeForm(Form):
    """The visibility of a prize."""

    is_public = CheckboxField(_("Show on public page"))
    shows_amount = CheckboxField(_("Show amount"))


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
@show_refusals
def prizes_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the prizes given, and give more."""
    form = PrizeForm.from_request(request)
    if "add_up" in request.POST:
        set_prizes_add_up(event_id=event.pk, add_up=request.POST["add_up"] == "yes", by=get_actor(request))
        return redirect("prizes", short=event.short)
    if is_submitted(request):
        winners = [parse_digits(pk, max_digits=18) or 0 for pk in request.POST.get("winner", "").split("-") if pk]
        rank = parse_whole_number(request.POST, "rank") if "rank" in request.POST else None
        details = form.build_details()
        give_prize(event_id=event.pk, winners=winners, details=details, rank=rank, by=get_actor(request))
        return redirect("prizes", short=event.short)
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
    shown = ShownValues(event=event, row=prize, columns=("name", "amount", "is_public", "shows_amount"))
    if is_submitted(request):
        if "remove" in request.POST:
            take_back_prize(event_id=event.pk, prize_id=pk, by=get_actor(request))
        else:
            by = get_form_actor(request, shown)
            change_prize(event_id=event.pk, prize_id=pk, details=form.build_details(), by=by)
        return redirect("prizes", short=event.short)
    context = {"event": event, "prize": prize, "form": form, "form_version": build_form_version(request, shown)}
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


AMOUNT_SEPARATOR = ";"
"""Separator between the amounts of several places, since a comma may precede cents."""


class CategoryForm(PublicPrizeForm):
    """The form of a prize category."""

    name = TextField(
        _("Category name"), help_text=_("For example, “Best club” or “Top women”."), required="category_required"
    )
    among = ChoiceField(_("Eligible entries"), values=PrizeScope.values, template="partials/select.html")
    group = TextField(
        _("Group"),
        help_text=_("A label, club, section or pool. Leave empty for separate prizes in each."),
        list="groups",
    )
    lowest = NumberField(_("Minimum rating"))
    highest = NumberField(_("Maximum rating"))
    places = NumberField(_("Number of prize places"), help_text=_("Leave empty for one per amount."))
    prize = TextField(_("Other prize"), help_text=_("For example, a trophy. Optional."))
    amounts = TextField(_("Amounts, in dollars"))
    event: Event

    @classmethod
    def from_category(cls, category: PrizeCategory) -> Self:
        """Return the form with the values of a category."""
        amounts = f"{AMOUNT_SEPARATOR} ".join(amount_as_typed(cents) for cents in category.amounts if cents)
        return cls.from_stored(category, amounts=amounts, places=len(category.amounts))

    def clean_amounts(self) -> Sequence[int]:
        try:
            return _parse_amounts(self.event, self.cleaned_data["amounts"])
        except Refusal as refusal:
            raise FieldError(refusal) from None

    def build_details(self, event: Event) -> CategoryDetails:
        """Return the category. Refuses: form_refused."""
        self.event = event
        values = self.read()
        amounts = tuple(values.pop("amounts"))
        places = values.pop("places")
        return CategoryDetails(amounts=amounts, places=max(1, len(amounts)) if places is None else places, **values)


@event_directors_only
@show_refusals
def new_category_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Add a prize category and its competitors; one by label continues to the choice of its entries."""
    form = CategoryForm.from_request(request, among=PrizeScope.EVERYBODY, is_public=True)
    if not is_submitted(request):
        return _render_category(request, event, None, form)
    category = add_prize_category(event_id=event.pk, details=form.build_details(event), by=get_actor(request))
    if category is not None and category.among == PrizeScope.LABEL:
        return redirect("prize-category", short=event.short, pk=category.pk)
    return redirect("prizes", short=event.short)


@event_directors_only
def category_page(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """Change or remove a prize category, or choose the entries that have its label."""
    category = get_or_404(select_prize_categories(event).filter(pk=pk).first())
    if request.method != "POST":
        return _render_category(request, event, category, CategoryForm.from_category(category))
    by, form = get_actor(request), CategoryForm(request.POST)
    try:
        if "remove" in request.POST:
            remove_prize_category(event_id=event.pk, category_id=pk, by=by)
        elif "label" in request.POST:
            form = CategoryForm.from_category(category)
            numbers = [parse_digits(text, max_digits=5) or 0 for text in request.POST.getlist("entry")]
            by = get_form_actor(request, _get_shown_labels(event, get_entries(event)))
            label_entries(event_id=event.pk, label=category.group, numbers=numbers, by=by)
        else:
            by = get_form_actor(request, _get_shown_values(category))
            change_prize_category(event_id=event.pk, category_id=pk, details=form.build_details(event), by=by)
    except Refusal as refusal:
        note_refusal(request, refusal)
        return _render_category(request, event, category, form)
    return redirect("prizes", short=event.short)


def _get_shown_values(category: PrizeCategory) -> ShownValues:
    columns = ("name", "among", "group", "lowest", "highest", "prize", "amounts", "is_public", "shows_amount")
    return ShownValues(event=category.event, row=category, columns=columns)


def _get_shown_labels(event: Event, entries: Sequence[Entry]) -> ShownRows:
    return ShownRows(event=event, rows=entries, columns=("labels",))


def _render_category(
    request: HttpRequest,
    event: Event,
    category: PrizeCategory | None,
    form: CategoryForm,
) -> HttpResponse:
    entries = get_entries(event)
    label = category.group if category is not None and category.among == PrizeScope.LABEL else ""
    selected = request.POST.getlist("entry") if "label" in request.POST else None
    context = {
        "event": event,
        "category": category,
        "form": form,
        "form_version": "" if category is None else build_form_version(request, _get_shown_values(category)),
        "label_version": build_form_version(request, _get_shown_labels(event, entries)) if label else "",
        "shared_label": label,
        "labels": list_labels(event.club),
        "competing": [
            {
                "entry": entry,
                "has_label": has_label(entry, label) if selected is None else str(entry.number) in selected,
                "is_grouped": is_in_group(entry, label),
            }
            for entry in (entries if label else ())
        ],
    }
    return TemplateResponse(request, "tournaments/money/category.html", context)


def _parse_amounts(event: Event, typed: str) -> Sequence[int]:
    """Parse amounts as cents, or percentages of the current prize fund.

    Refuses: percents_mixed, percentage_out_of_range, percents_beyond_fund, no_prize_fund, and what
    ``parse_amount`` refuses.
    """
    texts = [text for part in typed.split(AMOUNT_SEPARATOR) if (text := part.strip())]
    if not any(text.endswith("%") for text in texts):
        return [parse_amount(text, field="amounts") or 0 for text in texts]
    if not all(text.endswith("%") for text in texts):
        raise Refusal("percents_mixed", field="amounts")
    percents = [parse_digits(text.removesuffix("%").strip(), max_digits=3) for text in texts]
    if None in percents:
        raise Refusal("percentage_out_of_range", field="amounts")
    shares = [percent or 0 for percent in percents]
    if sum(shares) > 100:
        raise Refusal("percents_beyond_fund", field="amounts")
    fund = get_cash(event).fund
    if not fund:
        raise Refusal("no_prize_fund", field="amounts")
    return split_by_percentages(fund, shares, event.cash_rules.rounding_step)
