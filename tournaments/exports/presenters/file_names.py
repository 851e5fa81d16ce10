"""What the name of a file says beside what it is."""

from django.utils.translation import gettext

from tournaments.models import Event


def about_event(event: Event, *more: str) -> tuple[str, ...]:
    """``("Tuesday night", "2026-11-17")``."""
    return event.name, event.held_on.isoformat(), *(part for part in more if part)


def round_in_words(number: int) -> str:
    return gettext("Round %(number)s") % {"number": number}
