"""``{% troubled_copies as copies %}``: problems of the automatic backups."""

from django import template
from django.conf import settings
from django.utils import timezone

from operations.backup.automatic import BackupState, get_backup_state

register = template.Library()


@register.simple_tag
def failed_backups() -> BackupState | None:
    """Return the state of the backups; None if the last one was made in time. One query."""
    state = get_backup_state(timezone.now()) if settings.AUTOMATIC_BACKUPS else None
    return state if state is not None and state.needs_attention else None
