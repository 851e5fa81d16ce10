"""Prize categories: prizes for the best of some entries, and labels that select these entries."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from errors import Refusal, check_choice, get_or_refuse
from tournaments.entries.bonds import parse_labels
from tournaments.entries.entry_import.values import MAX_RATING, clean_label
from tournaments.entries.queries.entries import section_names
from tournaments.history.services.changes import Change
from tournaments.models import Event, PrizeCategory, PrizeScope
from web.money import validate_amount
from web.names import get_group_key, validate_title

from .door_prizes import MAX_PRIZE_LENGTH

MAX_PLACES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryDetails:
    """Fields of a ``PrizeCategory``; ``amounts`` are those of the first places in cents, and later places
    have none."""

    name: str
    among: str = PrizeScope.EVERYBODY
    group: str = ""
    lowest: int | None = None
    highest: int | None = None
    places: int = 1
    prize: str = ""
    amounts: tuple[int, ...] = ()
    is_public: bool = True
    shows_amount: bool = False


@transaction.atomic
def add_prize_category(*, event_id: int, details: CategoryDetails, by: Actor = NOBODY) -> PrizeCategory | None:
    """Add a prize category: prizes for the best of some entries. Safe to repeat with the same idempotency
    key: a repeat gives the same category, or no id if it was removed.

    Refuses what ``_check_details`` refuses.
    """
    change = Change(event_id, "add_prize_category", by)
    if change.is_repeat:
        details_stored = change.event.actions.get(key=by.key).details
        return change.event.prize_categories.filter(pk=details_stored.get("category_id")).first()
    category = PrizeCategory(event=change.event, **_check_details(change.event, details))
    change.add(category)
    change.record(name=category.name, category_id=category.pk)
    return category


@transaction.atomic
def change_prize_category(
    *, event_id: int, category_id: int, details: CategoryDetails, by: Actor = NOBODY
) -> PrizeCategory:
    """Change the name, amounts or entries of a prize category. Safe to repeat.

    Refuses: no_such_prize, and what ``_check_details`` refuses.
    """
    change = Change(event_id, "change_prize_category", by)
    category = get_or_refuse(change.event.prize_categories.filter(pk=category_id).first(), "no_such_prize")
    if change.is_repeat:
        return category
    change.update(category, **_check_details(change.event, details))
    if change.rows:
        change.record(name=category.name)
    return category


@transaction.atomic
def remove_prize_category(*, event_id: int, category_id: int, by: Actor = NOBODY) -> None:
    """Remove a prize category. Safe to repeat."""
    change = Change(event_id, "remove_prize_category", by)
    category = change.event.prize_categories.filter(pk=category_id).first()
    if category is not None and not change.is_repeat:
        change.remove(category)
        change.record(name=category.name)


def copy_prizes(event: Event, prizes: Mapping[str, Any]) -> None:
    """Add prize categories to an event that is being made, in the form of ``prizes_to_json``."""
    if prizes:
        event.prizes_add_up = prizes["add_up"]
        event.save(update_fields=["prizes_add_up"])
        PrizeCategory.objects.bulk_create(PrizeCategory(event=event, **category) for category in prizes["categories"])


@transaction.atomic
def set_prizes_add_up(*, event_id: int, add_up: bool, by: Actor = NOBODY) -> None:
    """Set whether an entry can win in several categories, or only the larger prize. Safe to repeat."""
    change = Change(event_id, "set_prizes_add_up", by)
    if not change.is_repeat:
        change.update(change.event, prizes_add_up=add_up)
        if change.rows:
            change.record(add_up=add_up)


@transaction.atomic
def label_entries(*, event_id: int, label: str, numbers: Collection[int], by: Actor = NOBODY) -> None:
    """Set which entries have a label: those given, and no others. Safe to repeat.

    Refuses: label_required, no_commas, entry_label_too_long, no_such_entry_now.
    """
    label = _clean_label(label)
    change = Change(event_id, "label_entries", by)
    entries = {entry.number: entry for entry in change.event.entries.order_by("number")}
    for number in set(numbers) - entries.keys():
        raise Refusal("no_such_entry_now", entry=number)
    if change.is_repeat:
        return
    for number, entry in entries.items():
        if (get_group_key(label) in parse_labels(entry.labels)) is (number in numbers):
            continue
        others = [
            text.strip() for text in entry.labels.split(",") if get_group_key(text) not in ("", get_group_key(label))
        ]
        labels = ", ".join([*others, label] if number in numbers else others)
        change.update(entry, labels=clean_label("group", labels))
    if change.rows:
        change.record(label=label, entries=sorted(numbers))


def _check_details(event: Event, details: CategoryDetails) -> dict[str, Any]:
    """Return the values to store. Refuses: category_required, prize_too_long, no_such_choice,
    too_many_places, too_many_amounts, amounts_rise, not_an_amount, amount_too_large, and what ``_check_competitors``
    refuses."""
    name, prize = (validate_title(getattr(details, field), field=field) for field in ("name", "prize"))
    if not name:
        raise Refusal("category_required", field="name")
    for field, text in (("name", name), ("prize", prize)):
        if len(text) > MAX_PRIZE_LENGTH:
            raise Refusal("prize_too_long", field=field, most=MAX_PRIZE_LENGTH)
    check_choice(details.among, PrizeScope.values, field="among")
    if not 1 <= details.places <= MAX_PLACES:
        raise Refusal("too_many_places", field="places", most=MAX_PLACES)
    if len(details.amounts) > details.places:
        raise Refusal("too_many_amounts", field="amounts", places=details.places)
    amounts = [validate_amount(amount, field="amounts") for amount in details.amounts]
    if amounts != sorted(amounts, reverse=True):
        raise Refusal("amounts_rise", field="amounts")
    return {
        "name": name,
        "among": details.among,
        **_check_competitors(event, details),
        "prize": prize,
        "amounts": amounts + [0] * (details.places - len(amounts)),
        "is_public": details.is_public,
        "shows_amount": details.is_public and details.shows_amount,
    }


def _check_competitors(event: Event, details: CategoryDetails) -> dict[str, Any]:
    """Return the competitors' fields; fields that the choice does not use are emptied.

    Refuses: label_required, no_commas, entry_label_too_long, no_such_section, rating_required,
    rating_out_of_range, no_rating_between.
    """
    fields: dict[str, Any] = {"group": "", "lowest": None, "highest": None}
    match details.among:
        case PrizeScope.LABEL:
            fields["group"] = _clean_label(details.group)
        case PrizeScope.CLUB | PrizeScope.POOL | PrizeScope.SECTION:
            fields["group"] = clean_label("group", details.group)
            sections = {get_group_key(name): name for name in section_names(event)}
            if details.among == PrizeScope.SECTION and fields["group"]:
                if get_group_key(fields["group"]) not in sections:
                    choices = tuple(sections.values())
                    raise Refusal("no_such_section", field="group", value=fields["group"], choices=choices)
                fields["group"] = sections[get_group_key(fields["group"])]
        case PrizeScope.RATING:
            fields |= _check_rating_band(details.lowest, details.highest)
    return fields


def _check_rating_band(lowest: int | None, highest: int | None) -> dict[str, int | None]:
    if lowest is None and highest is None:
        raise Refusal("rating_required", field="lowest")
    for field, rating in (("lowest", lowest), ("highest", highest)):
        if rating is not None and not 0 <= rating <= MAX_RATING:
            raise Refusal("rating_out_of_range", field=field, value=rating, most=MAX_RATING)
    if lowest is not None and highest is not None and lowest > highest:
        raise Refusal("no_rating_between", field="highest", lowest=lowest)
    return {"lowest": lowest, "highest": highest}


def _clean_label(text: str) -> str:
    """Return a label by which entries are in a category, cleaned. Refuses: label_required, no_commas,
    entry_label_too_long."""
    label = clean_label("group", text)
    if not label:
        raise Refusal("label_required", field="group")
    if "," in label:
        raise Refusal("no_commas", field="group")
    return label
