"""``{% troubled_copies as copies %}``: what is wrong with the copies that the program makes by itself."""

from django import template
from django.conf import settings
from django.utils import timezone

from operations.backup.automatic import CopyState, copy_state

register = template.Library()


@register.simple_tag
def troubled_copies() -> CopyState | None:
    """None while the last one was made in time. One query."""
    state = copy_state(timezone.now()) if settings.AUTOMATIC_BACKUPS else None
    return state if state is not None and state.is_worth_a_word else None
