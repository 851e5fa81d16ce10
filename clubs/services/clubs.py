"""Settings of a club and of its public page."""

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.db import IntegrityError, transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import (
    ABOUT_LENGTH,
    ADDRESS_LENGTH,
    CLUB_NAME_LENGTH,
    HALL_LENGTH,
    OFFICERS_LENGTH,
    WEBSITE_LENGTH,
    Club,
    TimeZone,
)
from errors import Refusal, check_choice
from rules import get_ruleset
from web.forms import LANGUAGES
from web.names import clean_lines, clean_text, validate_title
from web.slugs import build_slug

from .changes import ClubChange, validate_length

Row = TypeVar("Row")


@transaction.atomic
def create_club(
    *,
    name: str,
    language: str = "fr",
    time_zone: str = TimeZone.EASTERN,
    ruleset: str = "canadian",
) -> Club:
    """Create a club.

    Refuses: club_name_required, name_too_long, strange_character, no_such_choice, no_such_ruleset.
    """
    name = clean_club_name(name)
    answers = {
        "language": language,
        "time_zone": check_choice(time_zone, sorted(TimeZone.values), field="time_zone"),
        "usual_ruleset": get_ruleset(ruleset).key,
    }
    return create_with_slug(name, _has_club, lambda slug: Club.objects.create(name=name, slug=slug, **answers))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubSettings:
    """A club's name, language, usual built-in ruleset and time zone."""

    name: str
    language: str
    ruleset: str
    time_zone: str


@transaction.atomic
def change_club(*, club_id: int, settings: ClubSettings, by: Actor = NOBODY) -> Club:
    """Update a club's settings. Its slug stays, since cards are printed with it; events keep their rules.
    Safe to repeat.

    Refuses: no_such_club, club_name_required, name_too_long, strange_character, no_such_choice,
    no_such_ruleset.
    """
    change = ClubChange(club_id, "change_club", by)
    if not change.is_repeat:
        before = change.club.name
        change.update(change.club, **_check_settings(settings, change.club))
        if change.rows:
            change.record(name=change.club.name, before=before)
    return change.club


def _check_settings(settings: ClubSettings, club: Club) -> dict[str, Any]:
    return {
        "name": clean_club_name(settings.name),
        "language": check_choice(settings.language, sorted(LANGUAGES), field="language"),
        "usual_ruleset": get_ruleset(settings.ruleset).key,
        "time_zone": check_choice(settings.time_zone, sorted({*TimeZone.values, club.time_zone}), field="time_zone"),
    }


def clean_club_name(name: str) -> str:
    """Return the cleaned name of a club. Refuses: club_name_required, name_too_long, strange_character."""
    name = validate_title(name, field="club_name")
    if not name:
        raise Refusal("club_name_required", field="club_name")
    if len(name) > CLUB_NAME_LENGTH:
        raise Refusal("name_too_long", field="club_name", name=name, most=CLUB_NAME_LENGTH)
    return name


def create_with_slug(name: str, is_taken: Callable[[str], bool], create: Callable[[str], Row]) -> Row:
    """Create a row with an unused slug made from the name. If a concurrent request takes it first, the next
    one is tried. Call it within a transaction.
    """
    while True:
        slug = find_unused_slug(name, is_taken)
        try:
            with transaction.atomic():
                return create(slug)
        except IntegrityError:
            if not is_taken(slug):
                raise


def find_unused_slug(name: str, is_taken: Callable[[str], bool]) -> str:
    """Return an unused slug for a name: ``les-joyeux-atouts``, ``les-joyeux-atouts-2``.

    The free number is found by bisection: for a name used a thousand times, some twenty slugs are looked up.
    """
    stem = build_slug(name)[:50].strip("-") or "club"

    def add_number(number: int) -> str:
        return stem if number == 1 else f"{stem}-{number}"

    taken, free = 0, 1
    while is_taken(add_number(free)):
        taken, free = free, 2 * free
    while free - taken > 1:
        middle = (taken + free) // 2
        if is_taken(add_number(middle)):
            taken = middle
        else:
            free = middle
    return add_number(free)


def _has_club(slug: str) -> bool:
    return Club.objects.filter(slug=slug).exists()


LENGTHS = {
    "hall": HALL_LENGTH,
    "hall_address": ADDRESS_LENGTH,
    "about": ABOUT_LENGTH,
    "officers": OFFICERS_LENGTH,
    "contact": HALL_LENGTH,
    "website": WEBSITE_LENGTH,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubPage:
    """The texts of a club's public page, with one office per line; "" if empty."""

    hall: str = ""
    hall_address: str = ""
    about: str = ""
    officers: str = ""
    contact: str = ""
    website: str = ""


@transaction.atomic
def change_club_page(*, club_id: int, page: ClubPage, by: Actor = NOBODY) -> Club:
    """Update a club's public page: hall, text, contact and officers. Safe to repeat.

    Refuses: no_such_club, text_too_long, no_office, not_a_website.
    """
    change = ClubChange(club_id, "change_club_page", by)
    if not change.is_repeat:
        change.update(change.club, **_check_page(page))
        if change.rows:
            change.record()
    return change.club


def _check_page(page: ClubPage) -> dict[str, Any]:
    texts = {name: clean_text(text) for name, text in asdict(page).items()}
    texts["about"] = clean_lines(page.about)
    texts["officers"] = _clean_officers(page.officers)
    for name, text in texts.items():
        validate_length(text, field=name, max_length=LENGTHS[name])
    if texts["website"]:
        texts["website"] = _clean_website(texts["website"])
    return texts


def _clean_officers(text: str) -> str:
    """Return the officers as ``Office: name``, one per line; a comma is accepted for the colon.
    Refuses: no_office."""
    lines = []
    for line in filter(None, clean_lines(text).splitlines()):
        parts = [part.strip() for part in re.split("[:,]", line, maxsplit=1)]
        if len(parts) == 1 or not all(parts):
            raise Refusal("no_office", field="officers", value=line)
        lines.append(": ".join(parts))
    return "\n".join(lines)


def _clean_website(text: str) -> str:
    """Return the address with its scheme, https if none was typed. Refuses: not_a_website."""
    website = text if "://" in text else f"https://{text}"
    try:
        read = urlsplit(website)
        is_one = read.scheme in ("http", "https") and "." in (read.hostname or "") and " " not in website
    except ValueError:
        is_one = False
    if not is_one or len(website) > WEBSITE_LENGTH:
        raise Refusal("not_a_website", field="website", value=text)
    return website
