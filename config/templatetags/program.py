"""``{% program_version %}``: the version that serves the page, for support on the telephone."""

from django import template

from config import __version__

register = template.Library()


@register.simple_tag
def program_version() -> str:
    return f"Charlemagne {__version__}"
