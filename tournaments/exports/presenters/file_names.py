"""Parts of file names that say what a file is about."""

from django.utils.translation import gettext

from tournaments.models import Event


def about_event(event: Event, *more: str) -> tuple[str, ...]:
    """Return the parts for an event: ``("Tuesday night", "2026-11-17")``."""
    return event.name, event.held_on.isoformat(), *(part for part in more if part)


def round_in_words(number: int) -> str:
    return gettext("Round %(number)s") % {"number": number}
