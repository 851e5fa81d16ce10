"""Chances of winning, in the reader's language."""

from django.utils.translation import gettext


def percent(number: int) -> str:
    """Return a percentage: ``62%``, in French ``62 %``."""
    return gettext("%(number)s%%") % {"number": number}
