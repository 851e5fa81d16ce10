"""The questions for every new club: language, time zone, usual rules."""

from typing import Any

from django.http import HttpRequest

from clubs.models import TimeZone
from rules import RULESETS
from web.forms import LANGUAGES, FormReader


def read_club_form(form: FormReader) -> dict[str, str]:
    """Read the answers for the services; the form collects refusals. Codes: no_such_choice."""
    return {
        "language": form.read_choice("language", LANGUAGES),
        "time_zone": form.read_choice("time_zone", TimeZone.values),
        "ruleset": form.read_choice("ruleset", RULESETS),
    }


def build_club_form_context(request: HttpRequest, *, language: str | None) -> dict[str, Any]:
    """Return the context of ``clubs/club_answers.html``: as typed, or at first the defaults for
    this language."""
    defaults = {"language": language, "ruleset": "canadian", "time_zone": TimeZone.EASTERN}
    return {
        "typed": request.POST or defaults,
        "rulesets": RULESETS.values(),
        "time_zones": TimeZone.choices,
    }
