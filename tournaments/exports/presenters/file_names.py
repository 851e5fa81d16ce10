"""Parts of file names that say what a file is about."""

from django.utils.translation import gettext

from tournaments.models import Event


def get_event_name_parts(event: Event, *extra: str) -> tuple[str, ...]:
    """Return the parts for an event: ``("Tuesday night", "2026-11-17")``."""
    return event.name, event.held_on.isoformat(), *(part for part in extra if part)


def format_round(number: int) -> str:
    return gettext("Round %(number)s") % {"number": number}
