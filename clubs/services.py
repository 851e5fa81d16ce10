"""Every change of people and clubs goes through here."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.text import slugify

import rules
from rules import Refusal, ruleset_named, with_house_rules

from . import first_run, names
from .models import Account, Club, HouseRules, Membership, Person, Role


@transaction.atomic
def start_club(
    *, secret: str, name: str, password: str, club_name: str, language: str, ruleset: str
) -> tuple[Account, Club]:
    """The first account and its club, for whoever holds the one-time link.

    Clubs that were imported before anybody had an account become this account's too.
    Refuses: link_used, name_required, name_too_long, password_*, club_name_required, no_such_ruleset.
    """
    if not first_run.opens_with(secret):
        raise Refusal("link_used")
    account = create_account(name=name, password=password, language=language)
    club = create_club(name=club_name, language=language, ruleset=ruleset)
    for owned in Club.objects.filter(memberships__isnull=True):
        Membership.objects.create(club=owned, account=account, role=Role.OWNER)
    return account, club


@transaction.atomic
def create_account(*, name: str, password: str, language: str) -> Account:
    """Refuses: name_required, name_too_long, name_taken, password_too_weak."""
    name = _checked_name(name, field="name")
    if Account.objects.filter(folded_name=names.folded(name)).exists():
        raise Refusal("name_taken", field="name", name=name)
    if is_weak(password):
        raise Refusal("password_too_weak", field="password")
    return Account.objects.create(
        name=name, folded_name=names.folded(name), password=make_password(password), language=language
    )


def is_weak(password: str) -> bool:
    """Whether a password is too short, a common one, or all digits: the validators of the settings say."""
    try:
        validate_password(password)
    except ValidationError:
        return True
    return False


@transaction.atomic
def create_club(*, name: str, language: str = "fr", ruleset: str = "canadian") -> Club:
    """Refuses: club_name_required, no_such_ruleset."""
    name = names.cleaned(name)
    if not name:
        raise Refusal("club_name_required", field="club_name")
    slug = unused_slug(name, Club.objects.values_list("slug", flat=True))
    return Club.objects.create(
        name=name[:80], slug=slug, language=language, usual_ruleset=ruleset_named(ruleset).key
    )


@transaction.atomic
def make_owner(*, club: Club, account: Account) -> Membership:
    """Safe to repeat."""
    membership, _ = Membership.objects.update_or_create(
        club=club, account=account, defaults={"role": Role.OWNER}
    )
    return membership


@transaction.atomic
def find_or_add_people(*, club: Club, full_names: Iterable[str]) -> list[Person]:
    """One person for each name, in order: those whom the club knows by that name, or new ones.

    A name that comes twice in the list is two people. Refuses: name_required, name_too_long.
    """
    wanted = [_checked_name(name, field="name") for name in full_names]
    folded = [names.folded(name) for name in wanted]
    known: dict[str, list[Person]] = defaultdict(list)
    for person in Person.objects.filter(club=club, folded_name__in=set(folded)).order_by("-pk"):
        known[person.folded_name].append(person)
    people = [
        known[folded_name].pop()
        if known[folded_name]
        else Person(club=club, name=name, folded_name=folded_name)
        for name, folded_name in zip(wanted, folded, strict=True)
    ]
    Person.objects.bulk_create(person for person in people if person.pk is None)
    return people


@transaction.atomic
def create_house_rules(*, club: Club, name: str, base: str, difference: Mapping[str, Any]) -> HouseRules:
    """A club's own way of playing: what differs from the built-in ruleset of that key, and nothing else.

    Safe to repeat. Refuses: name_required, name_too_long, house_rules_name_taken, no_such_ruleset, what
    ``rules.with_house_rules`` refuses.
    """
    name = _checked_name(name, field="name")
    difference = _least_difference(base, difference)
    _lock(club.pk)
    known = _house_rules_named(club.pk, name)
    if known is None:
        return HouseRules.objects.create(
            club=club, name=name, folded_name=names.folded(name), base=base, difference=difference
        )
    if (known.base, known.difference) != (base, difference):
        raise Refusal("house_rules_name_taken", field="name", name=known.name)
    return known


@transaction.atomic
def change_house_rules(*, house_rules_id: int, name: str, difference: Mapping[str, Any]) -> HouseRules:
    """Another name, another difference from the same base. Events that were made with it stay as they are.

    Safe to repeat. Refuses: no_such_house_rules, and what ``create_house_rules`` refuses.
    """
    changed = _locked_house_rules(house_rules_id)
    changed.name = _checked_name(name, field="name")
    changed.folded_name = names.folded(changed.name)
    changed.difference = _least_difference(changed.base, difference)
    _check_name_is_free(changed)
    changed.save(update_fields=["name", "folded_name", "difference"])
    return changed


@transaction.atomic
def remove_house_rules(*, house_rules_id: int) -> HouseRules:
    """No new night is made with it. Safe to repeat. Refuses: no_such_house_rules."""
    removed = _locked_house_rules(house_rules_id)
    removed.is_removed = True
    removed.save(update_fields=["is_removed"])
    return removed


@transaction.atomic
def put_back_house_rules(*, house_rules_id: int) -> HouseRules:
    """The undo of ``remove_house_rules``. Safe to repeat.

    Refuses: no_such_house_rules, house_rules_name_taken.
    """
    restored = _locked_house_rules(house_rules_id)
    restored.is_removed = False
    _check_name_is_free(restored)
    restored.save(update_fields=["is_removed"])
    return restored


def unused_slug(name: str, taken: Iterable[str]) -> str:
    """A short name for addresses that nobody has yet: ``les-joyeux-atouts``, ``les-joyeux-atouts-2``."""
    stem = slugify(name)[:50] or "club"
    used = {slug for slug in taken if slug.startswith(stem)}
    slug, number = stem, 2
    while slug in used:
        slug, number = f"{stem}-{number}", number + 1
    return slug


def _checked_name(name: str, *, field: str) -> str:
    name = names.cleaned(name)
    if not name:
        raise Refusal("name_required", field=field)
    if len(name) > names.NAME_LENGTH:
        raise Refusal("name_too_long", field=field, name=name, most=names.NAME_LENGTH)
    return name


def _least_difference(base: str, difference: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is as built in."""
    ruleset = ruleset_named(base)
    return rules.house_rules(ruleset, with_house_rules(ruleset, difference))


def _lock(club_id: int) -> None:
    """Holds the club: two of one name at once come one after the other."""
    Club.objects.select_for_update(no_key=True).get(pk=club_id)


def _locked_house_rules(house_rules_id: int) -> HouseRules:
    found = HouseRules.objects.filter(pk=house_rules_id).first()
    if found is None:
        raise Refusal("no_such_house_rules")
    _lock(found.club_id)
    found.refresh_from_db()
    return found


def _house_rules_named(club_id: int, name: str) -> HouseRules | None:
    folded_name = names.folded(name)
    return HouseRules.objects.filter(club=club_id, folded_name=folded_name, is_removed=False).first()


def _check_name_is_free(wanted: HouseRules) -> None:
    other = _house_rules_named(wanted.club_id, wanted.name)
    if other is not None and other != wanted:
        raise Refusal("house_rules_name_taken", field="name", name=other.name)
