"""Changes of a club's public page."""

import re
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import ABOUT_LENGTH, ADDRESS_LENGTH, HALL_LENGTH, OFFICERS_LENGTH, WEBSITE_LENGTH, Club
from errors import Refusal
from web.names import clean_lines, clean_text

from .changes import ClubChange
from .validators import validate_length

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
