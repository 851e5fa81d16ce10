"""Prize categories: add, change and remove them, and select the entries with a category's label."""

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
from tournaments.entries.queries.entries import get_entries
from tournaments.events.views.access import event_directors_only
from tournaments.models import Event, PrizeCategory, PrizeScope
from tournaments.money.forms import PublicPrizeForm
from tournaments.money.presenters.awards import has_label, is_in_group
from tournaments.money.presenters.treasurer import get_cash
from tournaments.money.queries.fees import select_prize_categories
from tournaments.money.services.prize_categories import (
    CategoryDetails,
    add_prize_category,
    change_prize_category,
    label_entries,
    remove_prize_category,
)
from web.forms import ChoiceField, FieldError, NumberField, TextField, parse_digits
from web.money import parse_amount
from web.money_words import amount_as_typed
from web.not_found import get_or_404

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
            label_entries(event_id=event.pk, label=category.group, numbers=numbers, by=by)
        else:
            change_prize_category(event_id=event.pk, category_id=pk, details=form.build_details(event), by=by)
    except Refusal as refusal:
        note_refusal(request, refusal)
        return _render_category(request, event, category, form)
    return redirect("prizes", short=event.short)


def _render_category(
    request: HttpRequest,
    event: Event,
    category: PrizeCategory | None,
    form: CategoryForm,
) -> HttpResponse:
    entries = get_entries(event)
    label = category.group if category is not None and category.among == PrizeScope.LABEL else ""
    context = {
        "event": event,
        "category": category,
        "form": form,
        "shared_label": label,
        "labels": list_labels(event.club),
        "competing": [
            {"entry": entry, "has_label": has_label(entry, label), "is_grouped": is_in_group(entry, label)}
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
