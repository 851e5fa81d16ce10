"""The questions for every new club: language, time zone, usual rules."""

from typing import Any

from django.http import HttpRequest

from clubs.models import TimeZone
from rules import RULESETS
from web.forms import LANGUAGES, FormReader


def read_club_answers(form: FormReader) -> dict[str, str]:
    """Read the answers for the services; the form collects refusals. Codes: no_such_choice."""
    return {
        "language": form.choice("language", LANGUAGES),
        "time_zone": form.choice("time_zone", TimeZone.values),
        "ruleset": form.choice("ruleset", RULESETS),
    }


def club_answers_context(request: HttpRequest, *, language: str | None) -> dict[str, Any]:
    """Return the context of ``clubs/club_answers.html``: as typed, or at first the defaults for
    this language."""
    usual = {"language": language, "ruleset": "canadian", "time_zone": TimeZone.EASTERN}
    return {
        "typed": request.POST or usual,
        "rulesets": RULESETS.values(),
        "time_zones": TimeZone.choices,
    }
