"""Name of the next event, derived from the name of the last one."""

import datetime
import re

from django.utils.dateformat import format as formatted
from django.utils.translation import override

from clubs.date_formats import localize_date

DATE_FORMS = {
    "fr": ("l j F Y", "l j F", "j F Y", "j F"),
    "en": ("l, F j, Y", "l, F j", "l F j", "F j, Y", "F j", "Y-m-d"),
}
"""Date formats in event names, by language, the longest first."""

NUMBER = re.compile(
    r"((?:\bno\.?|\bn[°º]|#|\b(?:numéro|number|soirée|semaine|week|night|journée|étape))\s*)(\d{1,3})(?!\d)",
    re.IGNORECASE,
)
"""A number that counts events: ``no 12``, ``#12``, ``soirée 12``. Not ``Maine 32``, nor a year."""


def derive_next_name(name: str, *, old_day: datetime.date, new_day: datetime.date) -> str:
    """Return the name with the old day replaced by the new one, or else with its number raised by 1.

    ``Soirée du 17 novembre 2026`` becomes ``Soirée du 24 novembre 2026``, ``Mardi no 12`` becomes ``Mardi no
    13``; other names are unchanged.
    """
    for language, forms in DATE_FORMS.items():
        with override(language):
            for form in forms:
                match = _compile_day_pattern(formatted(old_day, form)).search(name)
                if match:
                    new_text = localize_date(formatted(new_day, form))
                    if match[0][0].isupper():
                        new_text = new_text[0].upper() + new_text[1:]
                    return name[: match.start()] + new_text + name[match.end() :]
    return NUMBER.sub(lambda found: f"{found[1]}{int(found[2]) + 1}", name, count=1)


def _compile_day_pattern(day_text: str) -> re.Pattern[str]:
    """Return a pattern for this day in a name, also as ``1er``."""
    exact = re.escape(day_text)
    return re.compile(rf"(?<!\w){re.sub(r'(?<![0-9])1(?=.? )', '1(?:er)?', exact)}(?!\w)", re.IGNORECASE)
