"""Changes of a club's house rules."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

import rules
from clubs.models import Club, HouseRules
from errors import Refusal, get_or_refuse
from rules import apply_house_rules, get_ruleset
from web import names

from .changes import lock_club, validate_name


@transaction.atomic
def create_house_rules(*, club: Club, name: str, base: str, difference: Mapping[str, Any]) -> HouseRules:
    """Create house rules: a name, and the differences from the built-in ruleset with that key.

    Safe to repeat. Refuses: name_required, name_too_long, house_rules_name_taken, no_such_ruleset, and
    what ``rules.apply_house_rules`` refuses.
    """
    name = validate_name(name, field="name")
    difference = _reduce_difference(base, difference)
    lock_club(club.pk)
    existing_rules = _find_house_rules(club.pk, name)
    if existing_rules is None:
        return HouseRules.objects.create(
            club=club, name=name, folded_name=names.fold_name(name), base=base, difference=difference
        )
    if (existing_rules.base, existing_rules.difference) != (base, difference):
        raise Refusal("house_rules_name_taken", field="name", name=existing_rules.name)
    return existing_rules


@transaction.atomic
def change_house_rules(*, house_rules_id: int, name: str, difference: Mapping[str, Any]) -> HouseRules:
    """Update the name and differences of house rules. Events made with them keep their rules.

    Safe to repeat. Refuses: no_such_house_rules, and what ``create_house_rules`` refuses.
    """
    changed = _lock_house_rules(house_rules_id)
    changed.name = validate_name(name, field="name")
    changed.folded_name = names.fold_name(changed.name)
    changed.difference = _reduce_difference(changed.base, difference)
    _check_name_is_free(changed)
    changed.save(update_fields=["name", "folded_name", "difference"])
    return changed


@transaction.atomic
def remove_house_rules(*, house_rules_id: int) -> HouseRules:
    """Remove house rules: no new night can use them. Safe to repeat. Refuses: no_such_house_rules."""
    removed = _lock_house_rules(house_rules_id)
    removed.is_removed = True
    removed.save(update_fields=["is_removed"])
    return removed


@transaction.atomic
def restore_house_rules(*, house_rules_id: int) -> HouseRules:
    """Restore removed house rules. Safe to repeat.

    Refuses: no_such_house_rules, house_rules_name_taken.
    """
    restored = _lock_house_rules(house_rules_id)
    restored.is_removed = False
    _check_name_is_free(restored)
    restored.save(update_fields=["is_removed"])
    return restored


def _reduce_difference(base: str, difference: Mapping[str, Any]) -> dict[str, Any]:
    """Return the difference without values that equal the built-in ones."""
    ruleset = get_ruleset(base)
    return rules.diff_house_rules(ruleset, apply_house_rules(ruleset, difference))


def _lock_house_rules(house_rules_id: int) -> HouseRules:
    found = get_or_refuse(HouseRules.objects.filter(pk=house_rules_id).first(), "no_such_house_rules")
    lock_club(found.club_id)
    found.refresh_from_db()
    return found


def _find_house_rules(club_id: int, name: str) -> HouseRules | None:
    folded_name = names.fold_name(name)
    return HouseRules.objects.filter(club=club_id, folded_name=folded_name, is_removed=False).first()


def _check_name_is_free(house_rules: HouseRules) -> None:
    other = _find_house_rules(house_rules.club_id, house_rules.name)
    if other is not None and other != house_rules:
        raise Refusal("house_rules_name_taken", field="name", name=other.name)
