"""What is asked of every new club: its language, its clock, its usual rules."""

from typing import Any

from django.http import HttpRequest

from clubs.models import TimeZone
from rules import RULESETS
from web.forms import LANGUAGES, FormReader


def read_club_answers(form: FormReader) -> dict[str, str]:
    """As the services take them; whatever is not right is refused in the form. Codes: no_such_choice."""
    return {
        "language": form.choice("language", LANGUAGES),
        "time_zone": form.choice("time_zone", TimeZone.values),
        "ruleset": form.choice("ruleset", RULESETS),
    }


def club_answers_context(request: HttpRequest, *, language: str | None) -> dict[str, Any]:
    """What ``clubs/club_answers.html`` shows: as typed, or at first the usual ones in this language."""
    usual = {"language": language, "ruleset": "canadian", "time_zone": TimeZone.EASTERN}
    return {
        "typed": request.POST or usual,
        "rulesets": RULESETS.values(),
        "time_zones": TimeZone.choices,
    }
