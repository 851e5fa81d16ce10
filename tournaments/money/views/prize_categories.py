"""Prize categories: add, change and remove them, and select the entries with a category's label."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.actor import actor_from
from clubs.money_words import amount_as_typed
from clubs.people import labels_of
from engine.awards import percent_shares
from errors import Refusal
from tournaments.entries.queries.entries import entries_of
from tournaments.events.views.access import for_directors
from tournaments.models import Among, Event, PrizeCategory
from tournaments.money.presenters.awards import is_grouped, is_labelled
from tournaments.money.presenters.treasurer import cash_of
from tournaments.money.queries.fees import prize_categories_of
from tournaments.money.services.prize_categories import (
    CategoryDetails,
    add_prize_category,
    change_prize_category,
    label_entries,
    remove_prize_category,
)
from web.forms import FormReader, digits_in
from web.money import read_amount

PARTED = ";"
"""Separator between the amounts of several places, since a comma may precede cents."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def new_category_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Add a prize category and its competitors; one by label continues to the choice of its entries."""
    if request.method != "POST":
        return _render_category(request, event, None, {"among": Among.EVERYBODY, "is_public": True})
    try:
        added = add_prize_category(
            event_id=event.pk, details=_details(request, event), by=actor_from(request)
        )
    except Refusal as refusal:
        return _render_category(request, event, None, request.POST.dict(), refusal)
    if added is not None and added.among == Among.LABEL:
        return redirect("prize-category", short=event.short, pk=added.pk)
    return redirect("prizes", short=event.short)


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def category_page(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """Change or remove a prize category, or choose the entries that have its label."""
    category = prize_categories_of(event).filter(pk=pk).first()
    if category is None:
        raise Http404
    if request.method != "POST":
        return _render_category(request, event, category, _fields_of(category))
    by = actor_from(request)
    try:
        if "remove" in request.POST:
            remove_prize_category(event_id=event.pk, category_id=pk, by=by)
        elif "label" in request.POST:
            numbers = [digits_in(text, most=5) or 0 for text in request.POST.getlist("entry")]
            label_entries(event_id=event.pk, label=category.group, numbers=numbers, by=by)
        else:
            change_prize_category(event_id=event.pk, category_id=pk, details=_details(request, event), by=by)
    except Refusal as refusal:
        typed = _fields_of(category) if "label" in request.POST else request.POST.dict()
        return _render_category(request, event, category, typed, refusal)
    return redirect("prizes", short=event.short)


def _render_category(
    request: HttpRequest,
    event: Event,
    category: PrizeCategory | None,
    typed: Mapping[str, Any],
    refusal: Refusal | None = None,
) -> HttpResponse:
    entries = entries_of(event)
    label = category.group if category is not None and category.among == Among.LABEL else ""
    context = {
        "event": event,
        "category": category,
        "typed": typed,
        "refusal": refusal,
        "shared_label": label,
        "labels": labels_of(event.club),
        "competing": [
            {"entry": entry, "has_label": is_labelled(entry, label), "is_grouped": is_grouped(entry, label)}
            for entry in (entries if label else ())
        ],
    }
    return TemplateResponse(request, "tournaments/money/category.html", context)


def _fields_of(category: PrizeCategory) -> dict[str, Any]:
    """Return the category as the fields of the form."""
    amounts = f"{PARTED} ".join(amount_as_typed(cents) for cents in category.amounts if cents)
    return {
        "name": category.name,
        "among": category.among,
        "group": category.group,
        "lowest": category.lowest,
        "highest": category.highest,
        "places": len(category.amounts),
        "prize": category.prize,
        "amounts": amounts,
        "is_public": category.is_public,
        "shows_amount": category.shows_amount,
    }


def _read_amounts(event: Event, typed: str) -> Sequence[int]:
    """Read amounts as cents, or percentages of the current prize fund.

    Refuses: percents_mixed, percentage_out_of_range, percents_beyond_fund, no_prize_fund, and what
    ``read_amount`` does.
    """
    texts = [text for each in typed.split(PARTED) if (text := each.strip())]
    if not any(text.endswith("%") for text in texts):
        return [read_amount(text, field="amounts") or 0 for text in texts]
    if not all(text.endswith("%") for text in texts):
        raise Refusal("percents_mixed", field="amounts")
    percents = [digits_in(text.removesuffix("%").strip(), most=3) for text in texts]
    if None in percents:
        raise Refusal("percentage_out_of_range", field="amounts")
    shares = [percent or 0 for percent in percents]
    if sum(shares) > 100:
        raise Refusal("percents_beyond_fund", field="amounts")
    fund = cash_of(event).fund
    if not fund:
        raise Refusal("no_prize_fund", field="amounts")
    return percent_shares(fund, shares, event.cash_rules.rounding_step)


def _details(request: HttpRequest, event: Event) -> CategoryDetails:
    """Read a category from the form. Refuses: form_refused."""
    form = FormReader(request.POST.dict())
    name = form.text("name", required="category_required")
    among = form.choice("among", Among.values)
    lowest, highest = form.number("lowest"), form.number("highest")
    places = form.number("places")
    amounts: Sequence[int] = ()
    try:
        amounts = _read_amounts(event, request.POST.get("amounts", ""))
    except Refusal as refusal:
        form.refuse(refusal)
    form.finish()
    return CategoryDetails(
        name=name,
        among=among,
        group=request.POST.get("group", ""),
        lowest=lowest,
        highest=highest,
        places=max(1, len(amounts)) if places is None else places,
        prize=request.POST.get("prize", ""),
        amounts=tuple(amounts),
        is_public="is_public" in request.POST,
        shows_amount="shows_amount" in request.POST,
    )
